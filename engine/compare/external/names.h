// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/table_reader.h"

#include <loadstone/key.h>
#include <loadstone/problem.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::compare {

// What readers of results and studies have in common.

/// Letters, digits, - and _, at most 64 of them.
bool isName(std::string_view text);
/// A text that may be shown anywhere; reports one that may not. `lines`: it may have several lines.
std::optional<std::string> shownText(document::TableReader& reader, const char* key, bool lines = false);
/// The same; empty where there is none.
std::string textOrNone(document::TableReader& reader, const char* key, bool lines = false);
/// The id of an entry, which is needed; `ids`: those so far with their paths, to which it is added. Reports one that is missing, twice or
/// no id.
std::string readId(document::TableReader& reader, std::map<std::string, std::string, std::less<>>& ids);
/// A list of texts that may be shown anywhere, those that are twice reported.
std::vector<std::string> shownTexts(document::TableReader& reader, const char* key);
/// "did you mean a?", or "write one of: a, b"; of many the first.
std::string oneOf(const std::string& wrong, const std::vector<std::string>& known);
/// The subject that a figure of this key is of by its name for people ("Read message", "db1: Log write", "SMTP DATA"); nothing where
/// the figure has no such subject.
std::optional<Subject> subjectNamed(std::string_view figure, std::string_view name);
/// Checks the keys `lab` and `variant` of a table, whose values these are: whether there is such a lab beside `file`, or such a shipped one, and
/// whether it has the variant.
void checkLabNames(document::TableReader& reader, const std::filesystem::path& file, const std::string& lab,
    const std::string& variant);
/// A file that a text beside `file` names, with or without ".toml"; empty: there is none.
std::filesystem::path fileBeside(const std::filesystem::path& file, const std::string& name);
/// Of a text that is no TOML, is too long or is of another kind: that alone. `root`: what was read, else null.
std::vector<Problem> syntaxProblems(
    const std::string& text, const char* kind, std::optional<document::Node>& root);

} // namespace loadstone::compare
