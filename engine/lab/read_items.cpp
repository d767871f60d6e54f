// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/read_items.h"

#include <algorithm>
#include <utility>

namespace loadstone::lab {

void ReadItems::begin(document::TextVersion text)
{
    m_text = std::move(text);
    m_now.clear();
    m_next = 0;
}

void ReadItems::end()
{
    m_textBefore = std::move(m_text);
    m_before = std::move(m_now);
    m_now.clear();
}

const ReadItems::Entry* ReadItems::unchanged(const document::Node& table)
{
    // An edit changes one item, adds one or removes one; then all that follow stand one place further.
    for (const std::size_t place : { m_next, m_next - std::min<std::size_t>(m_next, 1), m_next + 1 }) {
        if (place >= m_before.size() || !sameContent(*m_before[place].table, table))
            continue;
        m_next = place + 1;
        return &m_before[place];
    }
    ++m_next; // changed, or added
    return nullptr;
}

std::optional<LabItem> ReadItems::read(
    const document::Node& table, const std::string& path, LabProblems& findings)
{
    std::optional<LabItem> item;
    if (const Entry* same = unchanged(table); same != nullptr && same->item) {
        item = same->item;
        item->line = table.begin.line;
        m_now.push_back({ &table, item });
        return item;
    }
    const std::size_t before = findings.count();
    item = readItem(table, path, findings);
    m_now.push_back({ &table, findings.count() == before ? item : std::nullopt });
    return item;
}

} // namespace loadstone::lab
