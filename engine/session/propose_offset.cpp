// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/correlation.h"
#include "counters/log/counter_log.h"
#include "history/recording_reader.h"
#include "metrics/ranks.h"
#include "session/log_axis.h"
#include "session/traffic_curve.h"

#include <loadstone/counter_choice.h>
#include <loadstone/offset.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastCorrelation = 0.6, kTwin = 0.9;
constexpr double kLeastSamples = 30; // that lie on each other; and half of what could
constexpr std::size_t kMostCells = std::size_t { 1 } << 18U;

/// The run's own counters to compare with.
Result<std::vector<ChosenCounter>> countersOfRun(
    const Recording& recording, session::Traffic traffic, const std::vector<std::string>& patterns)
{
    auto all = countersOf(recording, patterns);
    if (!all)
        return all.error();
    std::erase_if(*all, [&](const ChosenCounter& one) {
        const auto& quantity = one.info.key.quantity;
        const bool like = traffic == session::Traffic::network
            ? quantity == Quantity::networkBytes
            : quantity == Quantity::diskReadBytes || quantity == Quantity::diskWriteBytes;
        return one.place.source > 0 || (patterns.empty() && !(like && one.info.key.subject.host.empty()));
    });
    if (all->empty())
        return fail(recording.file().string()
            + (patterns.empty() ? ": has no bytes of this machine's network or disks; name counters of the "
                                  "run to compare with"
                                : ": no counter of the run has a name that fits"));
    return all;
}

/// Means over cells of equal length, of values that hold over the time from `from[i]` to `to[i]`. NaN: less than half of the cell is known.
class Cells {
public:
    Cells(std::size_t count, Nanoseconds step)
        : m_step(step)
        , m_sum(count)
        , m_known(count)
    {
    }
    void add(Nanoseconds from, Nanoseconds to, double value)
    {
        if (std::isnan(value))
            return;
        for (from = std::max(from, Nanoseconds(0)); from < to;) {
            const auto cell = static_cast<std::size_t>(from / m_step);
            if (cell >= m_sum.size())
                return;
            const Nanoseconds end = std::min(to, m_step * static_cast<std::int64_t>(cell + 1));
            m_sum[cell] += value * seconds(end - from);
            m_known[cell] += seconds(end - from);
            from = end;
        }
    }
    [[nodiscard]] std::vector<double> means() const
    {
        std::vector<double> values(m_sum.size(), kMissing);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (m_known[i] >= 0.5 * seconds(m_step))
                values[i] = m_sum[i] / m_known[i];
        return values;
    }

private:
    Nanoseconds m_step;
    std::vector<double> m_sum, m_known; // seconds
};

/// Of each cell the mean of the `width` cells up to it. NaN: less than half of them are known.
std::vector<double> trailingMeans(const std::vector<double>& cells, std::size_t width)
{
    std::vector<double> means(cells.size(), kMissing);
    double sum = 0;
    std::size_t known = 0;
    const auto count = [&](double value, int sign) {
        if (std::isnan(value))
            return;
        sum += sign * value;
        known += static_cast<std::size_t>(sign);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        count(cells[i], 1);
        if (i >= width)
            count(cells[i - width], -1);
        if (i + 1 >= width && 2 * known >= width)
            means[i] = sum / static_cast<double>(known);
    }
    return means;
}

/// The run's counters added up, in cells.
Result<std::vector<double>> runCells(const Recording& recording, const std::vector<ChosenCounter>& counters,
    Nanoseconds step, std::size_t count)
{
    const auto& times = history::readerOf(recording).ticks().times();
    const TimeWindow all { Nanoseconds(-1), recording.length() };
    std::vector<double> sums;
    for (const ChosenCounter& counter : counters) {
        const auto points = pointsOf(recording, counter.place, all);
        if (!points)
            return points.error();
        sums.resize(points->size(), kMissing);
        for (std::size_t i = 0; i < points->size(); ++i)
            sums[i] = session::sumOfKnown(sums[i], (*points)[i].value);
    }
    Cells cells(count, step);
    for (std::size_t i = 0; i < std::min(sums.size(), times.size()); ++i)
        cells.add(times[i].begin, times[i].end, sums[i]);
    return cells.means();
}

/// The log in cells: where its interval is the longer one, its samples in the cells that they end in, and nothing between.
std::vector<double> logCells(const session::TrafficCurve& log, Nanoseconds step, std::size_t count)
{
    if (log.interval <= step) {
        Cells cells(count, step);
        Nanoseconds last {};
        for (std::size_t i = 0; i < log.at.size(); ++i) {
            cells.add(std::max(last, log.at[i] - 2 * log.interval), log.at[i], log.values[i]);
            last = log.at[i];
        }
        return cells.means();
    }
    std::vector<double> values(count, kMissing);
    for (std::size_t i = 0; i < log.at.size(); ++i) {
        const std::int64_t ends = (log.at[i] + step / 2) / step;
        if (ends >= 1 && static_cast<std::size_t>(ends) <= count)
            values[static_cast<std::size_t>(ends) - 1] = log.values[i];
    }
    return values;
}

