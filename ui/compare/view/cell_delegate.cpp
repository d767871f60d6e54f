// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/cell_delegate.h"

#include "compare/view/comparison_model.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr int kPad = 6; // pixels
constexpr int kDots = 64; // pixels, of the small picture

/// Colour repeats what shape and word say.
QColor wordColour(const ComparedCell& cell, const QPalette& palette, bool selected)
{
    if (selected)
        return palette.color(QPalette::HighlightedText);
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    if (cell.voided)
        return palette.color(QPalette::PlaceholderText);
    switch (cell.word) {
    case CompareWord::better:
        return dark ? QColor(0x7d, 0xd8, 0xa0) : QColor(0x1b, 0x7a, 0x43);
    case CompareWord::worse:
        return dark ? QColor(0xff, 0xa0, 0x8c) : QColor(0xb0, 0x3a, 0x1e);
    case CompareWord::noDifferenceShown:
    case CompareWord::cannotTell:
        return palette.color(QPalette::PlaceholderText);
    default:
        return palette.color(QPalette::Text);
    }
}

} // namespace

CellDelegate::CellDelegate(const ComparisonModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
{
}

void CellDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ComparedCell* cell = m_model.cellAt(index);
    const ComparisonRow* row = cell == nullptr ? nullptr : m_model.rowAt(index.row());
    if (row == nullptr) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);

    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setFont(option.font);
    const QRect area = option.rect.adjusted(kPad, 2, -kPad, -2);
    const int half = area.height() / 2;
    const QRect above(area.left(), area.top(), area.width(), half),
        below(area.left(), area.top() + half, area.width(), half);
    painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    const QString difference = differenceText(*row, *cell, m_model.differenceAs());
    const int differenceWidth =
        difference.isEmpty() ? 0 : option.fontMetrics.horizontalAdvance(difference) + kPad;
    painter->drawText(above, Qt::AlignRight | Qt::AlignVCenter, difference);
    painter->drawText(above.adjusted(0, 0, -differenceWidth, 0), Qt::AlignLeft | Qt::AlignVCenter,
        option.fontMetrics.elidedText(
            valueText(*row, *cell), Qt::ElideRight, above.width() - differenceWidth));
    const DotPicture dots = m_model.dotsAt(index);
    const bool any = dots.own.size() + dots.baseline.size() > 1;
    if (any)
        paintDots(*painter, QRectF(below.right() - kDots + 1, below.top(), kDots, below.height()), dots,
            option.palette, selected);
    QString word = wordText(*cell);
    if (word.isEmpty()
        && m_model.comparedColumn(index.column()) == m_model.view()->comparison->options.baseline)
        word = tr("baseline");
    const int room = below.width() - (any ? kDots + kPad : 0);
    QFont small = option.font;
    small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.92));
    painter->setFont(small);
    painter->setPen(wordColour(*cell, option.palette, selected));
    painter->drawText(QRect(below.left(), below.top(), room, below.height()),
        Qt::AlignLeft | Qt::AlignVCenter, QFontMetrics(small).elidedText(word, Qt::ElideRight, room));
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (m_model.cellAt(index) == nullptr)
        return QStyledItemDelegate::sizeHint(option, index);
    const ComparisonRow& row = *m_model.rowAt(index.row());
    const ComparedCell& cell = *m_model.cellAt(index);
    const int first = option.fontMetrics.horizontalAdvance(valueText(row, cell))
        + option.fontMetrics.horizontalAdvance(differenceText(row, cell, m_model.differenceAs())) + 2 * kPad;
    const int second =
        option.fontMetrics.horizontalAdvance(wordText(cell)) + (cell.dots.size() > 0 ? kDots + kPad : 0);
    return { std::max(first, second) + 2 * kPad, 2 * option.fontMetrics.height() + 6 };
}

} // namespace loadstone::ui
