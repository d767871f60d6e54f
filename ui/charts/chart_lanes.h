// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"

#include <utility>
#include <vector>

namespace loadstone::ui {

enum class ChartLayout {
    overlay, ///< all lines in one plot, each times its scale
    lanes, ///< a plot for the lines of each unit and family, in their own values, one below the other
};

/// What the value axes reach over. Percentages reach from 0 to 100 unless the range is fitted.
enum class ValueRange {
    fit, ///< what is in view
    global, ///< the whole run, so that panning and zooming do not move it
    shared, ///< the whole run, and all lanes of one unit alike
};

/// Lines that share a plot.
struct Lane {
    QString unit, family;
    std::vector<std::size_t> lines; ///< by index
    double low = 0, high = 100; ///< of the value axis, in the lane's values
};

// `logarithmic`: lanes reach over whole decades, at least one and at most twelve, and only values above 0 count.

/// One lane with all shown lines, whose values are times their scales; from 0 to 100 and more where the lines need it.
Lane overlayOf(const std::vector<ChartLine>& lines, ValueRange mode, bool logarithmic = false);
/// In the order of their first lines; hidden lines make none.
std::vector<Lane> lanesOf(const std::vector<ChartLine>& lines, ValueRange mode, bool logarithmic = false);

/// The distance of a value axis's labels: 1, 2 or 5 times a power of ten, so that at most `most` of them fit (at least 1).
double valueStep(double low, double high, int most);
/// The labels of a logarithmic axis: powers of ten, some of them left out so that at most `most` remain; where hardly one lies on the axis
/// their multiples by 2 and 5, too. `low` is above 0.
std::vector<double> decadeTicks(double low, double high, int most);

} // namespace loadstone::ui
