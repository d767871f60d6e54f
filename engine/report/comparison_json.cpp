// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/comparison_json.h"

#include "base/json.h"

#include <loadstone/series.h>

#include <nlohmann/json.hpp>

#include <cmath>

namespace loadstone::report {

namespace {

Json jsonNumber(const std::optional<double>& value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json textOf(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

Json keyOf(const RowKey& key)
{
    Json json = Json::object();
    if (!key.figure.empty())
        json["figure"] = key.figure;
    if (!key.subject.empty())
        json["of"] = nameOf(key.subject);
    if (key.counter)
        json["counter"] = pathOf(*key.counter);
    if (!key.computer.empty())
        json["computer"] = key.computer;
    if (!key.name.empty())
        json["name"] = key.name;
    return json;
}

Json cellOf(const ComparedCell& cell)
{
    Json dots = Json::array();
    for (const RunDot& dot : cell.dots)
        dots.push_back({ { "run", dot.run }, { "value", jsonNumber(dot.value) },
            { "atLeast", dot.flags.lowerBound }, { "withinError", jsonNumber(dot.withinError) } });
    Json json { { "value", jsonNumber(cell.value) }, { "atLeast", cell.flags.lowerBound },
        { "printed", textOf(cell.printed) }, { "slack", cell.slack }, { "runs", std::move(dots) },
        { "missingRuns", cell.missingRuns }, { "difference", jsonNumber(cell.difference) },
        { "ratio", jsonNumber(cell.ratio) }, { "change", jsonNumber(cell.change) },
        { "needed", jsonNumber(cell.critical) }, { "neededChange", jsonNumber(cell.criticalChange) },
        { "p", jsonNumber(cell.p) } };
    if (cell.ratios.first > 0)
        json["ratiosOfPairs"] = { cell.ratios.first, cell.ratios.second };
    json["found"] = toString(cell.word);
    json["matters"] = cell.matters;
    json["withinRounding"] = cell.withinRounding;
    json["void"] = cell.voided;
    json["reason"] = textOf(cell.reason);
    json["wouldTell"] = textOf(cell.wouldTell);
    return json;
}

Json rowOf(const ComparisonRow& row)
{
    Json json { { "key", keyOf(row.key) }, { "group", row.group }, { "label", row.label },
        { "unit", row.unit }, { "better", toString(row.better) }, { "statistic", toString(row.statistic) },
        { "geometric", row.geometric } };
    json["repeatability"] = row.spread ? Json { { "deviation", jsonNumber(row.spread->deviation) },
        { "ofLogarithms", row.spread->logarithmic }, { "degrees", row.spread->degrees },
        { "runs", row.spread->runs }, { "groups", row.spread->groups },
        { "ofTheseRunsAlone", row.spread->ownSpread }, { "baselineInTwoGroups", row.spread->parted } }
                                       : Json();
    json["control"] = row.drift ? Json { { "difference", jsonNumber(row.drift->difference) },
        { "change", jsonNumber(row.drift->change) }, { "needed", jsonNumber(row.drift->critical) },
        { "beyond", row.drift->beyond } }
                                : Json();
    Json& cells = json["columns"] = Json::array();
    for (const ComparedCell& cell : row.cells)
        cells.push_back(cellOf(cell));
    return json;
}

Json columnsOf(const Comparison& comparison)
{
    Json columns = Json::array();
    for (std::size_t c = 0; c < comparison.columns.size(); ++c) {
        const ColumnStatus& status = comparison.status[c];
        Json runs = Json::array();
        for (const ColumnRun& run : comparison.runs)
            if (run.column == c && !run.id.empty())
                runs.push_back({ { "run", run.id.text() }, { "title", textOf(run.title) },
                    { "started", formatIso8601(run.started) },
                    { "verdict", run.live ? "running" : toString(run.verdict) } });
        columns.push_back(
            { { "name", comparison.columns[c] }, { "runs", comparison.repeats[c] }, { "of", std::move(runs) },
                { "baseline", c == comparison.options.baseline }, { "control", status.control },
                { "external", bool { comparison.external[c] } }, { "notComparable", status.notComparable },
                { "unknown", status.unknown }, { "cautions", status.cautions } });
    }
    return columns;
}

Json mixesOf(const Comparison& comparison)
{
    Json mixes = Json::array();
    for (const ComparisonMix& mix : comparison.mixes) {
        Json json { { "name", mix.name.empty() ? Json() : Json(mix.name) }, { "load", jsonNumber(mix.load) },
            { "loadUnit", textOf(mix.loadUnit) } };
        Json& rows = json["rows"] = Json::array();
        for (const ComparisonRow& row : mix.rows)
            rows.push_back(rowOf(row));
        mixes.push_back(std::move(json));
    }
    return mixes;
}

Json curveOf(const LoadCurves& curves)
{
    Json json { { "key", keyOf(curves.key) }, { "label", curves.label }, { "unit", curves.unit },
        { "axis", toString(curves.axis) }, { "axisUnit", curves.axisUnit } };
    Json& systems = json["systems"] = Json::array();
    for (const LoadCurve& curve : curves.curves) {
        Json points = Json::array();
        for (const LoadPoint& point : curve.points)
            points.push_back(
                { { "load", point.load }, { "value", jsonNumber(point.value) }, { "atLeast", point.atLeast },
                    { "runs", point.dots }, { "passed", point.passed ? Json(*point.passed) : Json() } });
        systems.push_back({ { "name", curve.system }, { "points", std::move(points) },
            { "endsAt", jsonNumber(curve.endsAt) },
            { "knee",
                curve.knee ? Json { { "load", curve.knee->load }, { "response", curve.knee->response },
                    { "rate", curve.knee->rate }, { "reason", curve.knee->reason } }
                           : Json() },
            { "largestPassing", jsonNumber(curve.largestPassing) }, { "passedAll", curve.passedAll } });
    }
    return json;
}

Json trendOf(const PlanTrend& trend)
{
    Json json { { "key", keyOf(trend.key) }, { "mix", textOf(trend.mix) }, { "label", trend.label },
        { "unit", trend.unit }, { "note", textOf(trend.note) } };
    Json& runs = json["runs"] = Json::array();
    for (const TrendPoint& point : trend.points)
        runs.push_back({ { "run", trend.runs[point.run].id.text() },
            { "started", formatIso8601(trend.runs[point.run].started) }, { "value", jsonNumber(point.value) },
            { "counts", point.counts }, { "configuration", trend.runs[point.run].configuration } });
    Json& changes = json["questions"] = Json::array();
    for (const ChangePoint& change : trend.changes)
        changes.push_back({ { "since", trend.runs[change.run].id.text() }, { "before", change.before },
            { "after", change.after }, { "p", change.p }, { "question", questionOf(trend, change) } });
    return json;
}

} // namespace

std::string comparisonJson(const ComparisonReport& report)
{
    const Comparison& comparison = report.comparison;
    Json json { { "title", report.title },
        { "options",
            { { "baseline", comparison.options.baseline }, { "match", toString(comparison.options.match) },
                { "matters", comparison.options.matters }, { "level", comparison.options.level } } },
        { "columns", columnsOf(comparison) }, { "comparable", comparison.comparable() },
        { "looked", comparison.looked }, { "marked", comparison.marked }, { "warnings", comparison.warnings },
        { "unmatched", comparison.unmatched }, { "mixes", mixesOf(comparison) } };
    Json& configuration = json["configuration"] = Json::array();
    for (const ConfigurationRow& row : report.configuration)
        configuration.push_back({ { "group", toString(row.group) }, { "label", row.label },
            { "values", row.values }, { "same", row.same } });
    Json& curves = json["curves"] = Json::array();
    for (const LoadCurves& one : report.curves)
        curves.push_back(curveOf(one));
    Json& percentiles = json["percentiles"] = Json::array();
    for (const PercentileShifts& one : report.percentiles) {
        Json shifts = Json::array();
        for (const QuantileShift& shift : one.shifts)
            shifts.push_back({ { "percentile", shift.percentile }, { "before", shift.before },
                { "after", shift.after }, { "shift", shift.shift }, { "low", shift.low },
                { "high", shift.high }, { "atLeast", shift.atLeast } });
        percentiles.push_back({ { "what", one.what }, { "shifts", std::move(shifts) } });
        if (!one.reason.empty())
            percentiles.back()["reason"] = one.reason;
    }
    Json& trends = json["trends"] = Json::array();
    for (const PlanTrend& one : report.trends)
        trends.push_back(trendOf(one));
    return jsonText(json, 2) + "\n";
}

} // namespace loadstone::report
