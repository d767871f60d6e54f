// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/frozen_column.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QWheelEvent>

namespace loadstone::ui {

FrozenColumn::FrozenColumn(QTableView& table)
    : QTableView(&table)
    , m_table(table)
{
    setModel(table.model());
    setSelectionModel(table.selectionModel());
    setStyle(table.style());
    horizontalHeader()->setStyle(table.horizontalHeader()->style());
    horizontalHeader()->setDefaultAlignment(table.horizontalHeader()->defaultAlignment());
    horizontalHeader()->setHighlightSections(false);
    setFocusPolicy(Qt::NoFocus); // the table below has the keys
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(table.verticalHeader()->defaultSectionSize());
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionBehavior(table.selectionBehavior());
    setSelectionMode(table.selectionMode());
    setAlternatingRowColors(table.alternatingRowColors());
    setShowGrid(false);
    setWordWrap(false);
    setVerticalScrollMode(table.verticalScrollMode());
    setAutoScroll(false);
    setContextMenuPolicy(Qt::NoContextMenu); // the table's menu comes instead
    connect(table.verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, table.verticalScrollBar(), &QScrollBar::setValue);
    connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::place);
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, &FrozenColumn::place);
    connect(table.horizontalHeader(), &QHeaderView::sectionMoved, this, &FrozenColumn::place);
    connect(table.horizontalHeader(), &QHeaderView::geometriesChanged, this, &FrozenColumn::place);
    connect(model(), &QAbstractItemModel::modelReset, this, &FrozenColumn::place);
    connect(this, &QTableView::activated, &table, &QTableView::activated);
    table.viewport()->installEventFilter(this);
    place();
}

void FrozenColumn::place()
{
    const QHeaderView& header = *m_table.horizontalHeader();
    const int first = header.count() == 0 ? -1 : header.logicalIndex(0);
    // Where everything is in sight there is nothing to hold.
    const bool scrolled =
        first >= 0 && !m_table.isColumnHidden(first) && m_table.horizontalScrollBar()->value() > 0;
    setVisible(scrolled);
    if (!scrolled)
        return;
    for (int column = 0; column < model()->columnCount(); ++column)
        setColumnHidden(column, column != first);
    const int width = m_table.columnWidth(first);
    setColumnWidth(first, width);
    horizontalHeader()->setFixedHeight(header.height());
    setGeometry(
        m_table.frameWidth(), m_table.frameWidth(), width, header.height() + m_table.viewport()->height());
    verticalScrollBar()->setValue(m_table.verticalScrollBar()->value());
    raise();
}

bool FrozenColumn::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QTableView::eventFilter(watched, event);
}

void FrozenColumn::wheelEvent(QWheelEvent* event)
{
    QCoreApplication::sendEvent(m_table.viewport(), event);
}

} // namespace loadstone::ui
