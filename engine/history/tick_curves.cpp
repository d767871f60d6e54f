// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/tick_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadstone::history {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

double lengthOf(const TickTime& tick)
{
    return seconds(tick.end - tick.begin);
}

/// Minimum, maximum and average of samples, each weighed with the length of its tick. For counts that average
/// is events over time.
class Extremes {
public:
    void add(double minimum, double maximum, double average, double weight)
    {
        if (!std::isfinite(average))
            return;
        m_minimum = std::isnan(m_minimum) ? minimum : std::min(m_minimum, minimum);
        m_maximum = std::isnan(m_maximum) ? maximum : std::max(m_maximum, maximum);
        m_sum += average * weight;
        m_weight += weight;
    }
    [[nodiscard]] double minimum() const { return m_minimum; }
    [[nodiscard]] double maximum() const { return m_maximum; }
    [[nodiscard]] double weight() const { return m_weight; }
    [[nodiscard]] double average() const { return m_weight > 0 ? m_sum / m_weight : kNoValue; }

private:
    double m_minimum = kNoValue, m_maximum = kNoValue;
    double m_sum = 0, m_weight = 0;
};

/// How many ticks make one band, so that at most `bands` cover the range when bands begin at multiples of it:
/// a growing curve then changes at its end only.
std::uint64_t ticksPerBand(TickRange range, std::uint64_t bands)
{
    const auto needed = [&](std::uint64_t per) { return (range.last - 1) / per - range.first / per + 1; };
    std::uint64_t per = std::max<std::uint64_t>(1, (range.last - range.first) / bands);
    if (per > kBrickTicks)
        per = per / kBrickTicks * kBrickTicks;
    while (needed(per) > bands && per < range.last)
        per += per >= kBrickTicks ? kBrickTicks : 1;
    return per;
}

} // namespace

std::vector<CounterPoint> pointsOf(const RangeSamples& of)
{
    std::vector<CounterPoint> points;
    points.reserve(of.samples.size());
    for (std::size_t i = 0; i < of.samples.size(); ++i) {
        const TickTime& tick = of.times[of.range.first + i];
        points.push_back({ tick.end, shown(of.kind, of.samples[i], lengthOf(tick)) });
    }
    return points;
}

std::vector<CounterBand> bandsOf(const RangeSamples& of, std::size_t bands)
{
    std::vector<CounterBand> out;
    if (of.range.empty() || bands == 0)
        return out;
    const std::uint64_t per = ticksPerBand(of.range, bands);
    for (std::uint64_t from = of.range.first; from < of.range.last;) {
        const std::uint64_t to = std::min(of.range.last, (from / per + 1) * per);
        Extremes extremes;
        for (std::uint64_t tick = from; tick < to; ++tick) {
            const double length = lengthOf(of.times[tick]);
            const double value = shown(of.kind, of.samples[tick - of.range.first], length);
            extremes.add(value, value, value, length);
        }
        out.push_back({ of.times[from].begin, of.times[to - 1].end, extremes.minimum(), extremes.maximum(),
            extremes.average() });
        from = to;
    }
    return out;
}

CounterStatistics statisticsOf(const RangeSamples& of)
{
    return of.samples.empty()
        ? statisticsWithin(of, {})
        : statisticsWithin(of, { of.times[of.range.first].begin, of.times[of.range.last - 1].end });
}

CounterStatistics statisticsWithin(const RangeSamples& of, TimeWindow window)
{
    CounterStatistics statistics { kNoValue, kNoValue, kNoValue, kNoValue, {}, 0, {}, 0 };
    if (of.samples.empty())
        return statistics;
    Extremes extremes;
    for (std::size_t i = 0; i < of.samples.size(); ++i) {
        const TickTime& tick = of.times[of.range.first + i];
        const double value = shown(of.kind, of.samples[i], lengthOf(tick));
        if (!std::isfinite(value))
            continue;
        const TickTime within { std::max(tick.begin, window.begin), std::min(tick.end, window.end) };
        if (tick.end <= window.end)
            statistics.last = value;
        // The first sample of a source has no length, and counts in no table either.
        if (lengthOf(within) <= 0)
            continue;
        extremes.add(value, value, value, lengthOf(within));
        ++statistics.samples;
    }
    statistics.average = extremes.average();
    statistics.minimum = extremes.minimum();
    statistics.maximum = extremes.maximum();
    statistics.begin = std::max(of.times[of.range.first].begin, window.begin);
    statistics.duration = std::min(of.times[of.range.last - 1].end, window.end) - statistics.begin;
    if (window.begin < window.end)
        statistics.coverage = std::min(1.0, extremes.weight() / seconds(window.end - window.begin));
    return statistics;
}

