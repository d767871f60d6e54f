// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/copied_rows.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeySequence>
#include <QRegularExpression>
#include <QTableView>

namespace loadstone::ui {

namespace {

/// What separates cells and rows of the text becomes a blank within a cell: a message of several lines is one cell.
QString asCell(QString words)
{
    static const QRegularExpression separators(QStringLiteral("[\\t\\r\\n\u2028\u2029]+"));
    return words.replace(separators, QStringLiteral(" "));
}

} // namespace

QString rowsAsText(const QTableView& table, bool onlySelected)
{
    const QAbstractItemModel& model = *table.model();
    QStringList lines, cells;
    const auto columns = [&](auto&& cell) {
        cells.clear();
        for (int v = 0; v < model.columnCount(); ++v) {
            const int c = table.horizontalHeader()->logicalIndex(v);
            if (!table.isColumnHidden(c))
                cells.append(asCell(cell(c)));
        }
        lines.append(cells.join(QLatin1Char('\t')));
    };
    columns([&](int c) { return model.headerData(c, Qt::Horizontal).toString(); });
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
