// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/key_names.h"

#include <loadstone/keys.h>

#include <string>
#include <vector>

namespace loadstone::document {

// Which row of the table of keys is about a path of a text. In labs that depends on the text: an item's kind decides which keys it has,
// also below `detected` and `imported`, and in the `set` and `add` of a variant.

/// The paths under which a table of keys may have the row of `path`, the likeliest first: "item[drive].size".
std::vector<std::string> rowPaths(FileKind kind, const Node& root, const Path& path);
/// Null: there is no such key.
const KeyRow* rowOf(FileKind kind, const Node& root, const Path& path);
/// The keys that a table may have.
std::vector<std::string> namesBelow(FileKind kind, const Node& root, const Path& table);

} // namespace loadstone::document
