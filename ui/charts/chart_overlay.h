// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_scene.h"
#include "charts/heat_map.h"

#include <vector>

// What moves with the pointer, over a chart's picture.

namespace loadstone::ui {

/// What lies below.
struct ChartBelow {
    const std::vector<ChartLine>& lines;
    const std::vector<LineStroke>& strokes; ///< of the shown lines
    const std::vector<ChartMapping>& lanes;
    ChartMapping whole; ///< the time axis over all lanes
    const HeatMap* heatMap = nullptr;
    int selected = -1; ///< index of a line
};

/// The cursors A and B with their names, and the time between them.
void paintCursors(
    QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette);
/// The pointer's line, a dot on each line at the sample that it shows, and a box with the values of some lines, those
/// next to the pointer first, on the side of the chart where the pointer is not. On a heat map: the cell below the pointer.
void paintPointer(
    QPainter& painter, const ChartBelow& below, const ChartDecor& decor, const QPalette& palette);
/// How far the chart is behind; on the half where the pointer's box is not.
void paintNotice(
    QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette);

} // namespace loadstone::ui
