// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_chart.h"

#include "charts/svg_file.h"

#include <QApplication>
#include <QClipboard>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kPad = 8; // pixels
constexpr double kReach = 18; // pixels from a spot within which the pointer is meant for it

double distance(const QPointF& a, const QPointF& b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

} // namespace

void paintMarker(
    QPainter& painter, const QPointF& at, int shape, double radius, const QColor& colour, bool hollow)
{
    painter.setPen(QPen(colour, 1.5));
    painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
    const double r = radius;
    const auto polygon = [&](std::initializer_list<QPointF> corners) {
        QPolygonF outline;
        for (const QPointF& corner : corners)
            outline.append(at + corner);
        painter.drawPolygon(outline);
    };
    switch (shape % kMarkerShapes) {
    case 0:
        painter.drawEllipse(at, r, r);
        break;
    case 1:
        painter.drawRect(QRectF(at.x() - r * 0.9, at.y() - r * 0.9, r * 1.8, r * 1.8));
        break;
    case 2:
        polygon({ { 0, -r * 1.3 }, { r * 1.3, 0 }, { 0, r * 1.3 }, { -r * 1.3, 0 } });
        break;
    case 3:
        polygon({ { 0, -r * 1.2 }, { r * 1.15, r * 0.9 }, { -r * 1.15, r * 0.9 } });
        break;
    case 4:
        polygon({ { 0, r * 1.2 }, { r * 1.15, -r * 0.9 }, { -r * 1.15, -r * 0.9 } });
        break;
    default:
        painter.setPen(QPen(colour, 2));
        painter.drawLine(at + QPointF(-r, -r), at + QPointF(r, r));
        painter.drawLine(at + QPointF(-r, r), at + QPointF(r, -r));
    }
}

double paintLegend(QPainter* painter, const QFont& font, const QPalette& palette, const QPointF& topLeft,
    double width, const std::vector<LegendEntry>& entries)
{
    if (entries.empty())
        return 0;
    const QFontMetricsF metrics(font);
    const double row = metrics.height() + 2, swatch = metrics.height();
    double x = 0, y = 0;
    for (const LegendEntry& entry : entries) {
        const QString name =
            metrics.elidedText(entry.name, Qt::ElideMiddle, std::max(60.0, width - swatch - kPad));
        const double needed = swatch + 4 + metrics.horizontalAdvance(name) + 2 * kPad;
        if (x > 0 && x + needed - 2 * kPad > width) {
            x = 0;
            y += row;
        }
        if (painter != nullptr) {
            const QPointF middle = topLeft + QPointF(x + swatch / 2, y + row / 2);
            if (entry.marker >= 0) {
                painter->setPen(QPen(entry.colour, 2));
                painter->drawLine(middle - QPointF(swatch / 2, 0), middle + QPointF(swatch / 2, 0));
                paintMarker(*painter, middle, entry.marker, 4, entry.colour);
            } else {
                painter->fillRect(QRectF(middle.x() - 5, middle.y() - 5, 10, 10), entry.colour);
            }
            painter->setPen(palette.color(QPalette::Text));
            painter->drawText(QRectF(topLeft.x() + x + swatch + 4, topLeft.y() + y, needed, row),
                Qt::AlignLeft | Qt::AlignVCenter, name);
        }
        x += needed;
    }
    return y + row;
}

FigureChart::FigureChart(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FigureChart::setTitle(const QString& title)
{
    m_title = title;
    setAccessibleName(title);
    update();
}

void FigureChart::setEmptyText(const QString& text)
{
    m_empty = text;
    update();
}

void FigureChart::setCurrent(std::optional<std::pair<int, int>> seriesAndItem)
{
    m_current = seriesAndItem;
    update();
}

QRectF FigureChart::chartArea() const
{
    const double title = m_title.isEmpty() ? 0 : QFontMetricsF(font()).height() + kPad / 2;
    return QRectF(rect()).adjusted(kPad, kPad / 2 + title, -kPad, -kPad / 2);
}

std::vector<FigureSpot> FigureChart::spots() const
{
    return isEmpty() ? std::vector<FigureSpot>() : spotsWithin(chartArea());
}

void FigureChart::paintAll(QPainter& painter, bool withCurrent) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.setPen(palette().color(QPalette::Text));
    const QRectF whole = QRectF(rect()).adjusted(kPad, kPad / 2, -kPad, -kPad / 2);
    if (!m_title.isEmpty()) {
        QFont bold = font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.drawText(whole, Qt::AlignTop | Qt::AlignLeft,
            QFontMetricsF(bold).elidedText(m_title, Qt::ElideRight, whole.width()));
    }
    painter.setFont(font());
    if (isEmpty()) {
        painter.drawText(whole, Qt::AlignCenter | Qt::TextWordWrap, m_empty);
        return;
    }
    painter.save();
    paintChart(painter, chartArea());
    painter.restore();
    if (!withCurrent || !m_current)
        return;
    for (const FigureSpot& spot : spots())
        if (std::pair(spot.series, spot.item) == *m_current)
            paintWords(painter, spot);
}

