// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_rows.h"

#include <deque>
#include <mutex>

namespace loadstone::document {

std::string_view kept(std::string text)
{
    static std::mutex mutex;
    static std::deque<std::string> texts; // does not move what it holds
    const std::scoped_lock lock(mutex);
    return texts.emplace_back(std::move(text));
}

KeyRow textKey(std::string_view path, std::string_view help, bool required)
{
    return { .path = path, .type = KeyType::text, .required = required, .help = help };
}

void addBelow(KeyRows& to, std::string_view table, const KeyRows& rows)
{
    for (KeyRow row : rows) {
        row.path = kept(std::string(table) + "." + std::string(row.path));
        for (KeyCondition& condition : row.when)
            if (condition.key.starts_with('.')) // stays so, for a table may be put below another
                condition.key = kept("." + std::string(table) + std::string(condition.key));
        to.push_back(std::move(row));
    }
}

void completeConditions(KeyRows& rows)
{
    for (KeyRow& row : rows)
        for (KeyCondition& condition : row.when)
            if (condition.key.starts_with('.'))
                condition.key.remove_prefix(1);
}

void addOverridesBelow(KeyRows& to, std::string_view table, const KeyRows& rows)
{
    KeyRows overrides = rows;
    for (KeyRow& row : overrides) {
        row.required = false;
        row.fallback = {};
    }
    addBelow(to, table, overrides);
}

KeyRow sizeKey(
    std::string_view path, double least, double most, std::string_view fallback, std::string_view help)
{
    return {
        .path = path, .type = KeyType::bytes, .least = least, .most = most, .fallback = fallback, .help = help
    };
}

KeyRow shareKey(std::string_view path, std::string_view fallback, std::string_view help)
{
    return {
        .path = path, .type = KeyType::percent, .least = 0, .most = 100, .fallback = fallback, .help = help
    };
}

KeyRow countKey(
    std::string_view path, double least, double most, std::string_view fallback, std::string_view help)
{
    return { .path = path,
        .type = KeyType::integer,
        .least = least,
        .most = most,
        .fallback = fallback,
        .help = help };
}

} // namespace loadstone::document
