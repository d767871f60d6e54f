// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "report/comparison_dots.h"
#include "report/comparison_json.h"
#include "report/html_writer.h"
#include "report/svg.h"

#include <loadstone/comparison_report.h>
#include <loadstone/report.h>
#include <loadstone/spreadsheet.h>
#include <loadstone/table_formats.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace loadstone {

namespace {

constexpr std::array kComparisonFormats { "text", "markdown", "csv", "json", "html", "xlsx" };

void append(std::vector<ReportTable>& to, std::vector<ReportTable> more)
{
    for (ReportTable& table : more)
        to.push_back(std::move(table));
}

/// Everything as tables. `brief`: what is the same is only counted.
std::vector<ReportTable> tablesOf(const ComparisonReport& report, bool brief)
{
    std::vector<ReportTable> tables;
    if (!report.comparison.columns.empty()) {
        tables.push_back(columnTable(report.comparison));
        tables.push_back(runTable(report.comparison));
        append(tables, comparisonTables(report.comparison));
    }
    for (ReportTable& table : configurationTables(report.configuration, report.comparison.columns)) {
        if (!table.folded || !brief) {
            tables.push_back(std::move(table));
            continue;
        }
        const std::string note =
            fmt::format("{} more values are the same in all columns.", table.rows.size());
        if (!tables.empty())
            tables.back().note += (tables.back().note.empty() ? "" : " ") + note;
    }
    for (const LoadCurves& one : report.curves)
        tables.push_back(curveTable(one));
    for (const PercentileShifts& one : report.percentiles)
        tables.push_back(percentileTable(one));
    for (const PlanTrend& one : report.trends)
        append(tables, trendTables(one));
    return tables;
}

report::AxisUnit axisUnitOf(const std::string& unit)
{
    return unit == "s"      ? report::AxisUnit::seconds
        : unit == "%"       ? report::AxisUnit::percent
        : unit == "bytes/s" ? report::AxisUnit::bytesPerSecond
                            : report::AxisUnit::number;
}

/// A logarithmic axis where the points lie more than a factor of 20 apart.
bool isFarApart(const report::Chart& chart)
{
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const report::Curve& curve : chart.curves)
        for (const report::Point& point : curve.points)
            if (point.y > 0) {
                least = std::min(least, point.y);
                most = std::max(most, point.y);
            }
    constexpr double kApart = 20;
    return most > least * kApart;
}

report::Chart chartOf(const LoadCurves& curves)
{
    report::Chart chart;
    const std::string unit =
        curves.unit.empty() || curves.unit == "s" || curves.unit == "%" ? "" : " (" + curves.unit + ")";
    chart.title = curves.label + unit;
    chart.xTitle = curves.axisUnit.empty() ? "load" : curves.axisUnit;
    chart.timeAxis = false;
    chart.quantity = axisUnitOf(curves.unit);
    for (const LoadCurve& from : curves.curves) {
        report::Curve& curve = chart.curves.emplace_back();
        curve.name = from.system;
        curve.marked = true;
        for (const LoadPoint& point : from.points)
            curve.points.push_back(
                { point.load, point.value.value_or(std::numeric_limits<double>::quiet_NaN()) });
    }
    chart.logarithmic = isFarApart(chart);
    return chart;
}

report::Chart chartOf(const PlanTrend& trend)
{
    report::Chart chart;
    chart.title = trend.label + (trend.mix.empty() ? "" : ", " + trend.mix);
    chart.xTitle = "runs, in order of time";
    chart.timeAxis = false;
    chart.quantity = axisUnitOf(trend.unit);
    report::Curve& curve = chart.curves.emplace_back();
    curve.name = trend.label;
    curve.marked = true;
    for (const TrendPoint& point : trend.points)
        curve.points.push_back({ static_cast<double>(point.run + 1),
            point.value.value_or(std::numeric_limits<double>::quiet_NaN()) });
    return chart;
}

