// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QLineEdit>

namespace loadstone::ui {

/// Escape empties a field of search; in an empty one it means what it means elsewhere in the window.
inline void clearOnEscape(QLineEdit& field)
{
    auto* clear = new QAction(&field);
    clear->setShortcut(Qt::Key_Escape);
    clear->setShortcutContext(Qt::WidgetShortcut);
    clear->setEnabled(!field.text().isEmpty());
    QObject::connect(&field, &QLineEdit::textChanged, clear,
        [clear](const QString& text) { clear->setEnabled(!text.isEmpty()); });
    QObject::connect(clear, &QAction::triggered, &field, &QLineEdit::clear);
    field.addAction(clear);
}

} // namespace loadstone::ui
