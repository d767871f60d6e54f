// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_canvas.h"
#include "charts/performance_chart.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

// Mouse and keyboard of a chart.

namespace loadstone::ui {

namespace {
constexpr double kNear = 6; // pixels
}

bool PerformanceChart::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        return move(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
        return release(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
        showEverything();
        return true;
    case QEvent::Wheel:
        return wheel(static_cast<QWheelEvent*>(event));
    case QEvent::Enter: // a key may come before the first move, with which the reading line comes
        setPointer(static_cast<QEnterEvent*>(event)->position());
        break;
    case QEvent::Leave:
        m_pointerX.reset();
        if (!m_cursorPinned)
            setCursor(std::optional<Nanoseconds>());
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

bool PerformanceChart::press(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    const bool left = event->button() == Qt::LeftButton;
    if (!left && event->button() != Qt::MiddleButton)
        return false;
    m_pressed = event->position();
    m_pressedMap = m_canvas->mapping();
    m_dragValues = event->modifiers().testFlag(Qt::ControlModifier);
    m_moving = left && event->modifiers() == Qt::NoModifier ? cursorNear(m_pressed) : std::nullopt;
    if (m_moving)
        return true;
    m_dragging = !left ? Drag::pan : event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::select : m_drag;
    if (m_dragging == Drag::pan)
        m_canvas->viewport()->setCursor(Qt::ClosedHandCursor);
    return true;
}

bool PerformanceChart::move(QMouseEvent* event)
{
    const ChartMapping map = m_canvas->mapping();
    const QPointF at = event->position();
    if (m_moving) {
        setCursors(moved(cursors(), *m_moving, map.timeAt(at.x()), m_length));
        return true;
    }
    if (!m_dragging) {
        readAt(at);
        m_canvas->viewport()->setCursor(cursorNear(at) ? Qt::SplitHCursor : Qt::ArrowCursor);
        return false;
    }
    if (m_dragging == Drag::pan) {
        const Nanoseconds by = m_pressedMap.timeAt(m_pressed.x()) - m_pressedMap.timeAt(at.x());
        zoomTo({ m_pressedMap.time.begin + by, m_pressedMap.time.end + by });
        return true;
    }
    QRectF band = QRectF(m_pressed, at).normalized();
    if (m_dragging == Drag::select || !m_dragValues) {
        band.setTop(map.plot.top());
        band.setBottom(map.plot.bottom());
    }
    m_canvas->setRubberBand(band.intersected(map.plot));
    return true;
}

bool PerformanceChart::release(QMouseEvent* event)
{
    if (std::exchange(m_moving, std::nullopt))
        return true;
    if (!m_dragging)
        return false;
    const Drag what = *m_dragging;
    m_dragging.reset();
    m_canvas->setRubberBand({});
    m_canvas->viewport()->unsetCursor();
    const QPointF at = event->position();
    if (what == Drag::pan)
        return true;
    if (std::abs(at.x() - m_pressed.x()) < QApplication::startDragDistance()) {
        click(at, what);
        return true;
    }
    const Nanoseconds begin =
        m_pressedMap.timeAt(std::max(std::min(m_pressed.x(), at.x()), m_pressedMap.plot.left()));
    const Nanoseconds end =
        m_pressedMap.timeAt(std::min(std::max(m_pressed.x(), at.x()), m_pressedMap.plot.right()));
    if (what == Drag::select) {
        const auto within = [&](Nanoseconds t) { return std::clamp(t, Nanoseconds(0), m_length); };
        setCursors({ within(begin), within(end), cursors().locked }); // a young run's axis goes on behind it
        return true;
    }
    if (m_dragValues && m_canvas->hasValueAxis()) {
        const double a = m_pressedMap.valueAt(m_pressed.y()), b = m_pressedMap.valueAt(at.y());
        if (std::abs(m_pressed.y() - at.y()) > m_pressedMap.plot.height() / 200)
            m_valueZoom = std::pair(std::min(a, b), std::max(a, b));
        applyValueRange();
    }
    zoomTo({ begin, end });
    readAt(at); // another time is there now
    return true;
}

void PerformanceChart::readAt(const QPointF& pointer)
{
    if (!m_cursorPinned) {
        const ChartMapping map = m_canvas->mapping();
        m_decor.pointer = pointer;
        setCursor(map.plot.contains(pointer) ? std::optional(map.timeAt(pointer.x())) : std::nullopt);
    }
    setPointer(pointer);
}

void PerformanceChart::setPointer(const QPointF& pointer)
{
    const bool inside = m_canvas->mapping().plot.contains(pointer);
    m_pointerX = inside ? std::optional(pointer.x()) : std::nullopt;
}

void PerformanceChart::click(const QPointF& at, Drag what)
{
    if (what == Drag::select && cursors().window()) {
        clearCursors();
        return;
    }
    const bool inside = m_pressedMap.plot.contains(at);
    if (const int line = inside ? m_canvas->lineAt(at) : -1; line >= 0)
        emit lineClicked(line);
    // It stays where one clicks, and a second click there lets it go.
    m_cursorPinned = inside
        && !(m_cursorPinned && m_decor.cursor && std::abs(m_pressedMap.x(*m_decor.cursor) - at.x()) < kNear);
    m_decor.pointer = at;
    setCursor(inside ? std::optional(m_pressedMap.timeAt(at.x())) : std::nullopt);
}

std::optional<CursorName> PerformanceChart::cursorNear(const QPointF& at) const
{
    const ChartMapping map = m_canvas->mapping();
    if (!map.plot.contains(at))
        return std::nullopt;
    const auto near = [&](const std::optional<Nanoseconds>& cursor) {
        return cursor && std::abs(map.x(*cursor) - at.x()) < kNear;
    };
    if (near(cursors().b))
        return CursorName::b;
    return near(cursors().a) ? std::optional(CursorName::a) : std::nullopt;
}

void PerformanceChart::putCursor(CursorName which)
{
    if (!m_pointerX && !m_decor.cursor)
        stepCursor(0); // to the middle, so that one sees where
    // A click has fixed the reading line, but the pointer may have moved on.
    const Nanoseconds at = m_pointerX ? m_canvas->mapping().timeAt(*m_pointerX) : *m_decor.cursor;
    setCursors(moved(cursors(), which, at, m_length));
}

void PerformanceChart::toggleLock()
{
    Cursors next = cursors();
    next.locked = !next.locked;
    setCursors(next);
}

void PerformanceChart::clearCursors()
{
    setCursors({});
}

bool PerformanceChart::wheel(QWheelEvent* event)
{
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0)
        return true;
    const ChartMapping map = m_canvas->mapping();
    if (event->modifiers().testFlag(Qt::ControlModifier) && m_canvas->hasValueAxis()) {
        const double about = map.valueAt(event->position().y()), factor = std::pow(0.8, notches);
        const auto zoomed = [&](double end) {
            return map.logarithmic ? about * std::pow(end / about, factor) : about + (end - about) * factor;
        };
        m_valueZoom = std::pair(zoomed(map.low), zoomed(map.high));
        applyValueRange();
    } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        panBy(-0.1 * notches);
    } else {
        zoomBy(std::pow(0.8, notches), map.timeAt(event->position().x()));
    }
    return true;
}

void PerformanceChart::stepCursor(int steps)
{
    const TimeWindow now = visible();
    const Nanoseconds step = std::max<Nanoseconds>(std::chrono::seconds(1), (now.end - now.begin) / 200);
    const Nanoseconds from = m_decor.cursor.value_or(now.begin + (now.end - now.begin) / 2);
    m_cursorPinned = true;
    m_decor.pointer.reset();
    setCursor(std::clamp(from + step * steps, now.begin, now.end));
    showMarking();
}

void PerformanceChart::markWindow()
{
    if (!m_decor.cursor)
        stepCursor(0); // to the middle, so that one sees where
    const Nanoseconds at = std::min(*m_decor.cursor, m_length);
    if (!m_marked) {
        m_marked = at;
        return;
    }
    const TimeWindow window { std::min(*m_marked, at), std::max(*m_marked, at) };
    m_marked.reset();
    showMarking();
    if (window.begin < window.end)
        setCursors({ window.begin, window.end, cursors().locked });
}

void PerformanceChart::showMarking()
{
    QRectF band;
    if (m_marked && m_decor.cursor) {
        const ChartMapping map = m_canvas->mapping();
        band = map.plot;
        band.setLeft(map.x(std::min(*m_marked, *m_decor.cursor)));
        band.setRight(map.x(std::max(*m_marked, *m_decor.cursor)));
        band = band.intersected(map.plot);
    }
    m_canvas->setRubberBand(band);
}

void PerformanceChart::keyPressEvent(QKeyEvent* event)
{
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->modifiers().testFlag(Qt::ControlModifier) || event->modifiers().testFlag(Qt::AltModifier)) {
        QWidget::keyPressEvent(event); // shortcuts of the page
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
        shift ? panBy(-0.1) : stepCursor(-1);
        break;
    case Qt::Key_Right:
        shift ? panBy(0.1) : stepCursor(1);
        break;
    case Qt::Key_Plus:
        zoomBy(0.5);
        break;
    case Qt::Key_Minus:
        zoomBy(2);
        break;
    case Qt::Key_Home:
    case Qt::Key_0:
        showEverything();
        break;
    case Qt::Key_End:
        resetZoom();
        break;
    case Qt::Key_A:
        putCursor(CursorName::a);
        break;
    case Qt::Key_B:
        putCursor(CursorName::b);
        break;
    case Qt::Key_L:
        toggleLock();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        shift ? markWindow() : QWidget::keyPressEvent(event);
        break;
    case Qt::Key_Escape:
        m_cursorPinned = false;
        m_marked.reset();
        showMarking();
        {
            const auto pointer = m_pointerX; // it is still there
            setCursor(std::optional<Nanoseconds>());
            m_pointerX = pointer;
        }
        clearCursors();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace loadstone::ui
