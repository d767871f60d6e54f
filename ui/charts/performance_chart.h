// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_cursors.h"
#include "charts/chart_lanes.h"
#include "charts/chart_scene.h"
#include "charts/heat_map.h"

#include <QWidget>

#include <memory>

namespace loadstone::ui {

class ChartCanvas;
class PictureBody;
class OverviewStrip;

/// A chart of counters over a run's time, in the manner of PerfMon. Drag zooms into a time (with Ctrl into
/// values too), the wheel zooms about the pointer, Shift and drag chooses the statistics window, the middle
/// button pans, a double click shows everything again; the arrow keys move the pointer's line, A and B put the cursors
/// there and L locks them, Shift and Enter chooses the statistics window (its begin, then its end), End follows the run's end
/// again, Escape takes cursors and window away. The time between the cursors is the statistics window.
class PerformanceChart : public QWidget {
    Q_OBJECT
public:
    enum class Drag { zoom, pan, select };
    using Cursors = ui::Cursors;
    using Layout = ChartLayout;
    using ValueRange = ui::ValueRange;

    explicit PerformanceChart(QWidget* parent = nullptr);

    void setLines(std::vector<ChartLine> lines);
    void setSelectedLine(int line, bool emphasised);
    void setPhases(std::vector<Phase> phases);
    void setMarks(std::vector<ChartMark> marks);
    /// The statistics window; the cursors are put at its ends, or taken away. Emits no windowSelected().
    void setSelection(std::optional<TimeWindow> window);
    /// Emits cursorsChanged(), and windowSelected() when the time between them is another one.
    void setCursors(const Cursors& cursors);
    [[nodiscard]] const Cursors& cursors() const { return m_decor.cursors; }
    /// What each line shows at the cursors, in the order of the lines.
    [[nodiscard]] std::vector<CursorReadout> readouts() const;
    /// All lines in one plot, or a plot for those of each unit and family.
    void setLayout(ChartLayout layout);
    using QWidget::setLayout;
    [[nodiscard]] ChartLayout chartLayout() const;
    void setValueRangeMode(ValueRange mode);
    [[nodiscard]] ValueRange valueRangeMode() const;
    /// Logarithmic value axes, in the overlay as in lanes: marks at decades; values of 0 and below are gaps.
    void setLogarithmic(bool on);
    [[nodiscard]] bool isLogarithmic() const;
    /// Shown instead of the lines; null: the lines.
    void setHeatMap(std::shared_ptr<const HeatMap> map);
    /// One line over the whole run, for the strip below the chart; without any there is no strip.
    void setOverview(std::vector<CounterBand> wholeRun);
    /// The whole time axis; nothing after `shown` is known yet (replay).
    void setLength(Nanoseconds length, Nanoseconds shown);
    /// A run that goes on, and how long it is planned to last (0: not known). The axis of such a run is a round time longer than
    /// it, so that it does not move with every second.
    void setGrowing(bool growing, Nanoseconds planned = {});
    /// Not zoomed in: the last `span` of the run; none: the whole of it.
    void setFollow(std::optional<Nanoseconds> span);
    void setDrag(Drag drag) { m_drag = drag; }
    [[nodiscard]] Drag drag() const { return m_drag; }
    void setWallClock(std::optional<WallTime> start);
    [[nodiscard]] const std::optional<WallTime>& wallClock() const { return m_decor.start; }
    /// The moment from which the times of the axis count, such as the begin of a measurement.
    void setOrigin(Nanoseconds origin);
    [[nodiscard]] Nanoseconds origin() const { return m_decor.origin; }
    /// Scaled values; none: from 0 to what the lines need, at least 100.
    void setValueRange(std::optional<std::pair<double, double>> range);
    [[nodiscard]] const std::optional<std::pair<double, double>>& valueRange() const { return m_valueRange; }
    /// From and to of the value axis as it stands; of lanes those of the whole plot.
    [[nodiscard]] std::pair<double, double> shownValues() const;

