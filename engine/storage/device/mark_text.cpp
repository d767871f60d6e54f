// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/mark_text.h"

#include <fmt/format.h>

namespace loadstone::storage {

MarkText MarkText::parse(std::string_view text)
{
    MarkText mark;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (const auto equals = line.find(" = "); equals != std::string_view::npos && line.front() != '#')
            mark.m_values.emplace(line.substr(0, equals), line.substr(equals + 3));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return mark;
}

std::string MarkText::value(std::string_view key) const
{
    const auto found = m_values.lower_bound(key); // the first one, which find() need not give
    return found == m_values.end() || found->first != key ? std::string() : found->second;
}

std::vector<std::string> MarkText::values(std::string_view key) const
{
    std::vector<std::string> all;
    const auto [first, last] = m_values.equal_range(key);
    for (auto one = first; one != last; ++one)
        all.push_back(one->second);
    return all;
}

void MarkWriter::add(std::string_view key, std::string_view value)
{
    m_text += fmt::format("{} = {}\n", key, value);
}

void MarkWriter::add(std::string_view key, std::uint64_t value)
{
    m_text += fmt::format("{} = {}\n", key, value);
}

void MarkWriter::add(std::string_view key, double value)
{
    m_text += fmt::format("{} = {}\n", key, value);
}

} // namespace loadstone::storage
