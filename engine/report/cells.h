// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

/// Cells of tables whose numbers are not figures.
namespace loadstone::report {

Cell countCell(std::uint64_t value); ///< "83,300"
Cell rateCell(std::optional<double> perSecond); ///< "0.42", "17.99", "1,234"
Cell bytesCell(double bytes, Unit unit = Unit::bytes); ///< "1.5 MB"
Cell clockCell(Nanoseconds time); ///< since the run's start: "1:02:05"
Cell clockCell(const TimeWindow& window); ///< "01:00 to 05:00"
Cell durationCell(Nanoseconds time); ///< "22 s", "5 min"

/// A column, and its cell in a row of figures: of which the row is.
using FigureColumns = std::vector<const FigureInfo*>;
/// Of a table those that are of this kind of run, and not the same as another in all rows.
FigureColumns figureColumns(const RunResults& results, FigureTable table);
void addHeadings(Table& table, const FigureColumns& columns);
/// The figures of a table that are shown.
FigureColumns shownFigures(FigureTable table);
FigureId idOf(const FigureInfo& info);
/// Cells of these figures of a subject, or of readings of a counter; "-" where there is no such figure.
void addFigures(std::vector<Cell>& row, const std::vector<Figure>& figures, const FigureColumns& columns,
    const Subject& subject = {}, const std::optional<Quantity>& counter = {});
/// Whether a figure of the subject in these columns is a lower bound.
bool anyBound(const MixResult& mix, const FigureColumns& columns, const Subject& subject);
/// The subjects that have figures in the table, in the order of the results; the whole mix last.
std::vector<Subject> subjectsOf(const MixResult& mix, FigureTable table);

} // namespace loadstone::report
