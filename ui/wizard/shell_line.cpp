// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/shell_line.h"

#include <algorithm>
#include <string_view>

namespace loadstone::ui {

namespace {

bool isPlain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || std::string_view("_-./:@%+,").find(c) != std::string_view::npos;
}

} // namespace

std::string shellWord(const std::string& word)
{
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return word;
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string shellLine(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + shellWord(word);
    return line;
}

std::string runCommand(const std::filesystem::path& plan)
{
    // A name that begins with - would be an option.
    const bool isOptionLike = !plan.has_parent_path() && plan.string().starts_with('-');
    const std::filesystem::path file = isOptionLike ? std::filesystem::path(".") / plan : plan;
    const std::string report = std::filesystem::path(file).replace_extension(".html").string();
    return shellLine({ "loadstone", "run", file.string(), "--report", report });
}

} // namespace loadstone::ui
