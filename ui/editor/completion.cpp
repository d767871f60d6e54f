// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/completion.h"

#include "format.h"

#include <algorithm>
#include <optional>

namespace loadstone::ui {

namespace {

constexpr std::size_t kMost = 200; // suggestions in one list

bool isTable(const KeyRow& row)
{
    return row.type == KeyType::table || row.type == KeyType::tables;
}

bool isQuoted(const KeyRow& row)
{
    switch (row.type) {
    case KeyType::flag:
    case KeyType::integer:
    case KeyType::number:
    case KeyType::texts:
    case KeyType::numbers:
    case KeyType::date:
    case KeyType::table:
    case KeyType::tables:
        return false;
    default:
        return true;
    }
}

QString text(std::string_view words)
{
    return ui::text(std::string(words));
}

std::string lastWord(std::string_view path)
{
    const auto dot = path.rfind('.');
    return std::string(dot == std::string_view::npos ? path : path.substr(dot + 1));
}

/// The value of another key, in the same entry or of the whole file; none: it has none, not even by default.
std::optional<std::string> valueOf(
    FileKind kind, std::string_view key, const TomlContext& context, const Document& whole)
{
    const std::string prefix = context.table.empty() ? std::string() : context.table + ".";
    if (key.starts_with(prefix))
        if (const auto own = context.stated.find(std::string(key.substr(prefix.size())));
            own != context.stated.end())
            return own->second;
    if (key.find("[]") == std::string_view::npos)
        if (const auto stated = whole.getText(key))
            return stated;
    const KeyRow* row = findKey(kind, key);
    if (row == nullptr || row->fallback.empty())
        return std::nullopt;
    return std::string(row->fallback);
}

bool applies(FileKind kind, const KeyRow& row, const TomlContext& context, const Document& whole)
{
    return std::all_of(row.when.begin(), row.when.end(), [&](const KeyCondition& condition) {
        if (condition.values.empty()) // where the key is stated; a table cannot be seen from here
            return true;
        const auto value = valueOf(kind, condition.key, context, whole);
        return !value
            || std::find(condition.values.begin(), condition.values.end(), *value) != condition.values.end();
    });
}

bool fits(const std::string& word, const std::string& typed)
{
    return text(word).contains(text(typed), Qt::CaseInsensitive);
}

void addKeys(FileKind kind, const TomlContext& context, const Document& whole, std::vector<Suggestion>& out)
{
    std::vector<Suggestion> rare;
    for (const KeyRow* row : keysBelow(kind, context.table)) {
        const std::string key = lastWord(row->path);
        if (isTable(*row) || key == "*" || !fits(key, context.typed) || context.stated.contains(key)
            || !applies(kind, *row, context, whole))
            continue;
        const bool list = row->type == KeyType::texts || row->type == KeyType::numbers;
        const bool inside = list || (isQuoted(*row) && row->type != KeyType::choice);
        Suggestion one { text(key),
            text(key)
                + (list          ? QStringLiteral(" = []")
                        : inside ? QStringLiteral(" = \"\"")
                                 : QStringLiteral(" = ")),
            text(row->help), inside ? 1 : 0 };
        (row->rare ? rare : out).push_back(std::move(one));
    }
    out.insert(out.end(), rare.begin(), rare.end());
}

void addValues(FileKind kind, const TomlContext& context, std::vector<Suggestion>& out)
{
    const KeyRow* row = findKey(kind, context.path);
    if (row == nullptr)
        return;
    const auto add = [&](std::string_view value, const QString& help) {
        if (!fits(std::string(value), context.typed))
            return;
        const bool quotes = isQuoted(*row) && !context.quoted;
        out.push_back(
            { text(value), quotes ? QStringLiteral("\"%1\"").arg(text(value)) : text(value), help });
    };
    for (const std::string_view choice : row->choices)
        add(choice, choice == row->fallback ? QStringLiteral("the default") : QString());
    if (row->type == KeyType::flag)
        for (const char* value : { "true", "false" })
            add(value, value == row->fallback ? QStringLiteral("the default") : QString());
    if (row->choices.empty() && row->type != KeyType::flag && !row->fallback.empty())
        add(row->fallback, QStringLiteral("the default"));
}

void addTables(FileKind kind, const TomlContext& context, const Document& whole, std::vector<Suggestion>& out)
{
    for (const KeyRow& row : keysOf(kind)) {
        if (!isTable(row) || row.path.find('*') != std::string_view::npos)
            continue;
        QString path = text(row.path);
        path.remove(QStringLiteral("[]"));
        const bool isOfKind = path.contains(QLatin1Char('['));
        if (isOfKind || !fits(bytes(path), context.typed) || !applies(kind, row, context, whole))
            continue;
        const bool list = row.type == KeyType::tables;
        out.push_back({ path, list ? QStringLiteral("[[%1]]").arg(path) : QStringLiteral("[%1]").arg(path),
            text(row.help) });
    }
}

} // namespace

std::vector<Suggestion> suggestionsAt(FileKind kind, const TomlContext& context, const Document& whole)
{
    std::vector<Suggestion> all;
    switch (context.place) {
    case TomlContext::Place::key:
        addKeys(kind, context, whole, all);
        break;
    case TomlContext::Place::value:
        addValues(kind, context, all);
        break;
    case TomlContext::Place::header:
        addTables(kind, context, whole, all);
        break;
    case TomlContext::Place::nothing:
        break;
    }
    // What begins with what is typed stands first; the table's own order is kept otherwise.
    const QString typed = text(context.typed);
    std::stable_partition(all.begin(), all.end(),
        [&](const Suggestion& one) { return one.words.startsWith(typed, Qt::CaseInsensitive); });
    if (all.size() > kMost)
        all.resize(kMost);
    return all;
}

QString helpAt(FileKind kind, const TomlContext& context)
{
    const KeyRow* row = context.path.empty() ? nullptr : findKey(kind, context.path);
    if (row == nullptr)
        return {};
    const QString name = text(row->path);
    const QString when = text(describeConditions(*row));
    QString words = QStringLiteral("%1: %2").arg(name, text(describeKey(*row)));
    if (!row->help.empty())
        words += QStringLiteral(". ") + text(row->help);
    if (!when.isEmpty())
        words += QStringLiteral(" Where %1.").arg(when);
    return words;
}

} // namespace loadstone::ui
