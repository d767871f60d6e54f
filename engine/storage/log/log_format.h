// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/page.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace loadstone::storage {

/// How a storage group's log lies in its files. Its stream of bytes is cut into the payloads of segments, and these into files
/// of one size. Segment 0 of a file is its header, and the last one is only ever a shadow.
struct LogGeometry {
    std::uint32_t segment = 512; ///< bytes; a multiple of 512
    std::uint64_t fileSize = 1U << 20; ///< bytes; a multiple of the segment

    [[nodiscard]] std::uint64_t payload() const noexcept;
    [[nodiscard]] std::uint64_t segmentsPerFile() const noexcept
    {
        return fileSize / segment - 2;
    } ///< with payload
    [[nodiscard]] std::uint64_t payloadPerFile() const noexcept { return segmentsPerFile() * payload(); }
    /// The log file, counted from 0 since the group was created, that has a position.
    [[nodiscard]] std::uint64_t fileOf(LogPosition position) const noexcept
    {
        return position / payloadPerFile();
    }
    [[nodiscard]] LogPosition beginOf(std::uint64_t file) const noexcept { return file * payloadPerFile(); }
    /// Where in its file the segment begins that has a position, bytes.
    [[nodiscard]] std::uint64_t offsetOf(LogPosition position) const noexcept
    {
        return (1 + position % payloadPerFile() / payload()) * segment;
    }
    /// The first position of the segment that has `position`.
    [[nodiscard]] LogPosition segmentBegin(LogPosition position) const noexcept
    {
        return position - position % payload();
    }
    bool operator==(const LogGeometry&) const = default;
};

/// Before every payload.
struct SegmentHeader {
    std::uint64_t hash; ///< of the rest of the segment
    LogPosition position; ///< of the payload's first byte
    LogPosition durable; ///< everything before was on the disk when this was written
    std::uint32_t signature; ///< of the storage group
    std::uint32_t epoch; ///< one more with each opening: never less than in the segment before, see LogReader
    std::uint16_t used; ///< bytes of the payload
    std::uint16_t shadow; ///< 1: the double of the segment before this one
    std::uint32_t reserved;
};
static_assert(sizeof(SegmentHeader) == 40);

inline std::uint64_t LogGeometry::payload() const noexcept
{
    return segment - sizeof(SegmentHeader);
}

/// Fills in the header of a segment whose payload is in place, and its hash.
void sealSegment(std::span<std::byte> segment, SegmentHeader header) noexcept;

/// The header of a segment of the group; nothing: it was never written, or is torn or damaged.
[[nodiscard]] std::optional<SegmentHeader> readSegment(
    std::span<const std::byte> segment, std::uint32_t signature) noexcept;

/// The first segment of a log file.
struct LogFileHeader {
    std::uint64_t hash; ///< of the rest of the segment
    char magic[8]; ///< kLogMagic
    std::uint64_t number; ///< which file of the log it is
    std::uint64_t fileSize;
    std::uint32_t segment;
    std::uint32_t signature; ///< of the storage group
};
inline constexpr char kLogMagic[8] = { 'L', 'S', 't', 'o', 'n', 'e', 'L', '1' };

void writeLogHeader(std::span<std::byte> segment, const LogGeometry& geometry, std::uint32_t signature,
    std::uint64_t number) noexcept;
/// Nothing: it is no header of this group's log.
std::optional<LogFileHeader> readLogHeader(std::span<const std::byte> segment) noexcept;

/// Before the records of each transaction.
struct GroupHeader {
    std::uint32_t length; ///< bytes of records that follow
    std::uint32_t hash; ///< of them and the position, see groupHash()
};
static_assert(sizeof(GroupHeader) == 8);
[[nodiscard]] std::uint32_t groupHash(std::span<const std::byte> records, LogPosition position) noexcept;

} // namespace loadstone::storage
