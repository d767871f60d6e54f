// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"

#include "charts/chart_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {
constexpr Nanoseconds kShortest = std::chrono::seconds(2); // a few ticks: nothing more to see below
constexpr Nanoseconds kEmptyRun = std::chrono::seconds(60); // the axis of a run that has hardly begun
}

PerformanceChart::PerformanceChart(QWidget* parent)
    : QWidget(parent)
    , m_canvas(new ChartCanvas(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_canvas);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(nullptr);
    m_canvas->setFocusPolicy(Qt::NoFocus);
    m_canvas->viewport()->setMouseTracking(true);
    m_canvas->viewport()->installEventFilter(this);
    setAccessibleName(tr("Chart of the chosen counters"));
}

void PerformanceChart::setLines(std::vector<ChartLine> lines)
{
    m_canvas->setLines(std::move(lines));
    applyValueRange();
}

void PerformanceChart::setSelectedLine(int line, bool emphasised)
{
    m_canvas->setSelectedLine(line, emphasised);
}

void PerformanceChart::setPhases(std::vector<Phase> phases)
{
    m_decor.phases = std::move(phases);
    m_canvas->setDecor(m_decor);
}

void PerformanceChart::setMarks(std::vector<ChartMark> marks)
{
    m_decor.marks = std::move(marks);
    m_canvas->setDecor(m_decor);
}

void PerformanceChart::setSelection(std::optional<TimeWindow> window)
{
    m_decor.selection = window;
    m_canvas->setDecor(m_decor);
    m_marked.reset();
    showMarking();
}

void PerformanceChart::setLength(Nanoseconds length, Nanoseconds shown)
{
    m_length = length;
    m_decor.shownUntil = shown < length ? std::optional(shown) : std::nullopt;
    m_canvas->setDecor(m_decor);
    applyWindow();
}

void PerformanceChart::setFollow(std::optional<Nanoseconds> span)
{
    m_follow = span;
    m_zoom.reset();
    applyWindow();
    emit visibleChanged();
}

void PerformanceChart::setWallClock(std::optional<WallTime> start)
{
    m_canvas->setWallClock(start);
}

void PerformanceChart::setValueRange(std::optional<std::pair<double, double>> range)
{
    m_valueRange = range;
    m_valueZoom.reset();
    applyValueRange();
}

TimeWindow PerformanceChart::visible() const
{
    if (m_zoom)
        return *m_zoom;
    const Nanoseconds whole = std::max(m_length, kEmptyRun);
    if (m_follow) {
        const Nanoseconds end = std::max(m_decor.shownUntil.value_or(m_length), *m_follow);
        return { end - *m_follow, end };
    }
    return { Nanoseconds(0), m_length > Nanoseconds(0) ? std::max(m_length, kShortest) : whole };
}

TimeWindow PerformanceChart::withinRun(TimeWindow window) const
{
    const Nanoseconds whole = std::max(m_length, kShortest);
    const Nanoseconds span = std::clamp(window.end - window.begin, kShortest, whole);
    const Nanoseconds begin = std::clamp(window.begin, Nanoseconds(0), whole - span);
    return { begin, begin + span };
}

void PerformanceChart::zoomTo(TimeWindow window)
{
    const TimeWindow next = withinRun(window);
    if (next.begin == Nanoseconds(0) && next.end >= m_length)
        m_zoom.reset();
    else
        m_zoom = next;
    applyWindow();
    emit visibleChanged();
}

void PerformanceChart::zoomBy(double factor, std::optional<Nanoseconds> about)
{
    const TimeWindow now = visible();
    const Nanoseconds centre = about.value_or(m_decor.cursor.value_or(now.begin + (now.end - now.begin) / 2));
    const auto scaled = [&](Nanoseconds t) {
        return centre + Nanoseconds(std::llround(static_cast<double>((t - centre).count()) * factor));
    };
    zoomTo({ scaled(now.begin), scaled(now.end) });
}

void PerformanceChart::panBy(double share)
{
    const TimeWindow now = visible();
    const Nanoseconds by(std::llround(static_cast<double>((now.end - now.begin).count()) * share));
    zoomTo({ now.begin + by, now.end + by });
}

void PerformanceChart::resetZoom()
{
    m_zoom.reset();
    m_valueZoom.reset();
    applyWindow();
    applyValueRange();
    emit visibleChanged();
}

void PerformanceChart::showEverything()
{
    m_follow.reset();
    resetZoom();
}

void PerformanceChart::setCursor(std::optional<Nanoseconds> at)
{
    m_decor.cursor = at;
    m_canvas->setDecor(m_decor);
}

