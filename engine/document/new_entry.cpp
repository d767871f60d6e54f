// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/new_entry.h"

#include "document/key_names.h"

#include <algorithm>

namespace loadstone::document {

namespace {

using Kind = Statement::Kind;

/// The lines below a header with the line ends of the text and without blank lines at the end.
std::string asLines(const std::string& entry, const std::string& newLine)
{
    std::string lines;
    for (std::size_t at = 0; at < entry.size();) {
        const std::size_t end = std::min(entry.find('\n', at), entry.size());
        std::string_view line = std::string_view(entry).substr(at, end - at);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.append(line).append(newLine);
        at = end + 1;
    }
    while (lines.ends_with(newLine + newLine))
        lines.resize(lines.size() - newLine.size());
    return lines == newLine ? "" : lines;
}

/// Keys below a header as an inline table; nothing where they cannot be one.
std::optional<std::string> asInlineTable(const std::string& entry)
{
    const ParsedText parsed(entry);
    const Layout* const layout = parsed.layout();
    if (layout == nullptr)
        return std::nullopt;
    std::string table;
    for (const Statement& statement : layout->statements) {
        if (statement.kind == Kind::blank)
            continue;
        const std::string_view line = statement.lines.of(entry);
        const std::size_t behind = skipBlanks(entry, statement.value.end);
        if (statement.kind != Kind::pair || (behind < entry.size() && entry[behind] == '#'))
            return std::nullopt; // a comment would be lost
        const std::size_t begin = skipBlanks(line, 0);
        table += (table.empty() ? " " : ", ")
            + entry.substr(
                statement.lines.begin + begin, statement.value.end - statement.lines.begin - begin);
    }
    return table.empty() ? "{}" : "{" + table + " }";
}

} // namespace

Result<NewEntry> readEntry(const Path& list, const std::string& entry, const std::string& newLine)
{
    NewEntry read;
    read.lines = "[[" + spellDotted(list) + "]]" + newLine + asLines(entry, newLine);
    auto parsed = parseDocument(read.lines);
    if (const auto* wrong = std::get_if<SyntaxError>(&parsed))
        return fail("the new entry's line " + std::to_string(std::max(0, wrong->at.line - 1)) + ": "
            + wrong->message + "; " + wrong->remedy);
    Node* node = &std::get<Node>(parsed);
    // Nothing but the entry: one member on each level, and in the last list one item.
    for (const PathStep& step : list) {
        if (!std::holds_alternative<std::string>(step))
            continue;
        Node* const below = node->members.size() == 1 ? followMutable(*node, { step }) : nullptr;
        if (below == nullptr)
            return fail("the new entry has a header that is not below [[" + spellDotted(list) + "]]");
        node = below;
    }
    if (node->items.size() != 1)
        return fail("the new entry is more than one");
    read.node = std::move(node->items.front());
    if (const auto layout = readLayout(read.lines))
        read.last = layout->statements.back().kind;
    return read;
}

Result<std::pair<std::string, Node>> elementOf(const std::string& entry, const Node* list)
{
    if (auto value = parseValue(entry))
        return std::pair { entry, *std::move(value) };
    const bool ofTables =
        list == nullptr || list->items.empty() || list->items.front().kind == Node::Kind::table;
    if (!ofTables)
        return parseValue(entry).error();
    const auto table = asInlineTable(entry);
    if (!table)
        return fail(
            "the list is written in brackets, and the new entry has comments or tables of its own or is "
            "not TOML; write the list's entries with headers first");
    auto value = parseValue(*table);
    if (!value)
        return value.error();
    return std::pair { *table, *std::move(value) };
}

} // namespace loadstone::document
