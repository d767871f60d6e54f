// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_scene.h"
#include "charts/heat_map.h"

#include <QStringList>

#include <optional>

class QPainter;
class QPalette;
class QFont;

namespace loadstone::ui {

/// "250 us", "2 ms", "1.5 s": a limit or an edge of a row.
QString latencyText(Nanoseconds latency);
/// Room for the labels at the left.
double heatMapLabelWidth(const QFont& font, const HeatMap& map);
/// Cells, percentiles over them, the limit and, below, a strip with the share above it; `chart` gives plot and time axis. Columns
/// without samples stay blank.
void paintHeatMap(QPainter& painter, const ChartMapping& chart, const HeatMap& map, const QPalette& palette);
/// What is at one moment: the cell at height `y` of the picture where that is given, and the column's figures.
QStringList heatMapFacts(const HeatMap& map, const QRectF& plot, Nanoseconds at, std::optional<double> y);

} // namespace loadstone::ui
