// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/recorder.h"
#include "metrics/underway.h"
#include "storage/load.h"
#include "storage/maintenance.h"
#include "storage/storage_series.h"
#include "storage/storage_setup.h"
#include "storage/unanswered.h"
#include "storage/verification.h"

#include <loadstone/recording.h>

#include <atomic>
#include <condition_variable>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace loadstone::storage {

struct GroupLife;
/// Ends a life; or leaves it alone for ever, if its device does not answer: transfers may still go to and from its memory.
struct LetGo {
    void operator()(GroupLife* life) const;
};
using HeldLife = std::unique_ptr<GroupLife, LetGo>;

/// What a group's worker is to do next.
struct GroupOrders {
    enum class What : std::uint8_t {
        nothing, ///< what goes on ends in order, and the group is closed
        make, ///< files and contents, as far as they are missing; and recovery, if it was not closed
        load,
        generate, ///< log files to replay; then it crashes
        replay,
        backup,
        verify
    } what = What::nothing;
    const plan::StorageTestStep* step = nullptr; ///< lives as long as the setup; none: nothing, make
    std::uint64_t seed = 0;
};

/// The thread of one storage group: its device, its loop, and whatever the group does.
class GroupWorker {
public:
    GroupWorker(StorageSetup& setup, std::size_t group, const StorageSeries& series);
    GroupWorker(const GroupWorker&) = delete;
    GroupWorker& operator=(const GroupWorker&) = delete;
    ~GroupWorker(); ///< stops and joins

    // The control thread:
    void start(MonoTime origin);
    void obey(const GroupOrders& orders);
    /// Of a load: so many sessions of this group, or so many database transfers/s of all groups where it is paced, from now on.
    void adjust(double load) { m_adjusted.store(load, std::memory_order_release); }
    /// What is under way is broken off as a crash would: the group recovers the next time.
    void stop();
    void join(); ///< after stop(): not longer than the setup's patience with a device that does not answer
    /// Adds what was recorded since the last call, and the ages at `until` of what is under way or due: right however late the
    /// worker's thread is.
    void collect(metrics::Slab& slab, MonoTime until);
    /// The last orders are carried out, or cannot be. Of a load: the cache is filled as far as it is to be, and a paced one has
    /// settled at its target, or is not going to.
    [[nodiscard]] bool fulfilled() const;
    /// Why it goes on no more; empty: it does.
    [[nodiscard]] std::string failure() const;
    [[nodiscard]] Nanoseconds cpuTime() const;
    [[nodiscard]] int threadId() const noexcept { return m_threadId.load(std::memory_order_relaxed); } ///< 0: not started
    std::vector<RunEvent> takeEvents();
    /// (what, errno) and how often, since the last call.
    std::map<std::pair<std::string, int>, std::uint64_t> takeErrors();
    /// Levels, as they were some milliseconds ago.
    struct Levels {
        std::uint64_t cache = 0, depth = 0, size = 0, waiting = 0; ///< bytes, bytes, bytes, transactions
        std::uint64_t sessions = 0;
        double rate = 0; ///< transactions/s that the pacing goes by; 0: none
        std::uint64_t done = 0, toDo = 0; ///< of what goes on, in whatever unit; toDo 0: not known
    };
    [[nodiscard]] Levels levels() const;

private:
    using What = GroupOrders::What;
    friend struct GroupLife;
    friend struct LetGo;
    /// Counters of the page store as they were last recorded.
    struct Seen {
        Cache::Counts cache;
        LogCounts log;
        Cleaner::Counts cleaner;
        LoadCounts load;
        std::vector<Maintenance::Counts> maintenance; // of each database
        std::uint64_t logCopies = 0;
    };

