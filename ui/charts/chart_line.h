// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <QColor>
#include <QList>
#include <QPointF>
#include <QPolygonF>
#include <QString>

#include <optional>
#include <vector>

namespace loadstone::ui {

/// One line of a chart: values of its own unit, drawn multiplied by its scale factor as PerfMon does.
struct ChartLine {
    QString name, unit;
    QColor colour;
    int width = 1; ///< pixels
    bool shown = true;
    double scale = 1;
    std::vector<CounterBand> bands; ///< in order of time; a gap between two bands is a gap in the line
    std::optional<double> threshold; ///< in the line's own unit
    CounterStatistics statistics {}; ///< for a picture's legend
};

/// The line's unbroken pieces as points (seconds, scaled value): each band's average in its middle. A lone
/// band gives a short dash, so that a single sample can be seen.
std::vector<QList<QPointF>> linePieces(const std::vector<CounterBand>& bands, double scale);
/// Around the line, from the smallest to the largest value of each band: closed outlines, none where every
/// band is a single tick.
std::vector<QPolygonF> lineRanges(const std::vector<CounterBand>& bands, double scale);
/// The band that holds time `at`; null in a gap.
const CounterBand* bandAt(const std::vector<CounterBand>& bands, Nanoseconds at);
/// The largest value, by its amount, that a picture of the bands has room for. A burst in a hundredth of them or less that is more
/// than ten times as high as all else runs out of it at the top: else that would be a flat line.
double largestShown(const std::vector<CounterBand>& bands);
/// The power of ten that brings that value to between 10 and 100; 1 when all are 0.
double automaticScale(const std::vector<CounterBand>& bands);

} // namespace loadstone::ui
