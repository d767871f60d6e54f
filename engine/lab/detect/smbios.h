// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadstone::lab {

/// One structure of the table of SMBIOS (DSP0134). Fields are read by their offset; what is past the end is absent.
struct SmbiosStructure {
    std::uint8_t type = 0;
    std::uint16_t handle = 0;
    std::vector<std::uint8_t> body; ///< with the header of four bytes
    std::vector<std::string> strings;

    [[nodiscard]] std::optional<std::uint8_t> byte(std::size_t at) const;
    [[nodiscard]] std::optional<std::uint16_t> word(std::size_t at) const; ///< little endian
    [[nodiscard]] std::optional<std::uint32_t> dword(std::size_t at) const;
    [[nodiscard]] std::optional<std::uint64_t> qword(std::size_t at) const;
    /// The string whose number stands at `at`, without blanks; empty for none and for words that makers write in place of a value ("To
    /// be filled by O.E.M.").
    [[nodiscard]] std::string text(std::size_t at) const;
};

/// Structures up to the end marker (type 127), the end of the bytes, or the first that has no end. Untrusted bytes; at most 10,000
/// structures. Any thread.
std::vector<SmbiosStructure> readSmbios(std::span<const std::uint8_t> table);

/// A module of memory (type 17).
struct SmbiosModule {
    std::uint64_t bytes = 0; ///< 0: an empty slot
    std::string type; ///< "DDR4"; empty: unknown
    std::string form; ///< "DIMM"
    std::string slot, vendor, serial, part;
    std::optional<std::uint32_t> speed, configuredSpeed; ///< MT/s
    std::optional<unsigned> ranks;
    std::optional<bool> ecc; ///< by the widths of the module
};
std::vector<SmbiosModule> memoryModules(const std::vector<SmbiosStructure>& table);
/// "rack", "tower", ... of the type of a chassis (type 3, or chassis_type of sysfs); empty for others.
std::string chassisForm(unsigned type);

} // namespace loadstone::lab
