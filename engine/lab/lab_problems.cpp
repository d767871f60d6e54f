// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "document/lab_keys.h"
#include "document/table_reader.h"
#include "lab/reading.h"

#include <fmt/format.h>

namespace loadstone::lab {

namespace {

constexpr std::size_t kMostFlags = 80; // below the hundred problems that are shown
constexpr std::size_t kMostSearches = 300;

} // namespace

void LabProblems::error(const std::string& field, std::string message, std::string remedy)
{
    ++m_errors;
    m_problems.error(field, std::move(message), std::move(remedy));
}

void LabProblems::errorAt(
    document::Position at, const std::string& field, std::string message, std::string remedy)
{
    ++m_errors;
    m_problems.errorAt(at, field, std::move(message), std::move(remedy));
}

void LabProblems::flag(const std::string& field, std::string message, std::string remedy)
{
    if (++m_flags <= kMostFlags)
        m_problems.warning(field, std::move(message), std::move(remedy));
}

void LabProblems::flagAt(
    document::Position at, const std::string& field, std::string message, std::string remedy)
{
    if (++m_flags <= kMostFlags)
        m_problems.warningAt(at, field, std::move(message), std::move(remedy));
}

void LabProblems::unknownKey(
    const document::Member& member, const std::string& path, const std::vector<std::string>& known)
{
    const std::string name = document::shown(member.key);
    const std::string near = meant(member.key, known);
    errorAt(member.at, path.empty() ? name : path + "." + name, "this key is unknown",
        near.empty() ? fmt::format("remove it, or use one of: {}", joined(known, ", "))
                     : fmt::format("did you mean {}?", near));
}

void LabProblems::unknownProperty(
    const document::Member& member, const std::string& path, const std::vector<std::string>& known)
{
    const std::string near = meant(member.key, known);
    const std::string_view kind =
        near.empty() ? document::labKindWithProperty(member.key) : std::string_view();
    flagAt(member.at, path + "." + document::shown(member.key),
        kind.empty()
            ? std::string("this key is unknown; its value is kept as a text")
            : fmt::format("this is a key of items of the kind {}; its value is kept as a text", kind),
        !near.empty()      ? fmt::format("did you mean {}?", near)
            : kind.empty() ? std::string("use a key of the table, or move it to notes")
                           : fmt::format("move it to an item of the kind {}", kind));
}

std::string LabProblems::meant(const std::string& word, const std::vector<std::string>& known)
{
    if (++m_searches > kMostSearches)
        return {};
    return document::nearest(word, known);
}

void LabProblems::close()
{
    if (m_flags > kMostFlags)
        m_problems.warning("", fmt::format("{} more warnings are not shown", m_flags - kMostFlags),
            "see to those above first");
}

} // namespace loadstone::lab
