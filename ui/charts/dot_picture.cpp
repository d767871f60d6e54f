// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/dot_picture.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadstone::ui {

std::pair<double, double> dotAxis(const std::vector<DotPicture>& pictures)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto take = [&](double value) {
        if (!std::isfinite(value))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const DotPicture& picture : pictures) {
        std::for_each(picture.baseline.begin(), picture.baseline.end(), take);
        std::for_each(picture.own.begin(), picture.own.end(), take);
        if (picture.critical && picture.baselineMean) {
            take(*picture.baselineMean - std::abs(*picture.critical));
            take(*picture.baselineMean + std::abs(*picture.critical));
        }
    }
    if (!(low <= high))
        return { 0, 1 };
    const double air = low == high ? std::max(std::abs(low) * 0.05, 1e-12) : (high - low) * 0.05;
    return { low - air, high + air };
}

void paintDots(
    QPainter& painter, const QRectF& area, const DotPicture& picture, const QPalette& palette, bool selected)
{
    if (!(picture.high > picture.low) || area.width() < 12)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double radius = std::clamp(area.height() / 7, 1.5, 3.0);
    const QRectF plot = area.adjusted(radius + 1, 1, -radius - 1, -1);
    const auto x = [&](double value) {
        return plot.left() + (value - picture.low) / (picture.high - picture.low) * plot.width();
    };
    const QColor ink = palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    QColor faint = ink;
    faint.setAlpha(40);
    if (picture.critical && picture.baselineMean) {
        const double from = x(*picture.baselineMean - std::abs(*picture.critical)),
                     to = x(*picture.baselineMean + std::abs(*picture.critical));
        painter.fillRect(QRectF(from, plot.top(), to - from, plot.height()), faint);
    }
    faint.setAlpha(120);
    if (picture.baselineMean) {
        painter.setPen(QPen(faint, 1));
        painter.drawLine(
            QPointF(x(*picture.baselineMean), plot.top()), QPointF(x(*picture.baselineMean), plot.bottom()));
    }
    painter.setPen(QPen(ink, 1));
    painter.setBrush(Qt::NoBrush);
    for (const double value : picture.baseline)
        painter.drawEllipse(QPointF(x(value), plot.top() + plot.height() * 0.75), radius, radius);
    painter.setBrush(ink);
    for (const double value : picture.own)
        painter.drawEllipse(QPointF(x(value), plot.top() + plot.height() * 0.27), radius, radius);
    painter.restore();
}

} // namespace loadstone::ui
