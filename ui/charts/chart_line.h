// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_cursors.h"

#include <loadstone/recording.h>

#include <QColor>
#include <QList>
#include <QPointF>
#include <QPolygonF>
#include <QString>

#include <optional>
#include <vector>

namespace loadstone::ui {

/// The smallest and the largest value that a picture has to have room for, in a line's own unit.
struct ValueExtent {
    double minimum = 0, maximum = 0;
    // For logarithmic axes; 0: no value is above 0.
    double positive = 0; ///< the smallest value above 0
    double peak = 0; ///< the largest value, also of a burst
    bool operator==(const ValueExtent&) const = default;
};

/// A level that a line is to stay below or above.
struct ChartLimit {
    double value = 0; ///< in the line's own unit
    QString label; ///< "at most 82 %"
    bool operator==(const ChartLimit&) const = default;
};

/// One line of a chart: values of its own unit, drawn multiplied by its scale factor as PerfMon does.
struct ChartLine {
    QString name, unit;
    QColor colour;
    int width = 1; ///< pixels
    bool shown = true;
    double scale = 1;
    /// In order of time; a gap between two bands is a gap in the line. Where a part of a run is in view, the samples next to it as well,
    /// which the line comes from and goes to.
    std::vector<CounterBand> bands;
    std::optional<double> threshold; ///< in the line's own unit
    CounterStatistics statistics {}; ///< for a picture's legend
    double coverage = 1; ///< of the window that they are over, 0 to 1
    Qt::PenStyle style = Qt::SolidLine;
    QString computer {}; ///< in a picture's legend; empty where all lines are of one
    QString family {}; ///< lines of the same unit and family share a lane
    /// Over the whole recording, whatever is in view; see wholeExtent(). None: only what is in view is known.
    std::optional<ValueExtent> whole {};
    std::vector<ReadValue> read {}; ///< of its samples at the cursors, where they have been read
    std::vector<ChartLimit> limits {}; ///< that the plan's criteria set, beside the threshold of the user
};

/// The line's unbroken pieces as points (seconds, scaled value): each band's average at its end. A lone band is a piece
/// of one point, which is drawn as a dot. `logarithmic`: an average of 0 or below is a gap.
std::vector<QList<QPointF>> linePieces(
    const std::vector<CounterBand>& bands, double scale, bool logarithmic = false);
/// Around the line, from the smallest to the largest value of each band: closed outlines, none where every
/// band is a single tick. `logarithmic`: as above.
std::vector<QPolygonF> lineRanges(
    const std::vector<CounterBand>& bands, double scale, bool logarithmic = false);
/// The largest value, by its amount, that a picture of the bands has room for. A burst in a hundredth of them or less that is more
/// than ten times as high as all else runs out of it at the top: else that would be a flat line.
double largestShown(const std::vector<CounterBand>& bands);
/// What a picture of the bands has room for, with largestShown(). None without bands.
std::optional<ValueExtent> wholeExtent(const std::vector<CounterBand>& bands);
/// The smallest value above 0 that is known of the band; 0: none.
double smallestPositive(const CounterBand& band);
/// Both together.
ValueExtent joined(const ValueExtent& a, const ValueExtent& b);
/// The power of ten that brings a line's largest value to between 10 and 100; 1 when all are 0.
double automaticScale(const std::vector<CounterBand>& bands);
double automaticScale(const ValueExtent& extent);
/// The same for a line of that unit: per cent are drawn as they are, from 0 to 100, and less only where they are more than 100.
double automaticScale(const ValueExtent& extent, const QString& unit);
/// The same for several lines, by index: those of one unit and family get the scale of the largest of them, so that what is
/// drawn higher is more. Lines of which nothing is known have none.
struct ScaledLine {
    QString unit, family;
    std::optional<ValueExtent> whole;
};
std::vector<std::optional<double>> automaticScales(const std::vector<ScaledLine>& lines);

} // namespace loadstone::ui
