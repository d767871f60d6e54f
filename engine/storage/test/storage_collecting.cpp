// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a tick of a storage test holds: counts of the groups' workers, and the levels that are made from them.
#include "storage/test/storage_workload.h"

#include <boost/system/error_code.hpp>

#include <algorithm>
#include <array>
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
    std::array<std::uint64_t, 3> transfers {}, bytes {}; // by direction
    std::uint64_t transactions = 0, failures = 0, due = 0, begun = 0, cutOff = 0;
    for (std::size_t volume = 0; volume < m_series.volumes(); ++volume)
        for (const StorageSeries::Io& io : m_series.io(volume)) {
            const auto direction = static_cast<std::size_t>(directionOf(io.ioClass));
            transfers[direction] += slab[io.transfers];
            bytes[direction] += slab[io.bytes];
            failures += slab[io.failed];
        }
    constexpr auto kRead = static_cast<std::size_t>(IoDirection::read);
    constexpr auto kWrite = static_cast<std::size_t>(IoDirection::write);
    tick.io = { static_cast<double>(transfers[kRead]), static_cast<double>(transfers[kWrite]),
        static_cast<double>(bytes[kRead] + bytes[kWrite]) };
    double busiest = 0;
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        const GroupLevels levels = m_workers[i]->levels();
        const StorageSeries::Group& group = m_series.group(i);
        const StorageSeries::Levels& shown = m_series.levels(i);
        transactions += slab[group.transactions];
        due += slab[group.due];
        begun += slab[group.begun];
        cutOff += slab[group.cutOff];
        tick[shown.readLatency] = mean(slab[group.readTime], slab[group.reads]);
        tick[shown.writeLatency] = mean(slab[group.writeTime], slab[group.writes]);
        tick[shown.logWriteLatency] = mean(slab[group.logWriteTime], slab[group.logWrites]);
        if (levels.size > 0) { // the group is open
            tick[shown.cacheSize] = static_cast<double>(levels.cache);
            tick[shown.depth] = static_cast<double>(levels.depth);
            tick[shown.size] = static_cast<double>(levels.size);
            tick[shown.waiting] = static_cast<double>(levels.waiting);
            tick[shown.sessions] = static_cast<double>(levels.sessions);
        }
        if (levels.rate > 0)
            tick[shown.rate] = levels.rate;
        const Nanoseconds cpu = m_workers[i]->cpuTime();
        const double used = length.count() > 0 ? 100 * seconds(cpu - m_cpuBefore[i]) / seconds(length) : 0;
        m_cpuBefore[i] = cpu;
        tick[m_series.worker(i)] = used;
        busiest = std::max(busiest, used);
    }
    tick[m_series.total().transactions] = static_cast<double>(transactions);
    tick[m_series.total().failedTransfers] = static_cast<double>(failures);
    tick[m_series.total().due] = static_cast<double>(due);
    tick[m_series.total().begun] = static_cast<double>(begun);
    tick[m_series.total().failed] = static_cast<double>(cutOff);
    // A check that uses a processor up is as fast as it can be; a load would not be what was asked for.
    if (m_step != nullptr && m_step->isLoad())
        tick[m_series.total().busiest] = busiest;
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
        const GroupLevels levels = worker->levels();
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
        for (const auto& [what, count] : worker->takeErrors())
            tick.errors.push_back({ what.first, FailureKind::system, what.second, count, {} });
}

void StorageWorkload::collect(run::WorkloadTick& tick, std::uint32_t, Nanoseconds length)
{
    metrics::Slab slab = metrics::Slab::of(m_series.list());
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
    m_series.list().showCounts(slab.counts, tick.values);
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
