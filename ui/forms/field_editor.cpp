// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/field_editor.h"

#include "format.h"
#include "forms/key_words.h"
#include "forms/list_editor.h"
#include "forms/map_editor.h"
#include "forms/secret_editor.h"
#include "forms/text_editor.h"
#include "forms/value_editor.h"

#include <QEvent>

#include <algorithm>
#include <array>

namespace loadstone::ui {

FieldEditor::~FieldEditor()
{
    // A line that has the keyboard says while it goes that it was edited, to an editor of which little is left.
    for (QWidget* inner : findChildren<QWidget*>())
        inner->disconnect(this);
}

void FieldEditor::setObjection(const QString& objection)
{
    field()->setToolTip(objection.isEmpty() ? text(std::string(m_row.help)) : objection);
    field()->setStyleSheet(objection.isEmpty()
            ? QString()
            : QStringLiteral("QLineEdit, QComboBox, QPlainTextEdit { border: 1px solid #c0392b; }"));
}

void FieldEditor::dress()
{
    field()->setAccessibleName(labelOf(m_row));
    field()->setAccessibleDescription(text(std::string(m_row.help)));
    field()->setToolTip(text(std::string(m_row.help)));
    field()->installEventFilter(this);
    setFocusProxy(field());
}

bool FieldEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        emit entered();
    return QWidget::eventFilter(watched, event);
}

FieldEditor* makeFieldEditor(const KeyRow& row, QWidget* parent)
{
    constexpr std::array kLong { "description", "text", "command" };
    switch (row.type) {
    case KeyType::texts:
    case KeyType::numbers:
        return new ListEditor(row, parent);
    case KeyType::secret:
        return new SecretEditor(row, parent);
    case KeyType::table: // of names that a person chooses
        return new MapEditor(row, parent);
    case KeyType::text:
        if (std::ranges::find(kLong, keyOf(row)) != kLong.end())
            return new TextEditor(row, parent);
        break;
    default:
        break;
    }
    return new ValueEditor(row, parent);
}

} // namespace loadstone::ui
