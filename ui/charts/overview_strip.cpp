// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/overview_strip.h"

#include "charts/chart_line.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace loadstone::ui {

namespace {
constexpr int kHeight = 20; // pixels
constexpr double kGripWidth = 5; // pixels to either side of an edge
}

OverviewStrip::OverviewStrip(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(kHeight);
    setMouseTracking(true);
    setAccessibleName(tr("The whole run"));
    setToolTip(tr("The whole run. Drag the light part to pan the chart, its edges to zoom."));
}

QSize OverviewStrip::sizeHint() const
{
    return { 200, kHeight };
}

void OverviewStrip::setBands(std::vector<CounterBand> bands)
{
    if (bands == m_bands)
        return;
    m_bands = std::move(bands);
    update();
}

void OverviewStrip::setPlot(double left, double right)
{
    m_left = left;
    m_right = right;
    update();
}

std::pair<double, double> OverviewStrip::plot() const
{
    const double left = std::clamp(m_left, 0.0, static_cast<double>(width()));
    const double right = std::clamp(m_right, 0.0, static_cast<double>(width()));
    return right > left ? std::pair(left, right) : std::pair(0.0, static_cast<double>(width()));
}

void OverviewStrip::setTimes(TimeWindow whole, TimeWindow visible, const std::vector<Phase>& phases)
{
    m_whole = whole;
    m_visible = visible;
    m_measurements.clear();
    std::copy_if(phases.begin(), phases.end(), std::back_inserter(m_measurements),
        [](const Phase& phase) { return phase.kind == PhaseKind::measurement; });
    update();
}

double OverviewStrip::x(Nanoseconds at) const
{
    const double span = seconds(m_whole.end - m_whole.begin);
    const auto [left, right] = plot();
    return span > 0 ? left + seconds(at - m_whole.begin) / span * (right - left) : left;
}

Nanoseconds OverviewStrip::timeAt(double x) const
{
    const auto [left, right] = plot();
    const double share = right > left ? std::clamp((x - left) / (right - left), 0.0, 1.0) : 0;
    return m_whole.begin
        + Nanoseconds(std::llround(share * static_cast<double>((m_whole.end - m_whole.begin).count())));
}

OverviewStrip::Grip OverviewStrip::gripAt(double at) const
{
    const double begin = x(m_visible.begin), end = x(m_visible.end);
    if (std::abs(at - begin) <= kGripWidth && begin > plot().first)
        return Grip::begin;
    if (std::abs(at - end) <= kGripWidth)
        return Grip::end;
    if (std::abs(at - begin) <= kGripWidth)
        return Grip::begin;
    return at > begin && at < end ? Grip::whole : Grip::none;
}

void OverviewStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto [left, right] = plot();
    painter.fillRect(rect(), palette().color(QPalette::Window)); // beside the run
    painter.fillRect(QRectF(left, 0, right - left, height()), palette().color(QPalette::Base));
    QColor measured = palette().color(QPalette::Highlight);
    measured.setAlpha(40);
    for (const Phase& phase : m_measurements)
        painter.fillRect(QRectF(QPointF(x(phase.begin), 0), QPointF(x(phase.end), height())), measured);
    if (const auto extent = wholeExtent(m_bands)) {
        painter.setRenderHint(QPainter::Antialiasing);
        const double low = std::min(extent->minimum, 0.0), span = std::max(extent->maximum - low, 1e-12);
        const auto y = [&](double value) {
            return height() - 2 - std::clamp((value - low) / span, 0.0, 1.0) * (height() - 4);
        };
        QColor ink = palette().color(QPalette::Text);
        ink.setAlpha(170);
        painter.setPen(QPen(ink, 1));
        for (const QList<QPointF>& piece : linePieces(m_bands, 1)) {
            QPolygonF path;
            for (const QPointF& point : piece)
                path.append({ x(Nanoseconds(std::llround(point.x() * 1e9))), y(point.y()) });
            painter.drawPolyline(path);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    QColor shade = palette().color(QPalette::Window);
    shade.setAlpha(170);
    const QRectF handle(QPointF(x(m_visible.begin), 0), QPointF(x(m_visible.end), height()));
    painter.fillRect(QRectF(QPointF(left, 0), handle.bottomLeft()), shade);
    painter.fillRect(QRectF(handle.topRight(), QPointF(right, height())), shade);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRect(handle.adjusted(1, 1, -1, -1));
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const double at = event->position().x();
    m_grip = gripAt(at);
    if (m_grip == Grip::none) { // go there, and hold it
        const Nanoseconds half = (m_visible.end - m_visible.begin) / 2;
        emit windowChosen({ timeAt(at) - half, timeAt(at) + half });
        m_grip = Grip::whole;
    }
    m_pressed = timeAt(at);
    m_pressedVisible = m_visible;
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    const double at = event->position().x();
    if (m_grip == Grip::none) {
        const Grip over = gripAt(at);
        setCursor(over == Grip::begin || over == Grip::end ? Qt::SizeHorCursor
                : over == Grip::whole                      ? Qt::OpenHandCursor
                                                           : Qt::ArrowCursor);
        return;
    }
    const Nanoseconds by = timeAt(at) - m_pressed;
    TimeWindow next = m_pressedVisible;
    if (m_grip != Grip::end)
        next.begin += by;
    if (m_grip != Grip::begin)
        next.end += by;
    if (m_grip == Grip::begin) // an edge stays where the other one is, and never passes it
        next.begin = std::clamp(next.begin, m_whole.begin, next.end - Nanoseconds(1));
    if (m_grip == Grip::end)
        next.end = std::clamp(next.end, next.begin + Nanoseconds(1), m_whole.end);
    emit windowChosen(next);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent*)
{
    m_grip = Grip::none;
}

} // namespace loadstone::ui
