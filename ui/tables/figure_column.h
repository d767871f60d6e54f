// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"

#include <loadstone/results.h>

namespace loadstone::ui {

// Columns of tables whose rows have figures: made of the rows of figureTable(), so that a new figure has one.

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

} // namespace loadstone::ui
