// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/sampler.h"

#include "analysis/generator_health.h"

#include <cmath>
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
    for (const auto& source : m_sources)
        for (CounterInfo& info : source->counters())
            m_counters.push_back(std::move(info));
    const auto add = [&](const char* instance, const char* counter, const char* unit, const char* help,
                         CounterKind kind) {
        m_counters.push_back(
            { 0, "", analysis::kGeneratorObject, instance, counter, unit, "", help, kind });
    };
    add("_Total", analysis::kControlLag, "s", "How late the tick ended", CounterKind::level);
    add("_Total", analysis::kStoreOverruns, "ticks",
        "Ticks that this one took the place of, because the history's disk did not keep up",
        CounterKind::count);
    add("", "Store Lag", "ticks", "Ticks that wait to be written to the recording", CounterKind::level);
    for (std::size_t i = 0; i < m_counters.size(); ++i)
        m_counters[i].id = static_cast<std::uint32_t>(i);
}

void Sampler::prime()
{
    const MonoTime now = monoNow();
    std::vector<double> values;
    for (const auto& source : m_sources) {
        values.resize(source->counters().size());
        source->sample(now, values);
    }
}

metrics::Tick Sampler::sample(std::uint64_t number, Nanoseconds begin, Nanoseconds end, std::uint32_t phase,
    const Control& control)
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
    for (const auto& source : m_sources) {
        const std::size_t size = source->counters().size();
        source->sample(now, values.subspan(at, size));
        at += size;
    }
    values[at++] = seconds(control.lag);
    values[at++] = static_cast<double>(control.overruns);
    values[at] = static_cast<double>(control.storeQueue);
    m_workloadTick.values = {}; // they live in the tick, which leaves
    return tick;
}

} // namespace loadstone::run
