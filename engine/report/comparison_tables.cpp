// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "report/comparison_cells.h"
#include "report/wording.h"

#include <loadstone/comparison_report.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone {

namespace {

using report::boundOf;
using report::changeCell;
using report::differenceCell;
using report::valueCell;

std::string wordText(const ComparedCell& cell)
{
    std::string text = toString(cell.word);
    if (isMarked(cell.word) && !cell.matters)
        text += ", too little to matter";
    return text;
}

/// The reason of a word, and what would tell more.
std::string whyText(const ComparedCell& cell)
{
    return cell.reason + (cell.reason.empty() || cell.wouldTell.empty() ? "" : "; ") + cell.wouldTell;
}

Cell neededCell(const ComparedCell& cell)
{
    if (cell.criticalChange)
        return Number { cell.criticalChange, Unit::share, { Notation::percentDecimals, 1 } };
    return Number { cell.critical, Unit::one, { Notation::significant, 3 } };
}

bool anyCritical(const ComparisonMix& mix)
{
    return std::ranges::any_of(mix.rows, [](const ComparisonRow& row) {
        return std::ranges::any_of(
            row.cells, [](const ComparedCell& cell) { return cell.critical.has_value(); });
    });
}

bool anyDrift(const ComparisonMix& mix)
{
    return std::ranges::any_of(mix.rows, [](const ComparisonRow& row) { return row.drift.has_value(); });
}

bool anyMissing(const ComparisonMix& mix)
{
    return std::ranges::any_of(mix.rows, [](const ComparisonRow& row) {
        return std::ranges::any_of(row.cells, [](const ComparedCell& cell) { return cell.missingRuns > 0; });
    });
}

/// Of which columns not all runs have the value: "Small servers, 1 of 2 runs".
std::string partsText(const Comparison& comparison, const ComparisonRow& row)
{
    std::string parts;
    for (std::size_t c = 0; c < row.cells.size(); ++c)
        if (const ComparedCell& cell = row.cells[c]; cell.missingRuns > 0)
            parts += fmt::format("{}{}, {} of {} runs", parts.empty() ? "" : "; ", comparison.columns[c],
                cell.runsWithValue(), cell.runsWithValue() + cell.missingRuns);
    return parts;
}

ReportTable mixTable(const Comparison& comparison, const ComparisonMix& mix)
{
    const std::size_t baseline = comparison.options.baseline;
    const bool two = comparison.columns.size() == 2;
    const bool needed = anyCritical(mix), drift = anyDrift(mix), missing = anyMissing(mix);
    ReportTable table { mix.name.empty() ? "Whole runs" : mix.name, "",
        { { "Group", report::kText }, { "Figure", report::kText }, { "Unit", report::kText },
            { comparison.columns[baseline] } },
        {} };
    for (std::size_t c = 0; c < comparison.columns.size(); ++c) {
        if (c == baseline)
            continue;
        table.columns.push_back({ comparison.columns[c] });
        if (two)
            table.columns.push_back({ "Difference" });
        table.columns.push_back({ "Ratio" });
        table.columns.push_back({ "Change" });
        if (needed && !comparison.status[c].control)
            table.columns.push_back({ "Needed" });
        if (!comparison.status[c].control)
            table.columns.push_back({ "Found", report::kText });
    }
    if (missing)
        table.columns.push_back({ "Only from", report::kText });
    if (drift)
        table.columns.push_back({ "Control moved" });
    if (two)
        table.columns.push_back({ "Why, and what would tell", report::kText });
    for (const ComparisonRow& row : mix.rows) {
        auto& cells =
            table.rows.emplace_back(std::vector<Cell> { row.group, row.label, report::unitText(row) });
        cells.push_back(valueCell(row, row.cells[baseline]));
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            if (c == baseline)
                continue;
            const ComparedCell& cell = row.cells[c];
            cells.push_back(valueCell(row, cell));
            if (two)
                cells.push_back(differenceCell(row, cell));
            cells.emplace_back(Number { cell.ratio, Unit::one, { Notation::plain, 3 }, boundOf(cell) });
            cells.push_back(changeCell(cell.change, boundOf(cell)));
            if (needed && !comparison.status[c].control)
                cells.push_back(neededCell(cell));
            if (!comparison.status[c].control)
                cells.push_back(wordText(cell));
        }
        if (missing)
            cells.push_back(partsText(comparison, row));
        if (drift)
            cells.push_back(changeCell(row.drift ? row.drift->change : std::nullopt));
        if (two)
            cells.push_back(whyText(row.cells[1 - baseline]));
    }
    return table;
}

