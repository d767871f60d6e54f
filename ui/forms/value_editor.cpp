// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/value_editor.h"

#include "format.h"
#include "forms/box_steps.h"
#include "forms/key_words.h"
#include "forms/typed_value.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

namespace loadstone::ui {

ValueEditor::ValueEditor(const KeyRow& row, QWidget* parent)
    : FieldEditor(row, parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    const bool isFlag = row.type == KeyType::flag;
    if (isFlag || !row.choices.empty()) {
        m_box = new QComboBox;
        if (!row.required)
            m_box->addItem(QString(), QString());
        if (isFlag) {
            m_box->addItem(tr("yes"), QStringLiteral("true"));
            m_box->addItem(tr("no"), QStringLiteral("false"));
        }
        for (const std::string_view choice : row.choices) {
            const QString words = ui::text(std::string(choice));
            m_box->addItem(words, words);
        }
        m_box->setEditable(row.type == KeyType::text);
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_box->setMinimumContentsLength(8);
        m_box->setFocusPolicy(Qt::StrongFocus);
        const auto* steps = new BoxSteps(m_box);
        connect(steps, &BoxSteps::passed, this, &ValueEditor::typed);
        connect(steps, &BoxSteps::chosen, this, &ValueEditor::done);
        if (m_box->isEditable()) {
            m_box->setInsertPolicy(QComboBox::NoInsert);
            m_line = m_box->lineEdit();
        }
        layout->addWidget(m_box);
    } else {
        m_line = new QLineEdit;
        layout->addWidget(m_line);
    }
    if (m_line != nullptr) {
        m_line->setPlaceholderText(row.type == KeyType::texts ? tr("one, another")
                : row.type == KeyType::text                   ? QString()
                                                              : hintOf(row));
        connect(m_line, &QLineEdit::textEdited, this, &ValueEditor::typed);
        connect(m_line, &QLineEdit::editingFinished, this, &ValueEditor::done);
    }
    dress();
    if (m_line != nullptr && m_box != nullptr)
        m_line->installEventFilter(this);
}

QWidget* ValueEditor::field() const
{
    return m_box != nullptr ? static_cast<QWidget*>(m_box) : m_line;
}

QString ValueEditor::text() const
{
    if (m_box == nullptr)
        return m_line->text();
    return m_box->isEditable() ? m_box->currentText() : m_box->currentData().toString();
}

void ValueEditor::setText(const QString& words)
{
    if (text() == words) {
        if (m_box == nullptr && m_line->isUndoAvailable()) {
            // What was typed stands in the document: from here on Ctrl+Z is the document's.
            const int cursor = m_line->cursorPosition();
            m_line->setText(words);
            m_line->setCursorPosition(cursor);
        }
        return;
    }
    if (m_box == nullptr) {
        m_line->setText(words);
        m_line->setCursorPosition(0);
        return;
    }
    int at = m_box->findData(words);
    if (at < 0 && !m_box->isEditable() && !words.isEmpty()) { // what the file has is shown, right or wrong
        m_box->addItem(words, words);
        at = m_box->count() - 1;
    }
    m_box->setCurrentIndex(at);
    if (m_box->isEditable())
        m_box->setEditText(words);
}

void ValueEditor::read(const Document& document, const std::string& path)
{
    const auto plain = document.getText(path);
    m_isForeign = !plain && document.has(path);
    m_shown = m_isForeign ? ui::text(document.get(path).value_or("…")) : ui::text(plain.value_or(""));
    setText(m_shown);
    setReadOnly(m_isReadOnly);
}

Result<void> ValueEditor::write(Document& document, const std::string& path) const
{
    if (m_isForeign || text() == m_shown)
        return {};
    const std::string value = bytes(text().trimmed());
    if (value.empty())
        return document.has(path) ? document.erase(path) : Result<void>();
    return document.getText(path) == value ? Result<void>() : writeTyped(document, path, value);
}

void ValueEditor::setReadOnly(bool readOnly)
{
    m_isReadOnly = readOnly;
    if (m_box != nullptr)
        m_box->setEnabled(!readOnly && !m_isForeign);
    else
        m_line->setReadOnly(readOnly || m_isForeign);
}

void ValueEditor::setWithoutIt(const QString& words)
{
    if (m_box != nullptr && !m_box->isEditable()) {
        QString shown = words;
        if (row().type == KeyType::flag && shown.endsWith(QLatin1String("true")))
            shown = shown.chopped(4) + tr("yes");
        else if (row().type == KeyType::flag && shown.endsWith(QLatin1String("false")))
            shown = shown.chopped(5) + tr("no");
        if (const int none = m_box->findData(QString()); none >= 0)
            m_box->setItemText(none, shown);
    } else if (m_line != nullptr) {
        const QString hint = row().type == KeyType::text ? QString() : hintOf(row());
        m_line->setPlaceholderText(words.isEmpty() ? hint : words);
    }
}

} // namespace loadstone::ui