SheetChart sheetChartOf(const LoadCurves& curves)
{
    SheetChart chart;
    chart.title = curves.label;
    chart.xTitle = curves.axisUnit.empty() ? "load" : curves.axisUnit;
    chart.yTitle = curves.unit;
    static constexpr std::array<std::uint32_t, CompareOptions::kMostColumns> kColours { 0x0b5cad, 0xc2410c,
        0x157347, 0x7a2f9a, 0x8a6100, 0x4b5563, 0x0e7490, 0xbe185d, 0x4d7c0f, 0x1e1b4b, 0xea580c, 0x000000 };
    for (const LoadCurve& from : curves.curves) {
        SheetChart::Series& series = chart.series.emplace_back();
        series.name = from.system;
        series.colour = kColours.at(from.column % kColours.size());
        for (const LoadPoint& point : from.points) {
            series.x.push_back(point.load);
            series.values.push_back(point.value);
        }
    }
    return chart;
}

std::string htmlOf(const ComparisonReport& report)
{
    std::string subtitle;
    for (const std::string& column : report.comparison.columns)
        subtitle += (subtitle.empty() ? "" : ", ") + column;
    std::string out = report::htmlHead(report.title, subtitle);
    const auto addTables = [&](const std::vector<ReportTable>& tables) {
        for (const ReportTable& table : tables)
            if (!table.empty())
                report::appendHtml(out, table);
    };
    const auto heading = [&](const char* text) { out += fmt::format("<h2>{}</h2>\n", text); };
    if (!report.comparison.columns.empty()) {
        addTables({ columnTable(report.comparison), runTable(report.comparison) });
        heading("Figures");
        for (const ComparisonMix& mix : report.comparison.mixes)
            out += report::dotFigure(report.comparison, mix);
        addTables(comparisonTables(report.comparison));
    }
    if (!report.configuration.empty()) {
        heading("Configurations");
        addTables(configurationTables(report.configuration, report.comparison.columns));
    }
    if (!report.curves.empty())
        heading("Curves over load");
    for (const LoadCurves& one : report.curves) {
        out += report::chartFigure(chartOf(one));
        addTables({ curveTable(one) });
    }
    if (!report.percentiles.empty())
        heading("Percentiles");
    for (const PercentileShifts& one : report.percentiles)
        addTables({ percentileTable(one) });
    if (!report.trends.empty())
        heading("History of the plan");
    for (const PlanTrend& one : report.trends) {
        out += report::chartFigure(chartOf(one));
        addTables(trendTables(one));
    }
    return out + report::htmlFoot();
}

} // namespace

const char* toString(ComparisonFormat format)
{
    return kComparisonFormats.at(static_cast<std::size_t>(format));
}

Result<ComparisonFormat> parseComparisonFormat(std::string_view text)
{
    const auto at =
        std::ranges::find(kComparisonFormats, text, [](const char* name) { return std::string_view(name); });
    if (at == kComparisonFormats.end())
        return fail(
            fmt::format("\"{}\" is no format of comparisons: text, markdown, csv, json, html or xlsx", text));
    return static_cast<ComparisonFormat>(at - kComparisonFormats.begin());
}

Result<std::string> formatComparison(
    const ComparisonReport& report, ComparisonFormat format, std::size_t width)
{
    switch (format) {
    case ComparisonFormat::text:
        return formatTables(tablesOf(report, true), width);
    case ComparisonFormat::markdown:
        return formatTablesMarkdown(tablesOf(report, true));
    case ComparisonFormat::csv:
        return formatTablesCsv(tablesOf(report, false));
    case ComparisonFormat::json:
        return report::comparisonJson(report);
    case ComparisonFormat::html:
        return htmlOf(report);
    case ComparisonFormat::xlsx:
        break;
    }
    std::vector<SheetChart> charts;
    for (const LoadCurves& one : report.curves)
        charts.push_back(sheetChartOf(one));
    return formatTablesXlsx(report.title, tablesOf(report, false), charts);
}

Result<void> writeComparison(
    const ComparisonReport& report, ComparisonFormat format, const std::filesystem::path& file)
{
    const auto content = formatComparison(report, format);
    if (!content)
        return content.error();
    return writeFileAtomically(file, *content);
}

} // namespace loadstone
