// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/counter_codec.h"
#include "history/database.h"
#include "history/layout.h"

#include <loadstone/histogram.h>
#include <loadstone/recording.h>

#include <deque>
#include <functional>

namespace loadstone::history {

/// The ticks of a recording's run, or of one of its sources, as the file has them: sealed chunks on disk, the hot tail in memory. What
/// follow() has seen stays readable whatever the writer does meanwhile, because chunks never change. Not
/// thread-safe.
class TickReader {
public:
    TickReader(Database& database, std::string file, const SourcePlace& place);

    /// From now on series are asked for by other numbers: `counters[i]` and `histograms[i]` are the source's for i, from 0.
    void renumber(std::vector<std::uint32_t> counters, std::vector<std::uint32_t> histograms);

    /// The source has more counters than before; its ticks up to now have no samples of them.
    void grow(const SourcePlace& place);

    /// Takes in what is new; to be called within a reading transaction.
    Result<void> follow();
    /// One per tick, by number.
    [[nodiscard]] const std::vector<TickTime>& times() const { return m_times; }
    /// The ticks whose ends lie within the window.
    [[nodiscard]] TickRange rangeOf(TimeWindow window) const;
    /// The same, and one more where a tick reaches over the window's end.
    [[nodiscard]] TickRange overlapping(TimeWindow window) const;
    /// From the begin of the first tick whose end lies within the window to the end of the last one; where there is none, the window.
    [[nodiscard]] TimeWindow wholeTicks(TimeWindow window) const;

    /// The samples as stored: counts are events per tick.
    Result<std::vector<double>> samples(std::uint32_t counter, TickRange range) const;
    /// The pyramid's bricks from the one that holds tick `range.first`, up to the end of the sealed ticks.
    Result<std::vector<CounterBrick>> bricks(std::uint32_t counter, TickRange range) const;
    /// Adds all of the series' latencies within the range.
    Result<void> merge(std::uint32_t histogram, TickRange range, Histogram& into) const;
    /// Each non-empty encoded histogram of the range in order.
    Result<void> each(std::uint32_t histogram, TickRange range,
        const std::function<Result<void>(std::uint64_t tick, std::string_view bytes)>& visit) const;

    [[nodiscard]] std::uint64_t sealed() const { return m_sealed; }

private:
    using Visit = std::function<Result<void>(std::uint64_t first, std::string_view data)>;
    Result<void> takeChunks();
    Result<void> takeHot();
    /// The sealed blobs of one series from the chunk that holds range.first, `step` ticks each.
    Result<void> eachChunk(const char* table, std::uint32_t series, TickRange range, std::uint64_t step,
        const Visit& visit) const;
    [[nodiscard]] Error damage(const std::string& what, std::uint64_t first, const Error& why) const;

    Database& m_database;
    std::string m_file;
    SourcePlace m_place;
    std::vector<std::uint32_t> m_counterIds, m_histogramIds; // the source's, by number
    std::vector<TickTime> m_times;
    std::uint64_t m_sealed = 0;
    std::deque<HotTick> m_hot; // ticks m_sealed and on
};

} // namespace loadstone::history
