// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"

#include <QString>

class QWidget;

namespace loadstone::ui {

class PerformanceChart;

/// What the chart draws as a table: a row for each stretch of time that touches what is `visible`, with its begin and end in seconds
/// since the run's start, and of each shown line the average, and its minimum and maximum where a stretch has several samples. Cells
/// without a sample are empty; numbers have all their digits. Fields with commas, quotes or line breaks are quoted (RFC 4180).
QString chartCsv(const std::vector<ChartLine>& lines, TimeWindow visible);

enum class ChartFile { png, svg, csv };
/// Asks for a file and writes it; `name` is the one that is offered. What fails is said in a box over `parent`.
void saveChart(QWidget& parent, PerformanceChart& chart, ChartFile kind, const QString& name);

} // namespace loadstone::ui
