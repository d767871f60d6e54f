// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/quiet_wheel.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QTabBar>

namespace loadstone::ui {

bool QuietWheel::eventFilter(QObject* watched, QEvent* event)
{
    const auto* number = qobject_cast<QAbstractSpinBox*>(watched);
    const bool isChooser =
        qobject_cast<QComboBox*>(watched) != nullptr; // its open list is a widget of its own
    if (event->type() == QEvent::Polish && (number != nullptr || isChooser)) {
        // The wheel would give it the keyboard, and the next arrow key change it.
        if (auto* widget = static_cast<QWidget*>(watched); widget->focusPolicy() == Qt::WheelFocus)
            widget->setFocusPolicy(Qt::StrongFocus);
    } else if (event->type() == QEvent::Wheel) {
        const bool isTabBar = qobject_cast<QTabBar*>(watched) != nullptr;
        if (isChooser || isTabBar || (number != nullptr && !number->hasFocus())) {
            event->ignore();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace loadstone::ui
