// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "banner.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>

namespace loadstone::ui {

namespace {
const QColor kCaution(0xf6, 0xe0, 0xb0), kGood(0xd9, 0xee, 0xd5);

void makeProse(QLabel& label)
{
    label.setTextFormat(Qt::PlainText); // it may come from plans and servers
    label.setWordWrap(true);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
}
}

QLabel* makeProse(const QString& text)
{
    auto* label = new QLabel(text);
    makeProse(*label);
    return label;
}

Banner::Banner(QWidget* parent)
    : QLabel(parent)
{
    makeProse(*this);
    setTextInteractionFlags(Qt::NoTextInteraction);
    setFrameShape(QFrame::StyledPanel);
    setMargin(4);
    setAutoFillBackground(true);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void Banner::say(const QString& sentence, Tone tone)
{
    QPalette colours = palette();
    colours.setColor(QPalette::Window, tone == Tone::good ? kGood : kCaution);
    colours.setColor(QPalette::WindowText, Qt::black);
    setPalette(colours);
    setText(sentence);
    updateReach();
}

int Banner::lineHeight() const
{
    return fontMetrics().height() + 2 * (margin() + frameWidth());
}

QString Banner::oneLine() const
{
    // A list under a headline becomes a row: its bullets would stand among the words.
    QStringList parts = text().split(QStringLiteral("\n• "));
    QString line = parts.takeFirst();
    if (!parts.isEmpty()) {
        if (line.endsWith(QLatin1Char('.')))
            line.chop(1);
        line += (line.endsWith(QLatin1Char(':')) ? QStringLiteral(" ") : QStringLiteral(" · "))
            + parts.join(QStringLiteral(" · "));
    }
    line.replace(QLatin1Char('\n'), QStringLiteral(" · ")); // sentences that stand below each other
    return line.simplified();
}

bool Banner::fits(int width) const
{
    return !text().contains(QLatin1Char('\n'))
        && fontMetrics().horizontalAdvance(text()) <= width - 2 * (margin() + frameWidth());
}

QSize Banner::sizeHint() const
{
    return { QLabel::sizeHint().width(), heightForWidth(width()) };
}

QSize Banner::minimumSizeHint() const
{
    return { 100, lineHeight() };
}

int Banner::heightForWidth(int width) const
{
    return m_expanded ? QLabel::heightForWidth(width) : lineHeight();
}

void Banner::updateReach()
{
    const bool more = m_expanded || !fits(width());
    setToolTip(more && !m_expanded ? text() : QString());
    setCursor(more ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setFocusPolicy(more ? Qt::StrongFocus : Qt::NoFocus);
    updateGeometry();
}

void Banner::toggle()
{
    m_expanded = !m_expanded && !fits(width());
    updateReach();
}

void Banner::paintEvent(QPaintEvent* event)
{
    if (m_expanded || fits(width())) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    drawFrame(&painter);
    const QRect inside = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
    const QString more = tr("more ▾");
    const int room = fontMetrics().horizontalAdvance(more) + 2 * margin();
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(inside, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), more);
    painter.drawText(inside.adjusted(0, 0, -room, 0), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
        fontMetrics().elidedText(oneLine(), Qt::ElideRight, inside.width() - room));
    if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}

void Banner::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        toggle();
}

void Banner::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return)
        toggle();
    else
        QLabel::keyPressEvent(event);
}

void Banner::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    updateReach();
}

} // namespace loadstone::ui
