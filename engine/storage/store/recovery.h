// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/log/log_reader.h"
#include "storage/store/cleaner.h"

#include <string>
#include <vector>

namespace loadstone::storage {

/// What opening a group had to do. It goes through the log twice: first to its end, then making the changes again.
struct Recovery {
    bool needed = false; ///< it had not been closed
    LogPosition from = 0, to = 0; ///< of the log; `to` is known after the first pass
    std::uint64_t transactions = 0, records = 0, skipped = 0; ///< skipped: their page had them already
    std::uint64_t logFiles = 0; ///< with records between `from` and `to`; known after the first pass
    std::uint64_t filesReplayed = 0; ///< of these, in the second pass: grows up to logFiles
    std::uint64_t restoredPages = 0; ///< torn, and put back from their copies
    Nanoseconds time {}; ///< of reading the log and changing pages
};

/// Makes the changes of a log again where pages lack them. All that it works on outlives it.
class LogReplay {
public:
    /// `pages`: of each database. `recovery`: what is done is counted there.
    LogReplay(Loop& loop, Cache& cache, LogFiles& files, Cleaner& cleaner,
        const std::vector<std::uint64_t>& pages, Recovery& recovery);
    /// From the checkpoint up to `recovery.to`. Gives the highest timestamp that a page had.
    Task<Result<LogPosition>> run(Checkpoint checkpoint);

private:
    struct Stretch;
    Task<Result<Stretch>> readAhead(LogReader& reader) const;
    Task<Result<LogPosition>> replay(std::span<const std::byte> records, LogPosition begin, LogPosition end);
    Task<Result<Frame*>> fetchForReplay(PageId id, bool beginsAnew);
    Loop& m_loop;
    Cache& m_cache;
    LogFiles& m_files;
    Cleaner& m_cleaner;
    const std::vector<std::uint64_t>& m_pages;
    Recovery& m_recovery;
};

} // namespace loadstone::storage
