// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_tables.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace loadstone {

namespace {

using Index = std::unordered_map<std::string_view, const KeyRow*>;

const Index& indexOf(FileKind kind)
{
    constexpr std::size_t kKinds = static_cast<std::size_t>(FileKind::result) + 1;
    static const std::array<Index, kKinds> indices = [] {
        std::array<Index, kKinds> all;
        for (std::size_t i = 0; i < kKinds; ++i)
            for (const KeyRow& row : keysOf(static_cast<FileKind>(i)))
                all[i].emplace(row.path, &row);
        return all;
    }();
    return indices[static_cast<std::size_t>(kind)];
}

/// The path with "[]" for each "[...]" that `leaveOut` says; the text between the brackets is its argument.
template <class Predicate>
std::string withoutIndices(std::string_view path, Predicate leaveOut)
{
    std::string generic;
    generic.reserve(path.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
        generic += path[i];
        const std::size_t close = path[i] == '[' ? path.find(']', i) : std::string_view::npos;
        if (close != std::string_view::npos && leaveOut(path.substr(i + 1, close - i - 1)))
            i = close - 1;
    }
    return generic;
}

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Where the last key of a path begins; keys in quotes may have dots in them.
std::size_t lastKey(std::string_view path)
{
    std::size_t begin = 0;
    char quote = '\0';
    for (std::size_t i = 0; i < path.size(); ++i)
        if (quote != '\0')
            quote = path[i] == quote ? '\0' : quote;
        else if (path[i] == '"' || path[i] == '\'')
            quote = path[i];
        else if (path[i] == '.')
            begin = i + 1;
    return begin;
}

/// The rows of an item's kind, and then those of all items.
std::vector<std::string> tablesLike(std::string_view table)
{
    std::vector<std::string> tables { withoutIndices(table, isNumber) };
    std::string ofAll = withoutIndices(table, [](std::string_view) { return true; });
    if (ofAll != tables.front())
        tables.push_back(std::move(ofAll));
    return tables;
}

} // namespace

const char* toString(FileKind kind)
{
    constexpr std::array kNames { "plan", "profile", "lab", "study", "result" };
    return kNames[static_cast<std::size_t>(kind)];
}

const char* toString(KeyType type)
{
    constexpr std::array kNames { "text", "flag", "integer", "number", "duration", "bytes", "rate", "percent",
        "quantity", "choice", "texts", "numbers", "date", "table", "tables", "secret" };
    static_assert(kNames.size() == static_cast<std::size_t>(KeyType::secret) + 1);
    return kNames[static_cast<std::size_t>(type)];
}

std::span<const KeyRow> keysOf(FileKind kind)
{
    switch (kind) {
    case FileKind::plan:
        return document::planKeys();
    case FileKind::profile:
        return document::profileKeys();
    case FileKind::lab:
        return document::labKeys();
    case FileKind::study:
        return document::studyKeys();
    case FileKind::result:
        return document::resultKeys();
    }
    return {};
}

const KeyRow* findKey(FileKind kind, std::string_view path)
{
    const Index& index = indexOf(kind);
    const auto find = [&](std::string_view generic) {
        const auto found = index.find(generic);
        return found == index.end() ? nullptr : found->second;
    };
    if (const KeyRow* row = find(path))
        return row;
    for (const std::string& like : tablesLike(path)) {
        if (const KeyRow* row = find(like))
            return row;
        if (const std::size_t begin = lastKey(like); begin > 0)
            if (const KeyRow* row = find(like.substr(0, begin) + "*"))
                return row;
    }
    return nullptr;
}

std::vector<const KeyRow*> keysBelow(FileKind kind, std::string_view table)
{
    std::vector<const KeyRow*> rows;
    for (const std::string& like : tablesLike(table)) {
        const std::string prefix = like.empty() ? like : like + ".";
        for (const KeyRow& row : keysOf(kind))
            if (row.path.starts_with(prefix) && row.path.find('.', prefix.size()) == std::string_view::npos)
                rows.push_back(&row);
    }
    return rows;
}

} // namespace loadstone
