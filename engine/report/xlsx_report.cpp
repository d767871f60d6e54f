// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "base/posix_file.h"
#include "report/model.h"

#include <loadstone/spreadsheet.h>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace loadstone {

namespace {

/// Told apart by people with any kind of colour vision (M. Okabe, K. Ito, "Color Universal Design", 2008).
constexpr std::array<std::uint32_t, 8> kSheetColours { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00,
    0x56b4e9, 0x000000, 0x999999 };

const char* unitOf(report::AxisUnit unit)
{
    switch (unit) {
    case report::AxisUnit::percent:
        return "%";
    case report::AxisUnit::seconds:
        return "s";
    case report::AxisUnit::bytesPerSecond:
        return "bytes/s";
    case report::AxisUnit::number:
        break;
    }
    return "";
}

/// What stands above the sections of a report: the workbook's first sheet, without which its figures are of no run and of unknown worth.
ReportTable headTable(const report::Report& report)
{
    ReportTable table { "Run", "", { { "About", false }, { "Text", false } }, {} };
    const auto add = [&](const char* about, const std::string& text) {
        if (!text.empty())
            table.rows.push_back({ about, text });
    };
    add("Title", report.title);
    add("Run", report.subtitle);
    add("Verdict", report.verdict.headline);
    for (const std::string& sentence : report.sentences)
        add("", sentence);
    add("Tags", fmt::format("{}", joined(report.tags, ", ")));
    add("Note", report.note);
    add("Plan", report.planName);
    return table;
}

SheetChart sheetChart(const report::Chart& chart)
{
    SheetChart made;
    made.title = chart.title;
    made.yTitle = unitOf(chart.quantity);
    made.xTitle = chart.timeAxis ? "minutes since the run's start" : chart.xTitle;
    made.logarithmicY = chart.logarithmic;
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        SheetChart::Series series { chart.curves[i].name, {}, {}, kSheetColours[i % kSheetColours.size()],
            true };
        for (const report::Point& point : chart.curves[i].points) {
            series.x.push_back(chart.timeAxis ? point.x / 60 : point.x);
            series.values.push_back(std::isfinite(point.y) ? std::optional(point.y) : std::nullopt);
        }
        made.series.push_back(std::move(series));
    }
    return made;
}

} // namespace

Result<void> writeXlsx(
    const Recording& recording, const std::filesystem::path& to, const std::optional<TimeWindow>& window)
{
    const auto report = report::buildReport(recording, window);
    if (!report)
        return report.error();
    std::vector<ReportTable> tables { headTable(*report) };
    std::vector<SheetChart> charts;
    for (const report::Section& section : report->sections) {
        tables.insert(tables.end(), section.tables.begin(), section.tables.end());
        for (const report::Chart& chart : section.charts)
            charts.push_back(sheetChart(chart));
    }
    const auto bytes = formatTablesXlsx(report->title, tables, charts);
    if (!bytes)
        return bytes.error().within(to.string());
    return writeFileAtomically(to, *bytes);
}

} // namespace loadstone
