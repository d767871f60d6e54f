// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Longer than most: the axes, margins and layers of one picture, which depend on each other.
#include "charts/chart_canvas.h"

#include "charts/heat_map_picture.h"
#include "charts/line_room.h"
#include "charts/time_ticks.h"
#include "format.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QPainter>
#include <QResizeEvent>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace loadstone::ui {

namespace {
constexpr int kLeastCanvas = 120; // pixels

constexpr double kLaneGap = 8, kLabelGap = 8; // pixels
constexpr double kTimeLabelGap = 4; // pixels between the plot and the times, as QtCharts has them
constexpr double kReach = 6; // pixels from a line within which a click is meant for it

double distanceTo(const QPointF& at, const QPointF& from, const QPointF& to)
{
    const QPointF along = to - from, off = at - from;
    const double length = QPointF::dotProduct(along, along);
    const double share = length > 0 ? std::clamp(QPointF::dotProduct(off, along) / length, 0.0, 1.0) : 0;
    const QPointF away = off - along * share;
    return std::hypot(away.x(), away.y());
}

/// An axis can have labels there that differ.
bool isDrawable(double low, double high)
{
    const double largest = std::max(std::abs(low), std::abs(high));
    return largest < 1e30 && high - low > 1e-7 * largest; // false for NaN
}

/// Never a wide range with a small interval, not even in between: an axis makes all its labels at once.
void setRangeAndStep(QValueAxis& axis, double low, double high, double step)
{
    constexpr double kLongest = 1e12; // longer labels leave no room for the chart
    const bool whole =
        step == std::floor(step) && std::max(std::abs(low), std::abs(high)) < kLongest; // "1,000,000"
    axis.setLabelFormat(whole ? QStringLiteral("%.0f") : QStringLiteral("%.6g"));
    const bool wider = step > axis.tickInterval();
    if (wider)
        axis.setTickInterval(step);
    axis.setRange(low, high);
    axis.setTickAnchor(std::ceil(low / step) * step);
    if (!wider)
        axis.setTickInterval(step);
}

QString laneTitle(const Lane& lane, const std::vector<ChartLine>& lines)
{
    const QString& what =
        lane.lines.size() == 1 || lane.family.isEmpty() ? lines[lane.lines.front()].name : lane.family;
    return lane.unit.isEmpty() ? what : QStringLiteral("%1 [%2]").arg(what, lane.unit);
}

} // namespace

ChartCanvas::ChartCanvas(QWidget* parent)
    : QChartView(parent)
    , m_timeAxis(new QCategoryAxis)
    , m_valueAxis(new QValueAxis)
    , m_ownAxis(new QValueAxis)
{
    QChart* c = chart();
    c->legend()->hide();
    c->setAnimationOptions(QChart::NoAnimation);
    c->setLocalizeNumbers(true); // thousands apart, as in all tables
    c->setBackgroundVisible(false); // drawBackground() paints it, below the phases
    c->setPlotAreaBackgroundVisible(false);
    c->layout()->setContentsMargins(0, 0, 0, 0);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(FullViewportUpdate); // decor lies outside of the chart's items
    setFrameShape(NoFrame);
    setMinimumHeight(kLeastCanvas);

    m_timeAxis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_timeAxis->setTruncateLabels(false);
    c->addAxis(m_timeAxis, Qt::AlignBottom);
    c->addAxis(m_valueAxis, Qt::AlignLeft);
    c->addAxis(m_ownAxis, Qt::AlignRight);
    for (QValueAxis* axis : { m_valueAxis, m_ownAxis }) {
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickAnchor(0);
        axis->setTickInterval(20);
        axis->setTruncateLabels(false); // there are as many as fit
        axis->setRange(0, 100);
    }
    m_valueAxis->setTitleText(tr("Value × scale"));
    m_ownAxis->setGridLineVisible(false);
    connect(c, &QChart::plotAreaChanged, this, [this] {
        updateTimeAxis();
        updateValueAxes();
    });
    connect(scene(), &QGraphicsScene::changed, this, &ChartCanvas::redraw); // the axes have moved
    applyPalette();
    updateTimeAxis();
}