Result<std::vector<CounterPoint>> counterPoints(
    const TickReader& reader, CounterKind kind, std::uint32_t id, TimeWindow window)
{
    const TickRange range = reader.rangeOf(window);
    const auto samples = reader.samples(id, range);
    if (!samples)
        return samples.error();
    return pointsOf({ reader.times(), range, kind, *samples });
}

Result<std::vector<CounterBand>> counterBands(
    const TickReader& reader, CounterKind kind, std::uint32_t id, TimeWindow window, std::size_t bands)
{
    const TickRange range = reader.rangeOf(window);
    std::vector<CounterBand> out;
    if (range.empty() || bands == 0)
        return out;
    const std::uint64_t per = ticksPerBand(range, bands);
    const std::uint64_t firstBand = range.first / per;
    std::vector<Extremes> extremes((range.last - 1) / per - firstBand + 1);
    const auto addSamples = [&](TickRange part) -> Result<void> {
        auto samples = reader.samples(id, part);
        if (!samples)
            return samples.error();
        for (std::size_t i = 0; i < samples->size(); ++i) {
            const double length = lengthOf(reader.times()[part.first + i]);
            const double value = shown(kind, (*samples)[i], length);
            extremes[(part.first + i) / per - firstBand].add(value, value, value, length);
        }
        return {};
    };
    // Whole bricks stand for their ticks where bands are made of whole bricks; the ends are read sample by
    // sample.
    TickRange whole { (range.first + kBrickTicks - 1) / kBrickTicks * kBrickTicks,
        std::min(range.last, reader.sealed()) / kBrickTicks * kBrickTicks };
    if (per % kBrickTicks != 0 || whole.empty())
        whole = { range.first, range.first };
    if (!whole.empty()) {
        auto bricks = reader.bricks(id, whole);
        if (!bricks)
            return bricks.error();
        for (std::uint64_t tick = whole.first; tick < whole.last; tick += kBrickTicks) {
            const CounterBrick& brick = (*bricks)[(tick - whole.first) / kBrickTicks];
            extremes[tick / per - firstBand].add(brick.minimum, brick.maximum, brick.average, brick.seconds);
        }
    }
    for (const TickRange part :
        { TickRange { range.first, whole.first }, TickRange { whole.last, range.last } })
        if (auto done = addSamples(part); !done)
            return done.error();
    for (std::size_t i = 0; i < extremes.size(); ++i) {
        const std::uint64_t from = std::max(range.first, (firstBand + i) * per);
        const std::uint64_t to = std::min(range.last, (firstBand + i + 1) * per);
        out.push_back({ reader.times()[from].begin, reader.times()[to - 1].end, extremes[i].minimum(),
            extremes[i].maximum(), extremes[i].average() });
    }
    return out;
}

Result<CounterStatistics> counterStatistics(
    const TickReader& reader, CounterKind kind, std::uint32_t id, TimeWindow window)
{
    const TickRange range = reader.rangeOf(window);
    const auto samples = reader.samples(id, range);
    if (!samples)
        return samples.error();
    return statisticsOf({ reader.times(), range, kind, *samples });
}

Result<Histogram> latenciesWithin(
    const TickReader& reader, LatencyClock clock, std::uint32_t id, TimeWindow window)
{
    Histogram merged;
    TickRange range = reader.rangeOf(window);
    if (isAge(clock) && !range.empty())
        range.first = range.last - 1;
    if (auto done = reader.merge(id, range, merged); !done)
        return done.error();
    return merged;
}

