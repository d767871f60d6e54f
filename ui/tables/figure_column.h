// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"

#include <loadstone/results.h>

#include <QStringList>

namespace loadstone::ui {

// Columns of tables whose rows have figures: made of the rows of figureTable(), so that a new figure has one.

/// A figure of a table whose heading says that times are in milliseconds: "12.3", "≥ 40"; "–" without one.
QString figureText(const Figure* figure);
/// To sort by, in the same unit; NaN without one.
QVariant figureOrder(const Figure* figure);
/// " [ms]" of a time, which figureText() gives in milliseconds; else nothing.
QString unitInHeading(const FigureInfo& info);

/// Whether a figure is one of whole mixes, too: then it is a column where a mix is a row.
bool isOfMixes(const FigureInfo& info);
/// "Final window\nsent/s".
QString titleOf(const FigureInfo& info);

/// The figure of a row of a table.
struct FigureKey {
    FigureId id {};
    Subject subject {}; ///< empty: the whole mix
    bool operator==(const FigureKey&) const = default;
};
/// The figures of whole mixes, and the response times of the actions that occur.
std::vector<FigureKey> keysOf(const RunResults& results);
/// Times are in milliseconds.
Column<MixResult> figureColumn(const FigureKey& key);

/// Something with figures: a row of a table whose columns are figures.
struct FiguresRow {
    std::string name;
    std::vector<Figure> figures;
    bool operator==(const FiguresRow&) const = default;
};
/// The figure of this key, whatever its subject; `title`: of the table, without a unit.
Column<FiguresRow> figureColumn(const FigureInfo& info, const QString& title);
/// A figure a row: what it is, and its value.
std::vector<Column<Figure>> figureListColumns();
/// "12,000 messages accepted", "3 late": the figures that have words, in their order, without those that say that nothing is wrong.
QStringList figureWords(const std::vector<Figure>& figures);

} // namespace loadstone::ui
