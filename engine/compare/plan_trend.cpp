// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "compare/comparability.h"

#include <loadstone/plan_trend.h>
#include <loadstone/repeatability.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace loadstone {

namespace {

constexpr std::size_t kPermutations = 499;
constexpr double kLevel = 0.01;

struct Segment {
    std::size_t begin, end;
};
struct Split {
    double statistic = -1;
    std::size_t at = 0; // first of the later part
};

/// The split of a segment at which the energy distance of both parts, weighted by their lengths, is largest; below 0: too short.
/// Distances between the parts and within them are added up while the split moves, which takes time in proportion to the square of the length.
Split bestSplit(const std::vector<double>& values, const Segment& segment)
{
    const std::size_t n = segment.end - segment.begin;
    Split best;
    if (n < 2 * PlanTrend::kLeastSegment)
        return best;
    const auto at = [&](std::size_t i) { return values[segment.begin + i]; };
    double left = 0, right = 0, between = 0; // sums over pairs
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = i + 1; k < n; ++k)
            right += std::abs(at(i) - at(k));
    for (std::size_t moved = 0; moved + PlanTrend::kLeastSegment < n; ++moved) {
        double toLeft = 0, toRight = 0;
        for (std::size_t i = 0; i < moved; ++i)
            toLeft += std::abs(at(moved) - at(i));
        for (std::size_t i = moved + 1; i < n; ++i)
            toRight += std::abs(at(moved) - at(i));
        left += toLeft;
        right -= toRight;
        between += toRight - toLeft;
        const std::size_t size = moved + 1;
        if (size < PlanTrend::kLeastSegment)
            continue;
        const auto a = static_cast<double>(size), b = static_cast<double>(n - size);
        const double energy = 2 * between / (a * b) - 2 * left / (a * (a - 1)) - 2 * right / (b * (b - 1));
        if (const double statistic = a * b / (a + b) * energy; statistic > best.statistic)
            best = { statistic, segment.begin + size };
    }
    return best;
}

Split bestOf(const std::vector<double>& values, const std::vector<Segment>& segments)
{
    Split best;
    for (const Segment& segment : segments)
        if (const Split one = bestSplit(values, segment); one.statistic > best.statistic)
            best = one;
    return best;
}

struct Change {
    std::size_t at;
    double p;
};

/// E-divisive: splits the series while the best split is one that values in another order reach only once in a hundred times.
std::vector<Change> changesOf(const std::vector<double>& values)
{
    std::vector<Segment> segments { { 0, values.size() } };
    std::vector<Change> changes;
    Random random(values.size());
    for (;;) {
        const Split best = bestOf(values, segments);
        if (!(best.statistic > 0))
            break;
        std::size_t reached = 0;
        for (std::size_t i = 0; i < kPermutations; ++i) {
            auto mixed = values;
            for (const Segment& segment : segments)
                for (std::size_t k = segment.end - segment.begin; k > 1; --k)
                    std::swap(mixed[segment.begin + k - 1], mixed[segment.begin + random.below(k)]);
            reached += bestOf(mixed, segments).statistic >= best.statistic ? 1 : 0;
        }
        const double p = static_cast<double>(reached + 1) / (kPermutations + 1);
        if (p > kLevel)
            break;
        changes.push_back({ best.at, p });
        const auto of = std::ranges::find_if(segments,
            [&](const Segment& segment) { return segment.begin < best.at && best.at < segment.end; });
        const std::size_t end = of->end;
        of->end = best.at;
        segments.push_back({ best.at, end });
    }
    std::ranges::sort(changes, {}, &Change::at);
    return changes;
}

const std::vector<ComparedValue>* valuesOf(const ComparedRun& run, const std::string& mix)
{
    if (mix.empty())
        return &run.wholeRun;
    const auto at = std::ranges::find(run.mixes, mix, &ComparedMix::name);
    return at != run.mixes.end() && at->complete ? &at->values : nullptr;
}

} // namespace

