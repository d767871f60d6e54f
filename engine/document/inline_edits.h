// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/layout.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::document {

/// How far a path leads within the value of a pair.
struct Spot {
    std::size_t statement = 0; ///< the pair
    ValueSyntax whole; ///< its value
    std::vector<std::size_t> trail; ///< elements, from the value down
    std::size_t steps = 0; ///< of the path that were followed

    [[nodiscard]] const ValueSyntax& value() const;
    /// The array or inline table that holds value(); null for the value of the pair itself.
    [[nodiscard]] const ValueSyntax* container() const;
};
/// Nothing where the path does not lead into a pair.
std::optional<Spot> findSpot(std::string_view text, const Layout& layout, const Path& path);

// Each gives the whole text with the edit. Comments within arrays stay, all of them.

std::string withRegion(std::string_view text, Region region, std::string_view replacement);
/// `table`: an inline table of the text.
std::string withKey(
    std::string_view text, const ValueSyntax& table, const std::string& key, const std::string& toml);
std::string withoutKey(std::string_view text, const ValueSyntax& table, std::size_t element);
/// `array`: an array of the text; `at` from 0 to its size.
std::string withElement(std::string_view text, const ValueSyntax& array, std::size_t at,
    const std::string& toml, const std::string& newLine);
std::string withoutElement(std::string_view text, const ValueSyntax& array, std::size_t at);
/// The elements change places; commas and comments do not.
std::string withMovedElement(
    std::string_view text, const ValueSyntax& array, std::size_t from, std::size_t to);

} // namespace loadstone::document
