// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "storage/page/record_content.h"
#include "storage/store/storage_group.h"

#include <deque>
#include <functional>

namespace loadstone::storage {

/// What the sessions of a storage group do, by the names of Jetstress's parameters. A transaction is a batch of operations, each
/// committed by itself.
struct OperationMix {
    unsigned insert = 40, erase = 30, replace = 5; ///< per cent of the operations; the rest are reads
    unsigned lazyCommits = 55; ///< per cent of the commits
    unsigned operations = 30; ///< of a transaction
    bool operator==(const OperationMix&) const = default;
};

struct LoadCounts {
    std::uint64_t transactions = 0;
    std::uint64_t reads = 0, inserts = 0, erases = 0, replaces = 0; ///< carried out
    std::uint64_t durableCommits = 0, lazyCommits = 0;
    std::uint64_t conflicts = 0; ///< operations that another session was quicker with; not carried out
    std::uint64_t erasedForRoom = 0; ///< erases in the place of inserts, see GroupLoad
    std::uint64_t wrongRecords = 0; ///< read, with a right checksum, and not what was written
};

/// A transaction's three clocks, see open pacing in the design of runs.
struct TransactionTimes {
    MonoTime intended, begun, done;
};

/// Keeps account of transactions that are due and have not ended. GroupLoad's thread; what is empty is not called.
struct TransactionWatch {
    std::function<std::uint32_t(MonoTime intended)> due; ///< gives the transaction a place
    std::function<void()> begun;
    std::function<void(std::uint32_t place)> forgotten; ///< it is not wanted any more
    std::function<void(std::uint32_t place, const TransactionTimes&)> ended;
};

/// The sessions of one storage group. Each runs one transaction after the other: as soon as the last has ended, or when one is
/// due, if transactions are paced. What is inserted comes last, as new mail does. For all else a key is drawn at random from those
/// that there were, and the next record from there is taken: nobody has to know which ones are left. A read looks at the record
/// alone; the others work on its long value as well. A database that is full but for a fiftieth has records erased instead of
/// inserted until it is not: the load goes on, at one size.
class GroupLoad {
public:
    /// `contents`: of each database.
    GroupLoad(Loop& loop, StorageGroup& group, std::vector<RecordContent> contents, const OperationMix& mix,
        std::uint64_t seed, TransactionWatch watch);
    GroupLoad(const GroupLoad&) = delete;
    GroupLoad& operator=(const GroupLoad&) = delete;

    /// So many sessions run one transaction after the other from now on: spawns those that are missing; those that are too many
    /// end after their transaction.
    void setSessions(unsigned sessions);
    /// Spawns sessions that run what due() asks for.
    void startPaced(unsigned sessions);
    /// A transaction is due, since `intended`; a free session takes it up, or the next one that becomes free.
    void due(MonoTime intended);
    /// Those that are due and were not taken up are not wanted any more.
    void forgetDue();
    /// Transactions due that no session has taken up.
    [[nodiscard]] std::size_t waiting() const noexcept { return m_due.size(); }
    /// Sessions end after the operation that they are at.
    void stop();
    [[nodiscard]] std::size_t running() const noexcept { return m_running; }
    [[nodiscard]] Waiters& ended() noexcept { return m_ended; }
    [[nodiscard]] const LoadCounts& counts() const noexcept { return m_counts; }
    /// The first record that was not what had been written, for the log.
    [[nodiscard]] const std::string& wrongRecord() const noexcept { return m_wrongRecord; }

private:
    Task<> session(Random random, unsigned index);
    Task<> pacedSession(Random random);
    struct Due {
        MonoTime intended;
        std::uint32_t place;
    };
    [[nodiscard]] Due placed(MonoTime intended) const;
    Task<> transaction(Random& random, Due due);
    Task<> operation(Random& random);
    Task<bool> findEnd(std::uint8_t database);
    Task<> insert(Random& random, std::uint8_t database);
    Task<> erase(Random& random, std::uint8_t database, StorageGroup::Record& record);
    Task<> replace(Random& random, std::uint8_t database, StorageGroup::Record& record);
    Task<bool> findLong(std::uint8_t database, StorageGroup::Record& record);
    Task<> commit(Random& random, std::span<const Change> changes);
    [[nodiscard]] bool ending() const { return m_stopping || m_group.failure(); }
    void wrong(std::uint8_t database, Key key, const char* what);
    Loop& m_loop;
    StorageGroup& m_group;
    std::vector<RecordContent> m_contents;
    OperationMix m_mix;
    std::uint64_t m_seed;
    std::vector<std::optional<Key>>
        m_end; // of each database, when it is known: behind the last record that ever was
    TransactionWatch m_watch;
    std::deque<Due> m_due;
    Waiters m_work, m_ended;
    std::size_t m_running = 0;
    std::vector<bool> m_sessions; // by index: it runs
    unsigned m_wanted = 0; // sessions
    std::uint64_t m_begun = 0; // sessions
    bool m_stopping = false;
    LoadCounts m_counts;
    std::string m_wrongRecord;
};

} // namespace loadstone::storage
