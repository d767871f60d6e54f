// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/parsed_text.h"

#include <string>
#include <utility>

namespace loadstone::document {

/// An entry with its header, read by itself.
struct NewEntry {
    std::string lines;
    Node node;
    Statement::Kind last = Statement::Kind::header; ///< of its last line
};
/// `entry`: what stands below the header; nothing but that entry and tables below it. `newLine`: as the text's lines end.
Result<NewEntry> readEntry(const Path& list, const std::string& entry, const std::string& newLine);

/// An entry of a list in brackets, as it is written and what it says: a value as it is, or keys as an inline table where that loses no
/// comment. `list`: the present one; null: a new one.
Result<std::pair<std::string, Node>> elementOf(const std::string& entry, const Node* list);

} // namespace loadstone::document
