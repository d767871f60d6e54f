// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/heat_map_picture.h"

#include "format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kStrip = 14, kStripGap = 4; // pixels
constexpr double kKeyRoom = 18; // pixels, above the slowest cells: what the map is of hides none of them
// Told apart on both ramps, by the colour-blind too (after Okabe and Ito).
constexpr QRgb kMedian = 0xff009e73, kUpper = 0xffe69f00, kTail = 0xffd55e00, kLimit = 0xffc2185b;

QString spoken(const char* source)
{
    return QCoreApplication::translate("heat map", source);
}

/// Where latencies lie in the picture.
struct LatencyScale {
    QRectF plot;
    double low = 0, high = 1; // logarithms

    LatencyScale(const HeatMap& map, const QRectF& area)
        : plot(area)
        , low(std::log(static_cast<double>(map.edges.front().count())))
        , high(std::log(static_cast<double>(map.edges.back().count())))
    {
        plot.setTop(std::min(plot.top() + kKeyRoom, plot.center().y()));
        if (map.limit)
            plot.setBottom(plot.bottom() - kStrip - kStripGap);
    }
    [[nodiscard]] double y(Nanoseconds latency) const
    {
        const double place = std::log(static_cast<double>(std::max<std::int64_t>(latency.count(), 1)));
        return plot.bottom() - std::clamp((place - low) / (high - low), -0.01, 1.01) * plot.height();
    }
};

bool isDrawable(const HeatMap& map)
{
    return map.rows() > 0 && map.edges.front().count() > 0 && map.edges.back() > map.edges.front();
}

