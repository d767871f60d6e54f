// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the reader makes the lines of a chart, their statistics and what they reach over.
#include "charts/chart_cursors.h"
#include "run/view/run_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr Nanoseconds kRecent = std::chrono::seconds(10);
constexpr std::size_t kLatencyPoints = 240;
constexpr std::size_t kOverviewBands = 800; // whatever the chart's width: scales do not depend on it
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The end of the stretch that the time lies in.
Nanoseconds upTo(Nanoseconds at, Nanoseconds stretch)
{
    return (at + stretch - Nanoseconds(1)) / stretch * stretch;
}

CounterStatistics statisticsOf(const std::vector<CounterPoint>& points, TimeWindow window)
{
    CounterStatistics s { kNaN, kNaN, kNaN, kNaN, window.end - window.begin, 0, window.begin, 0 };
    double sum = 0;
    for (const CounterPoint& p : points) {
        if (std::isnan(p.value))
            continue;
        s.last = p.value;
        s.minimum = s.samples == 0 ? p.value : std::min(s.minimum, p.value);
        s.maximum = s.samples == 0 ? p.value : std::max(s.maximum, p.value);
        sum += p.value;
        ++s.samples;
    }
    if (s.samples != 0)
        s.average = sum / static_cast<double>(s.samples);
    return s;
}

/// Of the points that are drawn those with half of their stretch or more in the window. A window that reaches to the end of what is `shown`
/// has the last one in any case.
std::vector<CounterPoint> pointsWithin(
    const std::vector<CounterPoint>& curve, TimeWindow window, Nanoseconds stretch, Nanoseconds shown)
{
    std::vector<CounterPoint> points;
    for (const CounterPoint& p : curve) {
        const Nanoseconds end = upTo(p.at, stretch);
        const Nanoseconds within = std::min(end, window.end) - std::max(end - stretch, window.begin);
        if (2 * within >= stretch || (window.end >= shown && end >= shown && p.at > window.begin))
            points.push_back(p);
    }
    return points;
}

/// On average.
Nanoseconds sampleInterval(const SourceInfo& source)
{
    return source.ticks == 0 ? Nanoseconds(0)
                             : (source.end - source.begin) / static_cast<std::int64_t>(source.ticks);
}

/// The run's own tick, or the longest interval of what a derived counter is made of.
Nanoseconds sampleInterval(const OwnCounter& counter, const std::vector<SourceInfo>& sources)
{
    Nanoseconds longest = std::chrono::seconds(1);
    if (counter.derived != nullptr)
        for (const ChosenCounter& part : counter.derived->parts)
            if (const auto source = std::ranges::find(sources, part.place.source, &SourceInfo::id);
                source != sources.end())
                longest = std::max(longest, sampleInterval(*source));
    return longest;
}

/// The window with room for one band more on each side, and nothing later than `shown`.
TimeWindow withNeighbours(TimeWindow visible, Nanoseconds interval, std::size_t bands, Nanoseconds shown)
{
    const Nanoseconds band =
        (visible.end - visible.begin) / static_cast<std::int64_t>(std::max<std::size_t>(bands, 1));
    const Nanoseconds margin = 2 * std::max(interval, band);
    return { std::max(Nanoseconds(0), visible.begin - margin),
        std::max(visible.end, std::min(shown, visible.end + margin)) };
}

/// Of bands beyond the window the next one on each side: the line comes from there and goes there, and a cursor at the left edge has
/// its value.
std::vector<CounterBand> withOneBeside(std::vector<CounterBand> bands, TimeWindow visible)
{
    auto first =
        std::ranges::find_if(bands, [&](const CounterBand& band) { return band.end > visible.begin; });
    if (first != bands.begin())
        --first;
    auto last = std::ranges::find_if(
        first, bands.end(), [&](const CounterBand& band) { return band.end >= visible.end; });
    if (last != bands.end())
        ++last;
    return { first, last };
}

} // namespace