void PerformanceChart::applyWindow()
{
    m_canvas->setWindow(visible());
}

void PerformanceChart::applyValueRange()
{
    if (const auto& range = m_valueZoom ? m_valueZoom : m_valueRange) {
        m_canvas->setValueRange(range->first, range->second);
        return;
    }
    double high = 100, low = 0;
    for (const ChartLine& line : m_canvas->lines())
        if (line.shown) {
            const double most = largestShown(line.bands);
            for (const CounterBand& band : line.bands) {
                high = std::max(high, std::min(band.maximum, most) * line.scale);
                low = std::min(low, std::max(band.minimum, -most) * line.scale);
            }
        }
    const double step = std::pow(10, std::floor(std::log10(high)));
    m_canvas->setValueRange(low < 0 ? -high : 0, std::ceil(high / step - 1e-9) * step);
}

void PerformanceChart::renderTo(QPainter& painter, const QRectF& target)
{
    m_canvas->render(&painter, target);
}

QSize PerformanceChart::chartSize() const
{
    return m_canvas->size();
}

const std::vector<ChartLine>& PerformanceChart::lines() const
{
    return m_canvas->lines();
}

TimeWindow PerformanceChart::statisticsWindow() const
{
    const Nanoseconds known = m_decor.shownUntil.value_or(m_length);
    const TimeWindow window = m_decor.selection.value_or(visible());
    return { std::min(window.begin, known), std::min(window.end, known) };
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
    case QEvent::Leave:
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
    m_dragging = !left ? Drag::pan : event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::select : m_drag;
    if (m_dragging == Drag::pan)
        QWidget::setCursor(Qt::ClosedHandCursor);
    return true;
}

bool PerformanceChart::move(QMouseEvent* event)
{
    const ChartMapping map = m_canvas->mapping();
    const QPointF at = event->position();
    if (!m_dragging) {
        if (!m_cursorPinned)
            setCursor(map.plot.contains(at) ? std::optional(map.timeAt(at.x())) : std::nullopt);
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
    if (!m_dragging)
        return false;
    const Drag what = *m_dragging;
    m_dragging.reset();
    m_canvas->setRubberBand({});
    unsetCursor();
    const QPointF at = event->position();
    if (what == Drag::pan)
        return true;
    if (std::abs(at.x() - m_pressed.x()) < QApplication::startDragDistance()) { // a click pins the cursor
        if (what == Drag::select && m_decor.selection) {
            emit windowSelected(std::nullopt);
            return true;
        }
        m_cursorPinned = m_pressedMap.plot.contains(at)
            && !(m_cursorPinned && m_decor.cursor && std::abs(m_pressedMap.x(*m_decor.cursor) - at.x()) < 6);
        setCursor(m_pressedMap.plot.contains(at) ? std::optional(m_pressedMap.timeAt(at.x())) : std::nullopt);
        return true;
    }
    const Nanoseconds begin =
        m_pressedMap.timeAt(std::max(std::min(m_pressed.x(), at.x()), m_pressedMap.plot.left()));
    const Nanoseconds end =
        m_pressedMap.timeAt(std::min(std::max(m_pressed.x(), at.x()), m_pressedMap.plot.right()));
    if (what == Drag::select) {
        emit windowSelected(TimeWindow { begin, std::min(end, m_length) });
        return true;
    }
    if (m_dragValues) {
        const double a = m_pressedMap.valueAt(m_pressed.y()), b = m_pressedMap.valueAt(at.y());
        if (std::abs(a - b) > (m_pressedMap.high - m_pressedMap.low) / 200)
            m_valueZoom = std::pair(std::min(a, b), std::max(a, b));
        applyValueRange();
    }
    zoomTo({ begin, end });
    return true;
}

bool PerformanceChart::wheel(QWheelEvent* event)
{
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0)
        return true;
    const ChartMapping map = m_canvas->mapping();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double about = map.valueAt(event->position().y()), factor = std::pow(0.8, notches);
        m_valueZoom = std::pair(about + (map.low - about) * factor, about + (map.high - about) * factor);
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
        emit windowSelected(window);
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
    case Qt::Key_Return:
    case Qt::Key_Enter:
        shift ? markWindow() : QWidget::keyPressEvent(event);
        break;
    case Qt::Key_Escape:
        m_cursorPinned = false;
        m_marked.reset();
        showMarking();
        setCursor(std::optional<Nanoseconds>());
        emit windowSelected(std::nullopt);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace loadstone::ui
