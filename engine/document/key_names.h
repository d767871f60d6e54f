// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/node.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::document {

using Path = std::vector<PathStep>;

/// The name of a key that stands at `at`: bare, "quoted" or 'quoted'. `at` moves behind it. Nothing where none stands.
std::optional<std::string> readKeyName(std::string_view text, std::size_t& at);
/// A name as a key is written: bare where that is possible, else in quotes.
std::string spellKey(std::string_view name);
/// "mixes[2].clients"; parsePath() reads it back.
std::string spellPath(const Path& path);
/// "target.smtp": the names of a path as a header or a dotted key has them, from step `from` on; indices are left out.
std::string spellDotted(const Path& path, std::size_t from = 0);

bool startsWith(const Path& path, const Path& prefix);
Path parentOf(const Path& path);

} // namespace loadstone::document
