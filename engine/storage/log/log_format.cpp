// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/log/log_format.h"

#include <algorithm>
#include <cstring>

namespace loadstone::storage {

void sealSegment(std::span<std::byte> segment, SegmentHeader header) noexcept
{
    std::memcpy(segment.data(), &header, sizeof header);
    std::fill(segment.begin() + static_cast<std::ptrdiff_t>(sizeof header + header.used), segment.end(),
        std::byte {});
    header.hash = hashOfRest(segment);
    std::memcpy(segment.data(), &header.hash, sizeof header.hash);
}

std::optional<SegmentHeader> readSegment(std::span<const std::byte> segment, std::uint32_t signature) noexcept
{
    SegmentHeader header;
    std::memcpy(&header, segment.data(), sizeof header);
    const bool sound = header.hash == hashOfRest(segment) && header.signature == signature && header.used > 0
        && header.used <= segment.size() - sizeof header && header.shadow <= 1;
    return sound ? std::optional(header) : std::nullopt;
}

void writeLogHeader(std::span<std::byte> segment, const LogGeometry& geometry, std::uint32_t signature,
    std::uint64_t number) noexcept
{
    LogFileHeader header { 0, {}, number, geometry.fileSize, geometry.segment, signature };
    std::memcpy(header.magic, kLogMagic, sizeof kLogMagic);
    std::fill(segment.begin(), segment.end(), std::byte {});
    std::memcpy(segment.data(), &header, sizeof header);
    header.hash = hashOfRest(segment);
    std::memcpy(segment.data(), &header.hash, sizeof header.hash);
}

std::optional<LogFileHeader> readLogHeader(std::span<const std::byte> segment) noexcept
{
    LogFileHeader header;
    std::memcpy(&header, segment.data(), sizeof header);
    const bool sound =
        std::memcmp(header.magic, kLogMagic, sizeof kLogMagic) == 0 && hashOfRest(segment) == header.hash;
    return sound ? std::optional(header) : std::nullopt;
}

std::uint32_t groupHash(std::span<const std::byte> records, LogPosition position) noexcept
{
    return static_cast<std::uint32_t>(contentHash(records, position));
}

} // namespace loadstone::storage