PlanTrend planTrend(const std::vector<ComparedRun>& runs, const RowKey& row, const std::string& mix)
{
    PlanTrend trend;
    trend.key = row;
    trend.mix = mix;
    std::vector<const ComparedRun*> sorted;
    for (const ComparedRun& run : runs)
        sorted.push_back(&run);
    std::ranges::stable_sort(sorted, {}, &ComparedRun::started);
    if (sorted.size() > PlanTrend::kMostRuns)
        sorted.erase(sorted.begin(), sorted.end() - PlanTrend::kMostRuns);
    // Of the newest run: what older definitions gave is drawn, and no change is looked for in it.
    int version = 0;
    for (const ComparedRun* run : sorted)
        if (const auto* values = valuesOf(*run, mix))
            if (const ComparedValue* value = findValue(*values, row))
                version = value->version;
    for (const ComparedRun* run : sorted) {
        TrendPoint point;
        point.run = trend.runs.size();
        trend.runs.push_back({ run->id, run->title, run->started, run->configuration });
        const auto* values = valuesOf(*run, mix);
        if (const ComparedValue* value = values != nullptr ? findValue(*values, row) : nullptr) {
            trend.label = value->label;
            trend.unit = value->unit;
            trend.rounding = value->rounding;
            trend.better = value->better;
            point.flags = value->flags;
            if (value->value && std::isfinite(*value->value))
                point.value = value->value;
            point.counts = point.value && !value->flags.lowerBound && compare::faultOf(*run).empty()
                && value->version == version;
        }
        trend.points.push_back(point);
    }
    std::vector<double> values;
    std::vector<std::size_t> places;
    bool positive = true;
    for (const TrendPoint& point : trend.points)
        if (point.counts) {
            values.push_back(*point.value);
            places.push_back(point.run);
            positive = positive && *point.value > 0;
        }
    if (values.size() < PlanTrend::kLeastRuns) {
        trend.note =
            fmt::format("For changes to be looked for, {} runs with this figure are needed, and there {} {}.",
                PlanTrend::kLeastRuns, values.size() == 1 ? "is" : "are", values.size());
        return trend;
    }
    std::vector<double> scaled = values;
    if (positive) // changes are in proportion
        for (double& value : scaled)
            value = std::log(value);
    const auto changes = changesOf(scaled);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : changes[i - 1].at;
        const std::size_t end = i + 1 < changes.size() ? changes[i + 1].at : values.size();
        const auto meanOf = [&](std::size_t from, std::size_t to) {
            double sum = 0;
            for (std::size_t k = from; k < to; ++k)
                sum += values[k];
            return sum / static_cast<double>(to - from);
        };
        ChangePoint change;
        change.run = places[changes[i].at];
        change.before = meanOf(begin, changes[i].at);
        change.after = meanOf(changes[i].at, end);
        change.p = changes[i].p;
        if (change.before > 0)
            change.change = change.after / change.before - 1;
        trend.changes.push_back(change);
    }
    return trend;
}

std::vector<TrendChoice> trendChoices(const std::vector<ComparedRun>& runs)
{
    std::vector<std::pair<bool, TrendChoice>> found;
    std::set<std::pair<std::string, RowKey>> seen;
    const auto add = [&](const std::vector<ComparedValue>& values, const std::string& mix) {
        for (const ComparedValue& value : values)
            if (value.value && seen.emplace(mix, value.key).second)
                found.push_back({ value.detail, { value.key, mix, value.group, value.label, value.unit } });
    };
    for (const ComparedRun& run : runs) {
        for (const ComparedMix& mix : run.mixes)
            add(mix.values, mix.name);
        add(run.wholeRun, {});
    }
    std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
    std::vector<TrendChoice> choices;
    for (auto& one : found)
        choices.push_back(std::move(one.second));
    return choices;
}

} // namespace loadstone