    [[nodiscard]] TimeWindow visible() const;
    [[nodiscard]] bool showsWholeRun() const { return !m_zoom && !m_follow; }
    /// How much of the run's end is shown as it grows; none when it is the whole run, or a stretch that stays.
    [[nodiscard]] std::optional<Nanoseconds> followed() const { return m_zoom ? std::nullopt : m_follow; }
    void zoomTo(TimeWindow window);
    void zoomBy(double factor, std::optional<Nanoseconds> about = {}); ///< below 1: closer
    void panBy(double share); ///< of the visible time
    void resetZoom(); ///< back to the run's end where that is followed, else to the whole run
    void showEverything(); ///< the whole run, and its end is no longer followed
    /// How far what is shown ends behind the end of a run that goes on; none where the end is in view.
    [[nodiscard]] std::optional<Nanoseconds> behind() const;
    void setCursor(std::optional<Nanoseconds> at);
    using QWidget::setCursor;
    [[nodiscard]] std::optional<Nanoseconds> cursorTime() const { return m_decor.cursor; }

    // For a picture file: the chart alone, and what else the picture says of it.
    void renderTo(QPainter& painter, const QRectF& target);
    [[nodiscard]] QSize chartSize() const;
    /// Until the window lays it out again; what is drawn has its new place at once.
    void setChartSize(QSize size);
    /// Where the lanes' plots are, from the top, in the chart's coordinates; one with the overlay.
    [[nodiscard]] std::vector<QRectF> plots() const;
    /// How often what lies below the cursors has been drawn.
    [[nodiscard]] int pictures() const;
    /// Of pictures, while it is shown in place of this chart; it lives as long. Null: the chart.
    void setPictureBody(const PictureBody* body) { m_pictureBody = body; }
    [[nodiscard]] const PictureBody* pictureBody() const { return m_pictureBody; }
    [[nodiscard]] bool showsHeatMap() const;
    void setTitle(const QString& title) { m_title = title; }
    [[nodiscard]] const QString& title() const { return m_title; }
    [[nodiscard]] const std::vector<ChartLine>& lines() const;
    /// What the lines' statistics are over: the selection, else what is visible.
    [[nodiscard]] TimeWindow statisticsWindow() const;

signals:
    void visibleChanged();
    void windowSelected(std::optional<loadstone::TimeWindow> window);
    void cursorsChanged(const loadstone::ui::Cursors& cursors);
    void lineClicked(int line); ///< the index of a line that was clicked on

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void applyLength();
    void applyWindow();
    void applyValueRange();
    bool press(QMouseEvent* event);
    bool move(QMouseEvent* event);
    bool release(QMouseEvent* event);
    bool wheel(QWheelEvent* event);
    void stepCursor(int steps);
    void markWindow();
    void showMarking();
    void applyDecor();
    void applyOverview();
    void readAt(const QPointF& pointer); ///< moves the reading line there, unless a click has fixed it
    void setPointer(const QPointF& pointer);
    void click(const QPointF& at, Drag what);
    void putCursor(CursorName which);
    void toggleLock();
    void clearCursors();
    [[nodiscard]] std::optional<CursorName> cursorNear(const QPointF& at) const;
    [[nodiscard]] TimeWindow withinRun(TimeWindow window) const;
    [[nodiscard]] Nanoseconds axisLength() const;

    ChartCanvas* m_canvas;
    OverviewStrip* m_overview;
    const PictureBody* m_pictureBody = nullptr;
    QString m_title;
    ChartDecor m_decor;
    Nanoseconds m_length {}, m_shown {}, m_planned {};
    bool m_growing = false;
    std::optional<Nanoseconds> m_follow;
    std::optional<TimeWindow> m_zoom;
    std::optional<std::pair<double, double>> m_valueRange; // asked for
    std::optional<std::pair<double, double>> m_valueZoom; // drawn by hand
    Drag m_drag = Drag::zoom;
    std::optional<Drag> m_dragging;
    std::optional<CursorName> m_moving; // a cursor is dragged
    bool m_dragValues = false;
    bool m_cursorPinned = false;
    std::optional<Nanoseconds> m_marked; // begin of a statistics window that is being chosen by keys
    std::optional<double>
        m_pointerX; // where the mouse is over the plot; none once something else has moved the reading line
    QPointF m_pressed;
    ChartMapping m_pressedMap;
};

} // namespace loadstone::ui
