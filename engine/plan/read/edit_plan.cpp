// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Editing in place. A value that exists is replaced by its source region. A missing key is written at the end
// of its table; as a table can be spelled in several ways (header, inline, dotted keys, only implied by a
// header further down), the ways to write the key are tried in turn, and the first one that a parse shows to
// say what was meant, and nothing else, is taken.

#include "document/node.h"
#include "plan/model/plan.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace loadstone::plan {

namespace {

/// The one value that `toml` spells; an Error when it is anything else, a comment or a second line included.
Result<document::Node> parseValue(const std::string& toml)
{
    const std::string prefix = "x = ";
    const auto parsed = document::parseDocument(prefix + toml);
    if (const auto* wrong = std::get_if<document::SyntaxError>(&parsed))
        return fail("the new value " + wrong->message + "; " + wrong->remedy);
    const document::Node& root = std::get<document::Node>(parsed);
    const bool alone = root.members.size() == 1
        && document::offsetOf(prefix + toml, root.members.front().value.end) == prefix.size() + toml.size()
        && document::offsetOf(prefix + toml, root.members.front().value.begin) == prefix.size();
    if (!alone)
        return fail("the new value is more than one value");
    return root.members.front().value;
}

document::Node* followMutable(document::Node& root, const std::vector<document::PathStep>& steps)
{
    return const_cast<document::Node*>(follow(root, steps)); // root itself is not const
}

std::size_t lineEnd(const std::string& text, std::size_t offset)
{
    return std::min(text.find('\n', offset), text.size());
}

/// Written under a header, or under one of its own for each item.
bool hasHeader(const document::Node& value)
{
    const auto isHeaded = [](const document::Node& node) {
        return node.kind == document::Node::Kind::table && !node.isInline;
    };
    return isHeaded(value)
        || (value.kind == document::Node::Kind::array && !value.items.empty()
            && isHeaded(value.items.front()));
}

/// The last of the values written directly in a table; null when there is none.
const document::Member* lastValue(const document::Node& table)
{
    const document::Member* last = nullptr;
    for (const document::Member& member : table.members)
        if (!hasHeader(member.value) && (last == nullptr || last->value.end < member.value.end))
            last = &member;
    return last;
}

/// The white space with which the line of a position begins.
std::string indentAt(const std::string& text, document::Position at)
{
    const auto begin = document::offsetOf(text, { at.line, 1 });
    return text.substr(begin, std::min(text.find_first_not_of(" \t", begin), text.size()) - begin);
}

struct Insertion {
    const std::string& text;
    const std::vector<document::PathStep>& table; ///< path of the table
    const document::Node& node; ///< the table
    std::string key, toml;

    [[nodiscard]] std::string newLine() const
    {
        return text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
    }

    /// A line of its own after the line on which `offset` stands.
    [[nodiscard]] std::string lineAfter(std::size_t offset, const std::string& line) const
    {
        const auto end = lineEnd(text, offset);
        const bool last = end == text.size();
        return text.substr(0, end) + (last ? newLine() : "\n") + line
            + (last ? "" : newLine().substr(0, newLine().size() - 1)) + text.substr(end);
    }

    [[nodiscard]] std::string intoInline() const
    {
        auto close = document::offsetOf(text, node.end) - 1;
        while (close > 0 && (text[close - 1] == ' ' || text[close - 1] == '\t'))
            --close;
        return text.substr(0, close) + (node.members.empty() ? " " : ", ") + key + " = " + toml + " "
            + text.substr(document::offsetOf(text, node.end) - 1);
    }

    [[nodiscard]] std::string underHeader() const
    {
        const document::Member* last = lastValue(node);
        const auto header = document::offsetOf(text, node.end);
        const auto end =
            last == nullptr ? header : std::max(header, document::offsetOf(text, last->value.end));
        return lineAfter(end, indentAt(text, last == nullptr ? node.begin : last->at) + key + " = " + toml);
    }

