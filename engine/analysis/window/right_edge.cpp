// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/right_edge.h"

#include "analysis/window/action_series.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace loadstone::analysis {

namespace {

/// A tick may be closed so much later than at the instant that it carries: what was begun between the two is in it with age 0.
constexpr Nanoseconds kLateTick = std::chrono::milliseconds(50);
/// What lies beyond the bounds of a figure by less than this does not show in it.
constexpr double kBucketWidth = 1.016;
/// What is unfinished moves a figure: it cannot be told within a tenth.
constexpr double kMoves = 1.1;
constexpr std::uint64_t kFirstLook = 16; // ticks

bool above(std::optional<Nanoseconds> most, Nanoseconds least, double factor)
{
    return !most || static_cast<double>(most->count()) > factor * static_cast<double>(least.count());
}

/// With its value; `good`: the figure of what ended well. What is unfinished never makes a figure better: it adds to those that ended within
/// the window, and quick ones among it would move a percentile below what the window's own actions took.
Bounds settled(Bounds bounds, Nanoseconds good)
{
    bounds.value = bounds.open ? bounds.least : std::max(bounds.least, good);
    if (bounds.most)
        bounds.most = std::max(*bounds.most, bounds.value);
    return bounds;
}

/// One past the last tick of the mix that tick `last` belongs to, with all that follows before another mix begins.
std::uint64_t endOfMix(const Recording& recording, std::uint64_t last)
{
    const auto& times = history::readerOf(recording).ticks().times();
    const std::vector<Phase>& phases = recording.phases();
    const std::uint32_t phase = times[last].phase;
    const auto own =
        std::find_if(phases.begin(), phases.end(), [&](const Phase& one) { return one.index == phase; });
    if (own == phases.end())
        return times.size();
    const auto next = std::find_if(
        own, phases.end(), [&](const Phase& one) { return one.mix >= 0 && one.mix != own->mix; });
    std::uint64_t end = last + 1;
    while (end < times.size() && (next == phases.end() || times[end].phase < next->index))
        ++end;
    return end;
}

/// The first tick after `last` at whose end nothing is left of what was due at the end of that one; `end` where there is none.
Result<std::uint64_t> allEndedAt(
    const Recording& recording, std::uint32_t ages, std::uint64_t last, std::uint64_t end)
{
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    const auto& times = ticks.times();
    const Nanoseconds edge = times[last].end;
    std::uint64_t look = kFirstLook;
    for (std::uint64_t first = last + 1; first < end; look *= 2) {
        const std::uint64_t until = std::min(end, first + look);
        std::vector<bool> left(until - first);
        const auto read = ticks.each(
            ages, { first, until }, [&](std::uint64_t tick, std::string_view bytes) -> Result<void> {
                const auto snapshot = Histogram::decode(bytes);
                if (!snapshot)
                    return snapshot.error();
                left[tick - first] = snapshot->maximum() + kLateTick >= times[tick].end - edge;
                return {};
            });
        if (!read)
            return read.error();
        for (std::uint64_t tick = first; tick < until; ++tick) // a short tick says nothing
            if (!left[tick - first] && times[tick].end - edge > kLateTick)
                return tick;
        first = until;
    }
    return end;
}

} // namespace

std::uint64_t Unfinished::failedAtMost() const
{
    return endedWithin ? std::min(failedLater, count()) : count();
}

std::optional<Nanoseconds> Unfinished::responseAtMost(Nanoseconds age) const
{
    if (!endedWithin)
        return std::nullopt;
    return std::max(age, std::min(age + *endedWithin, longestLater));
}

CensoredLatency::CensoredLatency(Histogram good, Unfinished unfinished)
    : m_good(std::move(good))
    , m_unfinished(std::move(unfinished))
    , m_atLeast(m_good)
    , m_atMost(m_good)
{
    m_atLeast.merge(m_unfinished.ages);
    if (m_unfinished.endedWithin)
        m_unfinished.ages.eachBucket([&](Nanoseconds highest, std::uint64_t n) {
            m_atMost.record(*m_unfinished.responseAtMost(highest), n);
        });
}

Bounds CensoredLatency::percentile(double percentile) const
{
    Bounds bounds;
    bounds.least = m_atLeast.percentile(percentile);
    const std::uint64_t rank = Histogram::rankOf(percentile, m_atLeast.count());
    if (m_atMost.count() == m_atLeast.count())
        bounds.most = m_atMost.percentile(percentile);
    else if (rank <= m_good.count()) // what has no limit comes last
        bounds.most =
            m_good.percentile(100.0 * static_cast<double>(rank) / static_cast<double>(m_good.count()));
    if (m_unfinished.count() > 0)
        bounds.open = above(bounds.most, bounds.least, rank > m_good.count() ? kBucketWidth : kMoves);
    if (m_atLeast.isBeyond(percentile)) {
        bounds.open = true;
        bounds.most =
            m_atMost.count() == m_atLeast.count() ? std::optional(m_atMost.maximum()) : std::nullopt;
    }
    return settled(bounds, m_good.percentile(percentile));
}

Bounds CensoredLatency::mean() const
{
    Bounds bounds;
    bounds.least = m_atLeast.mean();
    if (m_atMost.count() == m_atLeast.count())
        bounds.most = m_atMost.mean();
    bounds.open = m_unfinished.count() > 0 && above(bounds.most, bounds.least, kMoves);
    return settled(bounds, m_good.mean());
}

