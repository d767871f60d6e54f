// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace loadstone {

std::string PlanProblem::format(const std::string& file) const
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

namespace loadstone::plan {

void Problems::error(const std::string& field, std::string message, std::string remedy)
{
    errorAt(positionOf(*m_root, field), field, std::move(message), std::move(remedy));
}

void Problems::warning(const std::string& field, std::string message, std::string remedy)
{
    const Position at = positionOf(*m_root, field);
    m_problems.push_back(
        { ProblemSeverity::warning, at.line, at.column, field, std::move(message), std::move(remedy) });
}

void Problems::errorAt(Position at, const std::string& field, std::string message, std::string remedy)
{
    m_problems.push_back(
        { ProblemSeverity::error, at.line, at.column, field, std::move(message), std::move(remedy) });
}

bool Problems::touched(const std::string& field) const
{
    return std::any_of(m_problems.begin(), m_problems.end(), [&](const PlanProblem& problem) {
        return problem.severity == ProblemSeverity::error && problem.field.starts_with(field)
            && (problem.field.size() == field.size() || problem.field[field.size()] == '.'
                || problem.field[field.size()] == '[');
    });
}

std::vector<PlanProblem> Problems::take()
{
    constexpr std::size_t kAtMost = 100;
    std::stable_sort(m_problems.begin(), m_problems.end(), [](const PlanProblem& a, const PlanProblem& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    if (m_problems.size() > kAtMost) {
        // An error among those left out must not turn the plan into a good one.
        const auto left = m_problems.size() - kAtMost;
        m_problems.resize(kAtMost);
        m_problems.push_back({ ProblemSeverity::error, 0, 0, "", fmt::format("{} more problems are not shown", left),
            "mend those above first" });
    }
    return std::move(m_problems);
}

} // namespace loadstone::plan
