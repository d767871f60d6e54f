// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/plain_texts.h"

#include <QEvent>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QProgressDialog>

namespace loadstone::ui {

bool PlainTexts::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Polish)
        if (auto* label = qobject_cast<QLabel*>(watched); label != nullptr
            && (label->inherits("QTipLabel") || qobject_cast<QMessageBox*>(label->window()) != nullptr
                || qobject_cast<QInputDialog*>(label->window()) != nullptr
                || qobject_cast<QProgressDialog*>(label->window()) != nullptr))
            label->setTextFormat(Qt::PlainText);
    return QObject::eventFilter(watched, event);
}

} // namespace loadstone::ui