Result<void> eachStretch(const TickReader& reader, LatencyClock clock, std::uint32_t id, TimeWindow window,
    Nanoseconds stretch, const std::function<void(TimeWindow, const Histogram&)>& visit)
{
    const TickRange range = reader.rangeOf(window);
    const bool level = isAge(clock);
    // The stretches that the window's ticks fall into, each as the ticks that end in it.
    std::vector<TickRange> stretches;
    std::int64_t current = -1;
    for (std::uint64_t tick = range.first; tick < range.last; ++tick) {
        const std::int64_t offset = (reader.times()[tick].end - window.begin).count() - 1;
        const std::int64_t index =
            stretch.count() > 0 ? offset / stretch.count() : static_cast<std::int64_t>(tick);
        if (stretches.empty() || index != current)
            stretches.push_back({ tick, tick });
        current = index;
        stretches.back().last = tick + 1;
    }
    Histogram merged;
    const auto give = [&](TickRange part) {
        visit({ reader.times()[part.first].begin, reader.times()[part.last - 1].end }, merged);
        merged.clear();
    };
    // Long stretches are made from sums; short ones in one go over the single ticks.
    if (!stretches.empty() && range.last - range.first >= 2 * kHistogramTicks * stretches.size()) {
        for (const TickRange part : stretches) {
            const TickRange taken { level ? part.last - 1 : part.first, part.last };
            if (auto done = reader.merge(id, taken, merged); !done)
                return done.error();
            give(part);
        }
        return {};
    }
    std::size_t at = 0;
    auto read = reader.each(id, range, [&](std::uint64_t tick, std::string_view bytes) {
        while (tick >= stretches[at].last)
            give(stretches[at++]);
        if (level && tick + 1 != stretches[at].last)
            return Result<void>();
        return merged.mergeEncoded(bytes);
    });
    if (!read)
        return read.error();
    while (at < stretches.size())
        give(stretches[at++]);
    return {};
}

namespace {

/// What had not ended at the end of a stretch; encoded, for there may be many stretches.
struct Ages {
    std::string encoded;
    Nanoseconds oldest {};
};

/// The percentile of a stretch; NaN where nothing is known. What had not ended counts where that makes it larger, with its age: the least
/// that it will take. A steady load's percentile stays that of what ended, and that of a server that stands still rises with the wait.
double percentileOf(const Histogram& ended, const Ages& ages, double percentile, Nanoseconds stretch)
{
    const double ofEnded = ended.empty() ? kNoValue : seconds(ended.percentile(percentile));
    // As most often: what is not older than the percentile cannot make it larger.
    if (ages.encoded.empty() || seconds(ages.oldest) <= ofEnded)
        return ofEnded;
    Histogram all = ended;
    if (!all.mergeEncoded(ages.encoded))
        return ofEnded;
    const double ofAll = seconds(all.percentile(percentile));
    if (ended.empty()) // what began a moment ago says nothing
        return ofAll >= seconds(stretch) ? ofAll : kNoValue;
    return std::max(ofEnded, ofAll);
}

} // namespace

Result<std::vector<CounterPoint>> latencyCurve(const TickReader& reader, const CurveSeries& series,
    double percentile, TimeWindow window, Nanoseconds stretch)
{
    std::vector<Ages> ages; // of each stretch
    if (series.ages) {
        const auto done = eachStretch(reader, LatencyClock::age, *series.ages, window, stretch,
            [&](TimeWindow, const Histogram& unfinished) {
                ages.push_back({ unfinished.encode(), unfinished.maximum() });
            });
        if (!done)
            return done.error();
    }
    std::vector<CounterPoint> curve;
    const auto done = eachStretch(
        reader, series.clock, series.id, window, stretch, [&](TimeWindow part, const Histogram& latencies) {
            const Ages unfinished = series.ages ? std::move(ages[curve.size()]) : Ages();
            curve.push_back(
                { part.end, percentileOf(latencies, unfinished, percentile, part.end - part.begin) });
        });
    if (!done)
        return done.error();
    return curve;
}

} // namespace loadstone::history