void ChartCanvas::setLines(std::vector<ChartLine> lines)
{
    m_lines = std::move(lines);
    for (ChartLine& line : m_lines)
        line.colour = lineColour(line.colour, palette());
    updateLanes();
}

void ChartCanvas::setSelectedLine(int line, bool emphasised)
{
    if (m_selected == line && m_emphasised == emphasised)
        return;
    m_selected = line;
    m_emphasised = emphasised;
    updateStrokes();
    updateValueAxes();
}

void ChartCanvas::setDecor(const ChartDecor& decor)
{
    const bool moved = decor.origin != m_decor.origin;
    m_decor = decor;
    if (moved)
        updateTimeAxis();
    redraw();
}

void ChartCanvas::setOverlay(const ChartDecor& decor)
{
    m_decor.cursors = decor.cursors;
    m_decor.cursor = decor.cursor;
    m_decor.pointer = decor.pointer;
    viewport()->update();
}

void ChartCanvas::setWindow(TimeWindow window)
{
    if (window == m_window || window.end <= window.begin)
        return;
    m_window = window;
    updateTimeAxis();
}

void ChartCanvas::setValueRange(std::optional<std::pair<double, double>> range)
{
    m_range = range && isDrawable(range->first, range->second) ? range : std::nullopt;
    updateLanes();
}

void ChartCanvas::setValueRangeMode(ValueRange mode)
{
    m_mode = mode;
    updateLanes();
}

void ChartCanvas::setLogarithmic(bool on)
{
    m_logarithmic = on;
    updateLanes();
}

void ChartCanvas::setChartLayout(ChartLayout layout)
{
    m_layout = layout;
    updateLanes();
}

void ChartCanvas::setHeatMap(std::shared_ptr<const HeatMap> map)
{
    if (map == m_heatMap)
        return;
    m_heatMap = std::move(map);
    updateLanes();
}

void ChartCanvas::setWallClock(std::optional<WallTime> start)
{
    m_start = start;
    updateTimeAxis();
}

void ChartCanvas::setRubberBand(const QRectF& band)
{
    m_rubberBand = band;
    viewport()->update();
}

ChartMapping ChartCanvas::mapping() const
{
    const bool scaled = m_lanes.size() == 1 && m_layout == ChartLayout::overlay;
    return { chart()->plotArea(), m_window, scaled ? m_lanes.front().low : 0,
        scaled ? m_lanes.front().high : 100, scaled && m_logarithmic };
}

std::vector<ChartMapping> ChartCanvas::laneMappings() const
{
    const QRectF plot = chart()->plotArea();
    const auto lanes = static_cast<double>(std::max<std::size_t>(m_lanes.size(), 1));
    const double gap = std::min(kLaneGap, plot.height() / lanes / 4);
    const double height = (plot.height() - gap * (lanes - 1)) / lanes;
    std::vector<ChartMapping> maps;
    for (const Lane& lane : m_lanes) {
        const double top = plot.top() + (height + gap) * static_cast<double>(maps.size());
        maps.push_back(
            { { plot.left(), top, plot.width(), height }, m_window, lane.low, lane.high, m_logarithmic });
    }
    return maps;
}

int ChartCanvas::lineAt(const QPointF& at) const
{
    const std::vector<ChartMapping> maps = laneMappings();
    double nearest = kReach;
    int found = -1;
    for (const LineStroke& stroke : m_strokes) {
        const ChartMapping& map = maps[stroke.lane];
        if (m_heatMap || !map.plot.adjusted(0, -kReach, 0, kReach).contains(at))
            continue;
        for (const QList<QPointF>& piece : stroke.pieces)
            for (int i = 0; i < piece.size(); ++i) {
                const QPointF to = map.at(piece[i]), from = i > 0 ? map.at(piece[i - 1]) : to;
                if (to.x() < at.x() - kReach || from.x() > at.x() + kReach)
                    continue;
                const double distance = distanceTo(at, from, to);
                if (distance <= nearest) { // of two as near the one on top
                    nearest = distance;
                    found = static_cast<int>(stroke.line);
                }
            }
    }
    return found;
}

