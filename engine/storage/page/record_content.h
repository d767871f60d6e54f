// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/page.h"

#include <string>

namespace loadstone::storage {

/// What a database's records look like. Each has a short pad and names its long value, which stands apart in the same tree, behind
/// all records, in the order in which they were made: as Exchange's databases keep them. So an insert, a delete and a replace
/// work on two pages, and a read on one. Their bytes are a function of (seed, database, key, version), so that no two
/// databases are alike and all that is read can be checked.
struct RecordShape {
    std::uint32_t shortPad = 200, longPad = 2000; ///< bytes
    /// By how much a compressor of the storage is to shrink them, about; 1: not at all. What zstd makes of them is told by
    /// measuredCompression().
    double compression = 1;
    /// Share of the long values that are one of `kPool` that come again and again; 0 to 1.
    double duplication = 0;
    static constexpr std::uint64_t kPool = 64;
    bool operator==(const RecordShape&) const = default;
};

/// Makes and checks records and long values. An object per database.
class RecordContent {
public:
    /// Keys of records are below, those of long values from there on.
    static constexpr Key kLongKeys = Key { 1 } << 63;

    RecordContent(const RecordShape& shape, std::uint64_t seed, std::uint32_t database);

    /// Bytes of a record's value, and of a long value.
    [[nodiscard]] std::size_t size() const noexcept { return kHead + m_shape.shortPad; }
    [[nodiscard]] std::size_t longSize() const noexcept { return kLongHead + m_shape.longPad; }

    struct Head {
        Key key; ///< its own
        Key longKey; ///< of its long value
        std::uint32_t version; ///< of both
        std::uint32_t reserved;
    };
    /// Of a record of size() bytes.
    [[nodiscard]] static Head headOf(std::span<const std::byte> value) noexcept;
    /// Writes the value of a record; `into` has size() bytes.
    void make(Key key, Key longKey, std::uint32_t version, std::span<std::byte> into) const noexcept;
    /// Writes a long value; `into` has longSize() bytes.
    void makeLong(Key longKey, std::uint32_t version, std::span<std::byte> into) const noexcept;
    /// Whether a record, or a long value, is what some version of it was made to be.
    [[nodiscard]] bool check(Key key, std::span<const std::byte> value) const;
    [[nodiscard]] bool checkLong(Key longKey, std::span<const std::byte> value) const;
    /// Of a long value of longSize() bytes.
    [[nodiscard]] static std::uint32_t longVersion(std::span<const std::byte> value) noexcept;

private:
    static constexpr std::size_t kHead = 24, kLongHead = 16;
    void fill(std::span<std::byte> into, std::uint64_t state) const noexcept;
    [[nodiscard]] std::uint64_t longState(Key key, std::uint32_t version) const noexcept;
    RecordShape m_shape;
    std::uint64_t m_seed;
};

} // namespace loadstone::storage
