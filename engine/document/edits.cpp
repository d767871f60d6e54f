// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Setting and erasing. A value that exists is replaced by its region of the text. A missing key is written at the end of its table; as a
// table can be spelled in several ways (header, inline, dotted keys, only implied by a header further down), the place depends on how
// the text spells it, and a parse has the last word.

#include "document/edits.h"

#include "document/assembly.h"
#include "document/inline_edits.h"

#include <algorithm>

namespace loadstone::document {

namespace {

using Kind = Statement::Kind;

Error noPlace(const Path& path)
{
    return fail("the layout of the text leaves no place for " + spellPath(path)
        + "; write its table with its own header");
}

/// A line of its own behind the line or lines of a statement, in whose manner the text's last line ends.
std::string withLineAfter(const ParsedText& from, const Statement& statement, const std::string& line)
{
    const std::string& text = from.text();
    const std::string& newLine = from.layout()->newLine;
    const std::size_t end = statement.lines.end;
    const bool open = !text.substr(0, end).ends_with('\n');
    return text.substr(0, end) + (open ? newLine : "") + line + (open ? "" : newLine) + text.substr(end);
}

std::string indentOf(const ParsedText& from, const Statement& statement)
{
    const std::string& text = from.text();
    const auto begin = statement.lines.begin;
    return text.substr(begin, skipBlanks(text, begin) - begin);
}

/// Finds the place of a new key.
class NewKey {
public:
    NewKey(const ParsedText& from, const Path& path, const std::string& toml)
        : m_from(from)
        , m_layout(*from.layout())
        , m_path(path)
        , m_table(parentOf(path))
        , m_toml(toml)
    {
    }

    /// The text with the key; empty where there is no place.
    [[nodiscard]] std::string written() const
    {
        for (std::size_t i = 1; i < m_layout.blocks.size(); ++i)
            if (m_layout.blocks[i].path == m_table)
                return inBlock(i);
        if (m_table.empty())
            return atTop();
        if (const Statement* last = lastPairBelow(m_table))
            return besideDotted(*last, m_table.size());
        if (const Path around = nearestTable(); around.size() < m_table.size())
            if (const Statement* last = dottedTable(around))
                return besideDotted(*last, around.size());
        return underNewHeader();
    }

private:
    [[nodiscard]] std::string line(std::size_t from) const
    {
        return spellDotted(m_path, from) + " = " + m_toml;
    }

    [[nodiscard]] std::string inBlock(std::size_t block) const
    {
        const std::size_t header = m_layout.blocks[block].header;
        const Statement* last = &m_layout.statements[header];
        for (std::size_t i = header; i < m_layout.blocks[block].end; ++i)
            if (m_layout.statements[i].kind == Kind::pair)
                last = &m_layout.statements[i];
        return withLineAfter(m_from, *last, indentOf(m_from, *last) + line(m_path.size() - 1));
    }

    [[nodiscard]] std::string atTop() const
    {
        const Statement* last = nullptr;
        for (std::size_t i = 0; i < m_layout.blocks.front().end; ++i)
            if (m_layout.statements[i].kind == Kind::pair)
                last = &m_layout.statements[i];
        if (last != nullptr)
            return withLineAfter(m_from, *last, indentOf(m_from, *last) + line(m_path.size() - 1));
        Assembly out(m_from.text(), m_layout);
        const std::size_t all = m_layout.statements.size();
        const std::size_t first = m_layout.blocks.size() > 1 ? m_layout.blocks[1].begin : all;
        out.keep(0, first);
        out.join(true);
        out.add(line(m_path.size() - 1) + m_layout.newLine, Kind::pair);
        out.join(true);
        out.keep(first, all);
        return out.take();
    }

    /// The last of the dotted keys below a path.
    [[nodiscard]] const Statement* lastPairBelow(const Path& path) const
    {
        const Statement* last = nullptr;
        for (const Statement& statement : m_layout.statements)
            if (statement.kind == Kind::pair && m_layout.blocks[statement.block].path.size() < path.size()
                && m_layout.isBelow(statement, path))
                last = &statement;
        return last;
    }

