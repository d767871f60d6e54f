// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/curve_chart.h"

#include "charts/chart_scene.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone::ui {

namespace {

constexpr double kMarker = 4; // pixels
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Range {
    double low = kInfinity, high = -kInfinity;
    void take(double value)
    {
        if (!std::isfinite(value))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

} // namespace

void CurveChart::setCurves(std::vector<Curve> curves)
{
    m_curves = std::move(curves);
    setCurrent(std::nullopt);
}

void CurveChart::setTitles(const QString& x, const QString& y)
{
    m_xTitle = x;
    m_yTitle = y;
    update();
}

void CurveChart::setXTicks(std::vector<std::pair<double, QString>> ticks)
{
    m_xTicks = std::move(ticks);
    update();
}

void CurveChart::setFromZero(bool x, bool y)
{
    m_xFromZero = x;
    m_yFromZero = y;
    update();
}

void CurveChart::setLogarithmic(bool y)
{
    m_logarithmic = y;
    update();
}

void CurveChart::setLevels(std::vector<std::pair<double, QString>> levels)
{
    m_levels = std::move(levels);
    update();
}

bool CurveChart::isEmpty() const
{
    return std::all_of(m_curves.begin(), m_curves.end(), [](const Curve& curve) {
        return std::all_of(
            curve.pieces.begin(), curve.pieces.end(), [](const auto& piece) { return piece.empty(); });
    });
}

std::vector<LegendEntry> CurveChart::legend() const
{
    std::vector<LegendEntry> entries;
    for (const Curve& curve : m_curves)
        if (!curve.name.isEmpty())
            entries.push_back({ curve.name, lineColour(curve.colour, palette()), curve.marker });
    return entries;
}

FigurePlot CurveChart::plotWithin(const QRectF& area) const
{
    Range x, y;
    double leastPositive = kInfinity;
    for (const Curve& curve : m_curves)
        for (const auto& piece : curve.pieces)
            for (const CurvePoint& point : piece) {
                x.take(point.x);
                for (const double value :
                    { point.y, point.low.value_or(point.y), point.high.value_or(point.y) }) {
                    y.take(value);
                    if (value > 0)
                        leastPositive = std::min(leastPositive, value);
                }
            }
    for (const auto& [level, name] : m_levels)
        y.take(level);
    const QFontMetricsF metrics(font());
    FigurePlot plot;
    const double legendHeight = paintLegend(nullptr, font(), palette(), {}, area.width(), legend());
    const int rows =
        std::clamp(static_cast<int>((area.height() - legendHeight - 40) / (metrics.height() * 2)), 2, 10);
    plot.y = axisOver(
        m_logarithmic ? leastPositive : y.low, y.high, m_yFromZero && !m_logarithmic, rows, m_logarithmic);
    plot.y.title = m_yTitle;
    plot.x.title = m_xTitle;
    const double left = leftRoom(font(), plot.y);
    const double right = metrics.horizontalAdvance(QStringLiteral("000,000")) / 2;
    plot.area = area.adjusted(left, legendHeight + 4, -right, -bottomRoom(font(), plot.x));
    if (m_xTicks.empty()) {
        const int labels = std::clamp(static_cast<int>(plot.area.width() / 80), 2, 12);
        plot.x = axisOver(x.low, x.high, m_xFromZero, labels);
    } else {
        plot.x = axisOver(x.low, x.high, false, 2);
        const double air = std::max((x.high - x.low) * 0.03, 0.25);
        plot.x.low = x.low - air;
        plot.x.high = x.high + air;
        plot.x.ticks = m_xTicks;
    }
    plot.x.title = m_xTitle;
    return plot;
}

void CurveChart::paintCurve(QPainter& painter, const FigurePlot& plot, const Curve& curve) const
{
    const QColor colour = lineColour(curve.colour, palette());
    for (const auto& piece : curve.pieces) {
        QPolygonF path, upper, lower;
        for (const CurvePoint& point : piece) {
            path.append(plot.at(point.x, point.y));
            if (point.low && point.high) {
                upper.append(plot.at(point.x, *point.high));
                lower.prepend(plot.at(point.x, *point.low));
            }
        }
        if (upper.size() > 1) {
            QColor fill = colour;
            fill.setAlpha(48);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawPolygon(upper + lower);
        }
        if (curve.line && path.size() > 1) {
            painter.setPen(QPen(colour, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(path);
        }
        for (qsizetype i = 0; i < path.size(); ++i)
            paintMarker(
                painter, path[i], curve.marker, kMarker, colour, piece[static_cast<std::size_t>(i)].hollow);
    }
    if (curve.endsEarly && !curve.pieces.empty() && !curve.pieces.back().empty()) {
        const CurvePoint& last = curve.pieces.back().back();
        const QPointF at = plot.at(last.x, last.y);
        painter.setPen(QPen(colour, 2));
        painter.drawLine(at + QPointF(kMarker + 3, -8), at + QPointF(kMarker + 3, 8));
    }
    const QFontMetricsF metrics(painter.font());
    for (const CurveMark& mark : curve.marks) {
        const QPointF at = plot.at(mark.x, mark.y);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, 2));
        painter.drawEllipse(at, kMarker + 5, kMarker + 5);
        painter.setPen(QPen(colour, 1, Qt::DashLine));
        painter.drawLine(at + QPointF(0, kMarker + 5), QPointF(at.x(), plot.area.bottom()));
        const double width = metrics.horizontalAdvance(mark.words) + 4;
        QRectF box(at.x() - width - 8, at.y() - metrics.height() - 8, width, metrics.height());
        box.moveLeft(std::max(box.left(), plot.area.left() + 2));
        box.moveTop(std::max(box.top(), plot.area.top()));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(box, Qt::AlignCenter, mark.words);
    }
}

void CurveChart::paintLevels(QPainter& painter, const FigurePlot& plot) const
{
    const QFontMetricsF metrics(painter.font());
    for (const auto& [level, name] : m_levels) {
        if (m_logarithmic && level <= 0)
            continue;
        const double y = plot.at(plot.x.low, level).y();
        painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
        painter.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
        painter.drawText(
            QRectF(plot.area.left(), y - metrics.height() - 1, plot.area.width() - 4, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, name);
    }
}

void CurveChart::paintChart(QPainter& painter, const QRectF& area) const
{
    paintLegend(&painter, font(), palette(), area.topLeft(), area.width(), legend());
    const FigurePlot plot = plotWithin(area);
    if (plot.area.width() < 20 || plot.area.height() < 20)
        return;
    paintAxes(painter, plot, palette());
    paintLevels(painter, plot);
    for (const Curve& curve : m_curves)
        paintCurve(painter, plot, curve);
}

std::vector<FigureSpot> CurveChart::spotsWithin(const QRectF& area) const
{
    const FigurePlot plot = plotWithin(area);
    std::vector<FigureSpot> spots;
    for (std::size_t c = 0; c < m_curves.size(); ++c) {
        int item = 0;
        for (const auto& piece : m_curves[c].pieces)
            for (const CurvePoint& point : piece)
                spots.push_back({ plot.at(point.x, point.y), static_cast<int>(c), item++, point.words });
    }
    return spots;
}

} // namespace loadstone::ui