std::size_t knownOf(const std::vector<double>& values)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [](double value) { return !std::isnan(value); }));
}

bool varies(const std::vector<double>& values)
{
    double least = kMissing, most = kMissing;
    for (const double value : values)
        if (!std::isnan(value)) {
            least = std::isnan(least) ? value : std::min(least, value);
            most = std::isnan(most) ? value : std::max(most, value);
        }
    return most > least;
}

std::string offsetText(Nanoseconds offset)
{
    return (offset < Nanoseconds(0) ? "-" : "") + formatClock(offset < Nanoseconds(0) ? -offset : offset);
}

/// Correlates the two, which begin at 0 of the run's axis and of the log's. Their ranks, by Spearman ("The proof and measurement of
/// association between two things", American Journal of Psychology 15, 1904): a burst that only one of the two has, as of a backup or a
/// drain, would outweigh all other values.
class Search {
public:
    Search(const std::vector<double>& run, const std::vector<double>& log, OffsetProposal& found)
        : m_run(metrics::ranksOf(run))
        , m_log(metrics::ranksOf(log))
        , m_found(found)
    {
    }
    void find(Nanoseconds reach, std::size_t cellsOfInterval);

private:
    void judge(const analysis::CurvePeak& peak, bool any);

    std::vector<double> m_run, m_log;
    OffsetProposal& m_found;
};

void Search::find(Nanoseconds reach, std::size_t cellsOfInterval)
{
    const auto cells = static_cast<std::int64_t>(reach / m_found.step);
    const std::int64_t middle = m_found.byClocks / m_found.step;
    // What can never lie on the other is left out of both.
    const auto cut = [](std::vector<double>& values, std::int64_t least) {
        const auto count = std::clamp<std::int64_t>(least, 0, static_cast<std::int64_t>(values.size()));
        values.erase(values.begin(), values.begin() + count);
        return count;
    };
    const auto runCount = static_cast<std::int64_t>(m_run.size());
    const std::int64_t logCut = cut(m_log, -middle - cells);
    const std::int64_t runCut = cut(m_run, middle + logCut - cells);
    const std::int64_t lag = middle + logCut - runCut; // of the two that are left
    m_log.resize(std::min<std::size_t>(m_log.size(),
        static_cast<std::size_t>(
            std::clamp<std::int64_t>(runCount - middle - logCut + cells, 0, runCount + 2 * cells))));
    const double most = static_cast<double>(
        std::min(knownOf(m_log), std::max<std::size_t>(1, knownOf(m_run) / cellsOfInterval)));
    const bool meet = std::abs(lag) <= cells && !m_log.empty() && !m_run.empty();
    const std::int64_t wide = cells + std::abs(lag);
    const std::vector<double> curve = meet ? analysis::correlationByLag(m_run, m_log,
                                          static_cast<std::size_t>(wide), std::max(kLeastSamples, most / 2))
                                           : std::vector<double>();
    for (std::int64_t i = -cells; i <= cells; ++i)
        m_found.curve.push_back({ (middle + i) * m_found.step,
            meet ? curve[static_cast<std::size_t>(wide + lag + i)] : kMissing });
    std::vector<double> heights;
    for (const OffsetPoint& point : m_found.curve)
        heights.push_back(point.correlation);
    analysis::CurvePeak peak;
    const bool any = analysis::findPeak(heights, peak);
    judge(peak, any);
}

