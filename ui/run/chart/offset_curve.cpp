// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/offset_curve.h"

#include "format.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kProposed = 0.6; // below it nothing is proposed
constexpr int kLeft = 36, kTop = 10, kRight = 12, kBottom = 22; // around the curve, pixels

} // namespace

OffsetCurve::OffsetCurve(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Correlation by offset"));
    setToolTip(
        tr("Drag, or press Left and Right (with Shift: a minute), to slide the log; Home: to the peak"));
}

void OffsetCurve::setProposal(std::optional<OffsetProposal> proposal)
{
    m_proposal = std::move(proposal);
    update();
}

void OffsetCurve::setChosen(std::optional<Nanoseconds> offset)
{
    m_chosen = offset;
    update();
}

QRectF OffsetCurve::area() const
{
    return QRectF(rect()).adjusted(kLeft, kTop, -kRight, -kBottom);
}

double OffsetCurve::xOf(Nanoseconds offset) const
{
    const auto& curve = m_proposal->curve;
    const double length = std::max(1.0, seconds(curve.back().offset - curve.front().offset));
    return area().left() + area().width() * seconds(offset - curve.front().offset) / length;
}

double OffsetCurve::yOf(double correlation) const
{
    return area().bottom() - area().height() * std::clamp(correlation, 0.0, 1.0);
}

void OffsetCurve::paintCurve(QPainter& painter) const
{
    QPainterPath path;
    bool open = false;
    for (const OffsetPoint& point : m_proposal->curve) {
        const bool known = !std::isnan(point.correlation);
        const QPointF at(xOf(point.offset), known ? yOf(point.correlation) : 0);
        if (known && open)
            path.lineTo(at);
        else if (known)
            path.moveTo(at);
        open = known;
    }
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void OffsetCurve::paintMarks(QPainter& painter) const
{
    QRectF before; // where the first name stands
    const auto mark = [&](const OffsetPoint& point, const QString& name) {
        const QPointF at(xOf(point.offset), yOf(point.correlation));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawEllipse(at, 4, 4);
        const QRectF box = painter.fontMetrics().boundingRect(name);
        const double x =
            std::clamp(at.x() + 7, area().left(), std::max(area().left(), area().right() - box.width()));
        double y = std::max(at.y(), area().top() + box.height());
        if (QRectF(x, y - box.height(), box.width(), box.height()).intersects(before))
            y = std::min(before.bottom() + box.height(), area().bottom());
        painter.drawText(QPointF(x, y), name);
        before = { x, y - box.height(), box.width(), box.height() };
    };
    if (m_proposal->best.correlation > 0)
        mark(m_proposal->best, tr("peak %1").arg(m_proposal->best.correlation, 0, 'f', 2));
    if (m_proposal->second)
        mark(*m_proposal->second, tr("second %1").arg(m_proposal->second->correlation, 0, 'f', 2));
    if (m_chosen) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
        const double x = xOf(*m_chosen);
        if (x >= area().left() && x <= area().right())
            painter.drawLine(QPointF(x, area().top()), QPointF(x, area().bottom()));
    }
}

void OffsetCurve::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!m_proposal || m_proposal->curve.size() < 2) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
            tr("Propose compares the bytes that both computers moved, and draws here how alike they are at "
               "each offset."));
        return;
    }
    const QColor faint = palette().color(QPalette::Mid);
    const QRectF box = area();
    painter.setPen(faint);
    painter.drawRect(box);
    QPen dashed(faint);
    dashed.setStyle(Qt::DashLine);
    painter.setPen(dashed);
    painter.drawLine(QPointF(box.left(), yOf(kProposed)), QPointF(box.right(), yOf(kProposed)));
    painter.setPen(palette().color(QPalette::WindowText));
    for (const double value : { 0.0, kProposed, 1.0 })
        painter.drawText(QRectF(0, yOf(value) - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
            QString::number(value));
    const auto& curve = m_proposal->curve;
    const QRectF below(box.left(), box.bottom() + 2, box.width(), kBottom - 2);
    painter.drawText(below, Qt::AlignLeft, formatElapsedExact(curve.front().offset));
    painter.drawText(below, Qt::AlignHCenter, formatElapsedExact(curve[curve.size() / 2].offset));
    painter.drawText(below, Qt::AlignRight, formatElapsedExact(curve.back().offset));
    paintCurve(painter);
    paintMarks(painter);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void OffsetCurve::slideTo(double x)
{
    if (!m_proposal || m_proposal->curve.size() < 2)
        return;
    const auto& curve = m_proposal->curve;
    const double share = std::clamp((x - area().left()) / std::max(1.0, area().width()), 0.0, 1.0);
    const auto index = static_cast<std::size_t>(std::lround(share * static_cast<double>(curve.size() - 1)));
    setChosen(curve[index].offset);
    emit slid(*m_chosen);
}

void OffsetCurve::slideBy(Nanoseconds by)
{
    if (!m_proposal || m_proposal->curve.empty())
        return;
    setChosen(m_chosen.value_or(m_proposal->byClocks) + by);
    emit slid(*m_chosen);
}

void OffsetCurve::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        slideTo(event->position().x());
}

void OffsetCurve::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        slideTo(event->position().x());
}

void OffsetCurve::keyPressEvent(QKeyEvent* event)
{
    const bool far = event->modifiers().testFlag(Qt::ShiftModifier);
    const Nanoseconds step = !m_proposal ? Nanoseconds(0)
        : far                            ? Nanoseconds(std::chrono::minutes(1))
                                         : m_proposal->step;
    if (event->key() == Qt::Key_Left)
        slideBy(-step);
    else if (event->key() == Qt::Key_Right)
        slideBy(step);
    else if (event->key() == Qt::Key_Home && m_proposal && m_proposal->best.correlation > 0) {
        setChosen(m_proposal->best.offset);
        emit slid(*m_chosen);
    } else
        QWidget::keyPressEvent(event);
}

} // namespace loadstone::ui
