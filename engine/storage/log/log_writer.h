// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/aligned_memory.h"
#include "storage/log/log_files.h"

#include <functional>

namespace loadstone::storage {

/// What the log did, since the group was opened.
struct LogCounts {
    std::uint64_t flushes = 0; ///< each of one or two transfers
    std::uint64_t writes = 0; ///< transfers
    std::uint64_t bytes = 0; ///< written, shadows and segments written again included
    std::uint64_t halfFull = 0; ///< flushes that nobody waited for
    std::uint64_t stalls = 0; ///< transactions that found the buffer full
    std::uint64_t filesBegun = 0;
};

/// Writes the log of a storage group. Records gather in a buffer; one flush takes all that are there to the disk (group
/// commit), as soon as a durable commit waits or half the buffer is full. The last segment of a flush is most often not full,
/// and has to be written again by the next one: it is written twice, the second time behind itself as its shadow, and the
/// next flush first writes it alone. So what is durable stays readable whatever becomes of a write.
class LogWriter {
public:
    /// `buffer`: bytes. `position`: where the log goes on, `partial` what its segment has before that. `checkpoint` gives
    /// the position before which no record is needed any more, by what is on the disk.
    LogWriter(Loop& loop, LogFiles& files, std::size_t buffer, LogPosition position, std::uint32_t epoch,
        std::span<const std::byte> partial, std::function<LogPosition()> checkpoint, Durability durability);
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    /// Where this life's part of the log begins: its epoch stands from there on.
    [[nodiscard]] LogPosition begin() const noexcept { return m_begin; }
    /// Where the next transaction's records will begin.
    [[nodiscard]] LogPosition end() const noexcept { return m_end; }
    [[nodiscard]] LogPosition durable() const noexcept { return m_durable; }
    /// The longest group of records that the buffer takes.
    [[nodiscard]] std::size_t longestGroup() const noexcept { return m_buffer.size() / 4; }
    [[nodiscard]] bool hasRoom(std::size_t records) const noexcept;
    /// Waits until there is room; others may have taken it again when the caller runs.
    Task<> waitForRoom(std::size_t records);
    /// The records of one transaction; there must be room. Returns where it ends.
    LogPosition append(std::span<const std::byte> records);
    /// Everything before `position` is on the disk when it returns, or the log has failed: see failure().
    Task<> makeDurable(LogPosition position);
    /// Set once a write failed. From then on nothing becomes durable any more.
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return m_failure; }

    /// After a crash, before anything else: gives the last segment its shadow again. `fromShadow`: it was the shadow that
    /// could be read.
    Task<Result<void>> secureEnd(bool fromShadow);
    /// The flushing itself: to be spawned; ends after stop(), when all is on the disk, or with the failure.
    Task<> run();
    /// Makes the next log file ready beforehand: likewise.
    Task<> prepareFiles();
    void stop();
    [[nodiscard]] const LogCounts& counts() const noexcept { return m_counts; }

private:
    Task<Result<void>> flush();
    Task<Result<void>> write(LogPosition from, LogPosition to, bool shadow);
    void failWith(Error error);
    Loop& m_loop;
    LogFiles& m_files;
    AlignedMemory m_buffer; // the stream, as a ring: byte p at p modulo its size
    AlignedMemory m_staging; // the segments of one transfer
    LogPosition m_begin, m_end, m_durable, m_wanted = 0;
    std::uint32_t m_epoch;
    std::function<LogPosition()> m_checkpoint;
    Durability m_durability;
    Waiters m_flushWanted, m_flushed, m_fileWanted, m_fileReady;
    std::uint64_t m_lastFile = 0; // the last one that is ready
    bool m_stopping = false;
    std::optional<Error> m_failure;
    LogCounts m_counts;
};

} // namespace loadstone::storage
