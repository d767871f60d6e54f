// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The only file that includes toml++: it takes seconds to compile.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16

#include "plan/document.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>

namespace loadstone::plan {

namespace {

Position position(const toml::source_position& at)
{
    return { static_cast<int>(at.line), static_cast<int>(at.column) };
}

Node convert(const toml::node& from)
{
    Node node;
    node.begin = position(from.source().begin);
    node.end = position(from.source().end);
    switch (from.type()) {
    case toml::node_type::table:
        node.kind = Node::Kind::table;
        node.isInline = from.as_table()->is_inline();
        for (const auto& [key, value] : *from.as_table())
            node.members.push_back({ std::string(key.str()), position(key.source().begin), convert(value) });
        std::sort(node.members.begin(), node.members.end(),
            [](const Member& a, const Member& b) { return a.at < b.at; });
        break;
    case toml::node_type::array:
        node.kind = Node::Kind::array;
        for (const toml::node& item : *from.as_array())
            node.items.push_back(convert(item));
        break;
    case toml::node_type::string:
        node.kind = Node::Kind::text;
        node.text = from.as_string()->get();
        break;
    case toml::node_type::integer:
        node.kind = Node::Kind::integer;
        node.integer = from.as_integer()->get();
        break;
    case toml::node_type::floating_point:
        node.kind = Node::Kind::real;
        node.real = from.as_floating_point()->get();
        break;
    case toml::node_type::boolean:
        node.kind = Node::Kind::boolean;
        node.boolean = from.as_boolean()->get();
        break;
    default:
        node.kind = Node::Kind::date;
        break;
    }
    return node;
}

/// The first line with more levels of dotted keys than any plan has. toml++ bounds nested values itself, but
/// every dot of a key makes one more nested table, and those are destroyed recursively.
std::optional<Position> deepKey(std::string_view text)
{
    constexpr int kDots = 24;
    int line = 1;
    int dots = 0;
    std::size_t i = 0;
    const auto skipString = [&] {
        const char quote = text[i];
        const std::string fence(3, quote);
        const bool multiLine = text.substr(i, 3) == fence;
        i += multiLine ? 3 : 1;
        for (; i < text.size(); ++i) {
            if (text[i] == '\n') {
                if (!multiLine)
                    return; // unterminated: the parser will say so
                ++line;
            } else if (text[i] == '\\' && quote == '"') {
                if (i + 1 < text.size() && text[i + 1] == '\n')
                    ++line;
                ++i;
            } else if (multiLine ? text.substr(i, 3) == fence : text[i] == quote) {
                i += multiLine ? 3 : 1;
                while (multiLine && i < text.size() && text[i] == quote)
                    ++i; // up to two quotes may stand right before the closing three
                return;
            }
        }
    };
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            skipString();
            continue;
        }
        if (c == '#')
            i = std::min(text.find('\n', i), text.size());
        if (i == text.size())
            break;
        if (text[i] == '\n') {
            ++line;
            dots = 0;
        } else if (text[i] == '.' && ++dots > kDots) {
            return Position { line, 1 };
        }
        ++i;
    }
    return std::nullopt;
}

std::string_view lineOf(std::string_view text, int line)
{
    const auto begin = offsetOf(text, { line, 1 });
    auto found = text.substr(begin, text.find('\n', begin) - begin);
    while (!found.empty() && (found.back() == '\r' || found.back() == ' ' || found.back() == '\t'))
        found.remove_suffix(1);
    return found;
}

/// What the writer of the line probably meant, in plain words.
std::string remedyFor(std::string_view description, std::string_view line)
{
    const auto says = [&](std::string_view part) { return description.find(part) != std::string_view::npos; };
    const auto first = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view content = line.substr(first);
    const auto equals = content.find('=');
    if (says("redefine"))
        return "a key or table may be stated once; keep one of the two";
    if (says("parsing table header"))
        return "close the header on its line, as in [target] or [[mixes]]";
    if (says("parsing array"))
        return "separate the values by commas and close the array with ]";
    if (says("parsing inline table"))
        return "write it on one line as { key = value, key = value } without a comma at the end";
    if (says("end-of-file") || says("control characters"))
        return "close the text with a quote of the kind it began with";
    if (says("escape"))
        return "write a backslash in a text twice, or put the text in 'single quotes'";
    if (says("parsing boolean"))
        return "write true or false in small letters";
    if (says("leading zeroes"))
        return "write the number without leading zeros, or as a \"text\"";
    if (says("64 bits"))
        return "write a smaller number";
    if (says("utf-8") || says("UTF-8"))
        return "save the file as UTF-8";
    if (says("expected '='"))
        return "write key = value, the key without spaces";
    if (says("expected value"))
        return "write a value behind the =";
    if (says("nest") || says("deep"))
        return "use fewer levels of nested values";
    if (equals != std::string_view::npos && content.substr(0, equals).find('"') == std::string_view::npos) {
        const auto at = content.find_first_not_of(" \t", equals + 1);
        const std::string_view value = at == std::string_view::npos ? "" : content.substr(at);
        const bool plain = !value.empty() && value.size() < 60 && value.find_first_of("\"'#[{=") == value.npos
            && std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
        // A password without quotes must not turn up in a message.
        if (plain && content.find("password") == std::string_view::npos)
            return fmt::format("put texts and quantities in quotes: \"{}\"", value);
        return "put texts and quantities in straight quotes, as in \"22 s\"; numbers stand without";
    }
    return "each line is [table], [[table of a list]], key = value, or a comment after #";
}

} // namespace

std::variant<Node, SyntaxError> parseDocument(const std::string& text)
{
    if (const auto deep = deepKey(text))
        return SyntaxError { *deep, "this line has more levels of dotted keys than a plan can have",
            "use the tables of a plan, such as [target.smtp]" };
    const toml::parse_result parsed = toml::parse(text);
    if (parsed)
        return convert(parsed.table());
    std::string description(parsed.error().description());
    const Position at = position(parsed.error().source().begin);
    const std::string remedy = remedyFor(description, lineOf(text, at.line));
    // What toml++ quotes from the text might be part of a password.
    if (const auto saw = description.find(", saw '"); saw != std::string::npos)
        description.resize(saw);
    if (const auto colon = description.find(": "); colon != std::string::npos)
        description.erase(0, colon + 2);
    return SyntaxError { at, "this is not TOML: " + description, remedy };
}

} // namespace loadstone::plan
