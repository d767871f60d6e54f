// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/value_syntax.h"

#include "document/key_names.h"

#include <algorithm>

namespace loadstone::document {

namespace {

constexpr int kDeepest = 64; // far more than the parser lets pass

/// One past the text in quotes that begins at `at`.
std::optional<std::size_t> endOfText(std::string_view text, std::size_t at)
{
    const char quote = text[at];
    const std::string fence(3, quote);
    const bool severalLines = text.substr(at, 3) == fence;
    for (at += severalLines ? 3 : 1; at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"') {
            ++at;
        } else if (severalLines && text.substr(at, 3) == fence) {
            at += 3;
            for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more)
                ++at; // up to two quotes may stand right before the closing three
            return at;
        } else if (!severalLines && text[at] == quote) {
            return at + 1;
        } else if (!severalLines && text[at] == '\n') {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

/// One past a number, date, true or false. A date and its time may have one space between them.
std::optional<std::size_t> endOfPlain(std::string_view text, std::size_t at)
{
    auto end = std::min(text.find_first_of(",]}#\r\n", at), text.size());
    while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        --end;
    return end == at ? std::nullopt : std::optional(end);
}

/// One past the value at `at`; `to`, where it is given, gets its elements.
std::optional<std::size_t> scan(std::string_view text, std::size_t at, ValueSyntax* to, int depth);

std::optional<std::size_t> scanElements(
    std::string_view text, std::size_t at, bool isTable, ValueSyntax* to, int depth)
{
    const char close = isTable ? '}' : ']';
    for (at = skipGap(text, at); at < text.size() && text[at] != close; at = skipGap(text, at)) {
        ElementSyntax element;
        element.begin = at;
        if (isTable) {
            auto keys = readDottedKey(text, at);
            if (!keys || at >= text.size() || text[at] != '=')
                return std::nullopt;
            element.keys = *std::move(keys);
            at = skipBlanks(text, at + 1);
        }
        const auto end = scan(text, at, to == nullptr ? nullptr : &element.value, depth + 1);
        if (!end)
            return std::nullopt;
        at = skipGap(text, *end);
        const bool more = at < text.size() && text[at] == ',';
        if (more)
            element.comma = at++;
        if (to != nullptr)
            to->elements.push_back(std::move(element));
        if (!more)
            break;
    }
    if (at >= text.size() || text[at] != close)
        return std::nullopt;
    return at + 1;
}

std::optional<std::size_t> scan(std::string_view text, std::size_t at, ValueSyntax* to, int depth)
{
    if (at >= text.size() || depth > kDeepest)
        return std::nullopt;
    const char first = text[at];
    const bool hasElements = first == '[' || first == '{';
    const auto end = hasElements        ? scanElements(text, at + 1, first == '{', to, depth)
        : first == '"' || first == '\'' ? endOfText(text, at)
                                        : endOfPlain(text, at);
    if (to != nullptr && end) {
        to->kind = !hasElements ? ValueSyntax::Kind::plain
            : first == '['      ? ValueSyntax::Kind::array
                                : ValueSyntax::Kind::table;
        to->region = { at, *end };
    }
    return end;
}

} // namespace

std::optional<ValueSyntax> readValueSyntax(std::string_view text, std::size_t at)
{
    ValueSyntax value;
    return scan(text, at, &value, 0) ? std::optional(std::move(value)) : std::nullopt;
}

std::optional<std::size_t> endOfValue(std::string_view text, std::size_t at)
{
    return scan(text, at, nullptr, 0);
}

std::optional<std::vector<std::string>> readDottedKey(std::string_view text, std::size_t& at)
{
    std::vector<std::string> keys;
    for (;;) {
        at = skipBlanks(text, at);
        auto name = readKeyName(text, at);
        if (!name)
            return std::nullopt;
        keys.push_back(*std::move(name));
        at = skipBlanks(text, at);
        if (at >= text.size() || text[at] != '.')
            return keys;
        ++at;
    }
}

std::size_t skipBlanks(std::string_view text, std::size_t at)
{
    return std::min(text.find_first_not_of(" \t", at), text.size());
}

std::size_t skipGap(std::string_view text, std::size_t at)
{
    for (;;) {
        at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
        if (at == text.size() || text[at] != '#')
            return at;
        at = lineEnd(text, at);
    }
}

std::size_t lineEnd(std::string_view text, std::size_t at)
{
    const auto end = std::min(text.find('\n', at), text.size());
    return end > at && end < text.size() && text[end - 1] == '\r' ? end - 1 : end;
}

std::size_t lineBegin(std::string_view text, std::size_t at)
{
    const auto before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

} // namespace loadstone::document
