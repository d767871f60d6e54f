// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"
#include "lab/reading.h"

#include <fmt/format.h>

namespace loadstone::lab {

namespace {

constexpr std::size_t kMostFlags = 80; // below the hundred problems that are shown
constexpr std::size_t kMostSearches = 300;

} // namespace

void Findings::error(const std::string& field, std::string message, std::string remedy)
{
    ++m_errors;
    m_problems.error(field, std::move(message), std::move(remedy));
}

void Findings::errorAt(
    document::Position at, const std::string& field, std::string message, std::string remedy)
{
    ++m_errors;
    m_problems.errorAt(at, field, std::move(message), std::move(remedy));
}

void Findings::flag(const std::string& field, std::string message, std::string remedy)
{
    if (++m_flags <= kMostFlags)
        m_problems.warning(field, std::move(message), std::move(remedy));
}

void Findings::flagAt(
    document::Position at, const std::string& field, std::string message, std::string remedy)
{
    if (++m_flags <= kMostFlags)
        m_problems.warningAt(at, field, std::move(message), std::move(remedy));
}

void Findings::unknownKey(
    const document::Member& member, const std::string& path, const std::vector<std::string>& known, bool kept)
{
    const std::string name = document::shown(member.key);
    const std::string field = path.empty() ? name : path + "." + name;
    const std::string near = meant(member.key, known);
    std::string remedy = near.empty() ? fmt::format("remove it, or use one of: {}", fmt::join(known, ", "))
                                      : fmt::format("did you mean {}?", near);
    if (kept)
        flagAt(member.at, field, "this key is unknown; its value is kept as a text",
            near.empty() ? "use a key of the table, or move it to notes" : std::move(remedy));
    else
        errorAt(member.at, field, "this key is unknown", std::move(remedy));
}

std::string Findings::meant(const std::string& word, const std::vector<std::string>& known)
{
    if (++m_searches > kMostSearches)
        return {};
    return document::nearest(word, known);
}

void Findings::close()
{
    if (m_flags > kMostFlags)
        m_problems.warning("", fmt::format("{} more warnings are not shown", m_flags - kMostFlags),
            "see to those above first");
}

} // namespace loadstone::lab
