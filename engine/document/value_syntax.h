// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::document {

/// Bytes of a text; `end` is one past the last.
struct Region {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

struct ElementSyntax;

/// How a value is written, down to the elements of arrays and inline tables.
struct ValueSyntax {
    enum class Kind { plain, array, table };
    Kind kind = Kind::plain;
    Region region;
    std::vector<ElementSyntax> elements;
};

/// An element of an array, or a key of an inline table with its value.
struct ElementSyntax {
    std::vector<std::string> keys; ///< of a table's: the parts of the dotted key
    std::size_t begin = 0; ///< of the key, else of the value
    ValueSyntax value;
    std::optional<std::size_t> comma; ///< behind it, where there is one
};

/// The value at `at`, which must be well-formed (a parser has read the text); nothing where it is not.
std::optional<ValueSyntax> readValueSyntax(std::string_view text, std::size_t at);
/// One past the value at `at`, without looking at its elements further.
std::optional<std::size_t> endOfValue(std::string_view text, std::size_t at);
/// The parts of a dotted key at `at`, which moves behind it and its white space.
std::optional<std::vector<std::string>> readDottedKey(std::string_view text, std::size_t& at);

/// Behind blanks and tabs.
std::size_t skipBlanks(std::string_view text, std::size_t at);
/// Behind white space, line ends and comments.
std::size_t skipGap(std::string_view text, std::size_t at);
/// Where the line ends: at its line break or the end of the text. A carriage return belongs to the line break.
std::size_t lineEnd(std::string_view text, std::size_t at);
/// Where the line begins on which `at` stands.
std::size_t lineBegin(std::string_view text, std::size_t at);

} // namespace loadstone::document
