// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/store/storage_group.h"
#include "storage/store/verification.h"

namespace loadstone::storage {

/// Background database maintenance: goes through all pages of one of a group's databases, again and again, and checks them on the disk
/// while the load goes on: so much every so often.
class Maintenance {
public:
    struct Options {
        std::size_t readSize = 512U << 10; ///< bytes
        Nanoseconds interval = std::chrono::milliseconds(100); ///< from one read's due time to the next
    };
    struct Counts {
        std::uint64_t pages = 0, bytes = 0;
        std::uint64_t passes = 0; ///< over the whole database
    };
    Maintenance(Loop& loop, StorageGroup& group, std::uint8_t database, const Options& options);

    /// To be spawned; ends after stop(), or with the group's failure, which a page is that cannot be put right.
    Task<> run();
    void stop() noexcept { m_stopping = true; }
    [[nodiscard]] bool running() const noexcept { return m_running; }
    [[nodiscard]] const Counts& counts() const noexcept { return m_counts; }
    [[nodiscard]] const PageDamages& damages() const noexcept { return m_damages; }

private:
    Task<Result<void>> check(std::uint64_t first, std::uint64_t count);
    Task<Result<PageState>> checkAgain(PageId id, PageState first);
    Task<> sleepUntil(MonoTime due);
    [[nodiscard]] bool ending() const { return m_stopping || m_group.failure(); }
    Loop& m_loop;
    StorageGroup& m_group;
    std::uint8_t m_database;
    Options m_options;
    AlignedMemory m_memory, m_one;
    bool m_stopping = false, m_running = false;
    Counts m_counts;
    PageDamages m_damages;
};

/// Reads every finished file of a group's log as often as there are copies of the databases, as shipping it to them would.
class LogCopyReader {
public:
    LogCopyReader(Loop& loop, StorageGroup& group, unsigned copies);
    /// To be spawned; ends after stop(), or with the group's failure.
    Task<> run();
    void stop() noexcept { m_stopping = true; }
    [[nodiscard]] bool running() const noexcept { return m_running; }
    [[nodiscard]] std::uint64_t filesRead() const noexcept { return m_filesRead; }
    /// Files that had been used again before they were read.
    [[nodiscard]] std::uint64_t filesMissed() const noexcept { return m_filesMissed; }

private:
    Loop& m_loop;
    StorageGroup& m_group;
    unsigned m_copies;
    bool m_stopping = false, m_running = false;
    std::uint64_t m_filesRead = 0, m_filesMissed = 0;
};

} // namespace loadstone::storage
