// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QPushButton>

namespace loadstone::ui {

/// Lets the keys click a button, anywhere in its window. A button without a tip gets the keys as one.
inline void clickByKeys(QPushButton* button, const QKeySequence& keys, QWidget* window)
{
    auto* action = new QAction(window);
    action->setShortcut(keys);
    QObject::connect(action, &QAction::triggered, button, &QPushButton::click);
    window->addAction(action);
    if (button->toolTip().isEmpty())
        button->setToolTip(keys.toString(QKeySequence::NativeText));
}

} // namespace loadstone::ui
