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

Cell bytesCell(double bytes, Unit unit)
{
    return Number { bytes, unit, { Notation::byteSize, 0, true } };
}

Cell clockCell(Nanoseconds time)
{
    return Number { seconds(time), Unit::seconds, { Notation::clock } };
}

Cell clockCell(const TimeWindow& window)
{
    Number number { seconds(window.end), Unit::seconds, { Notation::clock } };
    number.from = seconds(window.begin);
    return number;
}

Cell durationCell(Nanoseconds time)
{
    return Number { seconds(time), Unit::seconds, { Notation::duration, 9 } };
}

FigureColumns shownFigures(FigureTable table)
{
    FigureColumns columns;
    for (const FigureInfo& info : figureTable())
        if (info.table == table && info.shown)
            columns.push_back(&info);
    return columns;
}

FigureId idOf(const FigureInfo& info)
{
    return static_cast<FigureId>(&info - figureTable().data());
}

FigureColumns figureColumns(const RunResults& results, FigureTable table)
{
    FigureColumns columns = shownFigures(table);
    std::erase_if(columns, [&](const FigureInfo* info) {
        const FigureId id = idOf(*info);
        return std::ranges::none_of(results.mixes, [&](const MixResult& mix) { return has(mix, id); })
            || (!info->unless.empty() && repeats(results, id, info->unless));
    });
    return columns;
}

void addHeadings(Table& table, const FigureColumns& columns)
{
    for (const FigureInfo* column : columns)
        table.columns.push_back({ std::string(column->column) });
}

void addFigures(std::vector<Cell>& row, const std::vector<Figure>& figures, const FigureColumns& columns,
    const Subject& subject, const std::optional<Quantity>& counter)
{
    for (const FigureInfo* column : columns) {
        const Figure* figure = findFigure(figures, idOf(*column), subject, counter);
        row.push_back(
            figure != nullptr ? Cell(*figure) : Cell(Number { {}, column->unit, column->rounding, {} }));
    }
}

bool anyBound(const MixResult& mix, const FigureColumns& columns, const Subject& subject)
{
    return std::ranges::any_of(columns, [&](const FigureInfo* column) {
        const Figure* figure = findFigure(mix.figures, idOf(*column), subject);
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