Nanoseconds latencyStretch(TimeWindow window, std::size_t points)
{
    constexpr int kSteps[] = { 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200 };
    const auto least =
        (window.end - window.begin) / static_cast<std::int64_t>(std::max<std::size_t>(points, 1));
    for (const int s : kSteps)
        if (std::chrono::seconds(s) >= least)
            return std::chrono::seconds(s);
    return std::chrono::ceil<std::chrono::hours>(least);
}

Result<LineData> RunReader::readLine(
    const LineKey& key, TimeWindow visible, TimeWindow statistics, std::size_t bands, Nanoseconds shown)
{
    LineData line;
    line.key = key;
    line.statistics = statisticsOf({}, statistics);
    if (!key.source.empty()) {
        // Of a run that is over and wholly shown, the sample of a source in which the run ends is drawn, too.
        const bool whole = isOver(m_recording->state()) && shown >= m_recording->length();
        const Nanoseconds known = whole ? Nanoseconds::max() : shown;
        if (const auto done = readSource(key, visible, statistics, bands, known, line); !done)
            return done.error();
    } else if (key.isLatency()) {
        const auto id = findSeries(m_header->histograms, key.series);
        if (!id)
            return line;
        line.found = true;
        if (const auto done = readPercentile(*id, visible, statistics, shown, line); !done)
            return done.error();
    } else {
        const auto counter = findOwnCounter(*m_header, m_computed, key.series);
        if (!counter)
            return line;
        line.found = true;
        auto curve = ownBands(*m_recording, *counter,
            withNeighbours(visible, sampleInterval(*counter, *m_sources), bands, shown), bands);
        if (!curve)
            return curve.error();
        line.bands = withOneBeside(std::move(*curve), visible);
        auto values = ownStatistics(*m_recording, *counter, statistics);
        if (!values)
            return values.error();
        line.statistics = *values;
        if (counter->derived != nullptr)
            line.coverage = values->coverage;
    }
    std::erase_if(line.bands, [](const CounterBand& b) { return std::isnan(b.average); });
    auto whole = readWhole(key);
    if (!whole)
        return whole.error();
    line.whole = *whole;
    return line;
}

Result<void> RunReader::readMoments(const OwnCounter& counter, const std::vector<Nanoseconds>& moments,
    Nanoseconds shown, LineData& line) const
{
    for (const Nanoseconds at : moments) {
        ReadValue value { at, {} };
        if (at <= shown) { // nothing is known of later
            auto points = ownPoints(*m_recording, counter, { std::max(Nanoseconds(0), at - kRecent), at });
            if (!points)
                return points.error();
            if (!points->empty() && std::isfinite(points->back().value))
                value.value = { points->back().value, at - points->back().at, points->back().at, {} };
        }
        line.read.push_back(value);
    }
    return {};
}

Result<void> RunReader::readHiddenMoments(const LineKey& key, TimeWindow visible,
    const std::vector<Nanoseconds>& moments, Nanoseconds shown, LineData& line)
{
    std::optional<std::vector<CounterBand>> whole;
    for (const Nanoseconds at : moments) {
        if (visible.begin <= at && at <= visible.end)
            continue;
        ReadValue value { at, {} };
        if (at <= shown) { // nothing is known of later
            if (!whole) {
                auto bands = readOverview(key, { Nanoseconds(0), shown });
                if (!bands)
                    return bands.error();
                whole = std::move(*bands);
            }
            value.value = valueAt(*whole, at);
        }
        line.read.push_back(value);
    }
    return {};
}

Result<std::optional<ValueExtent>> RunReader::readWhole(const LineKey& key)
{
    return m_extents.of(key, m_recording->length(), m_recording->phases(),
        [&](TimeWindow window) { return readOverview(key, window); });
}

