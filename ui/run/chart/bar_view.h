// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"
#include "charts/chart_picture.h"

#include <QScrollArea>

#include <vector>

namespace loadstone::ui {

/// The chart's lines as bars, as PerfMon's histogram: a bar to each shown line's average over the statistics window, a thin line
/// from its minimum to its maximum, and a mark at its last value. Each is drawn times its line's scale, so that small counters
/// do not vanish beside large ones.
class BarView : public QScrollArea, public PictureBody {
    Q_OBJECT
public:
    explicit BarView(QWidget* parent = nullptr);
    void setLines(std::vector<ChartLine> lines);
    /// By index into the lines; -1: none.
    void setSelectedLine(int line);
    [[nodiscard]] int pictureHeight() const override;
    void paintPicture(QPainter& painter, const QRect& area) const override;

signals:
    void lineClicked(int line);

private:
    class Bars;
    Bars* m_bars;
};

} // namespace loadstone::ui
