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
        && transform.m11() > 0;
}

void paintRangePixels(QPainter& painter, const QRectF& plot, QPolygonF outline)
{
    const QTransform& toPixels = painter.deviceTransform();
    const QRectF place = toPixels.mapRect(plot);
    const QPoint origin(
        static_cast<int>(std::floor(place.left())), static_cast<int>(std::floor(place.top())));
    const int columns = static_cast<int>(std::ceil(place.right())) - origin.x();
    const int rows = static_cast<int>(std::ceil(place.bottom())) - origin.y();
    if (columns <= 0 || rows <= 0)
        return;
    for (QPointF& point : outline)
        point = toPixels.map(point) - origin;
    const RangeRows range(outline, columns);
    const int first = std::max(0, *std::min_element(range.from.begin(), range.from.end()));
    const int last = std::min(rows, *std::max_element(range.to.begin(), range.to.end()));
    if (first >= last)
        return;
    QImage picture(columns, last - first, QImage::Format_ARGB32_Premultiplied);
    picture.fill(0);
    const QRgb colour = qPremultiply(painter.brush().color().rgba());
    auto* const pixels = reinterpret_cast<QRgb*>(picture.bits());
    const qsizetype stride = picture.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    for (int x = 0; x < columns; ++x) {
        const auto column = static_cast<std::size_t>(x);
        const int end = std::min(range.to[column], last);
        for (int y = std::max(range.from[column], first); y < end; ++y)
            pixels[(y - first) * stride + x] = colour;
    }
    picture.setDevicePixelRatio(toPixels.m11());
    painter.drawImage(toPixels.inverted().map(QPointF(origin.x(), origin.y() + first)), picture);
}

} // namespace loadstone::ui
