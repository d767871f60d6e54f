// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/space_map.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace loadstone::storage {
namespace {

/// The first clear bit in [from, to) of a map, or `to`.
PageNumber firstClear(Page map, PageNumber from, PageNumber to) noexcept
{
    const std::byte* const bits = map.bytes().data() + sizeof(PageHeader);
    while (from < to) {
        std::uint64_t word; // the stretch is a multiple of 64
        std::memcpy(&word, bits + from / 64 * 8, sizeof word);
        word |= (std::uint64_t { 1 } << (from % 64)) - 1;
        const PageNumber found = from / 64 * 64 + static_cast<PageNumber>(std::countr_one(word));
        if (found < (from / 64 + 1) * 64)
            return std::min(found, to);
        from = (from / 64 + 1) * 64;
    }
    return to;
}

} // namespace

PageNumber stretchOf(std::size_t pageSize) noexcept
{
    return static_cast<PageNumber>(Page::capacity(pageSize) / 8 * 64);
}

PageNumber mapOf(PageNumber page, std::size_t pageSize) noexcept
{
    const PageNumber stretch = stretchOf(pageSize);
    return page < stretch ? kFirstMap : page / stretch * stretch;
}

bool isMap(PageNumber page, std::size_t pageSize) noexcept
{
    return page == mapOf(page, pageSize);
}

bool inUse(Page map, PageNumber page) noexcept
{
    const PageNumber bit = page % stretchOf(map.size());
    return (map.bytes()[sizeof(PageHeader) + bit / 8] & std::byte { 1 } << (bit % 8)) != std::byte {};
}

SpaceMap::SpaceMap(std::uint8_t database, std::size_t pageSize)
    : m_database(database)
    , m_pageSize(pageSize)
{
}

PageNumber SpaceMap::allocate(PageEdit& edit)
{
    const PageNumber pages = edit.source().pages(m_database), from = std::min(m_next, pages);
    PageNumber page = allocateIn(edit, from, pages);
    if (page == kNoPage && !edit.hindered())
        page = allocateIn(edit, kFirstFreePage, from);
    if (page == kNoPage && !edit.hindered())
        edit.hinder(Hindrance::databaseFull);
    if (page != kNoPage)
        m_next = page + 1;
    return page;
}

void SpaceMap::setFree(PageNumber map, std::uint32_t pages)
{
    const std::size_t index = map / stretchOf(m_pageSize);
    if (m_free.size() <= index)
        m_free.resize(index + 1);
    m_free[index] = pages;
}

void SpaceMap::countUse(PageNumber map, int pages) noexcept
{
    const std::size_t index = map / stretchOf(m_pageSize);
    if (index < m_free.size() && m_free[index])
        *m_free[index] -= static_cast<std::uint32_t>(pages);
}

/// Whether it is known that a map has no free page, after what the edit has done so far.
bool SpaceMap::isFull(const PageEdit& edit, PageNumber map) const
{
    const std::size_t index = map / stretchOf(m_pageSize);
    if (index >= m_free.size() || !m_free[index])
        return false;
    std::int64_t left = *m_free[index];
    for (const auto& [id, pages] : edit.used())
        if (id == PageId { m_database, map })
            left -= pages;
    return left <= 0;
}

/// kNoPage: none is free there, or the edit is hindered.
PageNumber SpaceMap::allocateIn(PageEdit& edit, PageNumber from, PageNumber to)
{
    const PageNumber stretch = stretchOf(m_pageSize);
    for (PageNumber page = from; page < to;) {
        const PageNumber number = mapOf(page, m_pageSize), begin = page / stretch * stretch;
        if (isFull(edit, number)) {
            page = begin + std::min(to - begin, stretch);
            continue;
        }
        const Page map = edit.read({ m_database, number });
        if (map.valid() && map.header().kind != PageKind::spaceMap)
            edit.hinder(Hindrance::damaged, { m_database, number });
        if (edit.hindered())
            return kNoPage;
        const PageNumber end = std::min(to - begin, stretch);
        const PageNumber bit = firstClear(map, page - begin, end);
        if (bit < end) {
            edit.apply(edit.records().space(m_database, number, bit, true));
            edit.countUse({ m_database, number }, 1);
            return begin + bit;
        }
        page = begin + end;
    }
    return kNoPage;
}

void SpaceMap::release(PageEdit& edit, PageNumber page)
{
    const PageNumber number = mapOf(page, m_pageSize);
    if (!edit.read({ m_database, number }).valid())
        return;
    edit.apply(edit.records().space(m_database, number, page % stretchOf(m_pageSize), false));
    edit.countUse({ m_database, number }, -1);
    m_next = std::min(m_next, page);
}

} // namespace loadstone::storage
