// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

namespace loadstone::ui {

class PerformanceChart;

// A picture is the chart as it stands, between the run's title and a legend of the lines that it shows.

/// At twice its size on the screen.
QImage chartImage(PerformanceChart& chart);
/// As vectors. False when the file cannot be written.
bool writeChartSvg(PerformanceChart& chart, const QString& file, const QString& title);

} // namespace loadstone::ui