Bounds CensoredLatency::maximum() const
{
    Bounds bounds;
    bounds.least = m_atLeast.maximum();
    if (m_atMost.count() == m_atLeast.count())
        bounds.most = m_atMost.maximum();
    bounds.open = m_unfinished.count() > 0 && above(bounds.most, bounds.least, kBucketWidth);
    return settled(bounds, m_good.maximum());
}

LatencySummary CensoredLatency::summary() const
{
    const Bounds average = mean(), longest = maximum();
    const Bounds p50 = percentile(50), p95 = percentile(95), p99 = percentile(99), p999 = percentile(99.9);
    LatencySummary summary;
    summary.count = m_good.count();
    summary.mean = average.value;
    // The age of one that has just begun is not a response time.
    summary.minimum = m_good.count() > 0 ? m_good.minimum() : m_atLeast.minimum();
    summary.maximum = longest.value;
    summary.p50 = p50.value;
    summary.p95 = p95.value;
    summary.p99 = p99.value;
    summary.p999 = p999.value;
    summary.unfinished = m_unfinished.count();
    summary.atLeast = { average.open, longest.open, p50.open, p95.open, p99.open, p999.open };
    return summary;
}

Nanoseconds CensoredLatency::standardDeviation() const
{
    return mean().open ? m_atLeast.standardDeviation() : m_good.standardDeviation();
}

Result<Unfinished> unfinishedAfter(
    const Recording& recording, const EdgeSeries& series, history::TickRange window)
{
    Unfinished unfinished;
    if (window.empty())
        return unfinished;
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    const std::uint64_t last = window.last - 1;
    if (const auto read = ticks.merge(series.ages, { last, window.last }, unfinished.ages); !read)
        return read.error();
    if (unfinished.ages.empty())
        return unfinished;
    const std::uint64_t end = endOfMix(recording, last);
    const auto ended = allEndedAt(recording, series.ages, last, end);
    if (!ended)
        return ended.error();
    if (*ended == end)
        return unfinished;
    const history::TickRange later { window.last, *ended + 1 };
    unfinished.endedWithin = ticks.times()[*ended].end - ticks.times()[last].end;
    if (series.failed) {
        const auto events = eventsWithin(recording, *series.failed, later);
        if (!events)
            return events.error();
        unfinished.failedLater = events->total;
    } else
        unfinished.failedLater = unfinished.count();
    Histogram good;
    if (series.good)
        if (const auto read = ticks.merge(*series.good, later, good); !read)
            return read.error();
    unfinished.longestLater = good.maximum();
    // Fewer have ended than were left: the others are out of the ages because they were given up, as what is due when a load ends.
    const bool failedHasEnded = series.failed && !series.failedIsCutOff;
    if (good.count() + (failedHasEnded ? unfinished.failedLater : 0) < unfinished.count())
        unfinished.endedWithin.reset();
    return unfinished;
}

Result<Unfinished> unfinishedAfter(
    const Recording& recording, const SeriesKey& action, history::TickRange window)
{
    const RunHeader& header = recording.header();
    const auto ages = actionLatency(header, action, LatencyClock::age);
    if (!ages)
        return Unfinished();
    EdgeSeries series;
    series.ages = *ages;
    series.good = actionLatency(header, action, LatencyClock::response);
    series.failed = actionCounter(header, action, ActionCount::failed);
    series.failedIsCutOff = action.quantity == Quantity::transactionTime;
    return unfinishedAfter(recording, series, window);
}

Result<Unfinished> unfinishedInDevice(
    const Recording& recording, const Subject& io, history::TickRange window)
{
    const auto& histograms = recording.header().histograms;
    const auto timesBy = [&](LatencyClock clock) {
        return findSeries(histograms, { Quantity::transferTime, io, clock });
    };
    const auto ages = timesBy(LatencyClock::serviceAge);
    if (!ages)
        return Unfinished();
    EdgeSeries series;
    series.ages = *ages;
    series.good = timesBy(LatencyClock::service);
    return unfinishedAfter(recording, series, window);
}

Result<CensoredLatency> responsesWithin(
    const Recording& recording, const SeriesKey& action, history::TickRange window)
{
    Histogram good;
    if (const auto responses = actionLatency(recording.header(), action, LatencyClock::response))
        if (const auto read = history::readerOf(recording).ticks().merge(*responses, window, good); !read)
            return read.error();
    auto unfinished = unfinishedAfter(recording, action, window);
    if (!unfinished)
        return unfinished.error();
    return CensoredLatency(std::move(good), *std::move(unfinished));
}

Result<std::optional<ActionCounts>> countsWithin(
    const Recording& recording, const SeriesKey& action, history::TickRange window)
{
    const RunHeader& header = recording.header();
    ActionCounts counts;
    for (const auto& [counter, figure] :
        { std::pair { ActionCount::due, &counts.due }, std::pair { ActionCount::begun, &counts.begun },
            std::pair { ActionCount::failed, &counts.failed } }) {
        const auto id = actionCounter(header, action, counter);
        if (!id)
            return std::optional<ActionCounts>();
        const auto events = eventsWithin(recording, *id, window);
        if (!events)
            return events.error();
        *figure = events->total;
    }
    Histogram good, ages;
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    if (const auto id = actionLatency(header, action, LatencyClock::response))
        if (const auto read = ticks.merge(*id, window, good); !read)
            return read.error();
    if (const auto id = actionLatency(header, action, LatencyClock::age); id && !window.empty())
        if (const auto read = ticks.merge(*id, { window.last - 1, window.last }, ages); !read)
            return read.error();
    counts.ended = good.count();
    counts.unfinished = ages.count();
    return std::optional(counts);
}

} // namespace loadstone::analysis
