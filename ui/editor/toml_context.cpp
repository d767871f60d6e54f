// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/toml_context.h"

#include "run/tabs/plan_highlighter.h"

#include <QRegularExpression>
#include <QTextBlock>

#include <vector>

namespace loadstone::ui {

namespace {

constexpr int kFarthest = 5'000; // lines that are read for a table's header and keys, up and down

bool isText(const QTextBlock& block)
{
    return block.previous().userState() <= PlanHighlighter::text;
}

/// The words of a header; empty: the line is none.
std::string headerOf(const QTextBlock& block)
{
    static const QRegularExpression header(
        QStringLiteral("^\\s*\\[\\[?\\s*([^\\[\\],]+?)\\s*\\]?\\]?\\s*(?:#.*)?$"));
    if (!block.isValid() || !isText(block))
        return {};
    const auto m = header.match(block.text());
    return m.hasMatch() ? m.captured(1).toStdString() : std::string();
}

/// Key and value of a line such as `clients = 4 # four`.
bool readPair(const QTextBlock& block, std::string& key, std::string& value)
{
    static const QRegularExpression pair(
        QStringLiteral("^\\s*([A-Za-z0-9_.-]+)\\s*=\\s*(\"[^\"]*\"|'[^']*'|[^#]*)"));
    if (!isText(block))
        return false;
    const auto m = pair.match(block.text());
    if (!m.hasMatch())
        return false;
    key = m.captured(1).toStdString();
    QString written = m.captured(2).trimmed();
    if (written.size() >= 2
        && (written.startsWith(QLatin1Char('"')) || written.startsWith(QLatin1Char('\''))))
        written = written.mid(1, written.size() - 2);
    value = written.toStdString();
    return true;
}

void addPair(const QTextBlock& block, const QTextBlock& except, std::map<std::string, std::string>& pairs)
{
    std::string key, value;
    if (block != except && readPair(block, key, value))
        pairs.emplace(key, value);
}

std::string joined(const std::string& table, const std::string& key)
{
    return table.empty() ? key : table + "." + key;
}

/// What stands on the line to the left of the cursor, taken apart.
class LineReader {
public:
    LineReader(FileKind kind, const QString& line, int column, TomlContext& context)
        : m_kind(kind)
        , m_line(line)
        , m_column(std::min(column, static_cast<int>(line.size())))
        , m_context(context)
    {
    }

    void read()
    {
        QChar quote;
        for (int i = 0; i < m_column; ++i) {
            const QChar c = m_line[i];
            if (!quote.isNull()) {
                if (c == QLatin1Char('\\') && quote == QLatin1Char('"'))
                    ++i;
                else if (c == quote)
                    quote = QChar();
                continue;
            }
            if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
                quote = c;
                m_quoteAt = i;
            } else if (c == QLatin1Char('#')) {
                m_context.place = TomlContext::Place::nothing;
                return;
            } else {
                take(c, i);
            }
        }
        m_context.quoted = !quote.isNull();
        finish();
    }

private:
    void take(QChar c, int at)
    {
        if (c == QLatin1Char('=') && m_inKey) {
            m_key = m_line.mid(m_begin, at - m_begin).trimmed().toStdString();
            m_inKey = false;
            m_begin = at + 1;
        } else if (c == QLatin1Char('{') && !m_inKey) {
            m_tables.push_back({ m_context.table, m_key, m_brackets });
            m_context.table = rowPath(m_kind, m_key, m_context.table);
            m_context.stated.clear();
            m_inKey = true;
            m_begin = at + 1;
        } else if (c == QLatin1Char('}') && !m_tables.empty()) {
            m_context.table = m_tables.back().table;
            m_key = m_tables.back().key;
            m_tables.pop_back();
            m_inKey = false;
            m_begin = at + 1;
        } else if (c == QLatin1Char('[') && !m_inKey) {
            ++m_brackets;
            m_begin = at + 1;
        } else if (c == QLatin1Char(']') && !m_inKey) {
            --m_brackets;
            m_begin = at + 1;
        } else if (c == QLatin1Char(',')) {
            m_inKey = !m_tables.empty() && m_tables.back().brackets == m_brackets;
            m_begin = at + 1;
        }
    }

