// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/keys.h>

#include <map>
#include <string>

class QTextBlock;

namespace loadstone::ui {

/// Where in a TOML text a cursor is, in the terms of the table of keys. Computed from the lines around it, so that a text that is not
/// complete, as it is while one types, has a context too.
struct TomlContext {
    enum class Place {
        nothing, ///< in a comment, or in a text of several lines
        header, ///< between the brackets of [table] or [[list]]
        key,
        value,
    };
    Place place = Place::nothing;
    std::string table; ///< path of the rows below it: "", "mixes[]", "item[drive]"
    std::string
        path; ///< of the key that the cursor is in, or of the table that a header names; may name no row
    int from = 0, to = 0; ///< columns of what a completion replaces; left of the cursor stands its beginning
    std::string typed; ///< from `from` to the cursor, without quotes
    bool quoted = false; ///< a quote is open to the left of the cursor
    std::map<std::string, std::string> stated; ///< keys of this table, with their values as written
};

/// `column`: of the cursor, from 0. Blocks have the states of PlanHighlighter.
TomlContext contextAt(FileKind kind, const QTextBlock& block, int column);
/// The path of rows that the words of a header name: "mixes" is "mixes[]".
std::string rowPath(FileKind kind, const std::string& dotted, const std::string& below = {});

} // namespace loadstone::ui