/// All differences that are shown, one a line.
ReportTable shownTable(const Comparison& comparison)
{
    ReportTable table { "Differences that are shown", "",
        { { "Column", report::kText }, { "At", report::kText }, { "Figure", report::kText }, { "Change" },
            { "Needed" }, { "Found", report::kText } },
        {} };
    for (std::size_t c = 0; c < comparison.columns.size(); ++c)
        for (const ComparisonMix& mix : comparison.mixes)
            for (const ComparisonRow& row : mix.rows)
                if (const ComparedCell& cell = row.cells[c]; isMarked(cell.word))
                    table.rows.push_back(
                        { comparison.columns[c], mix.name.empty() ? "whole runs" : mix.name, row.label,
                            changeCell(cell.change, boundOf(cell)), neededCell(cell), wordText(cell) });
    return table;
}

ReportTable configurationTable(std::string title, const std::vector<std::string>& columns)
{
    ReportTable table { std::move(title), "", { { "What", report::kText } }, {} };
    for (const std::string& column : columns)
        table.columns.push_back({ column, report::kText });
    return table;
}

std::vector<Cell> configurationCells(const ConfigurationRow& row)
{
    std::vector<Cell> cells { row.label };
    for (const std::string& value : row.values)
        cells.emplace_back(value.empty() ? "-" : value);
    return cells;
}

} // namespace

namespace report {

std::string unitText(const ComparisonRow& row)
{
    // What these notations print has its unit with it.
    switch (row.rounding.notation) {
    case Notation::latency:
    case Notation::duration:
    case Notation::clock:
    case Notation::byteSize:
    case Notation::percent:
    case Notation::percentDecimals:
        return {};
    case Notation::megabytes:
        return "MB";
    case Notation::milliseconds:
        return "ms";
    default:
        return row.unit;
    }
}

Cell valueCell(const ComparisonRow& row, const ComparedCell& cell)
{
    Rounding rounding = cell.rounding.value_or(row.rounding);
    // The unit has a column of its own, but for notations that print theirs.
    rounding.named = cell.rounding && row.unit == Unit::seconds.name && unitText(row).empty();
    return Number { cell.value, rounding.named ? Unit::seconds : Unit::one, rounding, cell.flags };
}

Cell changeCell(const std::optional<double>& change, FigureFlags flags)
{
    return Number { change, Unit::share, { Notation::difference }, flags };
}

FigureFlags boundOf(const ComparedCell& cell)
{
    FigureFlags flags;
    flags.lowerBound = cell.flags.lowerBound;
    return flags;
}

Cell differenceCell(const ComparisonRow& row, const ComparedCell& cell)
{
    Rounding rounding = row.rounding;
    rounding.named = false;
    rounding.sign = true;
    return Number { cell.difference, Unit::one, rounding, boundOf(cell) };
}

std::string valueText(const Rounding& rounding, std::string_view unit, double value)
{
    ComparisonRow row;
    row.rounding = rounding;
    row.unit = unit;
    const std::string text = format(Number { value, Unit::one, rounding });
    const std::string after = unitText(row);
    return after.empty() ? text : text + " " + after;
}

} // namespace report

ReportTable columnTable(const Comparison& comparison)
{
    ReportTable table { "Columns", "",
        { { "Column", report::kText }, { "Runs" }, { "Role", report::kText },
            { "What is to be known", report::kText } },
        {} };
    for (std::size_t c = 0; c < comparison.columns.size(); ++c) {
        const ColumnStatus& status = comparison.status[c];
        std::vector<std::string> notes;
        if (!status.notComparable.empty())
            notes.push_back("not comparable: " + joined(status.notComparable, "; "));
        notes.insert(notes.end(), status.cautions.begin(), status.cautions.end());
        if (!status.unknown.empty())
            notes.push_back("stated by one side alone: " + joined(status.unknown, ", "));
        const char* role = c == comparison.options.baseline ? "baseline"
            : status.control                                ? "control"
            : comparison.external[c]                        ? "from elsewhere"
                                                            : "";
        table.rows.push_back({ comparison.columns[c],
            Number { static_cast<double>(comparison.repeats[c]), Unit::one, { Notation::whole } }, role,
            joined(notes, ". ") });
    }
    table.note = joined(comparison.warnings, " ");
    if (!comparison.unmatched.empty()) {
        constexpr std::size_t kMost = 8;
        const std::vector<std::string> first(comparison.unmatched.begin(),
            comparison.unmatched.begin()
                + static_cast<std::ptrdiff_t>(std::min(kMost, comparison.unmatched.size())));
        table.note +=
            fmt::format("{}Without a counterpart: {}{}.", table.note.empty() ? "" : " ", joined(first, ", "),
                comparison.unmatched.size() > kMost
                    ? fmt::format(" and {} more", comparison.unmatched.size() - kMost)
                    : std::string());
    }
    return table;
}

