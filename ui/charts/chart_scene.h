// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_cursors.h"
#include "charts/chart_line.h"

#include <loadstone/recording.h>

#include <QColor>
#include <QPen>
#include <QRectF>

#include <optional>
#include <vector>

class QPainter;
class QPalette;
class QFont;

namespace loadstone::ui {

class LineRoom;

/// Where time and scaled values lie in the picture.
struct ChartMapping {
    QRectF plot;
    TimeWindow time;
    double low = 0, high = 100;
    /// Decades are equally high; `low` is above 0 then, and values of 0 and below lie at the bottom.
    bool logarithmic = false;

    [[nodiscard]] double x(Nanoseconds at) const;
    [[nodiscard]] double y(double scaled) const;
    /// Of seconds and a scaled value.
    [[nodiscard]] QPointF at(const QPointF& point) const;
    [[nodiscard]] Nanoseconds timeAt(double x) const;
    [[nodiscard]] double valueAt(double y) const;
};

/// A remark at a moment of the run.
struct ChartMark {
    Nanoseconds at {};
    QString text;
};

/// What stands behind and before a chart's lines.
struct ChartDecor {
    std::vector<Phase> phases;
    std::vector<ChartMark> marks;
    Cursors cursors; ///< the time between them is the statistics window
    std::optional<Nanoseconds> cursor; ///< the pointer's line, or that of the arrow keys
    std::optional<QPointF> pointer; ///< where the mouse is, in scene coordinates
    std::optional<Nanoseconds> shownUntil; ///< replay, or a run that goes on: nothing is known after it
    QString notice; ///< a remark in the corner
    Nanoseconds origin {}; ///< the moment from which times count that people see
    std::optional<WallTime> start; ///< the axis has times of day
};

/// A line as it is to be drawn: its unbroken pieces and ranges in seconds and scaled values, see linePieces() and lineRanges().
struct LineStroke {
    std::size_t line = 0; ///< index of the ChartLine
    std::size_t lane = 0; ///< index of its lane
    double scale = 1; ///< of the values in that lane
    QPen pen;
    std::vector<QList<QPointF>> pieces;
    std::vector<QPolygonF> ranges;
};

// Painted in scene coordinates; colours come from the palette, so that light and dark are both legible.

/// A line's colour as it is drawn on this palette: dark ones become lighter on a dark ground.
QColor lineColour(const QColor& chosen, const QPalette& palette);
/// The strip above the plot holds two lines of names: mixes, then phases.
double phaseStripHeight(const QFont& font);
void paintPhases(
    QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette);
/// Behind the line, lightly, from the smallest to the largest value of each stretch of time.
void paintRanges(QPainter& painter, const ChartMapping& map, const LineStroke& stroke);
/// With the painter's pen; on a screen in parts, which is many times as quick.
void paintPath(QPainter& painter, const QPolygonF& path);
/// What of a path lies in `area`, piece by piece.
QList<QPolygonF> partsWithin(const QPolygonF& path, const QRectF& area);
/// A piece of one point is a dot.
void paintStroke(QPainter& painter, const ChartMapping& map, const LineStroke& stroke);
/// Where the limits of a lane's lines are in the plot; those out of sight are left out.
std::vector<double> limitHeights(const ChartMapping& map, const std::vector<LineStroke>& strokes,
    const std::vector<ChartLine>& lines, std::size_t lane);
/// The user's threshold and the criteria's limits, each with its label.
/// Words keep clear of the lane's lines where they can, and of other words: `taken` has their places.
void paintLimits(QPainter& painter, const ChartMapping& map, const LineStroke& stroke, const ChartLine& line,
    const LineRoom& room, std::vector<QRectF>& taken, const QPalette& palette);
/// The labels and lines of a lane's value axis, and what the lane is of: the place of these words.
QRectF paintLaneAxis(
    QPainter& painter, const ChartMapping& map, const QString& title, const QPalette& palette);
/// The same values in a line's own ones, which are 1 / `scale` of them, at the right of the plot: the place of its title, within the plot.
QRectF paintOwnAxis(
    QPainter& painter, const ChartMapping& map, const ChartLine& line, double scale, const QPalette& palette);
/// How much room the value labels of a lane need at its left, or those of a line with this scale at its right.
double laneLabelWidth(const QFont& font, const ChartMapping& map, double scale = 1);
/// A mark in the plot: its line, and where its words are.
struct PlacedMark {
    double x = 0;
    QString words; ///< as far as there is room
    QRectF box;
};
/// The marks in sight; words that would lie over one another stand in rows.
std::vector<PlacedMark> placeMarks(const QFont& font, const ChartMapping& map, const ChartDecor& decor);
void paintMarks(QPainter& painter, const ChartMapping& map, const std::vector<PlacedMark>& marks,
    const QPalette& palette);
} // namespace loadstone::ui