/// 1, 2 and 5 times each power of ten; only the powers where those are too close.
std::vector<Nanoseconds> labelled(const HeatMap& map, const LatencyScale& scale, double height)
{
    std::vector<Nanoseconds> all, powers;
    for (std::int64_t power = 1; power < 1'000'000'000'000'000; power *= 10)
        for (const std::int64_t factor : { 1, 2, 5 }) {
            const Nanoseconds at(power * factor);
            if (at < map.edges.front() || at > map.edges.back())
                continue;
            all.push_back(at);
            if (factor == 1)
                powers.push_back(at);
        }
    const double decade = scale.plot.height() / std::max((scale.high - scale.low) / std::log(10), 1e-9);
    return decade / 3.5 > height || powers.empty() ? all : powers;
}

void paintCells(
    QPainter& painter, const ChartMapping& chart, const LatencyScale& scale, const HeatMap& map, bool dark)
{
    painter.setRenderHint(QPainter::Antialiasing, false); // no seams
    std::vector<int> tops;
    for (const Nanoseconds edge : map.edges)
        tops.push_back(static_cast<int>(std::lround(scale.y(edge))));
    for (const HeatMapColumn& column : map.columns) {
        if (column.count == 0 || column.end <= chart.time.begin || column.begin >= chart.time.end)
            continue;
        const double left = std::round(std::max(chart.x(column.begin), chart.plot.left()));
        const double right =
            std::max(std::round(std::min(chart.x(column.end), chart.plot.right())), left + 1);
        for (std::size_t row = 0; row < std::min(column.cells.size(), map.rows()); ++row) {
            if (column.cells[row] == 0)
                continue;
            const double share = static_cast<double>(column.cells[row]) / static_cast<double>(column.count);
            painter.fillRect(QRect(static_cast<int>(left), tops[row + 1], static_cast<int>(right - left),
                                 std::max(tops[row] - tops[row + 1], 1)),
                heatColour(share, dark));
        }
        if (!map.limit || column.aboveLimit == 0)
            continue;
        const double share = static_cast<double>(column.aboveLimit) / static_cast<double>(column.count);
        const double height = std::max(1.0, std::round(share * kStrip));
        painter.fillRect(QRectF(left, chart.plot.bottom() - height, right - left, height), QColor(kLimit));
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

/// One of the percentiles that are drawn over the cells.
struct PercentileLine {
    Nanoseconds HeatMapColumn::*figure;
    QRgb colour;
    const char* name;
};
constexpr PercentileLine kPercentileLines[] = { { &HeatMapColumn::p50, kMedian, "p50" },
    { &HeatMapColumn::p95, kUpper, "p95" }, { &HeatMapColumn::p99, kTail, "p99" } };

void paintPercentile(QPainter& painter, const ChartMapping& chart, const LatencyScale& scale,
    const HeatMap& map, const PercentileLine& line)
{
    painter.setPen(QPen(QColor(line.colour), 1.5));
    QPolygonF path;
    const auto flush = [&] {
        if (path.size() > 1)
            paintPath(painter, path);
        else if (!path.isEmpty())
            painter.drawEllipse(path.first(), 1.5, 1.5);
        path.clear();
    };
    Nanoseconds before {};
    for (const HeatMapColumn& column : map.columns) {
        if (column.count == 0 || column.begin != before)
            flush();
        before = column.end;
        if (column.count != 0)
            path.append(
                { chart.x(column.begin + (column.end - column.begin) / 2), scale.y(column.*line.figure) });
    }
    flush();
}

/// What the map is of, and the colours of the lines.
void paintKey(QPainter& painter, const ChartMapping& chart, const HeatMap& map, const QPalette& palette)
{
    const QFontMetricsF metrics(painter.font());
    constexpr double kPad = 8;
    const QString name = metrics.elidedText(map.name, Qt::ElideRight, chart.plot.width() / 2);
    double width = metrics.horizontalAdvance(name) + kPad;
    for (const PercentileLine& line : kPercentileLines)
        width += metrics.horizontalAdvance(QLatin1String(line.name)) + kPad;
    QColor fill = palette.color(QPalette::Base);
    fill.setAlpha(210);
    const QRectF box(chart.plot.left() + 4, chart.plot.top() + 1, width + kPad / 2, metrics.height());
    painter.fillRect(box, fill);
    double x = box.left() + kPad / 2;
    const auto write = [&](const QString& text, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(QPointF(x, box.top() + metrics.ascent()), text);
        x += metrics.horizontalAdvance(text) + kPad;
    };
    write(name, palette.color(QPalette::Text));
    for (const PercentileLine& line : kPercentileLines)
        write(QLatin1String(line.name), QColor(line.colour));
}

void paintLimit(QPainter& painter, const ChartMapping& chart, const LatencyScale& scale, const HeatMap& map,
    const QPalette& palette)
{
    const QFontMetricsF metrics(painter.font());
    const QString limit = latencyText(*map.limit);
    if (*map.limit >= map.edges.front() && *map.limit <= map.edges.back()) {
        const double y = scale.y(*map.limit);
        painter.setPen(QPen(QColor(kLimit), 1.5, Qt::DashLine));
        painter.drawLine(QPointF(chart.plot.left(), y), QPointF(chart.plot.right(), y));
        const QString words = spoken("limit %1").arg(limit);
        QColor fill = palette.color(QPalette::Base); // the cells below may be as dark as the words
        fill.setAlpha(210);
        const QPointF at(chart.plot.left() + 6, y - 3);
        painter.fillRect(QRectF(at.x() - 2, at.y() - metrics.ascent(), metrics.horizontalAdvance(words) + 4,
                             metrics.height() - 1),
            fill);
        painter.drawText(at, words);
    }
    QColor frame = palette.color(QPalette::Text);
    frame.setAlpha(70);
    painter.setPen(QPen(frame, 1));
    painter.drawLine(QPointF(chart.plot.left(), chart.plot.bottom() - kStrip),
        QPointF(chart.plot.right(), chart.plot.bottom() - kStrip));
    painter.setPen(palette.color(QPalette::Text));
    painter.drawText(QRectF(0, chart.plot.bottom() - kStrip, chart.plot.left() - 5, kStrip),
        Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("> ") + limit);
}

} // namespace

QString latencyText(Nanoseconds latency)
{
    const double ns = static_cast<double>(latency.count());
    if (ns < 1e3)
        return QStringLiteral("%1 ns").arg(formatValue(ns));
    if (ns < 1e6)
        return QStringLiteral("%1 µs").arg(formatValue(ns / 1e3));
    return ns < 1e9 ? QStringLiteral("%1 ms").arg(formatValue(ns / 1e6))
                    : QStringLiteral("%1 s").arg(formatValue(ns / 1e9));
}

double heatMapLabelWidth(const QFont& font, const HeatMap& map)
{
    const QFontMetricsF metrics(font);
    double width = metrics.horizontalAdvance(QStringLiteral("500 ms"));
    if (map.limit)
        width = std::max(width, metrics.horizontalAdvance(QStringLiteral("> ") + latencyText(*map.limit)));
    return width;
}

void paintHeatMap(QPainter& painter, const ChartMapping& chart, const HeatMap& map, const QPalette& palette)
{
    const QFontMetricsF metrics(painter.font());
    if (!isDrawable(map)) {
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(
            chart.plot, Qt::AlignCenter, spoken("%1: nothing ended in this time.").arg(map.name));
        return;
    }
    painter.save();
    painter.fillRect(
        chart.plot, palette.color(QPalette::Base)); // the phases' colours would be taken for cells
    const LatencyScale scale(map, chart.plot);
    QColor ink = palette.color(QPalette::Text), grid = ink;
    grid.setAlpha(36);
    for (const Nanoseconds at : labelled(map, scale, metrics.height())) {
        const double y = scale.y(at);
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(chart.plot.left(), y), QPointF(chart.plot.right(), y));
        painter.setPen(ink);
        painter.drawText(QRectF(0, y - metrics.height() / 2, chart.plot.left() - 5, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, latencyText(at));
    }
    painter.setClipRect(chart.plot);
    paintCells(painter, chart, scale, map, palette.color(QPalette::Base).lightness() < 128);
    for (const PercentileLine& line : kPercentileLines)
        paintPercentile(painter, chart, scale, map, line);
    painter.setClipping(false);
    if (map.limit)
        paintLimit(painter, chart, scale, map, palette);
    paintKey(painter, chart, map, palette);
    painter.restore();
}

QStringList heatMapFacts(const HeatMap& map, const QRectF& plot, Nanoseconds at, std::optional<double> y)
{
    const HeatMapColumn* const column = map.columnAt(at);
    if (column == nullptr || column->count == 0 || !isDrawable(map))
        return { spoken("Nothing ended then.") };
    QStringList facts;
    const LatencyScale scale(map, plot);
    const double count = static_cast<double>(column->count);
    for (std::size_t row = 0; y && row < std::min(map.rows(), column->cells.size()); ++row)
        if (*y <= scale.y(map.edges[row]) && *y > scale.y(map.edges[row + 1]))
            facts.append(spoken("%1 to %2: %3 of %4, %5")
                             .arg(latencyText(map.edges[row]), latencyText(map.edges[row + 1]),
                                 formatCount(column->cells[row]), formatCount(column->count),
                                 formatShare(column->cells[row] / count)));
    if (facts.isEmpty())
        facts.append(spoken("%1 in %2")
                         .arg(formatCount(column->count), formatElapsedExact(column->end - column->begin)));
    facts.append(spoken("p50 %1, p95 %2, p99 %3")
                     .arg(latencyText(column->p50), latencyText(column->p95), latencyText(column->p99)));
    if (map.limit)
        facts.append(
            spoken("above %1: %2")
                .arg(latencyText(*map.limit), formatShare(static_cast<double>(column->aboveLimit) / count)));
    return facts;
}

} // namespace loadstone::ui
