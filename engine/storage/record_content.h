// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page.h"

#include <string>

namespace loadstone::storage {

/// What a database's records look like. Their bytes are a function of (seed, database, key, version), so that no two databases
/// are alike and every record that is read can be checked.
struct RecordShape {
    std::uint32_t shortPad = 200, longPad = 2000; ///< bytes; a replace changes the short one
    /// By how much a compressor of the storage is to shrink them, about; 1: not at all. What zstd makes of them is told by
    /// measuredCompression().
    double compression = 1;
    /// Share of the records whose long pad is one of `kPool` that come again and again; 0 to 1.
    double duplication = 0;
    static constexpr std::uint64_t kPool = 64;
    bool operator==(const RecordShape&) const = default;
};

/// Makes and checks records. An object per database.
class RecordContent {
public:
    RecordContent(const RecordShape& shape, std::uint64_t seed, std::uint32_t database);

    /// Bytes of a value.
    [[nodiscard]] std::size_t size() const noexcept { return kHead + m_shape.shortPad + m_shape.longPad; }
    /// Where the short pad lies, which a replace writes with its new version.
    [[nodiscard]] std::size_t patchSize() const noexcept { return kHead + m_shape.shortPad; }

    /// Writes the value of a key; `into` has size() bytes.
    void make(Key key, std::uint32_t version, std::span<std::byte> into) const noexcept;
    /// Its first patchSize() bytes.
    void makePatch(Key key, std::uint32_t version, std::span<std::byte> into) const noexcept;
    /// Whether a value is what some version of it was made to be.
    [[nodiscard]] bool check(Key key, std::span<const std::byte> value) const;
    [[nodiscard]] static std::uint32_t version(std::span<const std::byte> value) noexcept;

private:
    static constexpr std::size_t kHead =
        16; // the key, the version of the short pad and the one that made the long pad
    void fill(std::span<std::byte> into, std::uint64_t state) const noexcept;
    [[nodiscard]] std::uint64_t longState(Key key, std::uint32_t version) const noexcept;
    RecordShape m_shape;
    std::uint64_t m_seed;
};

} // namespace loadstone::storage