void ChartCanvas::redraw()
{
    m_stale = true;
    viewport()->update();
}

void ChartCanvas::updateLanes()
{
    if (m_layout == ChartLayout::lanes) {
        m_lanes = lanesOf(m_lines, m_mode, m_logarithmic);
    } else {
        m_lanes = { overlayOf(m_lines, m_mode, m_logarithmic) };
        if (m_range && (!m_logarithmic || m_range->second > 0)) {
            auto& [low, high] = *m_range;
            m_lanes.front().high = high;
            m_lanes.front().low = !m_logarithmic || low > 0 ? low : std::min(m_lanes.front().low, high / 10);
        }
    }
    // Two lines of words to a lane, as far as a window of 800 pixels has room for.
    constexpr int kMostLeast = 220;
    setMinimumHeight(
        std::clamp(static_cast<int>(m_lanes.size()) * 2 * fontMetrics().height(), kLeastCanvas, kMostLeast));
    updateStrokes();
    updateValueAxes();
}

void ChartCanvas::updateStrokes()
{
    m_strokes.clear();
    const auto draw = [this](std::size_t index, std::size_t lane, bool selected) {
        const ChartLine& line = m_lines[index];
        QColor colour = line.colour;
        if (m_emphasised && !selected)
            colour.setAlphaF(0.35F);
        QPen pen(colour, line.width + (m_emphasised && selected ? 2 : 0), line.style);
        pen.setJoinStyle(Qt::RoundJoin);
        const double scale = m_layout == ChartLayout::lanes ? 1 : line.scale;
        m_strokes.push_back({ index, lane, scale, pen, linePieces(line.bands, scale, m_logarithmic),
            lineRanges(line.bands, scale, m_logarithmic) });
    };
    const bool any = hasSelected();
    for (const bool top : { false, true })
        for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
            for (const std::size_t line : m_lanes[lane].lines)
                if ((any && line == static_cast<std::size_t>(m_selected)) == top)
                    draw(line, lane, top);
    redraw();
}

void ChartCanvas::updateTimeAxis()
{
    const int apart = !m_start ? 75 : spansMidnight(m_window, *m_start) ? 130 : 90;
    const int room = std::max(2, static_cast<int>(chart()->plotArea().width()) / apart);
    for (const QString& label : m_timeAxis->categoriesLabels())
        m_timeAxis->remove(label);
    m_timeAxis->setRange(seconds(m_window.begin), seconds(m_window.end));
    m_timeAxis->setStartValue(seconds(m_window.begin));
    for (const TimeTick& tick : timeTicks(m_window, room, m_start, m_decor.origin))
        m_timeAxis->append(tick.label, tick.second);
    m_timeAxis->setRange(seconds(m_window.begin), seconds(m_window.end));
    redraw();
}

void ChartCanvas::updateValueAxes()
{
    const bool shared = hasValueAxis() && !drawsAxes() && !m_lanes.empty();
    const bool own = shared && hasSelected();
    m_valueAxis->setVisible(shared);
    m_ownAxis->setVisible(own);
    applyMargins();
    if (!shared)
        return;
    const double low = m_lanes.front().low, high = m_lanes.front().high;
    const double room =
        chart()->plotArea().height() / (QFontMetricsF(m_valueAxis->labelsFont()).height() * 1.6);
    const double step = valueStep(low, high, std::clamp(static_cast<int>(room), 1, 10));
    setRangeAndStep(*m_valueAxis, low, high, step);
    if (!own)
        return;
    const ChartLine& line = m_lines[static_cast<std::size_t>(m_selected)];
    setRangeAndStep(
        *m_ownAxis, low / line.scale, high / line.scale, step / line.scale); // at the same heights
    m_ownAxis->setLabelsColor(palette().color(QPalette::Text));
    m_ownAxis->setLinePen(QPen(line.colour, 2));
    QString title = line.name;
    if (!line.unit.isEmpty())
        title += QStringLiteral(" [%1]").arg(line.unit);
    m_ownAxis->setTitleText(title);
}

