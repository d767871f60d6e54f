// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/copied_rows.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeySequence>
#include <QTableView>

namespace loadstone::ui {

QString rowsAsText(const QTableView& table, bool onlySelected)
{
    const QAbstractItemModel& model = *table.model();
    QStringList lines, cells;
    const auto columns = [&](auto&& cell) {
        cells.clear();
        for (int v = 0; v < model.columnCount(); ++v) {
            const int c = table.horizontalHeader()->logicalIndex(v);
            if (!table.isColumnHidden(c))
                cells.append(cell(c));
        }
        lines.append(cells.join(QLatin1Char('\t')));
    };
    // A heading of two lines is one cell, and the text has one line of headings.
    columns([&](int c) {
        return model.headerData(c, Qt::Horizontal).toString().replace(QLatin1Char('\n'), QLatin1Char(' '));
    });
    for (int r = 0; r < model.rowCount(); ++r)
        if (!table.isRowHidden(r) && (!onlySelected || table.selectionModel()->isRowSelected(r)))
            columns([&](int c) { return model.index(r, c).data().toString(); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void copyRows(QTableView& table)
{
    auto* copy = new QAction(QApplication::translate("tables", "&Copy rows"), &table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table.addAction(copy);
    QObject::connect(copy, &QAction::triggered, &table, [&table] {
        QApplication::clipboard()->setText(rowsAsText(table, table.selectionModel()->hasSelection()));
    });
}

} // namespace loadstone::ui
