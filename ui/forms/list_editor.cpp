// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/list_editor.h"

#include "format.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr int kLines = 3;

std::string elementAt(const std::string& path, std::size_t at)
{
    return path + "[" + std::to_string(at) + "]";
}

/// A new element with backslashes is written between single quotes, as people write such names.
Result<void> spellWell(Document& document, const std::string& path, const QString& element, KeyType type)
{
    return type == KeyType::texts && element.contains(QLatin1Char('\\'))
        ? document.setText(path, bytes(element))
        : Result<void>();
}

} // namespace

ListEditor::ListEditor(const KeyRow& row, QWidget* parent)
    : FieldEditor(row, parent)
    , m_text(new QPlainTextEdit)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFixedHeight(kLines * fontMetrics().lineSpacing() + 14);
    m_text->setPlaceholderText(tr("one on each line"));
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_reading)
            emit typed();
    });
    dress();
}

QWidget* ListEditor::field() const
{
    return m_text;
}

bool ListEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        emit done();
    return FieldEditor::eventFilter(watched, event);
}

void ListEditor::read(const Document& document, const std::string& path)
{
    m_isForeign = document.has(path) && document.size(path) == 0 && document.get(path).value_or("") != "[]";
    m_shown.clear();
    for (std::size_t i = 0; i < document.size(path); ++i) {
        const auto element = document.getText(elementAt(path, i));
        m_isForeign = m_isForeign || !element || element->find('\n') != std::string::npos
            || text(*element).trimmed() != text(*element) || element->empty();
        m_shown.append(text(element.value_or("")));
    }
    m_reading = true;
    const QString words =
        m_isForeign ? text(document.get(path).value_or("…")) : m_shown.join(QLatin1Char('\n'));
    if (m_text->toPlainText() != words)
        m_text->setPlainText(words);
    m_reading = false;
    setReadOnly(m_isReadOnly);
}

QStringList ListEditor::entered() const
{
    QStringList elements;
    for (const QString& line : m_text->toPlainText().split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty())
            elements.append(line.trimmed());
    return elements;
}

std::string ListEditor::spelled(const QString& element) const
{
    // What is not a number is kept as a text, and the document's problems name it.
    static const QRegularExpression number(
        QStringLiteral("^[+-]?[0-9][0-9_]*([.][0-9_]+)?([eE][+-]?[0-9]+)?$"));
    return row().type == KeyType::numbers && number.match(element).hasMatch() ? bytes(element)
                                                                              : tomlText(bytes(element));
}

std::string ListEditor::spelledWhole(const QStringList& elements) const
{
    std::string list;
    for (const QString& element : elements)
        list += (list.empty() ? "" : ", ") + spelled(element);
    return "[" + list + "]";
}

Result<void> ListEditor::write(Document& document, const std::string& path) const
{
    const QStringList now = entered();
    if (m_isForeign || now == m_shown)
        return {};
    if (now.isEmpty())
        return document.has(path) ? document.erase(path) : Result<void>();
    const bool isThere = document.size(path) > 0;
    return document.change(path, [&](Document& changed) -> Result<void> {
        if (!isThere) {
            if (const auto made = changed.set(path, spelledWhole(now)); !made)
                return made;
            for (qsizetype i = 0; i < now.size(); ++i)
                if (const auto well =
                        spellWell(changed, elementAt(path, static_cast<std::size_t>(i)), now[i], row().type);
                    !well)
                    return well;
            return {};
        }
        // What is the same at both ends stays as it is written.
        qsizetype begin = 0, same = 0;
        const qsizetype shorter = std::min(now.size(), m_shown.size());
        while (begin < shorter && now[begin] == m_shown[begin])
            ++begin;
        while (same < shorter - begin && now[now.size() - 1 - same] == m_shown[m_shown.size() - 1 - same])
            ++same;
        const qsizetype oldEnd = m_shown.size() - same, newEnd = now.size() - same;
        for (qsizetype i = oldEnd; i > newEnd && i > begin; --i)
            if (const auto gone = changed.remove(path, static_cast<std::size_t>(i - 1)); !gone)
                return gone;
        for (qsizetype i = begin; i < newEnd; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const auto written = i < oldEnd
                ? (row().type == KeyType::numbers ? changed.set(elementAt(path, at), bytes(now[i]))
                                                  : changed.setText(elementAt(path, at), bytes(now[i])))
                : changed.insert(path, at, spelled(now[i]));
            if (!written)
                return written;
            if (const auto well = spellWell(changed, elementAt(path, at), now[i], row().type); !well)
                return well;
        }
        return {};
    });
}

void ListEditor::setReadOnly(bool readOnly)
{
    m_isReadOnly = readOnly;
    m_text->setReadOnly(readOnly || m_isForeign);
}

void ListEditor::setWithoutIt(const QString& words)
{
    m_text->setPlaceholderText(words.isEmpty() ? tr("one on each line") : words);
}

} // namespace loadstone::ui
