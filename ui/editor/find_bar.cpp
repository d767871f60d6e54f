// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>

namespace loadstone::ui {

FindBar::FindBar(QPlainTextEdit& text, QWidget* parent)
    : QWidget(parent)
    , m_text(text)
    , m_field(new QLineEdit)
    , m_found(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_field->setPlaceholderText(tr("Find (Enter: next, Shift+Enter: previous)"));
    m_field->setAccessibleName(tr("Find in the text"));
    m_field->setClearButtonEnabled(true);
    auto* close = new QToolButton;
    close->setText(tr("Close"));
    close->setAutoRaise(true);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_found);
    layout->addWidget(close);
    m_field->installEventFilter(this);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        m_text.setFocus();
    });
    hide();
}

void FindBar::open()
{
    show();
    if (const QString chosen = m_text.textCursor().selectedText(); !chosen.isEmpty())
        m_field->setText(chosen);
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindBar::find(bool backwards)
{
    const QTextDocument::FindFlags flags =
        backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    m_found->clear();
    if (m_field->text().isEmpty() || m_text.find(m_field->text(), flags))
        return;
    const QTextCursor before = m_text.textCursor();
    m_text.moveCursor(backwards ? QTextCursor::End : QTextCursor::Start); // round the end
    if (m_text.find(m_field->text(), flags))
        return;
    m_text.setTextCursor(before);
    m_found->setText(tr("not found"));
}

bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            find((key->modifiers() & Qt::ShiftModifier) != 0);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            hide();
            m_text.setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace loadstone::ui