void Search::judge(const analysis::CurvePeak& peak, bool any)
{
    const auto& curve = m_found.curve;
    if (!any) {
        const bool known =
            std::ranges::any_of(curve, [](const OffsetPoint& one) { return !std::isnan(one.correlation); });
        const bool apart = knownOf(m_log) == 0 || knownOf(m_run) == 0;
        m_found.reason = apart ? "too little of the log lies on the run at any of these offsets"
            : !varies(m_log)   ? "the log's values do not vary where it can lie on the run"
            : !varies(m_run)   ? "the run's values do not vary where the log can lie on it"
            : known            ? "nowhere do the two rise and fall together"
                               : "too little of the log lies on the run at any of these offsets";
        return;
    }
    m_found.best = curve[peak.at];
    m_found.width = static_cast<std::int64_t>(peak.last - peak.first + 1) * m_found.step;
    if (peak.secondValue > 0)
        m_found.second = curve[peak.second];
    const auto known = [&](std::size_t i) { return i < curve.size() && !std::isnan(curve[i].correlation); };
    if (m_found.best.correlation < kLeastCorrelation)
        m_found.reason = fmt::format("the best correlation is {:.2f}, and below {} it proves nothing",
            m_found.best.correlation, kLeastCorrelation);
    else if (peak.at == 0 || !known(peak.at - 1) || !known(peak.at + 1))
        m_found.reason =
            fmt::format("the best correlation, {:.2f} at {}, lies at the edge of what was searched",
                m_found.best.correlation, offsetText(m_found.best.offset));
    else if (peak.last - peak.first + 1 > curve.size() / 2)
        m_found.reason = "the two are alike over more than half of the offsets: they rise or fall too slowly "
                         "to tell one from another";
    else if (m_found.second && m_found.second->correlation > kTwin * m_found.best.correlation)
        m_found.reason = fmt::format(
            "two offsets fit alike, {} with {:.2f} and {} with {:.2f}, as with a load that repeats itself",
            offsetText(m_found.best.offset), m_found.best.correlation, offsetText(m_found.second->offset),
            m_found.second->correlation);
    else
        m_found.offset = m_found.best.offset;
}

Result<OffsetProposal> compared(const Recording& recording, const session::TrafficCurve& curve,
    Nanoseconds byClocks, const OffsetOptions& options)
{
    const auto counters = countersOfRun(recording, curve.traffic, options.ofRun);
    if (!counters)
        return counters.error();
    OffsetProposal found;
    found.ofLog = curve.name;
    found.ofRun = session::sumName(counters->front().info.path(), counters->size());
    found.byClocks = options.around.value_or(byClocks);
    std::vector<Nanoseconds> ends;
    for (const history::TickTime& tick : history::readerOf(recording).ticks().times())
        ends.push_back(tick.end);
    found.step = std::max<Nanoseconds>(
        std::chrono::seconds(1), std::chrono::round<std::chrono::seconds>(session::usualInterval(ends)));
    const Nanoseconds longest = std::max({ recording.length(), curve.at.back(), options.reach });
    while (longest / found.step > static_cast<std::int64_t>(kMostCells))
        found.step *= 2;
    found.interval = std::max(found.step, curve.interval);
    const auto cellsIn = [&](Nanoseconds length) {
        return static_cast<std::size_t>(length / found.step) + 1;
    };
    const auto run = runCells(recording, *counters, found.step, cellsIn(recording.length()));
    if (!run)
        return run.error();
    const auto width = static_cast<std::size_t>((found.interval + found.step / 2) / found.step);
    Search search(trailingMeans(*run, width), logCells(curve, found.step, cellsIn(curve.at.back())), found);
    search.find(options.reach, curve.interval > found.step ? width : 1);
    return found;
}

Result<void> checkReach(const OffsetOptions& options)
{
    if (options.reach < std::chrono::minutes(1) || options.reach > std::chrono::hours(24))
        return fail("offsets are searched within 1 min to 24 h");
    return {};
}

} // namespace

Result<OffsetProposal> proposeOffset(
    const Recording& recording, const std::filesystem::path& log, const OffsetOptions& options)
{
    if (auto good = checkReach(options); !good)
        return good.error();
    auto opened = counters::openCounterLog(log);
    if (!opened)
        return opened.error();
    const auto bias = (*opened)->head().bias;
    if (!bias && !options.zone && !options.around)
        return fail(log.string()
            + ": does not say its time zone; give the zone of its computer, or where it begins in the run, "
              "about");
    const auto curve = session::readTraffic(**opened, log.string(), recording.header().kind, options);
    if (!curve)
        return curve.error();
    const Nanoseconds zone = bias ? Nanoseconds(0) : options.zone.value_or(Nanoseconds(0));
    return compared(
        recording, *curve, curve->zero - zone - recording.header().started.time_since_epoch(), options);
}

Result<OffsetProposal> proposeOffset(
    const Recording& recording, std::uint32_t source, const OffsetOptions& options)
{
    if (auto good = checkReach(options); !good)
        return good.error();
    const auto sources = history::readerOf(recording).sources();
    if (!sources)
        return sources.error();
    if (source == 0 || source > (*sources)->size() || (**sources)[source - 1]->info.removed)
        return fail(recording.file().string() + ": no source " + std::to_string(source));
    const history::ReadSource& one = *(**sources)[source - 1];
    const auto curve = session::readTraffic(one, recording.header().kind, options);
    if (!curve)
        return curve.error();
    return compared(recording, *curve, one.info.offset, options);
}

} // namespace loadstone
