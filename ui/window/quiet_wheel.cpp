// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/quiet_wheel.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>

namespace loadstone::ui {

bool QuietWheel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel) {
        const auto* number = qobject_cast<QAbstractSpinBox*>(watched);
        // An open list of choices is a widget of its own.
        if (qobject_cast<QComboBox*>(watched) != nullptr || (number != nullptr && !number->hasFocus())) {
            event->ignore();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace loadstone::ui
