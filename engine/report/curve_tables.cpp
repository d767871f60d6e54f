// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Curves over load, percentiles and trends as tables.
#include "base/joined.h"
#include "report/comparison_cells.h"
#include "report/wording.h"

#include <loadstone/comparison_report.h>

#include <fmt/format.h>

#include <cmath>

namespace loadstone {

namespace {

std::string dayOf(WallTime time)
{
    return formatIso8601(time).substr(0, 10);
}

std::string loadText(const LoadCurves& curves, double load)
{
    const bool whole = load == std::floor(load);
    const std::string text = format(Number { load, Unit::one, { whole ? Notation::whole : Notation::rate } });
    return curves.axisUnit.empty() ? text : text + " " + curves.axisUnit;
}

/// Which points are not of all repeats: "2 of 4 runs at 500 users". Empty: none.
std::string partsText(const LoadCurves& curves, const LoadCurve& curve)
{
    std::vector<std::string> parts;
    for (const LoadPoint& point : curve.points)
        if (point.missingRuns > 0)
            parts.push_back(fmt::format("{} of {} runs at {}", point.dots.size(),
                point.dots.size() + point.missingRuns, loadText(curves, point.load)));
    return joined(parts, ", ");
}

} // namespace

ReportTable curveTable(const LoadCurves& curves)
{
    const char* axis = curves.axis == LoadAxis::rate ? "Achieved rate"
        : curves.axis == LoadAxis::clients           ? "Clients"
                                                     : "Load";
    ReportTable table { curves.label + " over " + (curves.axisUnit.empty() ? "load" : curves.axisUnit), "",
        { { axis } }, {} };
    ComparisonRow row;
    row.unit = curves.unit;
    row.rounding = curves.rounding;
    for (const LoadCurve& curve : curves.curves) {
        const std::string unit = report::unitText(row);
        table.columns.push_back({ unit.empty() ? curve.system : curve.system + " (" + unit + ")" });
    }
    Rounding rounding = curves.rounding;
    rounding.named = false;
    for (const double load : curves.loads()) {
        const bool whole = load == std::floor(load);
        auto& cells = table.rows.emplace_back(std::vector<Cell> {
            Number { load, Unit::one, whole ? Rounding { Notation::whole } : Rounding { Notation::rate } } });
        for (std::size_t c = 0; c < curves.curves.size(); ++c) {
            const LoadPoint* point = curves.find(c, load);
            FigureFlags flags;
            flags.lowerBound = point != nullptr && point->atLeast;
            cells.emplace_back(
                Number { point != nullptr ? point->value : std::nullopt, Unit::one, rounding, flags });
        }
    }
    std::vector<std::string> notes;
    if (curves.hasGeometricMeans())
        notes.emplace_back("Values of several runs are their geometric means.");
    const LoadCurve* first = nullptr;
    for (const LoadCurve& curve : curves.curves) {
        if (const std::string parts = partsText(curves, curve); !parts.empty())
            notes.push_back(fmt::format("{}: the mean is only of {}.", curve.system, parts));
        if (curve.knee)
            notes.push_back(fmt::format("{}: the knee is at {} ({}).", curve.system,
                loadText(curves, curve.knee->load), curve.knee->reason));
        if (!curve.largestPassing)
            continue;
        notes.push_back(fmt::format("{}: the largest passing load is {}{}.", curve.system,
            curve.passedAll ? "at least " : "", loadText(curves, *curve.largestPassing)));
        if (curve.timesFirst)
            notes.push_back(*curve.timesFirst >= 1
                    ? fmt::format("That is {}{:.3f} times that of {}.", curve.passedAll ? "at least " : "",
                        *curve.timesFirst, first->system)
                    : fmt::format("That of {} is {:.3f} times that.", first->system, 1 / *curve.timesFirst));
        else if (first == nullptr)
            first = &curve;
    }
    table.note = joined(notes, " ");
    return table;
}

ReportTable percentileTable(const PercentileShifts& shifts)
{
    ReportTable table { shifts.what,
        "The intervals are of these runs alone, by a block bootstrap over stretches of their measurements; "
        "they do not hold what differs from run "
        "to run.",
        { { "Percentile" }, { "Before" }, { "After" }, { "Shift" }, { "From" }, { "To" } }, {} };
    if (!shifts.reason.empty()) {
        table.note = "Not compared: " + shifts.reason + ".";
        return table;
    }
    const auto signedText = [](double seconds) {
        const std::string size = format(Number { std::abs(seconds), Unit::seconds, { Notation::latency } });
        return (seconds < 0 ? "-" : "+") + size;
    };
    for (const QuantileShift& one : shifts.shifts) {
        FigureFlags flags;
        flags.lowerBound = one.atLeast;
        table.rows.push_back({ Number { one.percentile, Unit::one, { Notation::shortest, 4 } },
            Number { one.before, Unit::seconds, { Notation::latency }, flags },
            Number { one.after, Unit::seconds, { Notation::latency }, flags },
            one.atLeast ? "-" : signedText(one.shift), one.atLeast ? "-" : signedText(one.low),
            one.atLeast ? "-" : signedText(one.high) });
    }
    return table;
}

std::vector<ReportTable> trendTables(const PlanTrend& trend)
{
    ReportTable runs { trend.label + (trend.mix.empty() ? "" : ", " + trend.mix) + " over the runs",
        trend.note,
        { { "Run", report::kText }, { "Started", report::kText }, { "Title", report::kText }, { "Value" },
            { "Configuration", report::kText } },
        {} };
    Rounding rounding = trend.rounding;
    rounding.named = false;
    for (const TrendPoint& point : trend.points) {
        const TrendRun& run = trend.runs[point.run];
        runs.rows.push_back({ run.id.text(), dayOf(run.started), run.title,
            Number { point.value, Unit::one, rounding, point.flags }, run.configuration.substr(0, 8) });
    }
    std::vector<ReportTable> tables { std::move(runs) };
    ReportTable questions { "Questions", "A change point is a question, and no verdict.",
        { { "Since run", report::kText }, { "Question", report::kText } }, {} };
    for (const ChangePoint& change : trend.changes)
        questions.rows.push_back({ trend.runs[change.run].id.text(), questionOf(trend, change) });
    if (!questions.empty())
        tables.push_back(std::move(questions));
    return tables;
}

std::string questionOf(const PlanTrend& trend, const ChangePoint& change)
{
    Rounding rounding = trend.rounding;
    rounding.named = false;
    std::string text = fmt::format("Has it been {} since {}, and {} before?",
        report::valueText(rounding, trend.unit, change.after), dayOf(trend.runs[change.run].started),
        report::valueText(rounding, trend.unit, change.before));
    if (change.change)
        text += fmt::format(" ({})", report::difference(*change.change));
    return text;
}

} // namespace loadstone
