// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_names.h"

#include <loadstone/document.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace loadstone::document {

namespace {

bool isBare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

void addUtf8(std::string& to, std::uint32_t code)
{
    const auto add = [&](std::uint32_t byte) { to += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0U | (code >> 6U));
        add(0x80U | (code & 0x3fU));
    } else if (code < 0x10000) {
        add(0xe0U | (code >> 12U));
        add(0x80U | ((code >> 6U) & 0x3fU));
        add(0x80U | (code & 0x3fU));
    } else {
        add(0xf0U | (code >> 18U));
        add(0x80U | ((code >> 12U) & 0x3fU));
        add(0x80U | ((code >> 6U) & 0x3fU));
        add(0x80U | (code & 0x3fU));
    }
}

/// What the escape at `at`, behind its backslash, stands for; `at` moves behind it.
bool readEscape(std::string_view text, std::size_t& at, std::string& to)
{
    constexpr std::string_view kLetters = "btnfr\"\\";
    constexpr std::string_view kMeant = "\b\t\n\f\r\"\\";
    if (at >= text.size())
        return false;
    const char letter = text[at++];
    if (const auto index = kLetters.find(letter); index != std::string_view::npos) {
        to += kMeant[index];
        return true;
    }
    const std::size_t digits = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    std::uint32_t code = 0;
    if (digits == 0 || text.size() - at < digits)
        return false;
    const char* const end = text.data() + at + digits;
    const auto read = std::from_chars(text.data() + at, end, code, 16);
    if (read.ec != std::errc() || read.ptr != end || code > 0x10ffff)
        return false;
    at += digits;
    addUtf8(to, code);
    return true;
}

} // namespace

std::optional<std::string> readKeyName(std::string_view text, std::size_t& at)
{
    std::string name;
    if (at >= text.size())
        return std::nullopt;
    const char quote = text[at];
    if (quote != '"' && quote != '\'') {
        while (at < text.size() && isBare(text[at]))
            name += text[at++];
        return name.empty() ? std::nullopt : std::optional(name);
    }
    for (++at; at < text.size();) {
        const char c = text[at++];
        if (c == quote)
            return name;
        if (c == '\n')
            return std::nullopt;
        if (c == '\\' && quote == '"') {
            if (!readEscape(text, at, name))
                return std::nullopt;
        } else {
            name += c;
        }
    }
    return std::nullopt;
}

std::string spellKey(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), isBare) ? std::string(name)
                                                                          : tomlText(name);
}

std::string spellPath(const Path& path)
{
    std::string text;
    for (const PathStep& step : path)
        if (const auto* key = std::get_if<std::string>(&step))
            text += (text.empty() ? "" : ".") + spellKey(*key);
        else
            text += fmt::format("[{}]", std::get<std::size_t>(step));
    return text;
}

std::string spellDotted(const Path& path, std::size_t from)
{
    std::string text;
    for (std::size_t i = from; i < path.size(); ++i)
        if (const auto* key = std::get_if<std::string>(&path[i]))
            text += (text.empty() ? "" : ".") + spellKey(*key);
    return text;
}

bool startsWith(const Path& path, const Path& prefix)
{
    return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

Path parentOf(const Path& path)
{
    return path.empty() ? path : Path(path.begin(), path.end() - 1);
}

} // namespace loadstone::document
