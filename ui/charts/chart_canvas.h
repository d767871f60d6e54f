// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_scene.h"

#include <QtCharts/QChartView>

class QCategoryAxis;
class QValueAxis;

namespace loadstone::ui {

/// Draws what it is told: axes through QtCharts, phases below them, lines and cursor above. Knows nothing of
/// mouse and keyboard. QtCharts has no line with gaps: each piece would be a series, and a counter that comes
/// and goes has hundreds.
class ChartCanvas : public QChartView {
    Q_OBJECT
public:
    explicit ChartCanvas(QWidget* parent = nullptr);

    void setLines(std::vector<ChartLine> lines);
    [[nodiscard]] const std::vector<ChartLine>& lines() const { return m_lines; }
    /// The line whose own values the right axis shows; with `emphasised` the others step back.
    void setSelectedLine(int line, bool emphasised);
    void setDecor(const ChartDecor& decor);
    [[nodiscard]] const ChartDecor& decor() const { return m_decor; }
    void setWindow(TimeWindow window);
    void setValueRange(double low, double high);
    void setWallClock(std::optional<WallTime> start);
    /// A rectangle that the user is drawing, in scene coordinates; a null one takes it away.
    void setRubberBand(const QRectF& band);

    [[nodiscard]] ChartMapping mapping() const;

protected:
    void drawBackground(QPainter* painter, const QRectF& exposed) override;
    void drawForeground(QPainter* painter, const QRectF& exposed) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyPalette();
    void updateStrokes();
    void updateTimeAxis();
    void updateOwnAxis();

    std::vector<ChartLine> m_lines;
    std::vector<LineStroke> m_strokes; // in the order of drawing: the selected line on top
    int m_selected = -1;
    bool m_emphasised = false;
    ChartDecor m_decor;
    TimeWindow m_window { Nanoseconds(0), std::chrono::seconds(60) };
    double m_low = 0, m_high = 100;
    std::optional<WallTime> m_start;
    QRectF m_rubberBand;
    QCategoryAxis* m_timeAxis;
    QValueAxis* m_valueAxis; // scaled values, as PerfMon has it
    QValueAxis* m_ownAxis; // the selected line's own values
};

} // namespace loadstone::ui
