// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/note_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace loadstone::ui {

NoteDialog::NoteDialog(const QString& title, const QString& note, QWidget* parent)
    : QDialog(parent)
    , m_note(new QPlainTextEdit(note))
{
    setWindowTitle(tr("Note"));
    resize(560, 260);
    auto* layout = new QVBoxLayout(this);
    auto* label = new QLabel(tr("Note on \"%1\":").arg(title));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setBuddy(m_note);
    layout->addWidget(label);
    m_note->setTabChangesFocus(true);
    m_note->moveCursor(QTextCursor::End);
    layout->addWidget(m_note, 1);
    m_before = m_note->toPlainText(); // without what the field does not keep
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setToolTip(tr("Saves the note (Ctrl+Enter)"));
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &NoteDialog::reject);
    auto* save = new QAction(this);
    save->setShortcuts({ QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter) });
    addAction(save);
    connect(save, &QAction::triggered, this, &QDialog::accept);
}

QString NoteDialog::note() const
{
    return m_note->toPlainText();
}

void NoteDialog::reject()
{
    if (note() != m_before) {
        QMessageBox box(
            QMessageBox::Question, tr("Note"), tr("The note was changed."), QMessageBox::Cancel, this);
        box.setInformativeText(tr("Throw the change away?"));
        auto* away = box.addButton(tr("&Throw away"), QMessageBox::DestructiveRole);
        box.setDefaultButton(QMessageBox::Cancel);
        box.exec();
        if (box.clickedButton() != away)
            return;
    }
    QDialog::reject();
    // Of two windows that close at once, some window managers give the focus to none.
    if (parentWidget() != nullptr)
        parentWidget()->activateWindow();
}

} // namespace loadstone::ui
