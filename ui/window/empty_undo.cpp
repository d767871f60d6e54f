// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/empty_undo.h"

#include <QKeyEvent>
#include <QLineEdit>

namespace loadstone::ui {

bool EmptyUndo::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto* line = qobject_cast<QLineEdit*>(watched);
        if (line != nullptr
            && ((key->matches(QKeySequence::Undo) && !line->isUndoAvailable())
                || (key->matches(QKeySequence::Redo) && !line->isRedoAvailable()))) {
            event->ignore(); // a shortcut of the page takes it
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace loadstone::ui
