// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_canvas.h"

#include "charts/time_ticks.h"

#include <QEvent>
#include <QGraphicsLayout>
#include <QResizeEvent>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

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
    setMinimumHeight(120);

    m_timeAxis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_timeAxis->setTruncateLabels(false);
    c->addAxis(m_timeAxis, Qt::AlignBottom);
    c->addAxis(m_valueAxis, Qt::AlignLeft);
    c->addAxis(m_ownAxis, Qt::AlignRight);
    for (QValueAxis* axis : { m_valueAxis, m_ownAxis }) {
        axis->setTickCount(6);
        axis->setRange(0, 100);
    }
    m_valueAxis->setLabelFormat(QStringLiteral("%.6g"));
    m_valueAxis->setTitleText(tr("Value × the line's scale"));
    m_ownAxis->setLabelFormat(QStringLiteral("%.6g"));
    m_ownAxis->setGridLineVisible(false);
    connect(c, &QChart::plotAreaChanged, this, &ChartCanvas::updateTimeAxis);
    applyPalette();
    updateTimeAxis();
    updateOwnAxis();
}

void ChartCanvas::setLines(std::vector<ChartLine> lines)
{
    m_lines = std::move(lines);
    for (ChartLine& line : m_lines)
        line.colour = lineColour(line.colour, palette());
    updateStrokes();
    updateOwnAxis();
}

void ChartCanvas::setSelectedLine(int line, bool emphasised)
{
    if (m_selected == line && m_emphasised == emphasised)
        return;
    m_selected = line;
    m_emphasised = emphasised;
    updateStrokes();
    updateOwnAxis();
}

void ChartCanvas::setDecor(const ChartDecor& decor)
{
    m_decor = decor;
    viewport()->update();
}

void ChartCanvas::setWindow(TimeWindow window)
{
    if (window == m_window || window.end <= window.begin)
        return;
    m_window = window;
    updateTimeAxis();
}

void ChartCanvas::setValueRange(double low, double high)
{
    if (high <= low)
        return;
    m_low = low;
    m_high = high;
    m_valueAxis->setRange(low, high);
    updateOwnAxis();
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
    return { chart()->plotArea(), m_window, m_low, m_high };
}

void ChartCanvas::updateStrokes()
{
    m_strokes.clear();
    const auto draw = [this](const ChartLine& line, bool selected) {
        if (!line.shown)
            return;
        QColor colour = line.colour;
        if (m_emphasised && !selected)
            colour.setAlphaF(0.35F);
        QPen pen(colour, line.width + (m_emphasised && selected ? 2 : 0));
        pen.setJoinStyle(Qt::RoundJoin);
        m_strokes.push_back({ pen, linePieces(line.bands, line.scale) });
    };
    const bool any = m_selected >= 0 && static_cast<std::size_t>(m_selected) < m_lines.size();
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        if (!any || i != static_cast<std::size_t>(m_selected))
            draw(m_lines[i], false);
    if (any)
        draw(m_lines[static_cast<std::size_t>(m_selected)], true);
    viewport()->update();
}

void ChartCanvas::updateTimeAxis()
{
    const int apart = !m_start ? 75 : spansMidnight(m_window, *m_start) ? 130 : 90;
    const int room = std::max(2, static_cast<int>(chart()->plotArea().width()) / apart);
    for (const QString& label : m_timeAxis->categoriesLabels())
        m_timeAxis->remove(label);
    m_timeAxis->setRange(seconds(m_window.begin), seconds(m_window.end));
    m_timeAxis->setStartValue(seconds(m_window.begin));
    for (const TimeTick& tick : timeTicks(m_window, room, m_start))
        m_timeAxis->append(tick.label, tick.second);
    m_timeAxis->setRange(seconds(m_window.begin), seconds(m_window.end));
    viewport()->update();
}

void ChartCanvas::updateOwnAxis()
{
    const bool any = m_selected >= 0 && static_cast<std::size_t>(m_selected) < m_lines.size();
    m_ownAxis->setVisible(any);
    if (!any)
        return;
    const ChartLine& line = m_lines[static_cast<std::size_t>(m_selected)];
    m_ownAxis->setRange(m_low / line.scale, m_high / line.scale);
    m_ownAxis->setLabelsColor(palette().color(QPalette::Text));
    m_ownAxis->setLinePen(QPen(line.colour, 2));
    QString title = line.name;
    if (!line.unit.isEmpty())
        title += QStringLiteral(" [%1]").arg(line.unit);
    m_ownAxis->setTitleText(title);
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
    chart()->setMargins(QMargins(2, static_cast<int>(std::ceil(phaseStripHeight(small))) + 2, 6, 2));
    updateOwnAxis();
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

void ChartCanvas::drawBackground(QPainter* painter, const QRectF& exposed)
{
    painter->fillRect(exposed, palette().color(QPalette::Base));
    painter->setFont(m_timeAxis->labelsFont());
    paintPhases(*painter, mapping(), m_decor, palette());
    paintRanges(*painter, mapping(), m_lines);
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF&)
{
    const ChartMapping map = mapping();
    painter->setFont(m_timeAxis->labelsFont());
    paintStrokes(*painter, map, m_strokes);
    paintThresholds(*painter, map, m_lines);
    paintMarks(*painter, map, m_decor, palette());
    paintCursor(*painter, map, m_decor, m_lines, palette());
    if (!m_rubberBand.isNull()) {
        QColor fill = palette().color(QPalette::Highlight);
        painter->setPen(QPen(fill, 1));
        fill.setAlpha(50);
        painter->setBrush(fill);
        painter->drawRect(m_rubberBand);
    }
}

} // namespace loadstone::ui
