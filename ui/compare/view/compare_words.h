// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>

#include <QString>

namespace loadstone::ui {

/// How differences from the baseline are shown.
enum class DifferenceAs { percent, ratio, value };

/// A number of a row, with its rounding and unit: "12.3 ms".
QString numberText(const ComparisonRow& row, double value, FigureFlags flags = {});
/// The cell's value, as printed where it is from elsewhere; "–" without one.
QString valueText(const ComparisonRow& row, const ComparedCell& cell);
/// "+4.2 %", "1.042", "+0.5 ms"; empty where there is none.
QString differenceText(const ComparisonRow& row, const ComparedCell& cell, DifferenceAs as);
/// A shape before a word, so that no meaning hangs on colour: "▲ better", "– no difference shown".
QString wordText(const ComparedCell& cell);
/// What a person has to know of a cell in order to trust it, a sentence a line.
QStringList explainCell(const Comparison& comparison, const ComparisonRow& row, std::size_t column);
/// "1,000 users"; "Whole runs" where there is no name.
QString mixTitle(const ComparisonMix& mix);

} // namespace loadstone::ui