    // The worker's own thread:
    void run();
    [[nodiscard]] Result<void> carryOut();
    [[nodiscard]] Result<void> make();
    [[nodiscard]] Result<void> create();
    [[nodiscard]] Result<void> reserveBackups();
    [[nodiscard]] Result<void> fill();
    [[nodiscard]] Result<void> closeAfterCrash();
    [[nodiscard]] Result<void> load();
    [[nodiscard]] Result<void> generate();
    [[nodiscard]] Result<void> replay();
    [[nodiscard]] Result<void> read(bool backup);
    [[nodiscard]] Result<void> readDatabase(GroupLife& life, std::size_t index, bool backup);
    [[nodiscard]] Result<void> readLog(GroupLife& life);
    [[nodiscard]] Result<void> requireClosed(GroupLife& life);
    [[nodiscard]] Result<bool> openGroup(GroupLife& life, std::optional<std::uint64_t> checkpointDepth = {});
    [[nodiscard]] Result<void> closeGroup(GroupLife& life);
    void startLoad(GroupLife& life, bool paced);
    [[nodiscard]] double share() const;
    void adjustLoad(GroupLife& life);
    void settle(GroupLife& life, Nanoseconds sinceBegin, std::uint64_t transfers);
    Task<> pace(GroupLife& life);
    Task<Result<bool>> fillDatabaseOf(GroupLife& life, std::size_t index);
    Task<Result<Checkpoint>> readCheckpoint(GroupLife& life);
    /// Runs a coroutine, and what it needs, to its end. None: the worker is to stop, and the life must be given up at once.
    template <class T>
    std::optional<T> drive(GroupLife& life, Task<T> task);
    void turn(GroupLife& life);
    void watchTransfers(const GroupLife& life);
    void leaveUnanswered(std::size_t transfers);
    void submitting(const GroupLife& life, std::span<IoRequest> requests);
    void measure(const GroupLife& life, std::span<const IoCompletion> completions);
    void record(const GroupLife& life, const IoCompletion& one, metrics::Slab& slab);
    [[nodiscard]] TransactionWatch transactionWatch();
    void forgetUnderway();
    void publish(GroupLife& life, bool now);
    void noteDamage(const Damage& damage);
    void noteDamages(GroupLife& life);
    void count(std::uint32_t counter, std::uint64_t n) { m_recorder.count(counter, n); }
    /// From now on, or since then, time passes for a counter of milliseconds, until endBusy().
    void beginBusy(std::uint32_t counter, MonoTime since = monoNow());
    void tellBusy();
    void endBusy();
    void say(Severity severity, std::string text);
    void tellDevice(const Device& device);
    void progress(std::uint64_t done, std::uint64_t toDo);
    [[nodiscard]] bool interrupted() const noexcept;
    [[nodiscard]] StorageSetup::Group& group() { return m_setup.groups[m_index]; }
    [[nodiscard]] const plan::StorageTest& test() const { return *m_setup.plan.storage; }
    [[nodiscard]] std::size_t databaseIndex(std::size_t index) const { return m_firstDatabase + index; }

    StorageSetup& m_setup;
    std::size_t m_index, m_firstDatabase = 0;
    const StorageSeries& m_series;
    metrics::Recorder m_recorder;
    metrics::Gate m_gate; // before what follows; and before what is recorded of its end
    metrics::Underway m_underway; // by the histogram that its age belongs to
    MonoTime m_origin {};
    GroupOrders m_orders;
    Seen m_seen;
    MonoTime m_published {};
    std::optional<std::uint32_t> m_busy; // a counter
    MonoTime m_busySince {}; // what was before is counted
    std::uint64_t m_reads = 0, m_writes = 0; // database transfers of this life, for the pacing
    std::vector<std::uint64_t> m_filled; // of what each database is being filled with
    bool m_fillingFailed = false; // of one of them: the others end
    MonoTime m_logWriteIssued {};
    /// Damaged pages of this life that were counted: of the load and each database's maintenance, which may find the same ones.
    struct Damaged {
        std::size_t ofLoad = 0;
        std::vector<std::size_t> ofMaintenance;
        std::set<std::pair<std::string, std::uint64_t>> pages;
    } m_damaged;
    std::uint64_t m_completed = 0, m_completedBefore = 0; // transfers
    MonoTime m_answered {}; // when the last of them was seen to be complete, or none was under way
    bool m_silent = false; // nothing has been completed for long
    std::string m_unanswered; // why it goes on no more: transfers that will not be completed
    std::set<std::string> m_devicesTold; // descriptions

    std::atomic<bool> m_stop { false };
    std::atomic<double> m_adjusted { 0 }; // 0: as the plan says
    std::atomic<std::uint64_t> m_generation { 0 }, m_fulfilled { 0 }; // of the orders
    std::uint64_t m_obeyed = 0;
    mutable std::mutex m_mutex; // what follows
    std::condition_variable m_wake;
    GroupOrders m_next;
    std::string m_failure;
    std::vector<RunEvent> m_events;
    std::map<std::pair<std::string, int>, std::uint64_t> m_errors;
    Levels m_levels;
    ThreadEnd m_end;
    std::thread m_thread;
    clockid_t m_cpuClock = 0;
    std::atomic<int> m_threadId { 0 };
};

} // namespace loadstone::storage
