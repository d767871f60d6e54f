// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace loadstone {

std::string Problem::format(const std::string& file) const
{
    std::string text = file;
    if (line > 0)
        text += fmt::format(":{}:{}", line, column);
    text += ": ";
    if (severity == ProblemSeverity::warning)
        text += "warning: ";
    if (!field.empty())
        text += field + ": ";
    text += message;
    if (!remedy.empty())
        text += "; " + remedy;
    return text;
}

} // namespace loadstone

namespace loadstone::document {

namespace {

constexpr std::size_t kKept = 1000; // a file of nothing but mistakes must not take all day
constexpr std::size_t kTold = 100;

} // namespace

void Problems::error(const std::string& field, std::string message, std::string remedy)
{
    errorAt(positionOf(*m_root, field), field, std::move(message), std::move(remedy));
}

void Problems::errorAt(Position at, const std::string& field, std::string message, std::string remedy)
{
    touch(field);
    add({ ProblemSeverity::error, at.line, at.column, field, std::move(message), std::move(remedy) });
}

void Problems::warning(const std::string& field, std::string message, std::string remedy)
{
    warningAt(positionOf(*m_root, field), field, std::move(message), std::move(remedy));
}

void Problems::warningAt(Position at, const std::string& field, std::string message, std::string remedy)
{
    add({ ProblemSeverity::warning, at.line, at.column, field, std::move(message), std::move(remedy) });
}

void Problems::add(Problem problem)
{
    if (m_problems.size() < kKept)
        m_problems.push_back(std::move(problem));
    else
        ++m_left;
}

void Problems::touch(std::string field)
{
    if (m_touched.size() < kKept)
        m_touched.push_back(std::move(field));
}

bool Problems::touched(const std::string& field) const
{
    return std::any_of(m_touched.begin(), m_touched.end(), [&](const std::string& other) {
        return other.starts_with(field)
            && (other.size() == field.size() || other[field.size()] == '.' || other[field.size()] == '[');
    });
}

bool Problems::touchedItself(const std::string& field) const
{
    return std::find(m_touched.begin(), m_touched.end(), field) != m_touched.end();
}

std::vector<Problem> Problems::take()
{
    std::stable_sort(m_problems.begin(), m_problems.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    if (m_problems.size() > kTold || m_left > 0) {
        // An error among those left out must not turn the plan into a good one.
        const std::size_t told = std::min(m_problems.size(), kTold);
        m_left += m_problems.size() - told;
        m_problems.resize(told);
        m_problems.push_back({ ProblemSeverity::error, 0, 0, "",
            fmt::format("{} more problems are not shown", m_left), "fix those above first" });
    }
    return std::move(m_problems);
}

} // namespace loadstone::document
