// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/tick_reader.h"

#include <loadstone/curve.h>
#include <loadstone/histogram.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/// What a chart shows of ticks, of a run's own and of a source's alike. Times are on the ticks' own axis.
namespace loadstone::history {

/// Samples of a series in memory: one for each tick of a range, as stored.
struct RangeSamples {
    const std::vector<TickTime>& times; ///< of all ticks
    TickRange range;
    CounterKind kind = CounterKind::level;
    const std::vector<double>& samples;
};
// As the functions below, of these samples.
std::vector<CounterPoint> pointsOf(const RangeSamples& of);
std::vector<CounterBand> bandsOf(const RangeSamples& of, std::size_t bands);
CounterStatistics statisticsOf(const RangeSamples& of);
/// Each sample weighs as long as its tick lies within the window. `last` is that of the last tick that ends there.
CounterStatistics statisticsWithin(const RangeSamples& of, TimeWindow window);

Result<std::vector<CounterPoint>> counterPoints(
    const TickReader& ticks, CounterKind kind, std::uint32_t id, TimeWindow window);
/// At most `bands`, which begin at multiples of their length: a growing curve changes at its end only.
Result<std::vector<CounterBand>> counterBands(
    const TickReader& ticks, CounterKind kind, std::uint32_t id, TimeWindow window, std::size_t bands);
Result<CounterStatistics> counterStatistics(
    const TickReader& ticks, CounterKind kind, std::uint32_t id, TimeWindow window);
/// All latencies of a series; of a level those of the window's last tick.
Result<Histogram> latenciesWithin(
    const TickReader& ticks, LatencyClock clock, std::uint32_t id, TimeWindow window);
/// See Recording::eachStretch().
Result<void> eachStretch(const TickReader& ticks, LatencyClock clock, std::uint32_t id, TimeWindow window,
    Nanoseconds stretch, const std::function<void(TimeWindow, const Histogram&)>& visit);
/// See Recording::latencyCurve().
struct CurveSeries {
    LatencyClock clock = LatencyClock::response;
    std::uint32_t id = 0;
    std::optional<std::uint32_t> ages {}; ///< of what had not ended, by the same clock; none: not recorded
};
Result<std::vector<CounterPoint>> latencyCurve(const TickReader& ticks, const CurveSeries& series,
    double percentile, TimeWindow window, Nanoseconds stretch);

} // namespace loadstone::history
