// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/comparison.h"
#include "loadstone/load_curve.h"
#include "loadstone/plan_trend.h"
#include "loadstone/quantile_shift.h"
#include "loadstone/result.h"
#include "loadstone/table.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Comparisons in words and tables. Texts may come from anywhere: writers make them harmless. Any thread.
namespace loadstone {

/// All that a comparison prints. What is empty is left out.
struct ComparisonReport {
    std::string title;
    Comparison comparison;
    std::vector<ConfigurationRow> configuration;
    std::vector<LoadCurves> curves;
    std::vector<PercentileShifts> percentiles;
    std::vector<PlanTrend> trends;
};

/// Which columns there are, and what speaks against comparing them.
ReportTable columnTable(const Comparison& comparison);
/// Each run behind a column: its id, when it began, and its verdict.
ReportTable runTable(const Comparison& comparison);
/// A table for each matched mix, and one of whole runs. With two columns each difference has its critical difference and the reason of its word;
/// with more there is a table of the differences that are shown behind them.
std::vector<ReportTable> comparisonTables(const Comparison& comparison);
/// A table for each group that differs; behind them, folded, what is the same.
std::vector<ReportTable> configurationTables(
    const std::vector<ConfigurationRow>& rows, const std::vector<std::string>& columns);
/// The points of curves over load; gaps are "-". Its note names knees and largest passing loads.
ReportTable curveTable(const LoadCurves& curves);
ReportTable percentileTable(const PercentileShifts& shifts);
/// The runs with their values, and the questions.
std::vector<ReportTable> trendTables(const PlanTrend& trend);

/// "1.2 % from 14 runs in 5 groups"; of values that are compared as they are the deviation in their unit.
std::string describe(const Repeatability& spread, const ComparisonRow& row);
/// What the word of a cell rests on, one sentence each; empty for the baseline.
std::vector<std::string> explain(const Comparison& comparison, const ComparisonRow& row, std::size_t column);
/// "Has it been 12.3 ms since 12 March 2026, and 11.0 ms before?"
std::string questionOf(const PlanTrend& trend, const ChangePoint& change);

enum class ComparisonFormat : std::uint8_t { text, markdown, csv, json, html, xlsx };
const char* toString(ComparisonFormat format); ///< "text", "markdown", …
/// The inverse; an Error names any other text.
Result<ComparisonFormat> parseComparisonFormat(std::string_view text);

/// The whole as one file. JSON has all numbers as they are, not rounded. An Error of XLSX alone.
Result<std::string> formatComparison(
    const ComparisonReport& report, ComparisonFormat format, std::size_t width = 100);
/// Writes it beside the file and puts it in its place, so that what was there stays when it fails.
Result<void> writeComparison(
    const ComparisonReport& report, ComparisonFormat format, const std::filesystem::path& file);

} // namespace loadstone
