// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/line_picture.h"

#include <QImage>
#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::ui {

namespace {

/// A picture to which parts of a line are added. Where parts overlap a pixel has the larger coverage, so that a translucent line is
/// no darker at its corners.
class LinePixels {
public:
    LinePixels(QSize size, const QPen& pen, double width)
        : m_picture(size, QImage::Format_ARGB32_Premultiplied)
        , m_reach(width / 2 + 0.5)
    {
        m_picture.fill(0);
        m_pixels = reinterpret_cast<QRgb*>(m_picture.bits());
        m_stride = m_picture.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
        QColor colour = pen.color();
        const double alpha = colour.alphaF();
        for (std::size_t i = 0; i < m_colours.size(); ++i) {
            colour.setAlphaF(static_cast<float>(alpha * static_cast<double>(i) / kFull));
            m_colours[i] = qPremultiply(colour.rgba());
        }
    }

    void add(QPointF a, QPointF b)
    {
        if (!isNear(a.x(), b.x(), m_picture.width()) || !isNear(a.y(), b.y(), m_picture.height()))
            return;
        const double dx = b.x() - a.x(), dy = b.y() - a.y(), squared = dx * dx + dy * dy;
        const double inverse = squared > 0 ? 1 / squared : 0; // divisions are most of what this takes
        const int last = pixelAt(std::max(a.x(), b.x()) + m_reach, m_picture.width());
        for (int column = pixelAt(std::min(a.x(), b.x()) - m_reach, m_picture.width()); column <= last;
             ++column) {
            const double x = column + 0.5 - a.x();
            // The rows that what is near this column of the part can touch.
            const auto rowAt = [&](double along) {
                return dx == 0 ? (along < 0 ? 0 : dy) : std::clamp(along / dx, 0.0, 1.0) * dy;
            };
            const double y1 = a.y() + rowAt(x - m_reach), y2 = a.y() + rowAt(x + m_reach);
            const int lowest = pixelAt(std::max(y1, y2) + m_reach, m_picture.height());
            for (int row = pixelAt(std::min(y1, y2) - m_reach, m_picture.height()); row <= lowest; ++row) {
                const double y = row + 0.5 - a.y();
                const double along = std::clamp((x * dx + y * dy) * inverse, 0.0, 1.0);
                const double awayX = x - along * dx, awayY = y - along * dy;
                cover(column, row, awayX * awayX + awayY * awayY);
            }
        }
    }
    [[nodiscard]] QImage& picture() { return m_picture; }

private:
    static constexpr int kFull = 255;

    static int pixelAt(double place, int size)
    {
        return static_cast<int>(std::clamp(std::floor(place), 0.0, static_cast<double>(size - 1)));
    }
    [[nodiscard]] bool isNear(double a, double b, int size) const
    {
        return std::max(a, b) + m_reach >= 0 && std::min(a, b) - m_reach <= size;
    }
    void cover(int column, int row, double squaredDistance)
    {
        if (squaredDistance >= m_reach * m_reach)
            return;
        const double share = std::min(m_reach - std::sqrt(squaredDistance), 1.0);
        const QRgb colour = m_colours[static_cast<std::size_t>(share * kFull + 0.5)];
        QRgb& pixel = m_pixels[row * m_stride + column];
        if (qAlpha(colour) > qAlpha(pixel))
            pixel = colour;
    }

    QImage m_picture;
    QRgb* m_pixels;
    qsizetype m_stride;
    double m_reach; ///< pixels; nothing further from the path is coloured
    std::array<QRgb, kFull + 1> m_colours {}; ///< by coverage, premultiplied
};

} // namespace

void paintLinePixels(QPainter& painter, const QPolygonF& path)
{
    const QTransform& toPixels = painter.deviceTransform();
    const double width = painter.pen().widthF() * toPixels.m11(), reach = width / 2 + 1;
    const QRectF limits = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(painter.window());
    const QRectF seen = toPixels.mapRect(path.boundingRect()).adjusted(-reach, -reach, reach, reach)
        & toPixels.mapRect(limits);
    if (seen.isEmpty())
        return;
    const QRect pixels = seen.toAlignedRect();
    LinePixels line(pixels.size(), painter.pen(), width);
    QPointF last = toPixels.map(path.first()) - pixels.topLeft();
    for (qsizetype i = 1; i < path.size(); ++i) {
        const QPointF next = toPixels.map(path[i]) - pixels.topLeft();
        line.add(last, next);
        last = next;
    }
    line.picture().setDevicePixelRatio(toPixels.m11());
    painter.drawImage(toPixels.inverted().map(QPointF(pixels.topLeft())), line.picture());
}

} // namespace loadstone::ui
