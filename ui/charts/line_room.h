// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_scene.h"

#include <QRectF>

#include <utility>
#include <vector>

namespace loadstone::ui {

/// Where the lines of a lane run, column by column, so that words can keep clear of them.
class LineRoom {
public:
    /// `limits`: the heights of the lane's horizontal lines, see limitHeights().
    LineRoom(const ChartMapping& map, const std::vector<LineStroke>& strokes, std::size_t lane,
        std::vector<double> limits = {});

    /// How many columns of the box a line runs through.
    [[nodiscard]] int crossed(const QRectF& box) const;
    /// A place for words of this size near a horizontal line at `y`: the nearest through which no line runs, at the left before the right
    /// and above before below; without one the place next to the line through which the fewest run. Words are never on another limit's
    /// line, nor nearer to it than to their own: they would be taken for that one's. Null: there is no such place that is free of other
    /// words, which `taken` has.
    [[nodiscard]] QRectF placeAt(double y, const QSizeF& size, const std::vector<QRectF>& taken) const;

private:
    void add(const QPointF& from, const QPointF& to);
    /// Whether words in the box are taken for those of the line at `y`.
    [[nodiscard]] bool belongsTo(double y, const QRectF& box) const;
    [[nodiscard]] int columnAt(double x) const; ///< of the plot; the nearest one for an x beside it

    QRectF m_plot;
    std::vector<double> m_limits;
    std::vector<std::vector<std::pair<double, double>>> m_columns; // from, to: top first
};

} // namespace loadstone::ui
