// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_cursors.h"
#include "charts/chart_line.h"
#include "tables/rows_model.h"

#include <loadstone/series.h>

#include <QColor>
#include <QString>

#include <limits>
#include <vector>

namespace loadstone::ui {

/// What a line of the overlay shows at the cursors and between them.
struct OverlayReadout {
    QString run, counter, unit;
    QColor colour;
    CursorReadout cursors;
    CounterStatistics statistics;
    double covered = 1; ///< of the window by the values, 0 to 1
    double ofBaseline =
        std::numeric_limits<double>::quiet_NaN(); ///< average in proportion to the baseline's, 1: the same
    QString whyNone {}; ///< why it is not given; empty: it is, or one of the two has no values
    bool operator==(const OverlayReadout& other) const;
};

std::vector<Column<OverlayReadout>> readoutColumns();

} // namespace loadstone::ui