void FigureChart::paintWords(QPainter& painter, const FigureSpot& spot) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawEllipse(spot.at, 8, 8);
    const QFontMetricsF metrics(font());
    QRectF box = metrics.boundingRect(
        QRectF(0, 0, std::min(360.0, width() - 4 * kPad), height()), Qt::TextWordWrap, spot.words);
    box.adjust(-kPad, -kPad / 2, kPad, kPad / 2);
    box.moveTopLeft(spot.at + QPointF(12, 12));
    if (box.right() > width() - 2)
        box.moveRight(spot.at.x() - 12);
    if (box.bottom() > height() - 2)
        box.moveBottom(spot.at.y() - 12);
    box.moveLeft(std::max(2.0, box.left()));
    box.moveTop(std::max(2.0, box.top()));
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(box.adjusted(kPad, kPad / 2, -kPad, -kPad / 2), Qt::TextWordWrap, spot.words);
}

void FigureChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintAll(painter, true);
    if (hasFocus()) {
        QColor ring = palette().color(QPalette::Highlight);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(ring, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

QImage FigureChart::image()
{
    QImage picture(size() * 2, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(2);
    QPainter painter(&picture);
    paintAll(painter, false);
    return picture;
}

bool FigureChart::writeSvg(const QString& file)
{
    return writeSvgFile(
        file, size(), logicalDpiX(), m_title, [this](QPainter& painter) { paintAll(painter, false); });
}

void FigureChart::copyPicture()
{
    QApplication::clipboard()->setImage(image());
}

void FigureChart::look(std::optional<std::pair<int, int>> at)
{
    if (at == m_current)
        return;
    m_current = at;
    update();
    if (!at)
        return;
    for (const FigureSpot& spot : spots())
        if (std::pair(spot.series, spot.item) == *at)
            setAccessibleDescription(spot.words);
    emit currentChanged(at->first, at->second);
}

void FigureChart::mouseMoveEvent(QMouseEvent* event)
{
    double nearest = kReach;
    std::optional<std::pair<int, int>> found;
    for (const FigureSpot& spot : spots())
        if (const double away = distance(spot.at, event->position()); away <= nearest) {
            nearest = away;
            found = { spot.series, spot.item };
        }
    look(found);
}

void FigureChart::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    mouseMoveEvent(event);
    if (event->button() == Qt::LeftButton && m_current)
        emit activated(m_current->first, m_current->second);
}

void FigureChart::leaveEvent(QEvent*)
{
    if (!hasFocus())
        look(std::nullopt);
}

void FigureChart::step(int alongSeries, int acrossSeries)
{
    const std::vector<FigureSpot> all = spots();
    if (all.empty())
        return;
    const auto now = std::find_if(all.begin(), all.end(),
        [&](const FigureSpot& spot) { return m_current && std::pair(spot.series, spot.item) == *m_current; });
    if (now == all.end())
        return look(std::pair(all.front().series, all.front().item));
    const FigureSpot* best = nullptr;
    double least = 0;
    for (const FigureSpot& spot : all) {
        // Along: the next one to that side in the same series. Across: the nearest one of the next series.
        const double side = (spot.at.x() - now->at.x()) * alongSeries;
        const bool fits = acrossSeries == 0 ? spot.series == now->series && side > 0
                                            : (spot.series - now->series) * acrossSeries > 0;
        if (!fits)
            continue;
        const double away =
            acrossSeries == 0 ? side : std::abs(spot.series - now->series) * 1e6 + distance(spot.at, now->at);
        if (best == nullptr || away < least) {
            best = &spot;
            least = away;
        }
    }
    if (best != nullptr)
        look(std::pair(best->series, best->item));
}

void FigureChart::keyPressEvent(QKeyEvent* event)
{
    if ((event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    case Qt::Key_Escape:
        if (m_current)
            return look(std::nullopt);
        return QWidget::keyPressEvent(event);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current)
            emit activated(m_current->first, m_current->second);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace loadstone::ui
