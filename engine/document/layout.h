// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/key_names.h"
#include "document/value_syntax.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::document {

/// A line of a text, or the lines of a key whose value has several.
struct Statement {
    enum class Kind { blank, comment, header, pair };
    Kind kind = Kind::blank;
    Region lines; ///< whole, line end included
    std::vector<std::string> keys; ///< of a pair: the parts of its dotted key
    Region value; ///< of a pair
    std::size_t block = 0; ///< where its keys belong
};

/// A header and what stands below it. The first block of a text has no header: it holds the keys of the top.
struct Block {
    Path path; ///< from the top, with indices: mixes[2].think
    bool isEntry = false; ///< of a list: [[mixes]]
    /// Statements, `end` one past the last: from the comment lines directly above the header to its last key, or to the comment lines
    /// directly below that. What is between blocks, blank lines and other comments, belongs to none.
    std::size_t begin = 0, end = 0;
    std::size_t header = 0; ///< its statement; of the first block meaningless
};

/// How a well-formed TOML text is divided into statements and blocks.
struct Layout {
    std::vector<Statement> statements; ///< together they are the text, but for a byte order mark before them
    std::vector<Block> blocks; ///< never empty
    std::string newLine; ///< "\n" or "\r\n", as the first line ends

    [[nodiscard]] Path pathOf(const Statement& pair) const;
    /// Whether a pair or header stands at `path` or below it.
    [[nodiscard]] bool isBelow(const Statement& statement, const Path& path) const;
    /// For each statement whether it belongs to the table, list or key at `path`. What stands between two blocks of one table or of one
    /// entry of a list belongs to it, what stands between two entries does not.
    [[nodiscard]] std::vector<bool> statementsOf(const Path& path) const;
};

/// Nothing where the text is not well-formed.
std::optional<Layout> readLayout(std::string_view text);

} // namespace loadstone::document
