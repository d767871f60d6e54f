// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/parsed_text.h"

#include <loadstone/document.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::document {

namespace {

/// Each value takes some hundred bytes of memory, and a text may come from elsewhere.
constexpr std::ptrdiff_t kMostValues = 500'000;

std::variant<Node, SyntaxError> parseBounded(const std::string& text)
{
    if (text.size() > Document::kMostBytes)
        return SyntaxError { {}, fmt::format("has more than {} bytes", Document::kMostBytes),
            "write a shorter one, or several" };
    const auto values =
        std::count_if(text.begin(), text.end(), [](char c) { return c == '=' || c == ',' || c == '['; });
    if (values > kMostValues)
        return SyntaxError { {}, fmt::format("has more than {} values", kMostValues),
            "write fewer keys, tables and members of lists" };
    return parseDocument(text);
}

} // namespace

ParsedText::ParsedText(std::string text)
    : m_text(std::move(text))
    , m_parsed(parseBounded(m_text))
{
}

ParsedText::ParsedText(std::string text, Node root)
    : m_text(std::move(text))
    , m_parsed(std::move(root))
{
}

const Layout* ParsedText::layout() const
{
    if (root() == nullptr)
        return nullptr;
    std::call_once(m_divided, [this] { m_layout = readLayout(m_text); });
    return m_layout ? &*m_layout : nullptr;
}

TextVersion proved(std::string edited, const Node& expected)
{
    auto parsed = parseBounded(edited);
    Node* const root = std::get_if<Node>(&parsed);
    if (root == nullptr || !sameContent(*root, expected))
        return nullptr;
    return std::make_shared<const ParsedText>(std::move(edited), std::move(*root));
}

Result<Node> parseValue(const std::string& toml)
{
    const std::string prefix = "x = ";
    const std::string line = prefix + toml;
    auto parsed = parseDocument(line);
    if (const auto* wrong = std::get_if<SyntaxError>(&parsed))
        return fail("the new value: " + wrong->message + "; " + wrong->remedy);
    Node& root = std::get<Node>(parsed);
    const bool alone = root.members.size() == 1 && skipBlanks(line, prefix.size()) == prefix.size()
        && endOfValue(line, prefix.size()) == line.size();
    if (!alone)
        return fail("the new value is more than one value; write one value without a comment");
    return std::move(root.members.front().value);
}

Node* followMutable(Node& root, const Path& path)
{
    return const_cast<Node*>(follow(root, path)); // root itself is not const
}

} // namespace loadstone::document