    /// A pair of a table that has no header: one of its dotted keys.
    [[nodiscard]] const Statement* dottedTable(const Path& path) const
    {
        const auto isHeaded = [&](const Block& block) { return startsWith(block.path, path); };
        if (std::any_of(m_layout.blocks.begin(), m_layout.blocks.end(), isHeaded))
            return nullptr;
        return lastPairBelow(path);
    }

    [[nodiscard]] std::string besideDotted(const Statement& beside, std::size_t atMost) const
    {
        const std::size_t from = m_layout.blocks[beside.block].path.size();
        if (from > atMost)
            return {};
        return withLineAfter(m_from, beside, indentOf(m_from, beside) + line(from));
    }

    /// The deepest table around the key that exists.
    [[nodiscard]] Path nearestTable() const
    {
        Path around = m_table;
        while (!around.empty() && follow(*m_from.root(), around) == nullptr)
            around.pop_back();
        return around;
    }

    [[nodiscard]] std::string underNewHeader() const
    {
        const Path around = nearestTable();
        std::size_t end = 0;
        for (const Block& block : m_layout.blocks)
            if (startsWith(block.path, around))
                end = block.end;
        if (around.empty() && m_layout.blocks.size() == 1)
            end = m_layout.statements.size();
        const std::string& newLine = m_layout.newLine;
        Assembly out(m_from.text(), m_layout);
        out.keep(0, end);
        out.join(true);
        out.add("[" + spellDotted(m_table) + "]" + newLine + line(m_path.size() - 1) + newLine, Kind::pair);
        out.join(true);
        out.keep(end, m_layout.statements.size());
        return out.take();
    }

