// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"

#include <loadstone/quantile_shift.h>
#include <loadstone/recording.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone {

namespace {

constexpr std::size_t kLeastStretches = 4;
constexpr std::array kCurve { 1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0,
    99.5, 99.9 };

std::uint64_t samplesOf(const LatencyStretches& stretches)
{
    std::uint64_t n = 0;
    for (const Histogram& one : stretches)
        n += one.count();
    return n;
}

Histogram mergedOf(const LatencyStretches& stretches)
{
    Histogram all;
    for (const Histogram& one : stretches)
        all.merge(one);
    return all;
}

/// Blocks of stretches that follow each other, drawn with replacement until there are as many as before.
template <class Random>
Histogram drawn(const LatencyStretches& stretches, Random& random)
{
    const std::size_t n = stretches.size();
    const auto block = static_cast<std::size_t>(std::max(1.0, std::round(std::cbrt(static_cast<double>(n)))));
    Histogram all;
    for (std::size_t taken = 0; taken < n;) {
        std::size_t at = random.below(n - block + 1);
        for (std::size_t i = 0; i < block && taken < n; ++i, ++taken)
            all.merge(stretches[at++]);
    }
    return all;
}

} // namespace

Result<LatencyStretches> latencyStretches(
    const Recording& recording, const SeriesKey& latency, const TimeWindow& window, std::size_t count)
{
    const auto id = findSeries(recording.header().histograms, latency);
    if (!id)
        return fail(recording.file().string() + ": it has no latencies of " + latencyNameOf(latency));
    const Nanoseconds length = window.end - window.begin;
    if (length <= Nanoseconds(0) || count == 0)
        return fail(recording.file().string() + ": a window of no length has no latencies");
    LatencyStretches stretches;
    const auto stretch =
        std::max<Nanoseconds>(std::chrono::milliseconds(100), length / static_cast<Nanoseconds::rep>(count));
    const auto done = recording.eachStretch(*id, window, stretch,
        [&](TimeWindow, const Histogram& histogram) { stretches.push_back(histogram); });
    if (!done)
        return done.error();
    return stretches;
}

std::vector<QuantileShift> quantileShifts(const LatencyStretches& before, const LatencyStretches& after,
    const std::vector<double>& percentiles, std::size_t draws, std::uint64_t seed)
{
    if (before.size() < kLeastStretches || after.size() < kLeastStretches || samplesOf(before) == 0
        || samplesOf(after) == 0)
        return {};
    std::vector<QuantileShift> shifts;
    const Histogram one = mergedOf(before), two = mergedOf(after);
    for (const double percentile : percentiles) {
        QuantileShift& shift = shifts.emplace_back();
        shift.percentile = percentile;
        shift.before = seconds(one.percentile(percentile));
        shift.after = seconds(two.percentile(percentile));
        shift.shift = shift.low = shift.high = shift.after - shift.before;
        shift.atLeast = one.isBeyond(percentile) || two.isBeyond(percentile);
    }
    Random random(seed);
    std::vector<std::vector<double>> found(percentiles.size());
    for (std::size_t draw = 0; draw < draws; ++draw) {
        const Histogram first = drawn(before, random), second = drawn(after, random);
        if (first.empty() || second.empty())
            continue;
        for (std::size_t i = 0; i < percentiles.size(); ++i)
            found[i].push_back(
                seconds(second.percentile(percentiles[i])) - seconds(first.percentile(percentiles[i])));
    }
    for (std::size_t i = 0; i < percentiles.size(); ++i) {
        auto& values = found[i];
        if (values.empty())
            continue;
        std::ranges::sort(values);
        constexpr double kTail = 0.025;
        const auto at = static_cast<std::size_t>(kTail * static_cast<double>(values.size()));
        shifts[i].low = std::min(shifts[i].shift, values[at]);
        shifts[i].high = std::max(shifts[i].shift, values[values.size() - 1 - at]);
    }
    return shifts;
}

std::vector<QuantileShift> quantileCurve(const LatencyStretches& before, const LatencyStretches& after)
{
    return quantileShifts(before, after, { kCurve.begin(), kCurve.end() }, 200);
}

} // namespace loadstone
