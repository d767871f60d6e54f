// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/box_steps.h"

#include <QComboBox>
#include <QFocusEvent>
#include <QKeyEvent>

namespace loadstone::ui {

BoxSteps::BoxSteps(QComboBox* box)
    : QObject(box)
    , m_box(box)
{
    box->installEventFilter(this);
    connect(box, &QComboBox::activated, this, [this] {
        m_isPending = m_isStepping;
        if (m_isPending)
            emit passed();
        else
            emit chosen();
    });
}

void BoxSteps::settle()
{
    if (!m_isPending)
        return;
    m_isPending = false;
    emit chosen();
}

bool BoxSteps::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Tab: // before the next field is looked for: it may be one that applies from now on
        case Qt::Key_Backtab:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            settle();
            break;
        default: // Alt+Down, F4 and Space open the list, in which a choice is made
            m_isStepping = !key->modifiers().testFlag(Qt::AltModifier) && key->key() != Qt::Key_F4
                && key->key() != Qt::Key_Space;
        }
    } else if (event->type() == QEvent::MouseButtonPress)
        m_isStepping = false;
    else if (event->type() == QEvent::FocusOut
        && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
        settle();
    return QObject::eventFilter(watched, event);
}

} // namespace loadstone::ui
