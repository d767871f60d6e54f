// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/lab_index.h"

#include <algorithm>
#include <limits>

namespace loadstone::report {

namespace {

/// The greatest number for a product that has no room.
std::int64_t times(std::int64_t a, std::int64_t b)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    a = std::max<std::int64_t>(a, 0);
    b = std::max<std::int64_t>(b, 0);
    return b != 0 && a > kMost / b ? kMost : a * b;
}

} // namespace

LabIndex::LabIndex(const Lab& lab)
    : m_lab(&lab)
{
    for (const LabLink& link : lab.links)
        m_links.try_emplace({ link.from, link.to }, &link);
    m_entries.reserve(lab.items.size());
    for (const LabItem& item : lab.items)
        m_entries.try_emplace(item.id, Entry { &item, std::max<std::int64_t>(item.count, 0), {} });
    std::vector<const LabItem*> open; // whose total is final
    for (const LabItem& item : lab.items) {
        const auto around = m_entries.find(item.in);
        if (around != m_entries.end())
            around->second.below.push_back(&item);
        else if (find(item.id) == &item) // of several with one id the first counts
            open.push_back(&item);
    }
    while (!open.empty()) {
        const Entry& entry = m_entries.at(open.back()->id);
        open.pop_back();
        for (const LabItem* below : entry.below) {
            Entry& inner = m_entries.at(below->id);
            if (inner.item != below)
                continue;
            inner.total = times(entry.total, below->count);
            open.push_back(below);
        }
    }
}

const LabItem* LabIndex::find(std::string_view id) const
{
    const auto it = m_entries.find(id);
    return it == m_entries.end() ? nullptr : it->second.item;
}

const LabLink* LabIndex::findLink(std::string_view from, std::string_view to) const
{
    const auto it = m_links.find({ from, to });
    return it == m_links.end() ? nullptr : it->second;
}

std::vector<const LabItem*> LabIndex::below(std::string_view id) const
{
    const auto it = m_entries.find(id);
    return it == m_entries.end() ? std::vector<const LabItem*>() : it->second.below;
}

std::int64_t LabIndex::total(const LabItem& item) const
{
    const auto it = m_entries.find(item.id);
    return it == m_entries.end() ? item.count : it->second.total;
}

} // namespace loadstone::report
