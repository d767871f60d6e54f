// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text_history.h"

#include <algorithm>
#include <utility>

namespace loadstone::document {

namespace {

constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kMostKept = 64U << 20U; // bytes

} // namespace

void TextHistory::add(std::string name, const std::string& before, const std::string& after)
{
    const std::size_t shared = std::min(before.size(), after.size());
    const auto begin = static_cast<std::size_t>(
        std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shared), after.begin())
            .first
        - before.begin());
    const auto end = static_cast<std::size_t>(
        std::mismatch(
            before.rbegin(), before.rbegin() + static_cast<std::ptrdiff_t>(shared - begin), after.rbegin())
            .first
        - before.rbegin());
    m_steps.resize(m_done);
    m_steps.push_back(std::make_shared<const Step>(
        Step { std::move(name), begin, before.substr(begin, before.size() - end - begin),
            after.substr(begin, after.size() - end - begin) }));
    std::size_t kept = 0, first = m_steps.size();
    while (first > 0 && m_steps.size() - first < kMostSteps) {
        kept += m_steps[first - 1]->before.size() + m_steps[first - 1]->after.size();
        if (kept > kMostKept && first < m_steps.size())
            break;
        --first;
    }
    m_steps.erase(m_steps.begin(), m_steps.begin() + static_cast<std::ptrdiff_t>(first));
    m_done = m_steps.size();
}

std::string TextHistory::undo(const std::string& now)
{
    const Step& step = *m_steps[--m_done];
    return std::string(now).replace(step.at, step.after.size(), step.before);
}

std::string TextHistory::redo(const std::string& now)
{
    const Step& step = *m_steps[m_done++];
    return std::string(now).replace(step.at, step.before.size(), step.after);
}

} // namespace loadstone::document
