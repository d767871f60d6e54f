// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/layout.h"
#include "document/node.h"

#include <loadstone/result.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace loadstone::document {

/// A text with what it says and how it is divided. Never changes; any thread.
class ParsedText {
public:
    explicit ParsedText(std::string text);
    /// `root`: what the text says.
    ParsedText(std::string text, Node root);
    ParsedText(const ParsedText&) = delete;
    ParsedText& operator=(const ParsedText&) = delete;

    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Null when the text is not TOML.
    [[nodiscard]] const Node* root() const { return std::get_if<Node>(&m_parsed); }
    [[nodiscard]] const SyntaxError* error() const { return std::get_if<SyntaxError>(&m_parsed); }
    /// Null when the text is not TOML. Computed when it is first asked for.
    [[nodiscard]] const Layout* layout() const;

private:
    std::string m_text;
    std::variant<Node, SyntaxError> m_parsed;
    mutable std::once_flag m_divided;
    mutable std::optional<Layout> m_layout;
};

using TextVersion = std::shared_ptr<const ParsedText>;

/// The text `edited`, when a parse shows that it says `expected` and nothing else; else null.
TextVersion proved(std::string edited, const Node& expected);

/// The one value that `toml` spells; an Error when it is anything else, a comment or a second line included.
Result<Node> parseValue(const std::string& toml);

/// The node at a path of a tree that may be changed; null when there is none.
Node* followMutable(Node& root, const Path& path);

} // namespace loadstone::document
