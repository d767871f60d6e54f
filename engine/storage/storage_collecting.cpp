// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a tick of a storage test holds: counts of the groups' workers, and the levels that are made from them.
#include "storage/raw_series.h"
#include "storage/storage_workload.h"

#include <boost/system/error_code.hpp>

#include <algorithm>
#include <limits>

namespace loadstone::storage {
namespace {

double mean(std::uint64_t nanoseconds, std::uint64_t count)
{
    return count > 0 ? static_cast<double>(nanoseconds) * 1e-9 / static_cast<double>(count)
                     : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

void StorageWorkload::fillLevels(run::WorkloadTick& tick, const metrics::Slab& slab, Nanoseconds length)
{
    using S = StorageSeries;
    const auto sum = [&](IoDirection direction, auto&& of) {
        std::uint64_t all = 0;
        for (std::size_t ioClass = 0; ioClass < kIoClasses; ++ioClass)
            if (directionOf(toString(static_cast<IoClass>(ioClass))) == direction)
                for (std::size_t volume = 0; volume < m_setup->volumes.size(); ++volume)
                    all += slab.counts[of(volume, ioClass)];
        return static_cast<double>(all);
    };
    using enum IoDirection;
    tick.io = { sum(read, S::transfers), sum(write, S::transfers), sum(read, S::bytes) + sum(write, S::bytes) };
    std::uint64_t transactions = 0, failures = 0, due = 0, begun = 0, cutOff = 0;
    for (std::size_t volume = 0; volume < m_setup->volumes.size(); ++volume)
        for (std::size_t kind = 0; kind < S::kKinds; ++kind)
            failures += slab.counts[S::failed(volume, kind)];
    double busiest = 0;
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        const GroupWorker::Levels levels = m_workers[i]->levels();
        const auto count = [&](S::GroupCount which) { return slab.counts[m_series.of(i, which)]; };
        const auto sumOf = [&](S::GroupSum which) { return slab.counts[m_series.of(i, which)]; };
        const auto set = [&](S::GroupLevel which, double value) {
            tick.values[m_series.of(i, which)] = value;
        };
        transactions += count(S::kTransactions);
        due += sumOf(S::kDue);
        begun += sumOf(S::kBegun);
        cutOff += sumOf(S::kCutOff);
        set(S::kReadLatency, mean(sumOf(S::kReadTime), count(S::kReads)));
        set(S::kWriteLatency, mean(sumOf(S::kWriteTime), count(S::kWrites)));
        set(S::kLogWriteLatency, mean(sumOf(S::kLogWriteTime), count(S::kLogWrites)));
        if (levels.size > 0) { // the group is open
            set(S::kCacheSize, static_cast<double>(levels.cache));
            set(S::kDepth, static_cast<double>(levels.depth));
            set(S::kSize, static_cast<double>(levels.size));
            set(S::kWaiting, static_cast<double>(levels.waiting));
            set(S::kSessions, static_cast<double>(levels.sessions));
        }
        if (levels.rate > 0)
            set(S::kRate, levels.rate);
        const Nanoseconds cpu = m_workers[i]->cpuTime();
        const double used = length.count() > 0 ? 100 * seconds(cpu - m_cpuBefore[i]) / seconds(length) : 0;
        m_cpuBefore[i] = cpu;
        tick.values[m_series.worker(i)] = used;
        busiest = std::max(busiest, used);
    }
    tick.values[m_series.total(S::kTransactionsOfAll)] = static_cast<double>(transactions);
    tick.values[m_series.total(S::kFailedOfAll)] = static_cast<double>(failures);
    tick.values[m_series.total(S::kTransactionsDue)] = static_cast<double>(due);
    tick.values[m_series.total(S::kTransactionsBegun)] = static_cast<double>(begun);
    tick.values[m_series.total(S::kTransactionsFailed)] = static_cast<double>(cutOff);
    // A check that uses a processor up is as fast as it can be; a load would not be what was asked for.
    if (m_step != nullptr && m_step->isLoad())
        tick.values[m_series.total(S::kBusiest)] = busiest;
    tick.failures = failures;
}

std::optional<Nanoseconds> StorageWorkload::phaseLeft()
{
    const bool bounded = m_step != nullptr && m_step->isLoad() && m_phase == PhaseKind::measurement;
    if (bounded)
        return {};
    // All groups work at once: the slowest one decides.
    const double passed = seconds(monoNow() - m_phaseBegin);
    std::optional<Nanoseconds> longest;
    for (const auto& worker : m_workers) {
        const GroupWorker::Levels levels = worker->levels();
        if (levels.toDo == 0 || levels.done == 0 || worker->fulfilled())
            continue;
        // A filling that goes on has done a part before.
        const std::uint64_t before = m_doneBefore.try_emplace(worker.get(), levels.done).first->second;
        if (levels.done <= before)
            continue;
        const double left = passed * static_cast<double>(levels.toDo - std::min(levels.toDo, levels.done))
            / static_cast<double>(levels.done - before);
        const Nanoseconds own(static_cast<std::int64_t>(std::min(left, 1e8) * 1e9));
        longest = std::max(longest.value_or(own), own);
    }
    return longest;
}

void StorageWorkload::addErrors(run::WorkloadTick& tick)
{
    for (auto& worker : m_workers)
        for (const auto& [what, count] : worker->takeErrors()) {
            const boost::system::error_code code(what.second, boost::system::system_category());
            tick.errors.push_back({ what.first, code.message(), what.second, count, {} });
        }
}

void StorageWorkload::collect(run::WorkloadTick& tick, std::uint32_t, Nanoseconds length)
{
    metrics::Slab slab { std::vector<metrics::Histogram>(m_series.histograms().size()),
        std::vector<std::uint64_t>(m_series.counts()) };
    const bool removed = m_removed.load(std::memory_order_acquire);
    const bool done = allFulfilled(); // asked before: what it came to is collected then
    for (auto& worker : m_workers) {
        worker->collect(slab, m_origin + tick.end);
        for (RunEvent& event : worker->takeEvents())
            m_events.push_back(std::move(event));
        if (m_failure.empty())
            m_failure = worker->failure();
    }
    m_done = m_phase == PhaseKind::cleanUp ? removed : done;
    if (!m_failure.empty() && !m_failedAt) {
        m_failedAt = monoNow();
        m_done = false;
        order({});
    }
    for (std::size_t i = 0; i < m_series.counted(); ++i)
        tick.values[i] = static_cast<double>(slab.counts[i]);
    fillLevels(tick, slab, length);
    tune(slab, length);
    addErrors(tick);
    {
        const std::lock_guard lock(m_removalMutex);
        m_events.insert(m_events.end(), m_removalEvents.begin(), m_removalEvents.end());
        m_removalEvents.clear();
    }
    if (m_kernel)
        for (RunEvent& event : counters::kernelEvents(*m_kernel, m_origin))
            m_events.push_back(std::move(event));
    tick.phaseLeft = phaseLeft();
    tick.histograms = std::move(slab.histograms);
    std::ranges::stable_sort(m_events, {}, &RunEvent::at);
    tick.events.insert(tick.events.end(), m_events.begin(), m_events.end());
    m_events.clear();
}

} // namespace loadstone::storage
