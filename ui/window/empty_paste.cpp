// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/empty_paste.h"

#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace loadstone::ui {

namespace {

bool isText(const QObject* object)
{
    return qobject_cast<const QPlainTextEdit*>(object) != nullptr
        || qobject_cast<const QTextEdit*>(object) != nullptr;
}

bool isEmpty(const QMimeData* data)
{
    return data == nullptr || data->formats().isEmpty();
}

} // namespace

bool EmptyPaste::eventFilter(QObject* watched, QEvent* event)
{
    const auto has = [](QClipboard::Mode mode) {
        return !isEmpty(QGuiApplication::clipboard()->mimeData(mode));
    };
    switch (event->type()) {
    case QEvent::KeyPress:
        if (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Paste) && isText(watched)
            && !has(QClipboard::Clipboard))
            return true;
        break;
    case QEvent::MouseButtonRelease: // the middle one pastes what is selected somewhere
        if (static_cast<QMouseEvent*>(event)->button() == Qt::MiddleButton && isText(watched->parent())
            && !has(QClipboard::Selection))
            return true;
        break;
    case QEvent::Drop:
        if (isText(watched->parent()) && isEmpty(static_cast<QDropEvent*>(event)->mimeData()))
            return true;
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace loadstone::ui