void ChartCanvas::applyMargins()
{
    const QFont font = m_timeAxis->labelsFont();
    double left = 2, right = 6;
    if (m_heatMap) {
        left = heatMapLabelWidth(font, *m_heatMap) + kLabelGap;
    } else if (drawsAxes()) { // of all lanes, so that their plots begin at one place
        for (const ChartMapping& map : laneMappings())
            left = std::max(left, laneLabelWidth(font, map) + kLabelGap);
        if (m_layout == ChartLayout::overlay && hasSelected())
            right += laneLabelWidth(font, mapping(), m_lines[static_cast<std::size_t>(m_selected)].scale);
    }
    // Where no value axis is at the right, half of the last time's label is beyond the plot.
    const QString label = m_start ? QStringLiteral("00:00:00") : formatElapsed(m_window.end - m_decor.origin);
    if (!m_ownAxis->isVisible())
        right = std::max(right, QFontMetricsF(font).horizontalAdvance(label) / 2 + 4);
    const QMargins margins(static_cast<int>(std::ceil(left)),
        static_cast<int>(std::ceil(phaseStripHeight(font))) + 2, static_cast<int>(std::ceil(right)), 2);
    if (margins != chart()->margins())
        chart()->setMargins(margins);
}

void ChartCanvas::applyPalette()
{
    const QColor ink = palette().color(QPalette::Text);
    QColor grid = ink;
    grid.setAlpha(36);
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.9));
    QFont title = small;
    title.setBold(false);
    for (QAbstractAxis* axis : { static_cast<QAbstractAxis*>(m_timeAxis),
             static_cast<QAbstractAxis*>(m_valueAxis), static_cast<QAbstractAxis*>(m_ownAxis) }) {
        axis->setLabelsBrush(ink);
        axis->setLabelsFont(small);
        axis->setTitleBrush(ink);
        axis->setTitleFont(title);
        axis->setGridLinePen(QPen(grid, 1));
        axis->setLinePen(QPen(grid, 1));
    }
    updateLanes();
}

void ChartCanvas::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyPalette();
}

void ChartCanvas::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    updateTimeAxis();
}

void ChartCanvas::paintEvent(QPaintEvent*)
{
    const QSize size = viewport()->size();
    const double ratio = viewport()->devicePixelRatioF();
    if (m_picture.size() != size * ratio || m_picture.devicePixelRatio() != ratio) {
        m_picture = QPixmap(size * ratio);
        m_picture.setDevicePixelRatio(ratio);
        m_stale = true;
    }
    if (m_stale) {
        m_stale = false;
        ++m_pictures;
        QPainter painter(&m_picture);
        painter.setRenderHints(renderHints());
        QGraphicsView::render(&painter, QRectF(QPointF(0, 0), QSizeF(size)), viewport()->rect());
    }
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, m_picture);
    paintOverlay(painter, true);
}

void ChartCanvas::renderTo(QPainter& painter, const QRectF& target)
{
    render(&painter, target);
    painter.save();
    painter.translate(target.topLeft());
    const double factor = std::min(target.width() / width(), target.height() / height());
    painter.scale(factor, factor);
    paintOverlay(painter, false); // the box would hide lines, and is of where the pointer happens to be
    painter.restore();
}

