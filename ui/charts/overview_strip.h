// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <QWidget>

#include <utility>
#include <vector>

namespace loadstone::ui {

/// The whole run in a low strip, with the part that a chart shows as a handle: drag it to pan, its edges to zoom, click
/// beside it to go there. What the keyboard does in the chart above moves the handle.
class OverviewStrip : public QWidget {
    Q_OBJECT
public:
    explicit OverviewStrip(QWidget* parent = nullptr);

    /// One line over the whole run.
    void setBands(std::vector<CounterBand> bands);
    /// From where to where the run is drawn, in pixels: the chart's plot, so that both have one time axis when all is shown.
    void setPlot(double left, double right);
    [[nodiscard]] std::pair<double, double> plot() const; ///< within the strip
    void setTimes(TimeWindow whole, TimeWindow visible, const std::vector<Phase>& phases);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// The user has moved or resized the handle.
    void windowChosen(loadstone::TimeWindow window);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    enum class Grip { none, begin, end, whole };
    [[nodiscard]] double x(Nanoseconds at) const;
    [[nodiscard]] Nanoseconds timeAt(double x) const;
    [[nodiscard]] Grip gripAt(double x) const;

    std::vector<CounterBand> m_bands;
    double m_left = 0, m_right = 0; // of the plot; not beyond each other: the whole strip
    TimeWindow m_whole, m_visible, m_pressedVisible;
    std::vector<Phase> m_measurements;
    Grip m_grip = Grip::none;
    Nanoseconds m_pressed {};
};

} // namespace loadstone::ui
