// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/log/checkpoint_file.h"
#include "storage/log/log_writer.h"
#include "storage/page/page_copies.h"

namespace loadstone::storage {

/// Brings changed pages to the disk: those whose change lies further back in the log than the checkpoint depth, and those that
/// stand in the way where memory is wanted. A page goes after the log records of its changes (the write-ahead rule), first as
/// a copy, then in place; pages that lie beside each other in one transfer. Then moves the checkpoint.
class Cleaner {
public:
    struct Counts {
        std::uint64_t pages = 0, batches = 0, transfers = 0; ///< written in place
        std::uint64_t forMemory = 0; ///< pages that were written because memory was wanted
        std::uint64_t checkpoints = 0;
    };
    /// `depth`: bytes of log. `checkpoint`: what is valid on the disk.
    Cleaner(Loop& loop, Cache& cache, LogWriter& log, PageCopies& copies, CheckpointFile& file,
        Checkpoint checkpoint, std::uint64_t depth, Durability durability);
    Cleaner(const Cleaner&) = delete;
    Cleaner& operator=(const Cleaner&) = delete;

    /// To be spawned; ends when all is written after stop(), or with the cache's failure.
    Task<> run();
    /// After this every changed page is written, and the checkpoint is the log's end.
    void stop();
    /// Something was changed; cheap.
    void changed()
    {
        if (overdue())
            m_cache.memoryWanted().wakeAll(m_loop);
    }
    /// While the log is replayed: nothing from there on has been replayed yet, and counts as not being on the disk.
    void setReplayed(std::optional<LogPosition> position) noexcept { m_replayed = position; }
    void setDepth(std::uint64_t bytes) noexcept { m_depth = bytes; }
    /// While it is held the checkpoint on the disk stays where it is, whatever pages are written: no log file is used again, and
    /// after a crash all of the log from there on has to be replayed. For a test of recovery, that wants so many log files.
    /// stop() moves it all the same. Let go, it moves with the next pages that are written.
    void holdCheckpoint(bool hold) noexcept { m_holding = hold; }
    /// The checkpoint on the disk.
    [[nodiscard]] LogPosition onDisk() const noexcept { return m_checkpoint.position; }
    /// How far the oldest change lies back that is not on the disk, bytes of log.
    [[nodiscard]] std::uint64_t depth() const noexcept { return horizon() - oldest(); }
    [[nodiscard]] const Counts& counts() const noexcept { return m_counts; }

private:
    struct Batch {
        bool busy = false;
        std::vector<Frame*> frames;
        std::vector<PageId> ids;
        LogPosition oldest = 0, logEnd = 0, copied = 0;
    };
    [[nodiscard]] bool overdue() const noexcept;
    [[nodiscard]] LogPosition oldest() const noexcept;
    /// The pages in memory have all changes before.
    [[nodiscard]] LogPosition horizon() const noexcept { return m_replayed.value_or(m_log.end()); }
    std::vector<Frame*> choose();
    void copy(std::size_t slot, std::vector<Frame*> frames);
    Task<> write(std::size_t slot);
    Task<> writeBatch(std::size_t slot);
    Task<Result<void>> writeInPlace(std::size_t slot);
    Task<Result<void>> moveCheckpoint(bool clean);
    void failWith(const Error& error);
    Loop& m_loop;
    Cache& m_cache;
    LogWriter& m_log;
    PageCopies& m_copies;
    CheckpointFile& m_file;
    Checkpoint m_checkpoint;
    std::uint64_t m_depth;
    Durability m_durability;
    std::vector<Batch> m_batches;
    std::optional<LogPosition> m_replayed;
    Waiters m_written;
    std::size_t m_writing = 0; // batches on their way, or failed on it
    bool m_stopping = false, m_writingCheckpoint = false;
    bool m_holding = false; // the checkpoint
    bool m_evicting = false; // so much at a time
    Counts m_counts;
};

} // namespace loadstone::storage