    [[nodiscard]] std::string intoRoot() const
    {
        if (const document::Member* last = lastValue(node))
            return lineAfter(document::offsetOf(text, last->value.end), key + " = " + toml);
        const std::size_t mark = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
        return text.substr(0, mark) + key + " = " + toml + newLine() + text.substr(mark);
    }

    /// "smtp.port = 25" beside the other dotted keys of the same table.
    [[nodiscard]] std::string dotted(std::size_t levels) const
    {
        const document::Member* last = lastValue(node);
        if (last == nullptr || levels > table.size())
            return {};
        std::string name;
        for (auto step = table.end() - static_cast<std::ptrdiff_t>(levels); step != table.end(); ++step) {
            if (!std::holds_alternative<std::string>(*step))
                return {};
            name += std::get<std::string>(*step) + ".";
        }
        return lineAfter(
            document::offsetOf(text, last->value.end), indentAt(text, last->at) + name + key + " = " + toml);
    }

    /// A header of its own at the end, for a table that only headers below it imply.
    [[nodiscard]] std::string atEnd() const
    {
        std::string header;
        for (const document::PathStep& step : table) {
            if (!std::holds_alternative<std::string>(step))
                return {};
            header += (header.empty() ? "" : ".") + std::get<std::string>(step);
        }
        const bool broken = text.empty() || text.ends_with('\n');
        return text + (broken ? "" : newLine()) + newLine() + "[" + header + "]" + newLine() + key + " = "
            + toml + newLine();
    }

    [[nodiscard]] std::vector<std::function<std::string()>> ways() const
    {
        if (table.empty())
            return { [this] { return intoRoot(); } };
        if (node.isInline)
            return { [this] { return intoInline(); } };
        return { [this] { return underHeader(); }, [this] { return dotted(1); }, [this] { return dotted(2); },
            [this] { return atEnd(); } };
    }
};

bool says(const std::string& text, const document::Node& expected)
{
    const auto parsed = document::parseDocument(text);
    const auto* root = std::get_if<document::Node>(&parsed);
    return root != nullptr && document::sameContent(*root, expected);
}

} // namespace

Result<std::string> editPlan(const std::string& text, const std::string& path, const std::string& toml)
{
    auto parsed = document::parseDocument(text);
    if (const auto* wrong = std::get_if<document::SyntaxError>(&parsed))
        return fail("line " + std::to_string(wrong->at.line) + ": " + wrong->message + "; " + wrong->remedy);
    document::Node& root = std::get<document::Node>(parsed);
    const auto steps = document::parsePath(path);
    if (steps.empty())
        return fail("\"" + path + "\" is not a path within the plan; write it like mixes[2].clients");
    auto value = parseValue(toml);
    if (!value)
        return value.error().within(path);

    if (const document::Node* old = follow(root, steps)) {
        if (hasHeader(*old))
            return fail(path + " is a table with its own header; change its keys one by one");
        const auto begin = document::offsetOf(text, old->begin);
        std::string edited = text.substr(0, begin) + toml + text.substr(document::offsetOf(text, old->end));
        *followMutable(root, steps) = std::move(*value);
        if (!says(edited, root))
            return fail(path + ": \"" + toml + "\" is not allowed there");
        return edited;
    }

    const std::vector<document::PathStep> tablePath(steps.begin(), steps.end() - 1);
    document::Node* table = followMutable(root, tablePath);
    if (table == nullptr || table->kind != document::Node::Kind::table
        || !std::holds_alternative<std::string>(steps.back()))
        return fail("the plan has no table for " + path);
    const document::Node before = *table;
    const std::string& key = std::get<std::string>(steps.back());
    table->members.push_back({ key, {}, std::move(*value) });
    const Insertion insertion { text, tablePath, before, key, toml };
    for (const auto& way : insertion.ways())
        if (std::string edited = way(); !edited.empty() && says(edited, root))
            return edited;
    return fail("the plan's layout leaves no place for " + path + "; write its table with its own header");
}

} // namespace loadstone::plan
