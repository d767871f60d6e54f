// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include <utility>
#include <vector>

class QPainter;
class QPalette;

namespace loadstone::ui {

/// A numeric axis of a chart of figures: what it reaches over, and the labels along it.
struct FigureAxis {
    QString title; ///< with its unit
    double low = 0, high = 1; ///< high > low
    bool logarithmic = false; ///< decades are equally long; low is above 0 then
    std::vector<std::pair<double, QString>> ticks;

    /// Where a value lies: 0 at `low`, 1 at `high`.
    [[nodiscard]] double share(double value) const;
};

/// An axis that has room for the values from `low` to `high`, with round ends and at most `most` labels. `fromZero`: 0 lies on it.
/// What cannot be drawn (not finite, or nothing above 0 on a logarithmic one) gives an axis from 0 to 1, or from 1 to 10.
FigureAxis axisOver(double low, double high, bool fromZero, int most, bool logarithmic = false);

/// Where the values of two axes lie.
struct FigurePlot {
    QRectF area;
    FigureAxis x, y;

    [[nodiscard]] QPointF at(double xValue, double yValue) const;
};

/// How much room the value labels need at the left of a plot, with the title beside them.
double leftRoom(const QFont& font, const FigureAxis& axis);
/// The same below the plot, for one line of labels and the title.
double bottomRoom(const QFont& font, const FigureAxis& axis);
/// Lines at the labels of the value axis, the labels, both titles and the frame. `xLines`: lines at those of the other one, too.
void paintAxes(QPainter& painter, const FigurePlot& plot, const QPalette& palette, bool xLines = true);

} // namespace loadstone::ui
