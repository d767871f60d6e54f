// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/bar_chart.h"

#include "charts/chart_scene.h"
#include "charts/series_colours.h"
#include "format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {
constexpr double kBetween = 0.28; // of a group's width, free between two groups
}

QString ratioText(double ratio)
{
    return text(format(Number { ratio, Unit::one, { Notation::plain, 3 } }));
}

void BarChart::setBars(std::vector<QString> series, std::vector<BarGroup> groups)
{
    m_series = std::move(series);
    m_groups = std::move(groups);
    setCurrent(std::nullopt);
}

void BarChart::setValueTitle(const QString& title)
{
    m_valueTitle = title;
    update();
}

void BarChart::setReference(int series)
{
    m_reference = series;
    update();
}

bool BarChart::isEmpty() const
{
    return std::none_of(m_groups.begin(), m_groups.end(), [](const BarGroup& group) {
        return std::any_of(
            group.bars.begin(), group.bars.end(), [](const Bar& bar) { return bar.value.has_value(); });
    });
}

std::optional<double> BarChart::ratio(std::size_t group, std::size_t series) const
{
    const std::vector<Bar>& bars = m_groups[group].bars;
    const auto reference = static_cast<std::size_t>(m_reference);
    if (m_reference < 0 || reference >= bars.size() || series >= bars.size() || !bars[reference].value
        || !bars[series].value || *bars[reference].value == 0 || bars[reference].bound || bars[series].bound)
        return std::nullopt;
    return *bars[series].value / *bars[reference].value;
}

std::vector<LegendEntry> BarChart::legend() const
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < m_series.size(); ++i)
        entries.push_back({ m_series[i], lineColour(seriesColour(i), palette()) });
    if (m_reference >= 0 && static_cast<std::size_t>(m_reference) < m_series.size())
        entries.push_back({ tr("Ratio to %1").arg(m_series[static_cast<std::size_t>(m_reference)]),
            palette().color(QPalette::Text), 0 });
    return entries;
}

FigureAxis BarChart::ratioAxis(int most) const
{
    double low = 1, high = 1;
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        for (std::size_t s = 0; s < m_groups[g].bars.size(); ++s)
            if (const auto r = ratio(g, s)) {
                low = std::min(low, *r);
                high = std::max(high, *r);
            }
    return axisOver(low, high, true, most);
}

FigurePlot BarChart::plotWithin(const QRectF& area) const
{
    double low = 0, high = 0;
    for (const BarGroup& group : m_groups)
        for (const Bar& bar : group.bars) {
            for (const double value : bar.dots) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
            low = std::min(low, bar.value.value_or(0));
            high = std::max(high, bar.value.value_or(0));
        }
    const QFontMetricsF metrics(font());
    const double legendHeight = paintLegend(nullptr, font(), palette(), {}, area.width(), legend());
    const int rows =
        std::clamp(static_cast<int>((area.height() - legendHeight - 40) / (metrics.height() * 2)), 2, 10);
    FigurePlot plot;
    plot.y = axisOver(low, high, true, rows);
    plot.y.title = m_valueTitle;
    plot.x.low = 0;
    plot.x.high = static_cast<double>(std::max<std::size_t>(m_groups.size(), 1));
    double right = 8;
    if (m_reference >= 0) {
        FigureAxis ratios = ratioAxis(rows);
        ratios.title = tr("Ratio");
        right = leftRoom(font(), ratios);
    }
    // The value stands above its bar.
    plot.area = area.adjusted(
        leftRoom(font(), plot.y), legendHeight + 4 + metrics.height(), -right, -bottomRoom(font(), plot.x));
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        plot.x.ticks.emplace_back(static_cast<double>(g) + 0.5,
            metrics.elidedText(
                m_groups[g].name, Qt::ElideRight, std::max(30.0, plot.area.width() / plot.x.high - 10)));
    return plot;
}

QRectF BarChart::barAt(const FigurePlot& plot, std::size_t group, std::size_t series) const
{
    const double count = static_cast<double>(std::max<std::size_t>(m_groups[group].bars.size(), 1));
    const double each = (1 - kBetween) / count;
    const double from = static_cast<double>(group) + kBetween / 2 + each * static_cast<double>(series);
    const double value = m_groups[group].bars[series].value.value_or(0);
    const QPointF a = plot.at(from, 0), b = plot.at(from + each, value);
    return QRectF(a, b).normalized().adjusted(1, 0, -1, 0);
}

