// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/path_pattern.h"

#include <string>

namespace loadstone::series {

namespace {

/// A recording has thousands of counters, each of which meets each pattern: no locale is asked.
constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool sameLetter(char a, char b)
{
    return lower(a) == lower(b);
}

/// `open`: any text may stand before and behind what the pattern says.
bool fits(std::string_view pattern, std::string_view text, bool open)
{
    constexpr auto kNone = std::string_view::npos;
    std::size_t p = 0, t = 0, star = open ? 0 : kNone, behindStar = 0;
    const std::size_t afterStar = open ? 0 : 1;
    while (t < text.size()) {
        if (open && p == pattern.size())
            return true;
        if (!open && p < pattern.size() && pattern[p] == '*') {
            star = p++;
            behindStar = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || sameLetter(pattern[p], text[t]))) {
            ++p;
            ++t;
        } else if (star != kNone) {
            p = star + afterStar;
            t = ++behindStar;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == kNone;
}

} // namespace

bool fitsPattern(std::string_view pattern, std::string_view path)
{
    if (pattern.find_first_of("*?") == std::string_view::npos)
        return fits(pattern, path, true);
    const bool ofAnyComputer = pattern.starts_with('\\') && !pattern.starts_with("\\\\");
    return fits((ofAnyComputer ? "*" : "") + std::string(pattern), path, false);
}

} // namespace loadstone::series
