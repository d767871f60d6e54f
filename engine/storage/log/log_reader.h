// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/aligned_memory.h"
#include "storage/log/checkpoint_file.h"
#include "storage/log/log_files.h"

#include <string>

namespace loadstone::storage {

/// Reads the log from a checkpoint to its end, transaction by transaction. The end is where nothing sound follows; that this is
/// the end, and no damage, is told by the segments behind it: each says what was durable when it was written.
///
/// What a crash left behind the end stays there, sound as it may be, and the next life's log grows towards it. Each life has
/// an epoch of its own: a segment of a lower one than the segment before is such a rest. So that there is always one before, the
/// checkpoint says in which epoch the log was written there. And what a rest says was durable counts no more:
/// recovery may have cut it off.
class LogReader {
public:
    LogReader(Loop& loop, LogFiles& files, const Checkpoint& checkpoint);

    /// The records of one transaction, until the next call.
    struct Group {
        LogPosition position, end;
        std::span<const std::byte> records;
    };
    /// Nothing: the log ends. An Error: it could not be read, or is damaged before its end; which file and where is said.
    Task<Result<std::optional<Group>>> next();

    // At the end:
    [[nodiscard]] LogPosition end() const noexcept { return m_groupBegin; } ///< of the last whole transaction
    [[nodiscard]] std::uint32_t epoch() const noexcept { return m_epoch; } ///< the highest one met
    /// What the segment that end() lies in has before it.
    [[nodiscard]] std::string partial() const;
    /// That segment was read from its shadow.
    [[nodiscard]] bool endedInShadow() const noexcept;

private:
    Task<Result<bool>> readSegment(); // false: the log ends
    Task<Result<std::span<std::byte>>> segmentAt(std::uint64_t file, std::uint64_t offset);
    Task<Result<void>> lookForDamage();
    [[nodiscard]] Error damaged(const std::string& what) const;
    Loop& m_loop;
    LogFiles& m_files;
    AlignedMemory m_chunk;
    std::uint64_t m_chunkFile = ~0ULL, m_chunkOffset = 0, m_chunkLength = 0;
    std::string m_stream; // payload from m_streamBegin on
    LogPosition m_streamBegin, m_groupBegin;
    LogPosition m_next; // the position that the next segment begins with
    LogPosition m_from;
    std::uint32_t m_life; // the newest epoch
    std::uint32_t m_epoch; // of the last segment
    bool m_ended = false, m_shadow = false;
};

} // namespace loadstone::storage
