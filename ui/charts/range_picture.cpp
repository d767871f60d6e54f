// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/range_picture.h"

#include <QImage>
#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <vector>

namespace loadstone::ui {

namespace {

/// Where an outline of lineRanges() begins and ends in each column of `columns` pixels, in rows; a column that it leaves out has none.
struct RangeRows {
    std::vector<int> from, to; // half open: rows whose centres lie within
    RangeRows(const QPolygonF& outline, int columns)
        : from(static_cast<std::size_t>(columns), 0)
        , to(static_cast<std::size_t>(columns), 0)
    {
        const auto rowAt = [](double y) {
            return static_cast<int>(std::ceil(std::clamp(y, -1e6, 1e6) - 0.5));
        };
        const qsizetype points = outline.size() / 2;
        for (qsizetype i = 0; i + 1 < points; ++i) {
            const QPointF top = outline[i], nextTop = outline[i + 1];
            const double bottom = outline[outline.size() - 1 - i].y(),
                         nextBottom = outline[outline.size() - 2 - i].y();
            const double width = nextTop.x() - top.x();
            if (!(width > 0) || nextTop.x() < 0 || top.x() > columns)
                continue;
            const int last = std::min(columns, rowAt(nextTop.x()));
            for (int x = std::max(0, rowAt(top.x())); x < last; ++x) {
                const double share = (x + 0.5 - top.x()) / width;
                from[static_cast<std::size_t>(x)] = rowAt(top.y() + (nextTop.y() - top.y()) * share);
                to[static_cast<std::size_t>(x)] = rowAt(bottom + (nextBottom - bottom) * share);
            }
        }
    }
};

} // namespace

bool hasEvenScale(const QPainter& painter)
{
    const QTransform& transform = painter.deviceTransform();
    return transform.type() <= QTransform::TxScale && transform.m11() == transform.m22()
        && transform.m11() > 0 && transform.dx() == 0 && transform.dy() == 0;
}

void paintRangePixels(QPainter& painter, const QRectF& plot, QPolygonF outline)
{
    const double scale = painter.deviceTransform().m11();
    const QPoint origin(
        static_cast<int>(std::floor(plot.left() * scale)), static_cast<int>(std::floor(plot.top() * scale)));
    const int columns = static_cast<int>(std::ceil(plot.right() * scale)) - origin.x();
    const int rows = static_cast<int>(std::ceil(plot.bottom() * scale)) - origin.y();
    if (columns <= 0 || rows <= 0)
        return;
    for (QPointF& point : outline)
        point = point * scale - origin;
    const RangeRows range(outline, columns);
    const int first = std::max(0, *std::min_element(range.from.begin(), range.from.end()));
    const int last = std::min(rows, *std::max_element(range.to.begin(), range.to.end()));
    if (first >= last)
        return;
    QImage picture(columns, last - first, QImage::Format_ARGB32_Premultiplied);
    const QRgb colour = qPremultiply(painter.brush().color().rgba());
    for (int y = first; y < last; ++y) {
        auto* const pixels = reinterpret_cast<QRgb*>(picture.scanLine(y - first));
        const int* const from = range.from.data();
        const int* const to = range.to.data();
        for (int x = 0; x < columns; ++x)
            pixels[x] = (y >= from[x]) & (y < to[x]) ? colour : 0;
    }
    picture.setDevicePixelRatio(scale);
    painter.drawImage(QPointF(origin.x(), origin.y() + first) / scale, picture);
}

} // namespace loadstone::ui