    void finish()
    {
        int from = m_context.quoted && m_quoteAt >= m_begin ? m_quoteAt + 1 : m_begin;
        while (from < m_column && m_line[from].isSpace())
            ++from;
        int to = m_column;
        while (to < m_line.size() && (m_line[to].isLetterOrNumber() || m_line[to] == QLatin1Char('_')))
            ++to;
        if (m_inKey) {
            m_context.place = TomlContext::Place::key;
            if (const auto dot = m_line.left(m_column).lastIndexOf(QLatin1Char('.')); dot >= from) {
                m_context.table =
                    rowPath(m_kind, m_line.mid(from, dot - from).trimmed().toStdString(), m_context.table);
                m_context.stated.clear();
                from = static_cast<int>(dot) + 1;
            }
            m_context.path = joined(m_context.table, m_line.mid(from, to - from).trimmed().toStdString());
        } else {
            m_context.place = TomlContext::Place::value;
            m_context.path = joined(m_context.table, m_key);
            if (m_context.quoted) // all of a text that has its end
                if (const auto end = m_line.indexOf(m_line[m_quoteAt], m_column); end >= 0)
                    to = static_cast<int>(end);
        }
        m_context.from = from;
        m_context.to = to;
        m_context.typed = m_line.mid(from, m_column - from).toStdString();
    }

    struct Inline {
        std::string table, key;
        int brackets;
    };
    FileKind m_kind;
    const QString& m_line;
    int m_column;
    TomlContext& m_context;
    std::vector<Inline> m_tables;
    std::string m_key;
    bool m_inKey = true;
    int m_begin = 0, m_brackets = 0, m_quoteAt = -1;
};

} // namespace

std::string rowPath(FileKind kind, const std::string& dotted, const std::string& below)
{
    std::string path = below;
    const QStringList words = QString::fromStdString(dotted).split(QLatin1Char('.'));
    for (const QString& word : words) {
        const std::string key = word.trimmed().toStdString();
        path = joined(path, key);
        if (const KeyRow* row = findKey(kind, path); row != nullptr && row->type == KeyType::tables)
            path += "[]";
    }
    return path;
}

TomlContext contextAt(FileKind kind, const QTextBlock& block, int column)
{
    TomlContext context;
    if (!block.isValid() || !isText(block))
        return context;
    QTextBlock above = block;
    std::string header;
    for (int i = 0; i < kFarthest && above.isValid(); ++i, above = above.previous()) {
        if (header = headerOf(above); !header.empty())
            break;
        addPair(above, block, context.stated);
    }
    const bool inHeader = above == block && !header.empty();
    QTextBlock below = block.next();
    for (int i = 0; i < kFarthest && below.isValid() && headerOf(below).empty(); ++i, below = below.next())
        addPair(below, block, context.stated);
    context.table = header.empty() ? std::string() : rowPath(kind, header);
    if (kind == FileKind::lab && context.table == "item[]")
        if (const auto item = context.stated.find("kind"); item != context.stated.end())
            context.table = "item[" + item->second + "]";

    const QString line = block.text();
    const QString left = line.left(column).trimmed();
    if (inHeader || left.startsWith(QLatin1Char('['))) {
        if (left.contains(QLatin1Char('#')))
            return context;
        context.place = TomlContext::Place::header;
        context.path =
            context.table.ends_with("[]") ? context.table.substr(0, context.table.size() - 2) : context.table;
        context.from = static_cast<int>(line.indexOf(QLatin1Char('[')));
        context.to = static_cast<int>(line.size());
        QString typed = left;
        typed.remove(QLatin1Char('[')).remove(QLatin1Char(']'));
        context.typed = typed.trimmed().toStdString();
        return context;
    }
    LineReader(kind, line, column, context).read();
    return context;
}

} // namespace loadstone::ui
