// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_scene.h"

#include <QWidget>

namespace loadstone::ui {

class ChartCanvas;

/// A chart of counters over a run's time, in the manner of PerfMon. Drag zooms into a time (with Ctrl into
/// values too), the wheel zooms about the pointer, Shift and drag chooses the statistics window, the middle
/// button pans, a double click shows everything again; the arrow keys move the cursor, Shift and Enter chooses the
/// statistics window (its begin at the cursor, then its end), Escape takes both away.
class PerformanceChart : public QWidget {
    Q_OBJECT
public:
    enum class Drag { zoom, pan, select };

    explicit PerformanceChart(QWidget* parent = nullptr);

    void setLines(std::vector<ChartLine> lines);
    void setSelectedLine(int line, bool emphasised);
    void setPhases(std::vector<Phase> phases);
    void setMarks(std::vector<ChartMark> marks);
    void setSelection(std::optional<TimeWindow> window);
    /// The whole time axis; nothing after `shown` is known yet (replay).
    void setLength(Nanoseconds length, Nanoseconds shown);
    /// Not zoomed in: the last `span` of the run; none: the whole of it.
    void setFollow(std::optional<Nanoseconds> span);
    void setDrag(Drag drag) { m_drag = drag; }
    [[nodiscard]] Drag drag() const { return m_drag; }
    void setWallClock(std::optional<WallTime> start);
    /// Scaled values; none: from 0 to what the lines need, at least 100.
    void setValueRange(std::optional<std::pair<double, double>> range);

    [[nodiscard]] TimeWindow visible() const;
    [[nodiscard]] bool showsWholeRun() const { return !m_zoom && !m_follow; }
    /// How much of the run's end is shown as it grows; none when it is the whole run, or a stretch that stays.
    [[nodiscard]] std::optional<Nanoseconds> followed() const { return m_zoom ? std::nullopt : m_follow; }
    void zoomTo(TimeWindow window);
    void zoomBy(double factor, std::optional<Nanoseconds> about = {}); ///< below 1: closer
    void panBy(double share); ///< of the visible time
    void resetZoom(); ///< back to the run's end where that is followed, else to the whole run
    void showEverything(); ///< the whole run, and its end is no longer followed
    void setCursor(std::optional<Nanoseconds> at);
    using QWidget::setCursor;
    [[nodiscard]] std::optional<Nanoseconds> cursorTime() const { return m_decor.cursor; }

    // For a picture file: the chart alone, and what else the picture says of it.
    void renderTo(QPainter& painter, const QRectF& target);
    [[nodiscard]] QSize chartSize() const;
    void setTitle(const QString& title) { m_title = title; }
    [[nodiscard]] const QString& title() const { return m_title; }
    [[nodiscard]] const std::vector<ChartLine>& lines() const;
    /// What the lines' statistics are over: the selection, else what is visible.
    [[nodiscard]] TimeWindow statisticsWindow() const;

signals:
    void visibleChanged();
    void windowSelected(std::optional<loadstone::TimeWindow> window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void applyWindow();
    void applyValueRange();
    bool press(QMouseEvent* event);
    bool move(QMouseEvent* event);
    bool release(QMouseEvent* event);
    bool wheel(QWheelEvent* event);
    void stepCursor(int steps);
    void markWindow();
    void showMarking();
    [[nodiscard]] TimeWindow withinRun(TimeWindow window) const;

    ChartCanvas* m_canvas;
    QString m_title;
    ChartDecor m_decor;
    Nanoseconds m_length {};
    std::optional<Nanoseconds> m_follow;
    std::optional<TimeWindow> m_zoom;
    std::optional<std::pair<double, double>> m_valueRange; // asked for
    std::optional<std::pair<double, double>> m_valueZoom; // drawn by hand
    Drag m_drag = Drag::zoom;
    std::optional<Drag> m_dragging;
    bool m_dragValues = false;
    bool m_cursorPinned = false;
    std::optional<Nanoseconds> m_marked; // begin of a statistics window that is being chosen by keys
    QPointF m_pressed;
    ChartMapping m_pressedMap;
};

} // namespace loadstone::ui
