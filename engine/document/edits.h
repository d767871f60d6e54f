// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/parsed_text.h"

#include <cstddef>
#include <functional>
#include <string>

namespace loadstone::document {

// Each edit gives a new version of a text, which a parse has shown to say what was meant and nothing else. An Error changes nothing
// and says why; it does not repeat the path's file. The text must be well-formed.

/// Replaces a value, or writes a key at the end of its table; tables that do not exist are made.
Result<TextVersion> setValue(const TextVersion& from, const Path& path, const std::string& toml);
/// Removes a key, a table or a list. A table that nothing but the removed ones implied is gone, too. Absent: the same version.
Result<TextVersion> eraseValue(const TextVersion& from, const Path& path);

/// `at` from 0 to the list's size. `entry`: what stands below the header; for a list in brackets a value, or keys that become an
/// inline table. A list that does not exist is made.
Result<TextVersion> insertEntry(
    const TextVersion& from, const Path& list, std::size_t at, const std::string& entry);
Result<TextVersion> removeEntry(const TextVersion& from, const Path& list, std::size_t at);
Result<TextVersion> duplicateEntry(const TextVersion& from, const Path& list, std::size_t at);
Result<TextVersion> moveEntry(const TextVersion& from, const Path& list, std::size_t at, std::size_t to);

/// Removes what became empty and is written nowhere: `path`, then the tables around it. `isWritten`: whether a header or key of
/// the text stands at a path or below it.
void pruneEmpty(Node& root, Path path, const std::function<bool(const Path&)>& isWritten);
/// Removes the member or element at a path; nothing where there is none.
void removeAt(Node& root, const Path& path);

} // namespace loadstone::document
