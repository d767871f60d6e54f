// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// Where time and scaled values lie in the picture.
struct ChartMapping {
    QRectF plot;
    TimeWindow time;
    double low = 0, high = 100;

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
    std::optional<TimeWindow> selection; ///< the statistics window
    std::optional<Nanoseconds> cursor;
    std::optional<Nanoseconds> shownUntil; ///< replay: nothing is known after it
};

/// A line as it is to be drawn: its unbroken pieces in seconds and scaled values, see linePieces().
struct LineStroke {
    QPen pen;
    std::vector<QList<QPointF>> pieces;
};

// Painted in scene coordinates; colours come from the palette, so that light and dark are both legible.

/// A line's colour as it is drawn on this palette: dark ones become lighter on a dark ground.
QColor lineColour(const QColor& chosen, const QPalette& palette);
/// The strip above the plot holds two lines of names: mixes, then phases.
double phaseStripHeight(const QFont& font);
void paintPhases(
    QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette);
/// Behind each line, lightly, from the smallest to the largest value of each stretch of time.
void paintRanges(QPainter& painter, const ChartMapping& map, const std::vector<ChartLine>& lines);
void paintStrokes(QPainter& painter, const ChartMapping& map, const std::vector<LineStroke>& strokes);
void paintThresholds(QPainter& painter, const ChartMapping& map, const std::vector<ChartLine>& lines);
void paintMarks(QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette);
/// The cursor's line and the box with every shown line's value at that time.
void paintCursor(QPainter& painter, const ChartMapping& map, const ChartDecor& decor,
    const std::vector<ChartLine>& lines, const QPalette& palette);

} // namespace loadstone::ui
