// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

/// Cells of tables whose numbers are not figures.
namespace loadstone::report {

Cell countCell(std::uint64_t value); ///< "83,300"
Cell rateCell(std::optional<double> perSecond); ///< "0.42", "17.99", "1,234"
Cell decimalsCell(double value, int decimals);
Cell secondsCell(Nanoseconds time, int decimals = 2);
Cell megabytesCell(std::uint64_t bytes);

/// A column, and its cell in a row of figures: of which the row is.
using FigureColumns = std::vector<const FigureInfo*>;
/// Of a table those that are of this kind of run, and not the same as another in all rows.
FigureColumns figureColumns(const RunResults& results, FigureTable table);
void addHeadings(Table& table, const FigureColumns& columns);
/// Cells of these figures of a subject; "-" where the mix has no such figure.
void addFigures(
    std::vector<Cell>& row, const MixResult& mix, const FigureColumns& columns, const Subject& subject = {});
/// Whether a figure of the subject in these columns is a lower bound.
bool anyBound(const MixResult& mix, const FigureColumns& columns, const Subject& subject);
/// The subjects that have figures in the table, in the order of the results; the whole mix last.
std::vector<Subject> subjectsOf(const MixResult& mix, FigureTable table);

} // namespace loadstone::report
