// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "form_rows.h"

#include <QLabel>
#include <QLineEdit>

namespace loadstone::ui {

namespace {
enum Column { labels, fields };
}

FormRows::FormRows(QWidget* parent)
    : QGridLayout(parent)
{
    setColumnStretch(fields, 1);
}

void FormRows::addRow(QLabel* label, QWidget* field)
{
    label->setMinimumHeight(QLineEdit().sizeHint().height()); // beside the first line of its field
    addWidget(label, m_rows, labels, Qt::AlignTop);
    addWidget(field, m_rows, fields);
    endRow();
}

void FormRows::addRow(QWidget* whole)
{
    addWidget(whole, m_rows, labels, 1, 2);
    endRow();
}

/// The room that is left stays below the last row.
void FormRows::endRow()
{
    setRowStretch(m_rows, 0);
    setRowStretch(++m_rows, 1);
}

QLabel* FormRows::labelOf(const QWidget* field) const
{
    const int index = indexOf(field);
    if (index < 0)
        return nullptr;
    int row = 0, column = 0, rows = 0, columns = 0;
    getItemPosition(index, &row, &column, &rows, &columns);
    const QLayoutItem* item = column == fields ? itemAtPosition(row, labels) : nullptr;
    return item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
}

void FormRows::showRow(QWidget* field, bool shown)
{
    if (QLabel* label = labelOf(field))
        label->setVisible(shown);
    field->setVisible(shown);
}

} // namespace loadstone::ui
