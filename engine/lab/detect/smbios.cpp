// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect/smbios.h"

#include "base/trimmed.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace loadstone::lab {

namespace {

constexpr std::size_t kMostStructures = 10000, kLongestString = 256;

std::string plainString(std::span<const std::uint8_t> bytes)
{
    std::string text;
    for (const std::uint8_t c : bytes.first(std::min(bytes.size(), kLongestString)))
        text += c >= 0x20 && c < 0x7f ? static_cast<char>(c) : '?';
    return text;
}

template <class Integer>
std::optional<Integer> integerAt(const std::vector<std::uint8_t>& body, std::size_t at)
{
    if (at + sizeof(Integer) > body.size())
        return {};
    Integer value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
        value =
            static_cast<Integer>(value | static_cast<Integer>(static_cast<Integer>(body[at + i]) << (8 * i)));
    return value;
}

std::string memoryType(unsigned type)
{
    switch (type) { // DSP0134, 7.18.2
    case 0x0f:
        return "SDRAM";
    case 0x12:
        return "DDR";
    case 0x13:
    case 0x14:
        return "DDR2";
    case 0x18:
        return "DDR3";
    case 0x1a:
        return "DDR4";
    case 0x1b:
        return "LPDDR";
    case 0x1c:
        return "LPDDR2";
    case 0x1d:
        return "LPDDR3";
    case 0x1e:
        return "LPDDR4";
    case 0x20:
        return "HBM";
    case 0x21:
        return "HBM2";
    case 0x22:
        return "DDR5";
    case 0x23:
        return "LPDDR5";
    default:
        return {};
    }
}

std::string memoryForm(unsigned form, unsigned detail)
{
    switch (form) { // DSP0134, 7.18.1; registered modules are a bit of the type's detail
    case 0x09:
        return (detail & 0x2000U) != 0 ? "RDIMM" : (detail & 0x4000U) != 0 ? "UDIMM" : "DIMM";
    case 0x0d:
        return "SO-DIMM";
    case 0x0f:
        return "FB-DIMM";
    case 0x05:
    case 0x0b:
        return "soldered";
    default:
        return {};
    }
}

} // namespace

std::optional<std::uint8_t> SmbiosStructure::byte(std::size_t at) const
{
    return integerAt<std::uint8_t>(body, at);
}
std::optional<std::uint16_t> SmbiosStructure::word(std::size_t at) const
{
    return integerAt<std::uint16_t>(body, at);
}
std::optional<std::uint32_t> SmbiosStructure::dword(std::size_t at) const
{
    return integerAt<std::uint32_t>(body, at);
}
std::optional<std::uint64_t> SmbiosStructure::qword(std::size_t at) const
{
    return integerAt<std::uint64_t>(body, at);
}

std::string SmbiosStructure::text(std::size_t at) const
{
    const auto number = byte(at);
    if (!number || *number == 0 || *number > strings.size())
        return {};
    const std::string_view text = trimmed(strings[*number - 1U]);
    constexpr std::array<std::string_view, 10> kNothing { "To be filled by O.E.M.", "To Be Filled By O.E.M.",
        "Not Specified", "None", "Unknown", "UNKNOWN", "NO DIMM", "Default string", "Not Available",
        "0000000000" };
    if (std::ranges::find(kNothing, text) != kNothing.end())
        return {};
    return std::string(text);
}

std::vector<SmbiosStructure> readSmbios(std::span<const std::uint8_t> table)
{
    constexpr std::size_t kHeader = 4;
    constexpr std::uint8_t kEnd = 127;
    std::vector<SmbiosStructure> structures;
    while (table.size() >= kHeader && structures.size() < kMostStructures) {
        const std::size_t length = table[1];
        if (length < kHeader || length > table.size())
            break;
        SmbiosStructure one;
        one.type = table[0];
        one.body.assign(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(length));
        one.handle = one.word(2).value_or(0);
        table = table.subspan(length);
        // Strings end with a zero each, all of them with another one; no strings are two zeros.
        bool ended = false;
        while (!ended) {
            const auto zero = std::ranges::find(table, std::uint8_t { 0 });
            if (zero == table.end())
                return structures;
            const auto size = static_cast<std::size_t>(zero - table.begin());
            if (size == 0) {
                const bool none = one.strings.empty();
                table = table.subspan(none && table.size() > 1 && table[1] == 0 ? 2 : 1);
                ended = true;
            } else {
                one.strings.push_back(plainString(table.first(size)));
                table = table.subspan(size + 1);
            }
        }
        const bool last = one.type == kEnd;
        structures.push_back(std::move(one));
        if (last)
            break;
    }
    return structures;
}

std::vector<SmbiosModule> memoryModules(const std::vector<SmbiosStructure>& table)
{
    constexpr std::uint8_t kMemoryDevice = 17;
    constexpr std::uint16_t kUnknownSize = 0xffff, kExtendedSize = 0x7fff, kInKilobytes = 0x8000;
    std::vector<SmbiosModule> modules;
    for (const SmbiosStructure& one : table) {
        if (one.type != kMemoryDevice)
            continue;
        SmbiosModule module;
        const std::uint16_t size = one.word(0x0c).value_or(0);
        if (size == kExtendedSize)
            module.bytes = static_cast<std::uint64_t>(one.dword(0x1c).value_or(0) & 0x7fffffffU) << 20U;
        else if (size != kUnknownSize && (size & kInKilobytes) != 0)
            module.bytes = static_cast<std::uint64_t>(size & 0x7fffU) << 10U;
        else if (size != kUnknownSize)
            module.bytes = static_cast<std::uint64_t>(size) << 20U;
        module.type = memoryType(one.byte(0x12).value_or(0));
        module.form = memoryForm(one.byte(0x0e).value_or(0), one.word(0x13).value_or(0));
        module.slot = one.text(0x10);
        module.vendor = one.text(0x17);
        module.serial = one.text(0x18);
        module.part = one.text(0x1a);
        const auto speedAt = [&](std::size_t at, std::size_t longAt) -> std::optional<std::uint32_t> {
            const std::uint32_t speed = one.word(at).value_or(0);
            if (speed == 0xffff) {
                const std::uint32_t extended = one.dword(longAt).value_or(0) & 0x7fffffffU;
                return extended == 0 ? std::nullopt : std::optional(extended);
            }
            return speed == 0 ? std::nullopt : std::optional(speed);
        };
        module.speed = speedAt(0x15, 0x54);
        module.configuredSpeed = speedAt(0x20, 0x58);
        if (const unsigned ranks = one.byte(0x1b).value_or(0) & 0x0fU; ranks != 0)
            module.ranks = ranks;
        const std::uint16_t total = one.word(0x08).value_or(kUnknownSize),
                            data = one.word(0x0a).value_or(kUnknownSize);
        if (total != kUnknownSize && data != kUnknownSize && total != 0 && data != 0)
            module.ecc = total > data;
        modules.push_back(std::move(module));
    }
    return modules;
}

std::string chassisForm(unsigned type)
{
    switch (type & 0x7fU) { // DSP0134, 7.4.1
    case 0x03:
    case 0x04:
    case 0x05:
        return "desktop";
    case 0x06:
    case 0x07:
        return "tower";
    case 0x17:
        return "rack";
    case 0x1c:
    case 0x1d:
        return "blade";
    default:
        return {};
    }
}

} // namespace loadstone::lab
