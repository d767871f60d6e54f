// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/text_editor.h"

#include "format.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {
constexpr int kLines = 3;
}

TextEditor::TextEditor(const KeyRow& row, QWidget* parent)
    : FieldEditor(row, parent)
    , m_text(new QPlainTextEdit)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(kLines * fontMetrics().lineSpacing() + 14);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_reading)
            emit typed();
    });
    dress();
}

QWidget* TextEditor::field() const
{
    return m_text;
}

bool TextEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        emit done();
    return FieldEditor::eventFilter(watched, event);
}

void TextEditor::read(const Document& document, const std::string& path)
{
    const QString now = text(document.getText(path).value_or(""));
    m_reading = true;
    if (m_text->toPlainText() != now)
        m_text->setPlainText(now);
    m_reading = false;
    m_shown = m_text->toPlainText(); // line ends are the field's own
}

Result<void> TextEditor::write(Document& document, const std::string& path) const
{
    const QString now = m_text->toPlainText();
    if (now == m_shown)
        return {};
    if (now.trimmed().isEmpty())
        return document.has(path) ? document.erase(path) : Result<void>();
    return document.setText(path, bytes(now));
}

void TextEditor::setReadOnly(bool readOnly)
{
    m_text->setReadOnly(readOnly);
}

void TextEditor::setWithoutIt(const QString& words)
{
    m_text->setPlaceholderText(words);
}

} // namespace loadstone::ui
