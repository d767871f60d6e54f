// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/cells.h"

#include <algorithm>

namespace loadstone::report {

namespace {

bool has(const MixResult& mix, FigureId id)
{
    return std::ranges::find(mix.figures, id, &Figure::id) != mix.figures.end();
}

/// Whether the figure says nothing new: it has the value of another of each mix.
bool repeats(const RunResults& results, FigureId id, std::string_view other)
{
    return std::ranges::all_of(results.mixes, [&](const MixResult& mix) {
        const Figure* one = findFigure(mix.figures, id);
        const Figure* same = findFigure(mix.figures, other);
        return one == nullptr || !one->value || (same != nullptr && same->value == one->value);
    });
}

} // namespace

Cell countCell(std::uint64_t value)
{
    return Number { static_cast<double>(value) };
}

Cell rateCell(std::optional<double> perSecond)
{
    return Number { perSecond, Unit::perSecond, { Notation::rate } };
}

Cell decimalsCell(double value, int decimals)
{
    return Number { value, Unit::one, { Notation::decimals, decimals } };
}

Cell secondsCell(Nanoseconds time, int decimals)
{
    return Number { seconds(time), Unit::seconds, { Notation::decimals, decimals } };
}

Cell megabytesCell(std::uint64_t bytes)
{
    return Number { static_cast<double>(bytes), Unit::bytes, { Notation::megabytes } };
}

FigureColumns figureColumns(const RunResults& results, FigureTable table)
{
    FigureColumns columns;
    const auto all = figureTable();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto id = static_cast<FigureId>(i);
        if (all[i].table != table || !all[i].shown
            || std::ranges::none_of(results.mixes, [&](const MixResult& mix) { return has(mix, id); }))
            continue;
        if (all[i].unless.empty() || !repeats(results, id, all[i].unless))
            columns.push_back(&all[i]);
    }
    return columns;
}

void addHeadings(Table& table, const FigureColumns& columns)
{
    for (const FigureInfo* column : columns)
        table.columns.push_back({ std::string(column->column) });
}

void addFigures(
    std::vector<Cell>& row, const MixResult& mix, const FigureColumns& columns, const Subject& subject)
{
    const FigureInfo* const first = figureTable().data();
    for (const FigureInfo* column : columns) {
        const Figure* figure = findFigure(mix.figures, static_cast<FigureId>(column - first), subject);
        row.push_back(
            figure != nullptr ? Cell(*figure) : Cell(Number { {}, column->unit, column->rounding, {} }));
    }
}

bool anyBound(const MixResult& mix, const FigureColumns& columns, const Subject& subject)
{
    const FigureInfo* const first = figureTable().data();
    return std::ranges::any_of(columns, [&](const FigureInfo* column) {
        const Figure* figure = findFigure(mix.figures, static_cast<FigureId>(column - first), subject);
        return figure != nullptr && figure->flags.lowerBound;
    });
}

std::vector<Subject> subjectsOf(const MixResult& mix, FigureTable table)
{
    std::vector<Subject> subjects;
    bool whole = false;
    for (const Figure& figure : mix.figures) {
        if (infoOf(figure.id).table != table)
            continue;
        if (figure.subject.empty())
            whole = true;
        else if (std::ranges::find(subjects, figure.subject) == subjects.end())
            subjects.push_back(figure.subject);
    }
    if (whole)
        subjects.emplace_back();
    return subjects;
}

} // namespace loadstone::report
