// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/day_ticks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone {

namespace {

constexpr int kOperationsPerSecond = 50;

const char* unitOf(std::uint32_t id)
{
    if (id >= 40 && id < 90)
        return "%";
    if (id >= 90 && id < 120)
        return "bytes/s";
    if (id >= 120 && id < 150)
        return "MB";
    return id >= 170 && id < 190 ? "s" : "";
}

} // namespace

DayTicks::DayTicks(const DayContent& content)
    : m_content(content)
    , m_levels(kCounters, 1000)
{
}

RunHeader DayTicks::header() const
{
    RunHeader header;
    header.id = RunId::make();
    header.title = m_content.name;
    for (std::uint32_t id = 0; id < (m_content.counters ? kCounters : 4); ++id) {
        CounterInfo info = counterOf(
            ForeignCounter { "", fmt::format("Bench {}", id / 10), "", fmt::format("Counter {}", id) });
        info.id = id;
        info.unit = unitOf(id);
        info.kind = id < 40 ? CounterKind::count : CounterKind::level;
        header.counters.push_back(info);
    }
    for (std::uint32_t id = 0; id < (m_content.actions ? kActions * 2 : 0); ++id) {
        header.histograms.push_back(
            histogramOf({ Quantity::actionTime, Subject::ofAction(static_cast<ActionKind>(id / 2)),
                            id % 2 == 0 ? LatencyClock::response : LatencyClock::service },
                LatencyScope::action));
        header.histograms.back().id = id;
    }
    return header;
}

metrics::Tick DayTicks::tick(std::uint64_t number)
{
    metrics::Tick tick;
    tick.number = number;
    tick.begin = m_end;
    const auto ideal = Nanoseconds(static_cast<std::int64_t>(number + 1) * 1'000'000'000);
    m_end = ideal + Nanoseconds(static_cast<std::int64_t>(m_random.below(200'000)));
    tick.end = m_end;
    const double length = seconds(tick.end - tick.begin);
    for (std::uint32_t id = 0; id < (m_content.counters ? kCounters : 4); ++id)
        tick.values.push_back(m_content.allNoise && id >= 4 ? m_random.uniform() : value(id, number, length));
    if (m_content.actions)
        addHistograms(tick, number);
    return tick;
}

double DayTicks::noisy(double mean)
{
    return mean * std::exp(0.2 * m_random.normal());
}

double DayTicks::value(std::uint32_t id, std::uint64_t number, double length)
{
    const double day = std::sin(static_cast<double>(number) / 86400.0 * 6.283 + id);
    double& level = m_levels[id];
    if (id < 40) // events per second, Poisson-like
        return std::round(std::max(0.0, 50 * (1.2 + day) + 8 * m_random.normal()));
    if (id < 90) // processor time: clock ticks of 200 in a second
        return 100.0 * std::round(std::clamp(60 + 30 * day + 10 * m_random.normal(), 0.0, 200.0)) / 200.0;
    if (id < 120) // bytes/s over a second that is never quite one
        return std::round(noisy(2e6)) / length;
    if (id < 150) // memory: whole megabytes, wandering
        return level += std::round(m_random.normal());
    if (id < 170) // something rare
        return m_random.below(200) == 0 ? static_cast<double>(m_random.below(5) + 1) : 0.0;
    if (id < 190) // seconds per transfer, missing where there were none
        return m_random.below(3) == 0 ? std::numeric_limits<double>::quiet_NaN() : noisy(0.004);
    return 16384; // a constant
}

void DayTicks::addHistograms(metrics::Tick& tick, std::uint64_t number)
{
    for (std::uint32_t action = 0; action < kActions; ++action) {
        m_response.clear();
        m_service.clear();
        const double scale = 2e6 * (1 + action) * (1.5 + std::sin(static_cast<double>(number) / 5000));
        for (int i = 0; i < kOperationsPerSecond; ++i) {
            const double service = scale * std::exp(0.6 * m_random.normal());
            m_service.record(Nanoseconds(static_cast<std::int64_t>(service)));
            m_response.record(Nanoseconds(static_cast<std::int64_t>(service + m_random.exponential(1e5))));
        }
        tick.histograms.emplace_back(action * 2, m_response.encode());
        tick.histograms.emplace_back(action * 2 + 1, m_service.encode());
    }
}

} // namespace loadstone