ReportTable runTable(const Comparison& comparison)
{
    ReportTable table { "Runs", "",
        { { "Column", report::kText }, { "Run", report::kText }, { "Title", report::kText },
            { "Started", report::kText }, { "Verdict", report::kText } },
        {} };
    for (const ColumnRun& run : comparison.runs)
        if (!run.id.empty())
            table.rows.push_back({ comparison.columns[run.column], run.id.text(), run.title,
                formatIso8601(run.started), run.live ? "has not ended" : toString(run.verdict) });
    return table;
}

std::vector<ReportTable> comparisonTables(const Comparison& comparison)
{
    std::vector<ReportTable> tables;
    for (const ComparisonMix& mix : comparison.mixes)
        if (!mix.rows.empty())
            tables.push_back(mixTable(comparison, mix));
    if (tables.empty())
        return tables;
    std::string note = comparison.looked == 0
        ? "No difference could be judged by the repeats that are known."
        : fmt::format("{} of {} differences {} shown, by Holm's procedure over all of them at {}.",
            comparison.marked, comparison.looked, comparison.marked == 1 ? "is" : "are",
            formatPercent(comparison.options.level));
    note += fmt::format(
        " A difference of less than {} does not matter.", formatPercent(comparison.options.matters));
    const bool geometric = std::ranges::any_of(comparison.mixes,
        [](const ComparisonMix& mix) { return std::ranges::any_of(mix.rows, &ComparisonRow::geometric); });
    if (geometric)
        note += " Times and rates of several runs are their geometric means, other figures their means.";
    if (comparison.columns.size() > 2)
        if (ReportTable shown = shownTable(comparison); !shown.empty())
            tables.push_back(std::move(shown));
    tables.back().note = std::move(note);
    return tables;
}

std::vector<ReportTable> configurationTables(
    const std::vector<ConfigurationRow>& rows, const std::vector<std::string>& columns)
{
    std::vector<ReportTable> tables;
    ReportTable same = configurationTable("What is the same", columns);
    same.folded = true;
    for (const ConfigurationRow& row : rows) {
        if (row.same) {
            same.rows.push_back(configurationCells(row));
            continue;
        }
        const std::string title = std::string("Differences: ") + titleOf(row.group);
        if (tables.empty() || tables.back().title != title)
            tables.push_back(configurationTable(title, columns));
        tables.back().rows.push_back(configurationCells(row));
    }
    if (!same.empty())
        tables.push_back(std::move(same));
    return tables;
}

std::string describe(const Repeatability& spread, const ComparisonRow& row)
{
    const std::string size = spread.logarithmic
        ? format(Number { std::exp(spread.deviation) - 1, Unit::share, { Notation::percentDecimals, 1 } })
        : report::valueText(row.rounding, row.unit, spread.deviation);
    return fmt::format("{} from {} in {}{}", size, report::plural(spread.runs, "run"),
               report::plural(spread.groups, "group"), spread.ownSpread ? ", those that are compared" : "")
        + (spread.parted ? " (the baseline's runs before and after the others are groups of their own)" : "");
}

std::vector<std::string> explain(const Comparison& comparison, const ComparisonRow& row, std::size_t column)
{
    std::vector<std::string> sentences;
    if (column == comparison.options.baseline || column >= row.cells.size())
        return sentences;
    const ComparedCell& cell = row.cells[column];
    if (cell.word != CompareWord::none)
        sentences.push_back(fmt::format("{}: {}{}.", comparison.columns[column], wordText(cell),
            cell.reason.empty() ? "" : ", because " + cell.reason));
    if (cell.change && cell.criticalChange)
        sentences.push_back(fmt::format("It changes by {}{}, and {} is needed to be more than chance.",
            cell.flags.lowerBound ? "at least " : "", report::difference(*cell.change),
            format(Number { cell.criticalChange, Unit::share, { Notation::percentDecimals, 1 } })));
    if (row.spread)
        sentences.push_back("Repeatability: " + describe(*row.spread, row) + ".");
    if (row.drift && row.drift->change)
        sentences.push_back(fmt::format("The control moved by {}.", report::difference(*row.drift->change)));
    if (cell.ratios.first > 0)
        sentences.push_back(fmt::format(
            "The ratios of all pairs of runs are {:.3f} to {:.3f}.", cell.ratios.first, cell.ratios.second));
    if (!cell.wouldTell.empty())
        sentences.push_back(fmt::format("What would tell: {}.", cell.wouldTell));
    return sentences;
}

} // namespace loadstone
