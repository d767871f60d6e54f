// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/tick_codec.h"

#include <loadstone/series.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace loadstone::history {

// Ticks are sealed by the thousand: short chunks compress worse and waste pages, long ones make a day's
// reading of one series cheap but sealing dear. Measured in tests/bench/recording_bench.
constexpr std::uint64_t kChunkTicks = 1200; ///< times and counters
constexpr std::uint64_t kHistogramTicks = 300; ///< histograms, and their sums
constexpr std::uint64_t kBrickTicks = 60; ///< extremes for drawing
constexpr std::uint64_t kKeptHot = 60; ///< ticks left unsealed, so that followers read rows, not chunks
static_assert(kChunkTicks % kHistogramTicks == 0 && kChunkTicks % kBrickTicks == 0);

// No honest recording has more; bounds what a damaged or hostile one can make a reader allocate.
constexpr std::uint64_t kMostTicks = 4'000'000; ///< 46 days at one a second
constexpr std::uint32_t kMostSeries = 20'000; // counters, and as many histograms

// A file may have more series than its run has: those of its sources.
constexpr std::uint32_t kMostSources = 1000;
constexpr std::int64_t kSourceRemoved = 2; // source.complete of what a user has removed
constexpr std::uint32_t kMostSourceSeries = 1'000'000; // counters of all sources, and as many histograms

/// Where the ticks and series of one source stand in a recording's tables. The run's own is source 0, with its series from 0 on.
struct SourcePlace {
    std::uint32_t source = 0;
    std::uint32_t firstCounter = 0, counters = 0;
    std::uint32_t firstHistogram = 0, histograms = 0;
    /// The series of its last counters, which it got later: other sources may stand between. They count in `counters`.
    std::vector<std::uint32_t> later {};
    /// The series, in the table, of one of its counters.
    [[nodiscard]] std::uint32_t seriesOf(std::uint32_t counter) const
    {
        const auto early = counters - static_cast<std::uint32_t>(later.size());
        return counter < early ? firstCounter + counter : later[counter - early];
    }
};

/// Of a source's tick `number`, or chunk of ticks that begins with it.
constexpr std::int64_t tickId(std::uint32_t source, std::uint64_t number)
{
    return static_cast<std::int64_t>(std::uint64_t { source } << 32U | number);
}

/// The chunk of a series that begins with tick `first`.
constexpr std::int64_t chunkId(std::uint32_t series, std::uint64_t first)
{
    return static_cast<std::int64_t>(std::uint64_t { series } << 32U | first);
}

/// Half-open: ticks first .. last-1.
struct TickRange {
    std::uint64_t first = 0, last = 0;
    [[nodiscard]] bool empty() const { return first >= last; }
    bool operator==(const TickRange&) const = default;
};

/// A stored sample as a chart shows it: counts per second of their tick (NaN where that has no length).
constexpr double shown(CounterKind kind, double sample, double tickSeconds)
{
    if (kind == CounterKind::level)
        return sample;
    return tickSeconds > 0 ? sample / tickSeconds : std::numeric_limits<double>::quiet_NaN();
}

/// A tick that is not sealed yet.
struct HotTick {
    TickTime time;
    std::vector<double> samples; ///< one per counter of its source
    SparseHistograms latencies;
};

} // namespace loadstone::history