Result<std::vector<CounterBand>> RunReader::readOverview(const LineKey& key, TimeWindow window)
{
    std::vector<CounterBand> bands;
    if (!key.source.empty()) {
        LineData line;
        if (const auto done = readSource(key, window, window, kOverviewBands, window.end, line); !done)
            return done.error();
        bands = std::move(line.bands);
    } else if (key.isLatency()) {
        const auto id = findSeries(m_header->histograms, key.series);
        if (!id)
            return bands;
        // Always from the beginning, whose stretches are known already.
        auto all = percentileBands(*id, key.percentile, { Nanoseconds(0), window.end }, window.end);
        if (!all)
            return all.error();
        bands = std::move(*all);
    } else if (const auto counter = findOwnCounter(*m_header, m_computed, key.series)) {
        auto all = ownBands(*m_recording, *counter, window, kOverviewBands);
        if (!all)
            return all.error();
        bands = std::move(*all);
    }
    std::erase_if(
        bands, [&](const CounterBand& b) { return std::isnan(b.average) || b.end <= window.begin; });
    return bands;
}

Result<std::vector<CounterBand>> RunReader::percentileBands(
    std::uint32_t histogramId, double percentile, TimeWindow window, Nanoseconds shown)
{
    // Stretches begin at multiples of their length, and those at the ends are whole: wherever the chart looks, they are the same.
    const Nanoseconds stretch = latencyStretch(window, kLatencyPoints);
    Nanoseconds before = std::max(Nanoseconds(0), (window.begin / stretch - 1) * stretch);
    const Nanoseconds end = std::min(shown, upTo(window.end, stretch));
    auto curve = m_curves.read(*m_recording, histogramId, percentile, { before, end }, stretch);
    if (!curve)
        return curve.error();
    std::vector<CounterBand> bands;
    for (const CounterPoint& p : *curve) {
        const double shownValue = p.value * 1e3; // in milliseconds
        bands.push_back({ before, p.at, shownValue, shownValue, shownValue });
        before = p.at;
    }
    return bands;
}

Result<void> RunReader::readSource(const LineKey& key, TimeWindow visible, TimeWindow statistics,
    std::size_t bands, Nanoseconds shown, LineData& line) const
{
    const auto named = std::ranges::find(m_sourceNames, key.source);
    if (named == m_sourceNames.end())
        return {};
    const SourceInfo& source = (*m_sources)[static_cast<std::size_t>(named - m_sourceNames.begin())];
    const auto counter = findSeries(source.counters, key.series);
    if (!counter)
        return {};
    line.found = true;
    auto curve = sourceBands(*m_recording, source.id, *counter,
        withNeighbours(visible, sampleInterval(source), bands, shown), bands);
    if (!curve)
        return curve.error();
    line.bands = withOneBeside(std::move(*curve), visible);
    auto values = sourceStatistics(*m_recording, source.id, *counter, statistics);
    if (!values)
        return values.error();
    line.statistics = *values;
    if (!restsWhileIdle(source.counters[*counter]))
        line.coverage = values->coverage;
    const double factor = shownFactor(source.counters[*counter]);
    multiply(line.bands, factor);
    multiply(line.statistics, factor);
    return {};
}

Result<void> RunReader::readPercentile(
    std::uint32_t histogramId, TimeWindow visible, TimeWindow statistics, Nanoseconds shown, LineData& line)
{
    auto bands = percentileBands(histogramId, line.key.percentile, visible, shown);
    if (!bands)
        return bands.error();
    line.bands = std::move(*bands);
    // Of points of its own: wherever the chart looks, they are the same.
    const Nanoseconds stretch = latencyStretch(statistics, kLatencyPoints);
    const Nanoseconds begin = statistics.begin / stretch * stretch;
    const auto pointsTo = [&](Nanoseconds end) {
        return m_statisticsCurves.read(
            *m_recording, histogramId, line.key.percentile, { begin, end }, stretch);
    };
    auto curve = pointsTo(std::min(shown, upTo(statistics.end, stretch)));
    if (!curve)
        return curve.error();
    std::vector<CounterPoint> points = pointsWithin(*curve, statistics, stretch, shown);
    if (points.empty()) { // too short for one of them: what there is
        curve = pointsTo(statistics.end);
        if (!curve)
            return curve.error();
        points = *std::move(curve);
        std::erase_if(points, [&](const CounterPoint& p) { return p.at <= statistics.begin; });
    }
    for (CounterPoint& p : points)
        p.value *= 1e3; // shown in milliseconds
    line.statistics = statisticsOf(points, statistics);
    return {};
}

} // namespace loadstone::ui
