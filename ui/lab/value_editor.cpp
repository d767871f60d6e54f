// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/value_editor.h"

#include "format.h"
#include "lab/lab_model.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>

namespace loadstone::ui {

QString hintOf(const KeyRow& row)
{
    return ui::text(describeValue(row));
}

ValueEditor::ValueEditor(const KeyRow& row, QWidget* parent)
    : QWidget(parent)
    , m_row(row)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    const bool isFlag = row.type == KeyType::flag;
    if (isFlag || !row.choices.empty()) {
        m_box = new QComboBox;
        m_box->addItem(QString());
        if (isFlag)
            m_box->addItems({ QStringLiteral("true"), QStringLiteral("false") });
        for (const std::string_view choice : row.choices)
            m_box->addItem(ui::text(std::string(choice)));
        m_box->setEditable(row.type == KeyType::text);
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_box->setMinimumContentsLength(8);
        m_box->setFocusPolicy(Qt::StrongFocus);
        connect(m_box, &QComboBox::activated, this, &ValueEditor::done);
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
    field()->setAccessibleName(labelOf(row));
    field()->setAccessibleDescription(ui::text(std::string(row.help)));
    field()->installEventFilter(this);
    if (m_line != nullptr && m_box != nullptr)
        m_line->installEventFilter(this);
    setFocusProxy(field());
}

QWidget* ValueEditor::field() const
{
    return m_box != nullptr ? static_cast<QWidget*>(m_box) : m_line;
}

bool ValueEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        emit entered();
    // A wheel that scrolls the form changes no value.
    if (event->type() == QEvent::Wheel && m_box != nullptr && !m_box->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QString ValueEditor::text() const
{
    return m_box != nullptr ? m_box->currentText() : m_line->text();
}

void ValueEditor::setText(const QString& words)
{
    if (text() == words)
        return;
    if (m_box == nullptr) {
        m_line->setText(words);
        return;
    }
    int at = m_box->findText(words);
    if (at < 0 && !m_box->isEditable()) { // what the file has is shown, right or wrong
        m_box->addItem(words);
        at = m_box->count() - 1;
    }
    m_box->setCurrentIndex(at);
    if (m_box->isEditable())
        m_box->setEditText(words);
}

void ValueEditor::setReadOnly(bool readOnly)
{
    if (m_box != nullptr)
        m_box->setEnabled(!readOnly);
    else
        m_line->setReadOnly(readOnly);
}

void ValueEditor::setObjection(const QString& objection)
{
    field()->setToolTip(objection.isEmpty() ? ui::text(std::string(m_row.help)) : objection);
    field()->setStyleSheet(objection.isEmpty()
            ? QString()
            : QStringLiteral("QLineEdit, QComboBox { border: 1px solid #c0392b; }"));
}

} // namespace loadstone::ui
