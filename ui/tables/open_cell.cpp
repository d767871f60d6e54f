// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/open_cell.h"

#include <QAbstractItemDelegate>
#include <QAbstractItemView>
#include <QPointer>

namespace loadstone::ui {

void closeOpenCell(const QWidget& within)
{
    QWidget* const focus = within.window()->focusWidget();
    if (focus == nullptr || !within.isAncestorOf(focus))
        return;
    for (QPointer<QWidget> editor = focus; editor.data() != &within; editor = editor->parentWidget()) {
        QWidget* const parent = editor->parentWidget();
        auto* view = qobject_cast<QAbstractItemView*>(parent->parentWidget());
        if (view == nullptr || view->viewport() != parent)
            continue;
        QAbstractItemDelegate* const delegate = view->itemDelegateForIndex(view->currentIndex());
        emit delegate->commitData(editor);
        if (editor) // a model that is reset has closed it
            emit delegate->closeEditor(editor, QAbstractItemDelegate::NoHint);
        return;
    }
}

} // namespace loadstone::ui
