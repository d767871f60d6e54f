// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/map_editor.h"

#include "format.h"
#include "forms/key_words.h"

#include <loadstone/key.h>

#include <QEvent>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr int kLines = 3;

std::string keyPath(const std::string& table, const std::string& key)
{
    const bool isBare = !key.empty() && std::ranges::all_of(key, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '-';
    });
    return table + "." + (isBare ? key : tomlText(key));
}

/// Whether each name has a list of texts, by the table of keys; else it has one text.
bool hasLists(FileKind kind, const std::string& path)
{
    const KeyRow* row = findKey(kind, genericPath(path) + ".*");
    return row == nullptr || row->type != KeyType::text;
}

QString exampleOf(const std::string& path)
{
    const std::string key = lastKeyOf(path);
    if (key == "actions")
        return MapEditor::tr("Send message = 12");
    if (key == "conditions")
        return MapEditor::tr("page-size = 4 KB");
    return MapEditor::tr("IS Database = sda, sdb");
}

} // namespace

MapEditor::MapEditor(const KeyRow& row, QWidget* parent)
    : FieldEditor(row, parent)
    , m_text(new QPlainTextEdit)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFixedHeight(kLines * fontMetrics().lineSpacing() + 14);
    m_text->setPlaceholderText(exampleOf(std::string(row.path)));
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_reading)
            emit typed();
    });
    dress();
}

QWidget* MapEditor::field() const
{
    return m_text;
}

bool MapEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        emit done();
    return FieldEditor::eventFilter(watched, event);
}

void MapEditor::read(const Document& document, const std::string& path)
{
    m_shown.clear();
    m_isForeign = false;
    m_hasLists = hasLists(document.kind(), path);
    QStringList lines;
    for (const std::string& key : document.keys(path)) {
        QStringList texts;
        const std::string own = keyPath(path, key);
        const std::size_t count = m_hasLists ? document.size(own) : 1;
        m_isForeign = m_isForeign || count == 0 || key.find_first_of("=\n") != std::string::npos;
        for (std::size_t i = 0; i < count; ++i) {
            const auto element = document.getText(m_hasLists ? own + "[" + std::to_string(i) + "]" : own);
            m_isForeign = m_isForeign || !element || element->find('\n') != std::string::npos
                || (m_hasLists && element->find(',') != std::string::npos);
            texts.append(text(element.value_or("")));
        }
        m_shown.emplace_back(key, bytes(texts.join(QStringLiteral(", "))));
        lines.append(QStringLiteral("%1 = %2").arg(text(key), text(m_shown.back().second)));
    }
    m_reading = true;
    const QString words = lines.join(QLatin1Char('\n'));
    if (m_text->toPlainText() != words)
        m_text->setPlainText(words);
    m_reading = false;
    setReadOnly(m_isReadOnly);
}

Result<MapEditor::Entries> MapEditor::entered() const
{
    Entries entries;
    for (const QString& line : m_text->toPlainText().split(QLatin1Char('\n'))) {
        if (line.trimmed().isEmpty())
            continue;
        const auto sign = line.indexOf(QLatin1Char('='));
        const QString name = line.left(sign).trimmed(), texts = line.mid(sign + 1).trimmed();
        if (sign < 0 || name.isEmpty() || texts.isEmpty())
            return fail("\"" + bytes(line.trimmed()) + "\" is not "
                + (m_hasLists ? "NAME = ONE, ANOTHER" : "NAME = VALUE"));
        entries.emplace_back(bytes(name), bytes(texts));
    }
    return entries;
}

Result<void> MapEditor::write(Document& document, const std::string& path) const
{
    const auto now = entered();
    if (!now)
        return now.error();
    if (m_isForeign || *now == m_shown)
        return {};
    return document.change(path, [&](Document& changed) -> Result<void> {
        for (const auto& [key, texts] : m_shown)
            if (std::ranges::find(*now, key, &Entries::value_type::first) == now->end())
                if (const auto gone = changed.erase(keyPath(path, key)); !gone)
                    return gone;
        for (const auto& entry : *now)
            if (std::ranges::find(m_shown, entry) == m_shown.end())
                if (const auto written = changed.setText(keyPath(path, entry.first), entry.second); !written)
                    return written;
        return {};
    });
}

void MapEditor::setReadOnly(bool readOnly)
{
    m_isReadOnly = readOnly;
    m_text->setReadOnly(readOnly || m_isForeign);
}

void MapEditor::setWithoutIt(const QString&) { }

} // namespace loadstone::ui
