// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace loadstone::document {

/// A place in a text; lines and columns from 1, columns in characters (UTF-8 sequences). Line 0: nowhere.
struct Position {
    int line = 0, column = 0;
    auto operator<=>(const Position&) const = default;
};

struct Member;

/// A value of a TOML document with the region it was written in.
struct Node {
    enum class Kind : std::uint8_t { table, array, text, integer, real, boolean, date };
    Kind kind = Kind::table;
    Position begin, end; ///< of a table with a header: the header alone; `end` is one past the last character
    bool isInline = false; ///< tables: written as { … }
    std::string text; ///< of a date "2026-11-23", of a date with a time "2026-11-23 14:05:00" in UTC
    std::int64_t integer = 0;
    double real = 0;
    bool boolean = false;
    std::vector<Node> items; ///< of an array
    std::vector<Member> members; ///< of a table, in the order of the text

    [[nodiscard]] const Node* find(std::string_view key) const;
};

struct Member {
    std::string key;
    Position at;
    Node value;
};

/// "a table", "a text", …: for messages.
const char* describe(Node::Kind kind);

/// The same values, wherever they stand and in whatever order.
bool sameContent(const Node& a, const Node& b);

struct SyntaxError {
    Position at;
    std::string message;
    std::string remedy;
};

/// Parses TOML 1.0 with bounded nesting, so that no input can exhaust the stack.
std::variant<Node, SyntaxError> parseDocument(const std::string& text);

/// One step of a path like mixes[2].clients.
using PathStep = std::variant<std::string, std::size_t>;
/// Empty when `path` is none. Keys that are not bare stand in quotes: a."b c".d
std::vector<PathStep> parsePath(std::string_view path);
const Node* follow(const Node& root, const std::vector<PathStep>& steps);

/// Where `path` stands: its value, else the nearest table around it. A value that an entry of mixes takes
/// from the defaults stands in [mix].
Position positionOf(const Node& root, std::string_view path);

/// The byte at which a position stands; the text's length when it is past the end.
std::size_t offsetOf(std::string_view text, Position at);

} // namespace loadstone::document
