// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/comparability.h"
#include "compare/judged_cells.h"
#include "compare/matched_mixes.h"

#include <loadstone/comparison.h>
#include <loadstone/load_curve.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace loadstone {

namespace {

using compare::MatchedMix;

/// A figure of one system at one load: of each repeat that has it.
struct Found {
    std::vector<double> dots;
    bool atLeast = false;
    const ComparedValue* like = nullptr;
    /// Of several times or rates, as in ComparisonRow::geometric.
    [[nodiscard]] bool geometric() const
    {
        return dots.size() > 1 && like != nullptr && isLogarithmic(*like)
            && std::ranges::all_of(dots, [](double d) { return d > 0; });
    }
    [[nodiscard]] std::optional<double> mean() const
    {
        if (dots.empty())
            return std::nullopt;
        if (dots.size() == 1)
            return dots.front();
        const bool logarithmic = geometric();
        double sum = 0;
        for (const double dot : dots)
            sum += logarithmic ? std::log(dot) : dot;
        sum /= static_cast<double>(dots.size());
        return logarithmic ? std::exp(sum) : sum;
    }
};

const ComparedMix* mixOf(const ComparedColumn& column, const MatchedMix& mix, std::size_t run)
{
    const auto& index = mix.mixes[0][run];
    return index ? &column.runs[run].mixes[*index] : nullptr;
}

Found foundIn(const ComparedColumn& column, const MatchedMix& mix, const RowKey& row)
{
    Found found;
    for (std::size_t run = 0; run < column.runs.size(); ++run) {
        const ComparedMix* of = mixOf(column, mix, run);
        const ComparedValue* value = of != nullptr ? findValue(of->values, row) : nullptr;
        if (value == nullptr)
            continue;
        found.like = found.like == nullptr ? value : found.like;
        if (value->value && std::isfinite(*value->value)) {
            found.dots.push_back(*value->value);
            found.atLeast = found.atLeast || value->flags.lowerBound;
        }
    }
    return found;
}

RowKey figureKey(std::string_view figure)
{
    RowKey key;
    key.figure = figure;
    return key;
}

/// What a system achieves, and how long it takes to answer.
std::optional<double> rateOf(const ComparedColumn& column, const MatchedMix& mix)
{
    for (const std::string_view figure : { "mail.sent-rate", "io.rate" })
        if (const auto rate = foundIn(column, mix, figureKey(figure)).mean())
            return rate;
    return std::nullopt;
}
std::optional<double> responseOf(const ComparedColumn& column, const MatchedMix& mix)
{
    for (const std::string_view figure : { "response.average", "response.p95" })
        if (const auto time = foundIn(column, mix, figureKey(figure)).mean())
            return time;
    return std::nullopt;
}

std::optional<double> placeOf(const ComparedColumn& column, const MatchedMix& mix, LoadAxis axis)
{
    if (axis == LoadAxis::rate)
        return rateOf(column, mix);
    if (axis == LoadAxis::load)
        return mix.load;
    for (std::size_t run = 0; run < column.runs.size(); ++run)
        if (const ComparedMix* of = mixOf(column, mix, run); of != nullptr && of->clients)
            return of->clients;
    return std::nullopt;
}

std::optional<bool> passedOf(const ComparedColumn& column, const MatchedMix& mix)
{
    std::optional<bool> passed;
    for (std::size_t run = 0; run < column.runs.size(); ++run) {
        const ComparedMix* of = mixOf(column, mix, run);
        if (of == nullptr)
            continue;
        if (!of->passed || !of->complete)
            return std::nullopt;
        passed = passed.value_or(true) && *of->passed;
    }
    return passed;
}

/// The mixes of a column that stand on the axis, by rising load. Places that are no numbers are left out.
std::vector<std::pair<double, MatchedMix>> placedMixes(const ComparedColumn& column, LoadAxis axis)
{
    std::vector<std::pair<double, MatchedMix>> placed;
    for (MatchedMix& mix : compare::matchMixes({ &column, 1 }, 0, MixMatch::users)) {
        const auto place = placeOf(column, mix, axis);
        if (place && std::isfinite(*place))
            placed.emplace_back(*place, std::move(mix));
    }
    std::ranges::stable_sort(placed, {}, [](const auto& one) { return one.first; });
    return placed;
}

std::optional<Knee> kneeOf(const ComparedColumn& column, LoadAxis axis, const std::string& unit)
{
    struct At {
        double load, response, rate;
    };
    std::vector<At> points;
    for (const auto& [load, mix] : placedMixes(column, axis)) {
        const auto rate = rateOf(column, mix), response = responseOf(column, mix);
        if (rate && response && *rate > 0 && *response > 0 && load > 0
            && (points.empty() || points.back().load < load))
            points.push_back({ load, *response, *rate });
    }
    constexpr std::size_t kLeast = 4;
    if (points.size() < kLeast || axis == LoadAxis::rate)
        return std::nullopt;
    const auto best =
        std::ranges::max_element(points, {}, [](const At& one) { return one.rate / one.response; });
    if (best == points.begin())
        return std::nullopt;
    for (auto after = best + 1; after != points.end(); ++after) {
        const double load = after->load / best->load, response = after->response / best->response,
                     rate = after->rate / best->rate;
        if (response <= load || rate >= load)
            continue;
        const auto change = [](double ratio) { return fmt::format("{:+.0f} %", 100 * (ratio - 1)); };
        return Knee { best->load, best->response, best->rate,
            fmt::format(
                "from {} to {}{}{} the response time changes by {} and the rate by {}, for {} of load",
                fmt::format("{:.6g}", best->load), fmt::format("{:.6g}", after->load),
                unit.empty() ? "" : " ", unit, change(response), change(rate), change(load)) };
    }
    return std::nullopt;
}

std::string unitOf(const std::vector<ComparedColumn>& columns, LoadAxis axis)
{
    if (axis == LoadAxis::clients)
        return "clients";
    for (const ComparedColumn& column : columns)
        for (const ComparedRun& run : column.runs)
            for (const ComparedMix& mix : run.mixes) {
                if (axis == LoadAxis::load && mix.load)
                    return mix.loadUnit;
                if (axis == LoadAxis::rate)
                    for (const ComparedValue& value : mix.values)
                        if (value.key == figureKey("mail.sent-rate") || value.key == figureKey("io.rate"))
                            return value.unit;
            }
    return {};
}

/// Loads at which the report of this column has figures of other systems.
std::set<double> loadsOfReport(
    const std::vector<ComparedColumn>& columns, const ComparedColumn& column, LoadAxis axis)
{
    std::set<double> loads;
    const ComparedRun& first = column.runs.front();
    if (!first.external || axis == LoadAxis::rate)
        return loads;
    for (const ComparedColumn& other : columns)
        if (!other.runs.empty() && other.runs.front().external && other.runs.front().file == first.file)
            for (const auto& [load, mix] : placedMixes(other, axis))
                loads.insert(load);
    return loads;
}

LoadCurve curveOf(const std::vector<ComparedColumn>& columns, std::size_t index, const RowKey& row,
    LoadAxis axis, LoadCurves& all)
{
    const ComparedColumn& column = columns[index];
    LoadCurve curve;
    curve.system = column.name;
    curve.column = index;
    if (column.runs.empty())
        return curve;
    std::map<double, LoadPoint> points;
    for (const auto& [load, mix] : placedMixes(column, axis)) {
        const Found found = foundIn(column, mix, row);
        if (found.like != nullptr && all.label.empty()) {
            all.label = found.like->label;
            all.unit = found.like->unit;
            all.rounding = found.like->rounding;
            all.better = found.like->better;
        }
        if (found.like != nullptr) {
            Rounding& to = all.rounding;
            const Rounding& from = found.like->rounding;
            if (!found.like->flags.external)
                to = from; // digits of reports do not suit what was measured here
            else if (to.notation == Notation::decimals && from.notation == Notation::decimals)
                to.digits = std::max(to.digits, from.digits);
        }
        LoadPoint point { load, found.mean(), found.atLeast, found.dots, found.geometric(), {},
            passedOf(column, mix), found.dots.empty() ? 0 : column.runs.size() - found.dots.size() };
        for (std::size_t run = 0; run < column.runs.size() && point.mix.empty(); ++run)
            if (const ComparedMix* of = mixOf(column, mix, run))
                point.mix = of->name;
        const auto [at, isNew] = points.try_emplace(load, point);
        if (!isNew && !at->second.value)
            at->second = std::move(point);
    }
    for (const double load : loadsOfReport(columns, column, axis)) {
        LoadPoint gap;
        gap.load = load;
        points.try_emplace(load, std::move(gap));
    }
    for (auto& [load, point] : points) {
        if (point.value)
            curve.endsAt = load;
        curve.points.push_back(std::move(point));
    }
    // What was not measured begins and ends no curve.
    std::erase_if(
        curve.points, [&](const LoadPoint& point) { return !curve.endsAt || point.load > *curve.endsAt; });
    curve.knee = kneeOf(column, axis, all.axisUnit);
    const PassingLoad passing = largestPassing(column, {}, axis);
    curve.largestPassing = passing.load;
    curve.passedAll = passing.load && !passing.failing;
    return curve;
}

/// How the largest passing loads relate.
void compareLargest(const std::vector<ComparedColumn>& columns, std::vector<LoadCurve>& curves)
{
    const auto first =
        std::ranges::find_if(curves, [](const LoadCurve& curve) { return curve.largestPassing.has_value(); });
    if (first == curves.end() || first->passedAll || !(*first->largestPassing > 0))
        return;
    const auto factsOf = [&](const LoadCurve& curve) -> const ComparableFacts& {
        return columns[curve.column].runs.front().facts;
    };
    for (auto other = first + 1; other != curves.end(); ++other)
        if (other->largestPassing && *other->largestPassing > 0
            && (!other->passedAll || *other->largestPassing >= *first->largestPassing)
            && compare::differingFacts(factsOf(*first), factsOf(*other)).passing.empty())
            other->timesFirst = *other->largestPassing / *first->largestPassing;
}

/// Whether the row is within its limits; none: not known.
std::optional<bool> keeps(const ComparedColumn& column, const MatchedMix& mix, const LoadLimit& limit)
{
    const Found found = foundIn(column, mix, limit.row);
    if (found.dots.empty())
        return std::nullopt;
    for (const double dot : found.dots) {
        if (limit.most && dot > *limit.most)
            return false;
        if (limit.least && dot < *limit.least && !found.atLeast)
            return false;
    }
    // A bound that keeps the limit says nothing about what is above it.
    const bool sure =
        !found.atLeast || (!limit.most && limit.least && std::ranges::min(found.dots) >= *limit.least);
    return sure ? std::optional(true) : std::nullopt;
}

std::optional<bool> passes(
    const ComparedColumn& column, const MatchedMix& mix, const std::vector<LoadLimit>& limits)
{
    if (limits.empty())
        return passedOf(column, mix);
    std::optional<bool> all = true;
    for (const LoadLimit& limit : limits) {
        const auto one = keeps(column, mix, limit);
        if (one && !*one)
            return false;
        if (!one)
            all.reset();
    }
    return all;
}

} // namespace

