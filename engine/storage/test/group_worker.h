// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/thread_placement.h"
#include "storage/load/unanswered.h"
#include "storage/test/group_context.h"

#include <thread>

namespace loadstone::storage {

/// The thread of one storage group: its device, its loop, and whatever the group does, one task after the other.
class GroupWorker {
public:
    GroupWorker(StorageSetup& setup, std::size_t group, const StorageSeries& series);
    GroupWorker(const GroupWorker&) = delete;
    GroupWorker& operator=(const GroupWorker&) = delete;
    ~GroupWorker(); ///< stops and joins

    // The control thread:
    void start(MonoTime origin);
    void obey(const GroupOrders& orders) { m_control.obey(orders); }
    /// Of a load: so many sessions of this group, or so many database transfers/s of all groups where it is paced, from now on.
    void adjust(double load) { m_control.adjust(load); }
    /// What is under way is broken off as a crash would: the group recovers the next time.
    void stop() { m_control.stop(); }
    void join(); ///< after stop(): not longer than the setup's patience with a device that does not answer
    /// Adds what was recorded since the last call, and the ages at `until` of what is under way or due: right however late the
    /// worker's thread is.
    void collect(metrics::Slab& slab, MonoTime until) { m_meter.collect(slab, until); }
    /// The last orders are carried out, or cannot be. Of a load: the cache is filled as far as it is to be, and a paced one has
    /// settled at its target, or is not going to.
    [[nodiscard]] bool fulfilled() const noexcept { return m_control.fulfilled(); }
    /// Why it goes on no more; empty: it does.
    [[nodiscard]] std::string failure() const { return m_report.failure(); }
    [[nodiscard]] Nanoseconds cpuTime() const { return m_clock.used(); }
    [[nodiscard]] int threadId() const noexcept
    {
        return m_threadId.load(std::memory_order_relaxed);
    } ///< 0: not started
    std::vector<RunEvent> takeEvents() { return m_report.takeEvents(); }
    TransferErrors takeErrors() { return m_report.takeErrors(); }
    [[nodiscard]] GroupLevels levels() const { return m_report.levels(); }

private:
    // The worker's own thread:
    void run();
    [[nodiscard]] Result<void> carryOut();
    [[nodiscard]] Result<void> tried();

    GroupControl m_control;
    GroupReport m_report;
    GroupMeter m_meter;
    GroupContext m_context;
    ThreadEnd m_end;
    std::thread m_thread;
    ThreadClock m_clock;
    std::atomic<int> m_threadId { 0 };
};

} // namespace loadstone::storage
