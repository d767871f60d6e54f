// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_lanes.h"
#include "charts/chart_overlay.h"
#include "charts/chart_scene.h"
#include "charts/heat_map.h"

#include <QPixmap>
#include <QtCharts/QChartView>

#include <memory>
#include <utility>

class QCategoryAxis;
class QValueAxis;

namespace loadstone::ui {

/// Draws what it is told: axes through QtCharts, phases below them, lines above, and over this picture, which is kept, the
/// cursors: moving one of them draws no line again. Knows nothing of mouse and keyboard. QtCharts has no line with gaps: each
/// piece would be a series, and a counter that comes and goes has hundreds; nor has it plots of equal width, so that the
/// value axes of lanes are drawn here, and so are logarithmic ones, whose marks at decades those of lanes share.
class ChartCanvas : public QChartView {
    Q_OBJECT
public:
    explicit ChartCanvas(QWidget* parent = nullptr);

    void setLines(std::vector<ChartLine> lines);
    [[nodiscard]] const std::vector<ChartLine>& lines() const { return m_lines; }
    /// The line whose own values the right axis shows; with `emphasised` the others step back.
    void setSelectedLine(int line, bool emphasised);
    void setDecor(const ChartDecor& decor);
    /// The same where no more than the cursors and the pointer have moved: the picture below them is kept.
    void setOverlay(const ChartDecor& decor);
    void setWindow(TimeWindow window);
    /// Of the overlay, in scaled values; none: as the mode says.
    void setValueRange(std::optional<std::pair<double, double>> range);
    void setValueRangeMode(ValueRange mode);
    [[nodiscard]] ValueRange valueRangeMode() const { return m_mode; }
    /// Decades are equally high.
    void setLogarithmic(bool on);
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void setChartLayout(ChartLayout layout);
    [[nodiscard]] ChartLayout chartLayout() const { return m_layout; }
    void setHeatMap(std::shared_ptr<const HeatMap> map);
    void setWallClock(std::optional<WallTime> start);
    /// A rectangle that the user is drawing, in scene coordinates; a null one takes it away.
    void setRubberBand(const QRectF& band);

    /// Of the whole plot; with lanes its values mean nothing.
    [[nodiscard]] ChartMapping mapping() const;
    /// One per lane, from the top; the overlay is one.
    [[nodiscard]] std::vector<ChartMapping> laneMappings() const;
    /// There is one value axis, in scaled values.
    [[nodiscard]] bool showsHeatMap() const { return m_heatMap != nullptr; }
    [[nodiscard]] bool hasValueAxis() const { return m_layout == ChartLayout::overlay && !m_heatMap; }
    /// The index of the line that passes within some pixels of a place in the scene; -1: none does.
    [[nodiscard]] int lineAt(const QPointF& at) const;
    /// All of it, also the cursors.
    void renderTo(QPainter& painter, const QRectF& target);
    /// How often the picture below the cursors has been drawn.
    [[nodiscard]] int pictures() const { return m_pictures; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& exposed) override;
    void drawForeground(QPainter* painter, const QRectF& exposed) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void redraw();
    void applyPalette();
    void applyMargins();
    void updateLanes();
    void updateStrokes();
    void updateTimeAxis();
    void updateValueAxes();
    /// The axis leaves out a time whose label begins left of it, which the first one does where no value axis is at the left.
    void paintFirstTime(QPainter& painter, const ChartMapping& whole) const;
    /// `pointer`: with the reading line and its box.
    void paintOverlay(QPainter& painter, bool pointer) const;
    /// The value axes are drawn here, and not by QtCharts.
    [[nodiscard]] bool drawsAxes() const
    {
        return !m_heatMap && (m_layout == ChartLayout::lanes || m_logarithmic);
    }
    [[nodiscard]] bool hasSelected() const
    {
        return m_selected >= 0 && static_cast<std::size_t>(m_selected) < m_lines.size();
    }

    std::vector<ChartLine> m_lines;
    std::vector<Lane> m_lanes; // of the overlay one
    std::vector<LineStroke> m_strokes; // in the order of drawing: the selected line on top
    int m_selected = -1;
    bool m_emphasised = false;
    ChartDecor m_decor;
    TimeWindow m_window { Nanoseconds(0), std::chrono::seconds(60) };
    std::optional<std::pair<double, double>> m_range;
    ValueRange m_mode = ValueRange::global;
    ChartLayout m_layout = ChartLayout::overlay;
    bool m_logarithmic = false;
    std::shared_ptr<const HeatMap> m_heatMap;
    std::optional<WallTime> m_start;
    QRectF m_rubberBand;
    QPixmap m_picture; // all but the cursors
    bool m_stale = true;
    int m_pictures = 0;
    QCategoryAxis* m_timeAxis;
    QValueAxis* m_valueAxis; // scaled values, as PerfMon has it
    QValueAxis* m_ownAxis; // the selected line's own values
};

} // namespace loadstone::ui
