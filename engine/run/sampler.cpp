// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/sampler.h"

#include <cmath>
#include <iterator>
#include <limits>

namespace loadstone::run {

Sampler::Sampler(Workload& workload, std::vector<std::unique_ptr<counters::CounterSource>> sources)
    : m_workload(workload)
    , m_sources(std::move(sources))
{
    WorkloadSeries series = workload.series();
    m_workloadCounters = series.counters.size();
    m_counters = std::move(series.counters);
    m_histograms = std::move(series.histograms);
    for (const auto& source : m_sources) {
        std::vector<CounterInfo> counters = source->counters();
        m_sizes.push_back(counters.size());
        m_counters.insert(m_counters.end(), std::make_move_iterator(counters.begin()),
            std::make_move_iterator(counters.end()));
    }
    for (const Quantity quantity : { Quantity::controlLag, Quantity::storeOverruns, Quantity::storeLag })
        m_counters.push_back(counterOf(quantity));
    for (std::size_t i = 0; i < m_counters.size(); ++i)
        m_counters[i].id = static_cast<std::uint32_t>(i);
}

void Sampler::prime()
{
    const MonoTime now = monoNow();
    std::vector<double> values;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        values.resize(m_sizes[i]);
        m_sources[i]->sample(now, values);
    }
}

metrics::Tick Sampler::sample(
    std::uint64_t number, Nanoseconds begin, Nanoseconds end, std::uint32_t phase, const Control& control)
{
    metrics::Tick tick;
    tick.number = number;
    tick.begin = begin;
    tick.end = end;
    tick.phase = phase;
    tick.values.assign(m_counters.size(), std::numeric_limits<double>::quiet_NaN());

    std::span<double> values(tick.values);
    m_workloadTick = {};
    m_workloadTick.values = values.first(m_workloadCounters);
    m_workloadTick.end = end;
    m_workload.collect(m_workloadTick, phase, end - begin);
    tick.errors = m_workloadTick.errors;
    for (std::size_t i = 0; i < m_workloadTick.histograms.size(); ++i)
        if (!m_workloadTick.histograms[i].empty())
            tick.histograms.emplace_back(
                static_cast<std::uint32_t>(i), m_workloadTick.histograms[i].encode());

    std::size_t at = m_workloadCounters;
    const MonoTime now = monoNow();
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        m_sources[i]->sample(now, values.subspan(at, m_sizes[i]));
        at += m_sizes[i];
    }
    values[at++] = seconds(control.lag);
    values[at++] = static_cast<double>(control.overruns);
    values[at] = static_cast<double>(control.storeQueue);
    m_workloadTick.values = {}; // they live in the tick, which leaves
    return tick;
}

} // namespace loadstone::run