void ChartCanvas::drawBackground(QPainter* painter, const QRectF& exposed)
{
    painter->fillRect(exposed, palette().color(QPalette::Base));
    painter->setFont(m_timeAxis->labelsFont());
    paintPhases(*painter, mapping(), m_decor, palette());
    if (m_heatMap)
        return;
    const std::vector<ChartMapping> maps = laneMappings();
    for (const LineStroke& stroke : m_strokes)
        paintRanges(*painter, maps[stroke.lane], stroke);
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF&)
{
    const ChartMapping whole = mapping();
    painter->setFont(m_timeAxis->labelsFont());
    const std::vector<PlacedMark> marks = placeMarks(painter->font(), whole, m_decor);
    if (m_heatMap) {
        paintHeatMap(*painter, whole, *m_heatMap, palette());
    } else {
        const std::vector<ChartMapping> maps = laneMappings();
        const bool lanes = m_layout == ChartLayout::lanes;
        std::vector<QRectF> taken; // by words
        for (const PlacedMark& mark : marks)
            taken.push_back(mark.box);
        for (std::size_t i = 0; drawsAxes() && i < m_lanes.size(); ++i)
            taken.push_back(paintLaneAxis(*painter, maps[i],
                lanes ? laneTitle(m_lanes[i], m_lines) : m_valueAxis->titleText(), palette()));
        if (drawsAxes() && !lanes && hasSelected()) {
            const ChartLine& line = m_lines[static_cast<std::size_t>(m_selected)];
            taken.push_back(paintOwnAxis(*painter, whole, line, line.scale, palette()));
        }
        for (const LineStroke& stroke : m_strokes)
            paintStroke(*painter, maps[stroke.lane], stroke);
        std::map<std::size_t, LineRoom> rooms; // of the lanes that have limits
        for (const LineStroke& stroke : m_strokes) {
            const ChartLine& line = m_lines[stroke.line];
            if (line.limits.empty() && !line.threshold)
                continue;
            if (!rooms.contains(stroke.lane))
                rooms.try_emplace(stroke.lane, maps[stroke.lane], m_strokes, stroke.lane,
                    limitHeights(maps[stroke.lane], m_strokes, m_lines, stroke.lane));
            const auto room = rooms.find(stroke.lane);
            paintLimits(*painter, maps[stroke.lane], stroke, line, room->second, taken, palette());
        }
    }
    if (!m_valueAxis->isVisible())
        paintFirstTime(*painter, whole);
    paintMarks(*painter, whole, marks, palette());
}

void ChartCanvas::paintFirstTime(QPainter& painter, const ChartMapping& whole) const
{
    const QStringList labels = m_timeAxis->categoriesLabels();
    if (labels.isEmpty())
        return;
    const QFontMetricsF metrics(painter.font());
    const double x = whole.at({ m_timeAxis->endValue(labels.front()), 0 }).x(),
                 width = metrics.horizontalAdvance(labels.front());
    if (x - width / 2 >= whole.plot.left()) // the axis itself has it
        return;
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(std::max(0.0, x - width / 2), whole.plot.bottom() + kTimeLabelGap, width + 1,
                         metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter, labels.front());
}

void ChartCanvas::paintOverlay(QPainter& painter, bool pointer) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_timeAxis->labelsFont());
    const std::vector<ChartMapping> maps = laneMappings();
    paintCursors(painter, mapping(), m_decor, palette());
    if (pointer)
        paintPointer(painter, { m_lines, m_strokes, maps, mapping(), m_heatMap.get(), m_selected }, m_decor,
            palette());
    paintNotice(painter, mapping(), m_decor, palette());
    if (!m_rubberBand.isNull()) {
        QColor fill = palette().color(QPalette::Highlight);
        painter.setPen(QPen(fill, 1));
        fill.setAlpha(50);
        painter.setBrush(fill);
        painter.drawRect(m_rubberBand);
    }
}

} // namespace loadstone::ui
