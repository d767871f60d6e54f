// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/store/group_pages.h"

#include <algorithm>

namespace loadstone::storage {

Frame* StorageGroup::Pages::frame(PageId id) const
{
    const auto at =
        std::find_if(m_pinned.rbegin(), m_pinned.rend(), [&](const Frame* frame) { return frame->id == id; });
    return at == m_pinned.rend() ? nullptr : *at;
}

Page StorageGroup::Pages::resident(PageId id)
{
    if (id.database >= m_group.m_pages.size() || id.number >= m_group.m_pages[id.database])
        return {}; // a damaged pointer; reading it will fail, and say so
    if (const Frame* const known = frame(id))
        return known->page;
    Frame* const found = m_group.m_cache.find(id);
    if (found == nullptr)
        return {};
    ++found->pins;
    m_pinned.push_back(found);
    return found->page;
}

Page StorageGroup::Pages::fresh(PageId id)
{
    if (const Frame* const known = frame(id))
        return known->page;
    const bool there = m_group.m_cache.holds(id);
    Frame* const taken = m_group.m_cache.take(id);
    if (taken == nullptr)
        return {};
    m_pinned.push_back(taken);
    if (!there)
        m_fresh.push_back(taken);
    return taken->page;
}

std::size_t StorageGroup::Pages::discardFresh()
{
    const std::size_t pages = m_fresh.size();
    for (Frame* const frame : m_fresh) {
        std::erase(m_pinned, frame);
        m_group.m_cache.discard(*frame);
    }
    m_fresh.clear();
    return pages;
}

void StorageGroup::Pages::release()
{
    discardFresh();
    for (Frame* const frame : m_pinned)
        m_group.m_cache.unpin(*frame);
    m_pinned.clear();
}

} // namespace loadstone::storage