const char* toString(LoadAxis axis)
{
    static constexpr std::array kNames { "load", "clients", "rate" };
    return kNames.at(static_cast<std::size_t>(axis));
}

std::vector<double> LoadCurves::loads() const
{
    std::set<double> all;
    for (const LoadCurve& curve : curves)
        for (const LoadPoint& point : curve.points)
            all.insert(point.load);
    return { all.begin(), all.end() };
}

bool LoadCurves::hasGeometricMeans() const
{
    return std::ranges::any_of(curves,
        [](const LoadCurve& curve) { return std::ranges::any_of(curve.points, &LoadPoint::geometric); });
}

const LoadPoint* LoadCurves::find(std::size_t curve, double load) const
{
    if (curve >= curves.size())
        return nullptr;
    const auto& points = curves[curve].points;
    const auto at = std::ranges::find(points, load, &LoadPoint::load);
    return at == points.end() ? nullptr : &*at;
}

std::vector<CurveChoice> curveChoices(const std::vector<ComparedColumn>& columns)
{
    struct Seen {
        CurveChoice choice;
        std::size_t place = 0;
        bool detail = false;
        std::map<std::size_t, std::set<double>> loads; // of each column
    };
    std::map<RowKey, Seen> rows;
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (const ComparedRun& run : columns[c].runs)
            for (const ComparedMix& mix : run.mixes)
                for (const ComparedValue& value : mix.values) {
                    if (!mix.load || !value.value)
                        continue;
                    const auto [at, isNew] = rows.try_emplace(value.key);
                    if (isNew)
                        at->second = { { value.key, value.group, value.label, value.unit }, rows.size(),
                            value.detail, {} };
                    at->second.loads[c].insert(*mix.load);
                }
    std::vector<const Seen*> found;
    for (const auto& [key, seen] : rows)
        if (std::ranges::any_of(seen.loads, [](const auto& one) { return one.second.size() >= 2; }))
            found.push_back(&seen);
    std::ranges::sort(found, {}, [](const Seen* one) { return std::tuple(one->detail, one->place); });
    std::vector<CurveChoice> choices;
    for (const Seen* one : found)
        choices.push_back(one->choice);
    return choices;
}

LoadCurves loadCurves(const std::vector<ComparedColumn>& columns, const RowKey& row, LoadAxis axis)
{
    LoadCurves all;
    all.key = row;
    all.axis = axis;
    all.axisUnit = unitOf(columns, axis);
    for (std::size_t i = 0; i < columns.size(); ++i)
        all.curves.push_back(curveOf(columns, i, row, axis, all));
    compareLargest(columns, all.curves);
    for (const LoadCurve& curve : all.curves)
        for (const LoadPoint& point : curve.points)
            if (point.value && point.dots.size() > 1)
                all.rounding = compare::roundingOfMean(all.rounding, *point.value);
    return all;
}

PassingLoad largestPassing(const ComparedColumn& column, const std::vector<LoadLimit>& limits, LoadAxis axis)
{
    PassingLoad found;
    found.known = true;
    bool any = false;
    for (const auto& [load, mix] : placedMixes(column, axis)) {
        const auto passed = passes(column, mix, limits);
        any = any || passed;
        if (!passed) {
            found.known = false;
            continue;
        }
        if (!*passed) {
            found.failing = load;
            break;
        }
        found.load = load;
    }
    found.known = found.known && any;
    return found;
}

} // namespace loadstone
