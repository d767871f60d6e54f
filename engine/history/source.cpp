// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources of a recording, as they are read.
#include "history/recording_reader.h"
#include "history/tick_curves.h"

#include <loadstone/recording.h>
#include <loadstone/source.h>

#include <algorithm>

namespace loadstone {

namespace {

Result<const history::ReadSource*> sourceIn(const Recording& recording, std::uint32_t id)
{
    const auto all = history::readerOf(recording).sources();
    if (!all)
        return all.error();
    if (id == 0 || id > (*all)->size() || (**all)[id - 1]->info.removed)
        return fail(recording.file().string() + ": no source " + std::to_string(id));
    return (**all)[id - 1].get();
}

/// The window on the source's own axis. Bounded: whoever asks may mean all that there is.
TimeWindow onSource(TimeWindow window, Nanoseconds offset)
{
    const auto bounded = [](Nanoseconds at) {
        return std::clamp(at, -2 * history::kLongestRun, 2 * history::kLongestRun);
    };
    return { bounded(window.begin) - offset, bounded(window.end) - offset };
}

template <class Info>
Result<void> checkSeries(const Recording& recording, const std::vector<Info>& all, std::uint32_t id)
{
    if (id >= all.size())
        return fail(recording.file().string() + ": no series " + std::to_string(id) + " in this source");
    return {};
}

/// The window, its edges moved to those of the run's ticks where they lie within the run.
TimeWindow onRunsTicks(const Recording& recording, TimeWindow window)
{
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    if (ticks.times().empty())
        return window;
    const TimeWindow whole = ticks.wholeTicks(window);
    return { window.begin < ticks.times().front().begin ? window.begin : whole.begin,
        window.end > ticks.times().back().end ? window.end : whole.end };
}

} // namespace

std::optional<Nanoseconds> againstItsClock(const SourceInfo& source, WallTime started)
{
    if (!source.origin.starts_with(kLogOrigin) || source.began == WallTime())
        return std::nullopt;
    return source.offset - (source.began - started);
}

Result<std::vector<SourceInfo>> sourcesOf(const Recording& recording)
{
    const auto all = history::readerOf(recording).sources();
    if (!all)
        return all.error();
    std::vector<SourceInfo> infos;
    for (const auto& source : **all)
        if (!source->info.removed)
            infos.push_back(source->info);
    return infos;
}

Result<std::vector<SourceMove>> movesOf(const Recording& recording, std::uint32_t source)
{
    const auto found = sourceIn(recording, source);
    if (!found)
        return found.error();
    return (*found)->moves;
}

Result<std::vector<CounterPoint>> sourceCounter(
    const Recording& recording, std::uint32_t source, std::uint32_t counter, TimeWindow window)
{
    const auto found = sourceIn(recording, source);
    if (!found)
        return found.error();
    const SourceInfo& info = (*found)->info;
    if (auto good = checkSeries(recording, info.counters, counter); !good)
        return good.error();
    auto points = history::counterPoints(
        (*found)->ticks, info.counters[counter].kind, counter, onSource(window, info.offset));
    if (points)
        for (CounterPoint& point : *points)
            point.at += info.offset;
    return points;
}

Result<std::vector<CounterBand>> sourceBands(const Recording& recording, std::uint32_t source,
    std::uint32_t counter, TimeWindow window, std::size_t bands)
{
    const auto found = sourceIn(recording, source);
    if (!found)
        return found.error();
    const SourceInfo& info = (*found)->info;
    if (auto good = checkSeries(recording, info.counters, counter); !good)
        return good.error();
    auto curve = history::counterBands(
        (*found)->ticks, info.counters[counter].kind, counter, onSource(window, info.offset), bands);
    if (curve)
        for (CounterBand& band : *curve) {
            band.begin += info.offset;
            band.end += info.offset;
        }
    return curve;
}

Result<CounterStatistics> sourceStatistics(
    const Recording& recording, std::uint32_t source, std::uint32_t counter, TimeWindow window)
{
    const auto found = sourceIn(recording, source);
    if (!found)
        return found.error();
    const SourceInfo& info = (*found)->info;
    if (auto good = checkSeries(recording, info.counters, counter); !good)
        return good.error();
    // Its ticks are others than the run's: what of them lies within the run's ticks of the window counts, as in the
    // table of readings.
    const TimeWindow within = onSource(onRunsTicks(recording, window), info.offset);
    const history::TickReader& ticks = (*found)->ticks;
    const history::TickRange range = ticks.overlapping(within);
    const auto samples = ticks.samples(counter, range);
    if (!samples)
        return samples.error();
    CounterStatistics statistics =
        history::statisticsWithin({ ticks.times(), range, info.counters[counter].kind, *samples }, within);
    statistics.begin += info.offset;
    return statistics;
}

Result<Histogram> sourceHistogram(
    const Recording& recording, std::uint32_t source, std::uint32_t histogram, TimeWindow window)
{
    const auto found = sourceIn(recording, source);
    if (!found)
        return found.error();
    const SourceInfo& info = (*found)->info;
    if (auto good = checkSeries(recording, info.histograms, histogram); !good)
        return good.error();
    return history::latenciesWithin(
        (*found)->ticks, info.histograms[histogram].clock, histogram, onSource(window, info.offset));
}

} // namespace loadstone
