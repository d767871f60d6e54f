// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/items.h"

#include <algorithm>
#include <cstdint>

namespace loadstone::lab {

Items::Items(const Lab& lab)
    : m_lab(&lab)
    , m_parents(lab.items.size(), kNone)
    , m_below(lab.items.size())
    , m_totals(lab.items.size(), 0)
{
    m_ids.reserve(lab.items.size());
    for (std::size_t i = 0; i < lab.items.size(); ++i)
        m_ids.emplace(lab.items[i].id, i);
    for (std::size_t i = 0; i < lab.items.size(); ++i)
        if (const auto container = lab.items[i].in.empty() ? std::nullopt : find(lab.items[i].in))
            m_parents[i] = *container;
    // Walk up from each item; what is met on the same walk again is a circle, which is cut there.
    std::vector<std::uint32_t> walk(lab.items.size(), 0);
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < lab.items.size(); ++i) {
        ++number;
        for (std::size_t at = i; at != kNone && (walk[at] == 0 || walk[at] == number); at = m_parents[at]) {
            if (walk[at] == number) {
                m_circles.push_back(at);
                m_parents[at] = kNone;
                break;
            }
            walk[at] = number;
        }
    }
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < lab.items.size(); ++i) {
        if (m_parents[i] == kNone) {
            m_totals[i] = static_cast<double>(lab.items[i].count);
            open.push_back(i);
        } else {
            m_below[m_parents[i]].push_back(i);
        }
    }
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        for (const std::size_t child : m_below[at]) {
            m_totals[child] = m_totals[at] * static_cast<double>(lab.items[child].count);
            open.push_back(child);
        }
    }
}

std::optional<std::size_t> Items::find(std::string_view id) const
{
    const auto at = m_ids.find(id);
    return at == m_ids.end() ? std::nullopt : std::optional(at->second);
}

std::optional<std::size_t> Items::parent(std::size_t item) const
{
    return m_parents[item] == kNone ? std::nullopt : std::optional(m_parents[item]);
}

bool Items::isWithin(std::size_t item, std::size_t container) const
{
    for (std::size_t at = m_parents[item]; at != kNone; at = m_parents[at])
        if (at == container)
            return true;
    return false;
}

bool hasRole(const LabItem& item, std::string_view role)
{
    return std::ranges::find(item.roles, role) != item.roles.end();
}

} // namespace loadstone::lab
