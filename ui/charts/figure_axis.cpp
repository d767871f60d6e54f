// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_axis.h"

#include "charts/chart_lanes.h"
#include "format.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kGap = 6; // pixels
constexpr double kLargest = 1e30; // beyond it labels are not made

/// All with the decimals that the step needs: "0.8", "1.0".
QString tickText(double value, double step)
{
    constexpr int kMost = 4;
    int decimals = 0;
    for (double scaled = step; decimals <= kMost && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled;
         scaled = step * std::pow(10, decimals))
        ++decimals;
    return decimals == 0 || decimals > kMost ? formatValue(value) : QString::number(value, 'f', decimals);
}

void addTicks(FigureAxis& axis, int most)
{
    if (axis.logarithmic) {
        for (const double value : decadeTicks(axis.low, axis.high, most))
            axis.ticks.emplace_back(value, formatValue(value));
        return;
    }
    const double step = valueStep(axis.low, axis.high, most);
    for (double n = std::ceil(axis.low / step - 1e-9); n * step <= axis.high + step * 1e-9; ++n)
        axis.ticks.emplace_back(n == 0 ? 0 : n * step, tickText(n == 0 ? 0 : n * step, step));
}

} // namespace

double FigureAxis::share(double value) const
{
    if (logarithmic)
        return value > 0 && low > 0 ? std::log(value / low) / std::log(high / low) : 0;
    return (value - low) / (high - low);
}

FigureAxis axisOver(double low, double high, bool fromZero, int most, bool logarithmic)
{
    FigureAxis axis;
    axis.logarithmic = logarithmic;
    if (!std::isfinite(low) || !std::isfinite(high) || std::max(std::abs(low), std::abs(high)) > kLargest
        || high < low || (logarithmic && high <= 0)) {
        low = logarithmic ? 1 : 0;
        high = logarithmic ? 10 : 1;
    }
    if (logarithmic) {
        low = low > 0 ? std::max(low, high * 1e-9) : high / 10;
        axis.low = low / 1.1;
        axis.high = high * 1.1;
        if (std::floor(std::log10(axis.high)) - std::ceil(std::log10(axis.low))
            < 0) { // no power of ten on it
            axis.low = std::pow(10, std::floor(std::log10(axis.low)));
            axis.high = std::pow(10, std::ceil(std::log10(axis.high)));
        }
        addTicks(axis, most);
        return axis;
    }
    if (fromZero) {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
    if (high - low <= 1e-9 * std::max(std::abs(low), std::abs(high))) { // one value: it lies in the middle
        const double around = low == 0 ? 1 : std::abs(low) / 2;
        if (!fromZero || low >= 0)
            high += around;
        if (!fromZero || high <= 0)
            low -= around;
    }
    const double step = valueStep(low, high, most), air = (high - low) * 0.02;
    axis.low = low == 0 ? 0 : std::floor((low - air) / step) * step;
    axis.high = high == 0 ? 0 : std::ceil((high + air) / step) * step;
    addTicks(axis, most + 2);
    return axis;
}

QPointF FigurePlot::at(double xValue, double yValue) const
{
    return { area.left() + x.share(xValue) * area.width(), area.bottom() - y.share(yValue) * area.height() };
}

double leftRoom(const QFont& font, const FigureAxis& axis)
{
    const QFontMetricsF metrics(font);
    double widest = 0;
    for (const auto& [value, label] : axis.ticks)
        widest = std::max(widest, metrics.horizontalAdvance(label));
    return widest + kGap + (axis.title.isEmpty() ? 0 : metrics.height() + kGap);
}

double bottomRoom(const QFont& font, const FigureAxis& axis)
{
    const QFontMetricsF metrics(font);
    return metrics.height() + kGap + (axis.title.isEmpty() ? 0 : metrics.height() + 2);
}

void paintAxes(QPainter& painter, const FigurePlot& plot, const QPalette& palette, bool xLines)
{
    const QFontMetricsF metrics(painter.font());
    const QColor ink = palette.color(QPalette::Text);
    QColor grid = ink;
    grid.setAlpha(36);
    const QRectF& area = plot.area;
    for (const auto& [value, label] : plot.y.ticks) {
        const double y = plot.at(plot.x.low, value).y();
        if (y < area.top() - 1 || y > area.bottom() + 1)
            continue;
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(ink);
        painter.drawText(QRectF(area.left() - kGap - 400, y - metrics.height() / 2, 400, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, label);
    }
    double taken = area.left() - 1000;
    for (const auto& [value, label] : plot.x.ticks) {
        const double x = plot.at(value, plot.y.low).x();
        if (x < area.left() - 1 || x > area.right() + 1)
            continue;
        if (xLines) {
            painter.setPen(QPen(grid, 1));
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        }
        const double width = metrics.horizontalAdvance(label);
        if (x - width / 2 < taken) // it would touch the one before
            continue;
        taken = x + width / 2 + kGap;
        painter.setPen(ink);
        painter.drawText(QRectF(x - width / 2 - 1, area.bottom() + kGap / 2, width + 2, metrics.height()),
            Qt::AlignCenter, label);
    }
    grid.setAlpha(110);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(area.topLeft(), area.bottomLeft());
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(ink);
    if (!plot.x.title.isEmpty())
        painter.drawText(QRectF(area.left(), area.bottom() + kGap / 2 + metrics.height() + 2, area.width(),
                             metrics.height()),
            Qt::AlignCenter, metrics.elidedText(plot.x.title, Qt::ElideRight, area.width()));
    if (plot.y.title.isEmpty())
        return;
    painter.save();
    painter.translate(area.left() - leftRoom(painter.font(), plot.y) + kGap / 2, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area.height() / 2, 0, area.height(), metrics.height()), Qt::AlignCenter,
        metrics.elidedText(plot.y.title, Qt::ElideRight, area.height()));
    painter.restore();
}

} // namespace loadstone::ui
