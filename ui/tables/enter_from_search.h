// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/data_table.h"

#include <QAction>
#include <QLineEdit>

namespace loadstone::ui {

/// Return and Down in a field of search go to the first row of what was found.
inline void enterFromSearch(QLineEdit& search, DataTable& table)
{
    const auto enter = [&table] {
        if (table.model()->rowCount() == 0)
            return;
        table.selectRow(0);
        table.setFocus();
    };
    auto* down = new QAction(&search);
    down->setShortcut(Qt::Key_Down);
    down->setShortcutContext(Qt::WidgetShortcut);
    search.addAction(down);
    QObject::connect(down, &QAction::triggered, &table, enter);
    QObject::connect(&search, &QLineEdit::returnPressed, &table, enter);
}

} // namespace loadstone::ui