    const ParsedText& m_from;
    const Layout& m_layout;
    const Path& m_path;
    Path m_table;
    const std::string& m_toml;
};

/// Makes the tables that a path needs; null where it leads through something else or through a list's entry that is not there.
Node* makeTables(Node& root, const Path& path)
{
    Node* node = &root;
    for (const PathStep& step : path) {
        Node* next = followMutable(*node, { step });
        if (next == nullptr) {
            const auto* key = std::get_if<std::string>(&step);
            if (key == nullptr || node->kind != Node::Kind::table)
                return nullptr;
            node->members.push_back({ *key, {}, Node() });
            next = &node->members.back().value;
        }
        node = next;
    }
    return node->kind == Node::Kind::table ? node : nullptr;
}

Result<TextVersion> replaceValue(
    const TextVersion& from, const Path& path, const std::string& toml, Node value)
{
    const auto spot = findSpot(from->text(), *from->layout(), path);
    if (!spot || spot->steps != path.size())
        return fail("is a table or list with headers or keys of its own; change its keys one by one");
    Node expected = *from->root();
    *followMutable(expected, path) = std::move(value);
    if (auto edited = proved(withRegion(from->text(), spot->value().region, toml), expected))
        return edited;
    return fail("the new value is not allowed there"); // without the value: it may be a password
}

Result<TextVersion> addKey(const TextVersion& from, const Path& path, const std::string& toml, Node value)
{
    Node expected = *from->root();
    Node* const table = makeTables(expected, parentOf(path));
    if (table == nullptr || !std::holds_alternative<std::string>(path.back()))
        return fail("there is no table for it; append the entry of the list first");
    table->members.push_back({ std::get<std::string>(path.back()), {}, std::move(value) });
    std::string edited;
    if (const auto spot = findSpot(from->text(), *from->layout(), path)) {
        if (spot->value().kind != ValueSyntax::Kind::table)
            return fail("there is no table for it");
        edited = withKey(from->text(), spot->value(), spellDotted(path, spot->steps), toml);
    } else {
        edited = NewKey(*from, path, toml).written();
    }
    if (!edited.empty())
        if (auto version = proved(std::move(edited), expected))
            return version;
    return noPlace(path);
}

/// Erases what stands within the value of a pair.
Result<TextVersion> eraseInline(const TextVersion& from, const Path& path, const Spot& spot)
{
    const std::string& text = from->text();
    Node expected = *from->root();
    removeAt(expected, path);
    if (spot.steps == path.size()) {
        const ValueSyntax& container = *spot.container();
        const bool inArray = container.kind == ValueSyntax::Kind::array;
        auto version = proved(inArray ? withoutElement(text, container, spot.trail.back())
                                      : withoutKey(text, container, spot.trail.back()),
            expected);
        if (version)
            return version;
        // The last of dotted keys: their table is gone as well.
        pruneEmpty(expected, parentOf(path), [](const Path&) { return false; });
        version = proved(withoutKey(text, container, spot.trail.back()), expected);
        return version ? Result<TextVersion>(std::move(version))
                       : fail("cannot be removed without its list; remove that");
    }
    // A table of dotted keys: one after the other.
    const Path rest(path.begin() + static_cast<std::ptrdiff_t>(spot.steps), path.end());
    std::string edited = text;
    ValueSyntax table = spot.value();
    for (std::size_t i = table.elements.size(); i-- > 0;) {
        const Path keys(table.elements[i].keys.begin(), table.elements[i].keys.end());
        if (!startsWith(keys, rest))
            continue;
        edited = withoutKey(edited, table, i);
        const auto again = readValueSyntax(edited, table.region.begin);
        if (!again)
            return noPlace(path);
        table = *again;
    }
    auto version = proved(std::move(edited), expected);
    return version ? Result<TextVersion>(std::move(version)) : noPlace(path);
}

} // namespace

void removeAt(Node& root, const Path& path)
{
    Node* const around = followMutable(root, parentOf(path));
    if (around == nullptr || path.empty())
        return;
    if (const auto* key = std::get_if<std::string>(&path.back()))
        std::erase_if(around->members, [&](const Member& member) { return member.key == *key; });
    else if (const std::size_t at = std::get<std::size_t>(path.back()); at < around->items.size())
        around->items.erase(around->items.begin() + static_cast<std::ptrdiff_t>(at));
}

void pruneEmpty(Node& root, Path path, const std::function<bool(const Path&)>& isWritten)
{
    while (!path.empty()) {
        const Node* const node = follow(root, path);
        if (node == nullptr || !node->members.empty() || !node->items.empty()
            || (node->kind != Node::Kind::table && node->kind != Node::Kind::array) || isWritten(path))
            return;
        removeAt(root, path);
        path.pop_back();
    }
}

Result<TextVersion> setValue(const TextVersion& from, const Path& path, const std::string& toml)
{
    auto value = parseValue(toml);
    if (!value)
        return value.error();
    return follow(*from->root(), path) != nullptr ? replaceValue(from, path, toml, *std::move(value))
                                                  : addKey(from, path, toml, *std::move(value));
}

Result<TextVersion> eraseValue(const TextVersion& from, const Path& path)
{
    const Layout& layout = *from->layout();
    if (follow(*from->root(), path) == nullptr)
        return from;
    if (const auto* at = std::get_if<std::size_t>(&path.back()))
        return removeEntry(from, parentOf(path), *at);
    if (const auto spot = findSpot(from->text(), layout, path);
        spot && (!spot->trail.empty() || spot->steps < path.size()))
        return eraseInline(from, path, *spot);
    const std::vector<bool> gone = layout.statementsOf(path);
    Assembly out(from->text(), layout);
    for (std::size_t i = 0; i < gone.size(); ++i)
        if (gone[i])
            out.drop();
        else
            out.keep(i, i + 1);

    Node expected = *from->root();
    removeAt(expected, path);
    pruneEmpty(expected, parentOf(path), [&](const Path& around) {
        for (std::size_t i = 0; i < gone.size(); ++i)
            if (!gone[i] && layout.isBelow(layout.statements[i], around))
                return true;
        return false;
    });
    auto version = proved(out.take(), expected);
    return version ? Result<TextVersion>(std::move(version)) : noPlace(path);
}

} // namespace loadstone::document