void BarChart::paintBar(
    QPainter& painter, const FigurePlot& plot, std::size_t group, std::size_t series) const
{
    const Bar& bar = m_groups[group].bars[series];
    const QRectF place = barAt(plot, group, series);
    const QColor colour = lineColour(seriesColour(series), palette()), ink = palette().color(QPalette::Text);
    if (bar.value) {
        QColor fill = colour;
        fill.setAlpha(bar.hollow ? 60 : 200);
        painter.setPen(QPen(colour, 1, bar.hollow ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(fill);
        painter.drawRect(place);
    }
    if (bar.dots.size() < 2) // one repeat is the bar
        return;
    const double spread = std::min(place.width() * 0.5, 24.0);
    for (std::size_t i = 0; i < bar.dots.size(); ++i) {
        const double at = static_cast<double>(i) / static_cast<double>(bar.dots.size() - 1) - 0.5;
        const QPointF centre(place.center().x() + at * spread, plot.at(0, bar.dots[i]).y());
        painter.setPen(QPen(palette().color(QPalette::Base), 1));
        painter.setBrush(ink);
        painter.drawEllipse(centre, 3, 3);
    }
}

void BarChart::paintValue(
    QPainter& painter, const FigurePlot& plot, std::size_t group, std::size_t series) const
{
    const Bar& bar = m_groups[group].bars[series];
    const QRectF place = barAt(plot, group, series);
    const QFontMetricsF metrics(painter.font());
    const double room = place.width() + (m_groups[group].bars.size() == 1 ? 40 : 6);
    const QString words = bar.value ? bar.text : QStringLiteral("–");
    const double width = metrics.horizontalAdvance(words);
    if (width > room)
        return;
    double top = bar.value ? place.top() : plot.at(0, 0).y();
    for (const double dot : bar.dots)
        top = std::min(top, plot.at(0, dot).y() - 3);
    const QRectF where(
        place.center().x() - width / 2 - 1, top - metrics.height() - 1, width + 2, metrics.height());
    QColor paper = palette().color(QPalette::Base);
    paper.setAlpha(210);
    painter.fillRect(where, paper); // the line of ratios may go through it
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(where, Qt::AlignCenter, words);
}

void BarChart::paintRatios(QPainter& painter, const FigurePlot& plot) const
{
    const QFontMetricsF metrics(painter.font());
    FigurePlot ratios = plot;
    ratios.y = ratioAxis(static_cast<int>(plot.y.ticks.size()));
    const QColor ink = palette().color(QPalette::Text);
    painter.setPen(ink);
    for (const auto& [value, label] : ratios.y.ticks)
        painter.drawText(QRectF(plot.area.right() + 5, ratios.at(0, value).y() - metrics.height() / 2, 200,
                             metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, label);
    QColor faint = ink;
    faint.setAlpha(120);
    painter.setPen(QPen(faint, 1, Qt::DotLine));
    painter.drawLine(ratios.at(0, 1), ratios.at(plot.x.high, 1));
    painter.save();
    painter.translate(QPointF(
        plot.area.right() + leftRoom(painter.font(), ratios.y) + metrics.height(), plot.area.center().y()));
    painter.rotate(90);
    painter.setPen(ink);
    painter.drawText(QRectF(-plot.area.height() / 2, 0, plot.area.height(), metrics.height()),
        Qt::AlignCenter, tr("Ratio"));
    painter.restore();
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        QPolygonF path;
        std::vector<double> values;
        const auto flush = [&] {
            painter.setPen(QPen(ink, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(path);
            for (qsizetype i = 0; i < path.size(); ++i)
                paintMarker(painter, path[i], 0, 3, ink);
            path.clear();
        };
        for (std::size_t s = 0; s < m_groups[g].bars.size(); ++s) {
            const auto r = ratio(g, s);
            if (!r) {
                flush();
                continue;
            }
            path.append({ barAt(plot, g, s).center().x(), ratios.at(0, *r).y() });
        }
        flush();
    }
}

void BarChart::paintChart(QPainter& painter, const QRectF& area) const
{
    paintLegend(&painter, font(), palette(), area.topLeft(), area.width(), legend());
    const FigurePlot plot = plotWithin(area);
    if (plot.area.width() < 20 || plot.area.height() < 20)
        return;
    paintAxes(painter, plot, palette(), false);
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        for (std::size_t s = 0; s < m_groups[g].bars.size(); ++s)
            paintBar(painter, plot, g, s);
    if (m_reference >= 0)
        paintRatios(painter, plot);
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        for (std::size_t s = 0; s < m_groups[g].bars.size(); ++s)
            paintValue(painter, plot, g, s);
}

std::vector<FigureSpot> BarChart::spotsWithin(const QRectF& area) const
{
    const FigurePlot plot = plotWithin(area);
    std::vector<FigureSpot> spots;
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        for (std::size_t s = 0; s < m_groups[g].bars.size(); ++s) {
            const QRectF place = barAt(plot, g, s);
            QString words = m_groups[g].bars[s].words;
            if (const auto r = ratio(g, s); r && static_cast<int>(s) != m_reference)
                words += QLatin1Char('\n')
                    + tr("%1 of %2").arg(ratioText(*r), m_series[static_cast<std::size_t>(m_reference)]);
            spots.push_back({ QPointF(place.center().x(), place.top()), static_cast<int>(s),
                static_cast<int>(g), words });
        }
    return spots;
}

} // namespace loadstone::ui
