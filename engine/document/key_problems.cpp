// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_problems.h"

#include "base/joined.h"
#include "base/trimmed.h"
#include "document/problems.h"
#include "document/row_value.h"
#include "document/rows_of_paths.h"
#include "document/table_reader.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loadstone::document {

namespace {

using NodeKind = Node::Kind;

constexpr std::size_t kMostSearches = 300;

bool isNumber(const Node& node)
{
    return node.kind == NodeKind::integer || node.kind == NodeKind::real;
}

double numberOf(const Node& node)
{
    return node.kind == NodeKind::integer ? static_cast<double>(node.integer) : node.real;
}

bool allOf(const Node& list, bool (*isGood)(const Node&))
{
    return list.kind == NodeKind::array && std::all_of(list.items.begin(), list.items.end(), isGood);
}

bool isText(const Node& node)
{
    return node.kind == NodeKind::text;
}

bool isTable(const Node& node)
{
    return node.kind == NodeKind::table;
}

/// "90 %" or 90.
std::optional<double> percentIn(const Node& node)
{
    if (isNumber(node))
        return numberOf(node);
    std::string_view text = trimmed(node.text);
    if (node.kind != NodeKind::text || !text.ends_with('%'))
        return std::nullopt;
    text = trimmed(text.substr(0, text.size() - 1));
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value)
                                                                           : std::nullopt;
}

/// The value in the unit of the row's range; nothing when it is not of the row's type.
std::optional<double> measured(const KeyRow& row, const Node& node)
{
    const auto ifText = [&](auto parse, auto number) -> std::optional<double> {
        if (node.kind != NodeKind::text)
            return std::nullopt;
        const auto value = parse(node.text);
        return value ? std::optional(static_cast<double>(number(*value))) : std::nullopt;
    };
    const auto itself = [](auto value) { return value; };
    switch (row.type) {
    case KeyType::duration:
        return ifText(parseDuration, [](Nanoseconds t) { return seconds(t); });
    case KeyType::bytes:
        return ifText(parseBytes, itself);
    case KeyType::rate:
        return ifText(parseRate, itself);
    case KeyType::percent:
        return percentIn(node);
    default:
        return isNumber(node) ? std::optional(numberOf(node)) : std::nullopt;
    }
}

bool isOfType(const KeyRow& row, const Node& node)
{
    switch (row.type) {
    case KeyType::text:
    case KeyType::choice:
        return isText(node);
    case KeyType::flag:
        return node.kind == NodeKind::boolean;
    case KeyType::integer:
        return node.kind == NodeKind::integer;
    case KeyType::date:
        return node.kind == NodeKind::date;
    case KeyType::texts:
        return allOf(node, isText);
    case KeyType::numbers:
        return allOf(node, isNumber);
    case KeyType::table:
        return isTable(node);
    case KeyType::tables:
        return allOf(node, isTable);
    case KeyType::number:
    case KeyType::duration:
    case KeyType::bytes:
    case KeyType::rate:
    case KeyType::percent:
        return measured(row, node).has_value();
    default:
        return true; // its reader knows
    }
}

/// What the range is about: the value, or the length of a text or list.
std::optional<double> sizeOf(const KeyRow& row, const Node& node)
{
    if (row.type == KeyType::text)
        return static_cast<double>(node.text.size());
    if (node.kind == NodeKind::array)
        return static_cast<double>(node.items.size());
    return measured(row, node);
}

std::optional<RowFault> faultOf(FileKind kind, const KeyRow& row, const Node& node)
{
    const bool hasKeys = row.type == KeyType::table || row.type == KeyType::tables;
    if (kind == FileKind::lab && !hasKeys) {
        const RowReading read = readValue(row, node);
        const auto* const fault = std::get_if<RowFault>(&read);
        return fault == nullptr ? std::nullopt : std::optional(*fault);
    }
    const std::string remedy = "write " + describeValue(row);
    if (!isOfType(row, node)) {
        const bool isQuantity =
            isText(node) && row.type != KeyType::integer && row.type != KeyType::flag && !hasKeys;
        return RowFault { isQuantity
                ? fmt::format("\"{}\" cannot be read as {}", shown(node.text), toString(row.type))
                : fmt::format("is {}, which does not fit", describe(node.kind)),
            remedy };
    }
    if (row.type == KeyType::choice
        && std::find(row.choices.begin(), row.choices.end(), node.text) == row.choices.end()) {
        const std::string meant = nearest(node.text, { row.choices.begin(), row.choices.end() });
        return RowFault { fmt::format("\"{}\" is unknown{}", shown(node.text),
                              meant.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", meant)),
            fmt::format("write \"{}\"", joined(row.choices, "\", \"")) };
    }
    const auto size = sizeOf(row, node);
    if (size && ((row.least && *size < *row.least) || (row.most && *size > *row.most)))
        return RowFault { "is out of range", remedy };
    return std::nullopt;
}

/// Walks through a text beside the table of its keys.
class Walk {
public:
    Walk(FileKind kind, const Node& root)
        : m_kind(kind)
        , m_root(root)
        , m_problems(root, kind)
    {
    }

    std::vector<Problem> take()
    {
        Path path;
        visit(m_root, path);
        return m_problems.take();
    }

private:
    void visit(const Node& table, Path& path)
    {
        std::vector<std::string> known; // only where it is needed
        for (const Member& member : table.members) {
            path.emplace_back(member.key);
            if (const KeyRow* row = rowOf(m_kind, m_root, path))
                check(*row, member.value, path);
            else if (member.value.kind == NodeKind::table && !namesBelow(m_kind, m_root, path).empty())
                visit(member.value, path);
            else
                reportUnknown(member, path, known);
            path.pop_back();
        }
    }

    void check(const KeyRow& row, const Node& value, Path& path)
    {
        if (const auto fault = faultOf(m_kind, row, value)) {
            m_problems.error(spellPath(path), fault->message, fault->remedy);
            return;
        }
        if (value.kind == NodeKind::table && !namesBelow(m_kind, m_root, path).empty())
            visit(value, path);
        for (std::size_t i = 0; row.type == KeyType::tables && i < value.items.size(); ++i) {
            path.emplace_back(i);
            if (i > 0 || !namesBelow(m_kind, m_root, path).empty())
                visit(value.items[i], path);
            path.pop_back();
        }
    }

    void reportUnknown(const Member& member, const Path& path, std::vector<std::string>& known)
    {
        if (known.empty())
            known = namesBelow(m_kind, m_root, parentOf(path));
        // Of a file of nothing but mistakes the first are shown; a search compares the key with each of a table.
        const std::string meant = ++m_searches > kMostSearches ? std::string() : nearest(member.key, known);
        const std::string field = shown(spellPath(path));
        const std::string remedy = !meant.empty() ? fmt::format("did you mean {}?", meant)
            : known.empty()                       ? "remove it"
                            : fmt::format("remove it, or use one of: {}", joined(known, ", "));
        if (m_kind == FileKind::lab)
            m_problems.warningAt(member.at, field, "this key is unknown", remedy);
        else
            m_problems.errorAt(member.at, field, "this key is unknown", remedy);
    }

    FileKind m_kind;
    const Node& m_root;
    Problems m_problems;
    std::size_t m_searches = 0;
};

} // namespace

std::vector<Problem> keyProblems(FileKind kind, const Node& root)
{
    if (keysOf(kind).empty())
        return {}; // there is no table yet
    return Walk(kind, root).take();
}

} // namespace loadstone::document
