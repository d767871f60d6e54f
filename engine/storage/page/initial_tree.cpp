// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/initial_tree.h"

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr std::size_t kFullness = 90; // per cent of a page, at most

std::uint64_t divideUp(std::uint64_t a, std::uint64_t b) noexcept
{
    return (a + b - 1) / b;
}

std::uint64_t perNode(std::size_t pageSize) noexcept
{
    return Page::capacity(pageSize) * kFullness / 100 / Page::cost(sizeof(PageNumber));
}

} // namespace

std::uint64_t InitialTree::perLeaf(std::size_t pageSize, std::size_t valueSize) noexcept
{
    return std::max<std::uint64_t>(Page::capacity(pageSize) * kFullness / 100 / Page::cost(valueSize), 1);
}

std::uint64_t InitialTree::recordsFor(
    std::uint64_t pages, std::size_t pageSize, std::size_t valueSize, std::size_t longSize)
{
    const std::uint64_t maps = divideUp(pages, stretchOf(pageSize));
    const std::uint64_t usable = pages > kFirstFreePage + maps ? pages - kFirstFreePage - maps : 0;
    // Of the pages of a tree one in perNode is above the leaves, and one in its square above those. Of either kind of leaves
    // one may be filled only in part.
    const std::uint64_t above =
        divideUp(usable, perNode(pageSize)) + (usable > perNode(pageSize) ? 2 : 0) + 2;
    const double leaves = usable > above ? static_cast<double>(usable - above) : 0;
    const double ofRecord = 1 / static_cast<double>(perLeaf(pageSize, valueSize))
        + 1 / static_cast<double>(perLeaf(pageSize, longSize));
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(leaves / ofRecord), 1);
}

InitialTree::InitialTree(
    std::uint64_t records, std::size_t pageSize, std::uint32_t signature, const RecordContent& content)
    : m_records(records)
    , m_pageSize(pageSize)
    , m_signature(signature)
    , m_content(content)
    , m_perLeaf(perLeaf(pageSize, content.size()))
    , m_longsPerLeaf(perLeaf(pageSize, content.longSize()))
    , m_perNode(perNode(pageSize))
    , m_recordLeaves(divideUp(records, m_perLeaf))
{
    std::uint64_t pages = m_recordLeaves + divideUp(records, m_longsPerLeaf), before = 0;
    for (;;) {
        m_levels.push_back({ pages, before });
        if (pages == 1)
            return;
        before += pages;
        pages = divideUp(pages, m_perNode);
    }
}

PageNumber InitialTree::end() const noexcept
{
    const std::uint64_t places = m_levels.back().before; // the root has a place of its own
    return places == 0 ? kFirstFreePage : numberOf(places - 1) + 1;
}

PageNumber InitialTree::numberOf(std::uint64_t place) const noexcept
{
    const std::uint64_t stretch = stretchOf(m_pageSize), first = stretch - kFirstFreePage;
    if (place < first)
        return static_cast<PageNumber>(kFirstFreePage + place);
    const std::uint64_t rest = place - first;
    return static_cast<PageNumber>((1 + rest / (stretch - 1)) * stretch + 1 + rest % (stretch - 1));
}

std::uint64_t InitialTree::placeOf(PageNumber number) const noexcept
{
    const std::uint64_t stretch = stretchOf(m_pageSize);
    return number < stretch
        ? number - kFirstFreePage
        : stretch - kFirstFreePage + (number / stretch - 1) * (stretch - 1) + number % stretch - 1;
}

PageNumber InitialTree::nodeNumber(unsigned level, std::uint64_t index) const noexcept
{
    return level + 1 == m_levels.size() ? kRootPage : numberOf(m_levels[level].before + index);
}

void InitialTree::make(PageNumber number, Page into) const
{
    into.header().timestamp = 0;
    if (isMap(number, m_pageSize)) {
        into.format(number, m_signature, PageKind::spaceMap, 0);
        const PageNumber stretch = stretchOf(m_pageSize), begin = number / stretch * stretch;
        const PageNumber used = std::max(std::min(end(), begin + stretch), number + 1) - begin;
        for (PageNumber bit = 0; bit < used; ++bit)
            into.bytes()[sizeof(PageHeader) + bit / 8] |= std::byte { 1 } << (bit % 8);
    } else if (number == kRootPage) {
        makeNode(number, static_cast<unsigned>(m_levels.size() - 1), 0, into);
    } else {
        const std::uint64_t place = placeOf(number);
        unsigned level = 0;
        while (place >= m_levels[level].before + m_levels[level].pages)
            ++level;
        makeNode(number, level, place - m_levels[level].before, into);
    }
    into.seal();
}

Key InitialTree::firstKeyOf(std::uint64_t leaf) const noexcept
{
    return leaf < m_recordLeaves ? leaf * m_perLeaf : longKeyOf((leaf - m_recordLeaves) * m_longsPerLeaf);
}

void InitialTree::makeLeaf(std::uint64_t index, Page into) const
{
    const bool longs = index >= m_recordLeaves;
    const std::uint64_t perPage = longs ? m_longsPerLeaf : m_perLeaf,
                        first = (longs ? index - m_recordLeaves : index) * perPage;
    std::string value(longs ? m_content.longSize() : m_content.size(), '\0');
    const auto bytes = std::as_writable_bytes(std::span(value));
    for (std::uint64_t i = first; i < std::min(first + perPage, m_records); ++i) {
        const Key key = longs ? longKeyOf(i) : i;
        if (longs)
            m_content.makeLong(key, 0, bytes);
        else
            m_content.make(key, longKeyOf(i), 0, bytes);
        into.insert(key, bytes);
    }
    if (index + 1 < m_levels[0].pages)
        into.header().next = nodeNumber(0, index + 1);
}

void InitialTree::makeNode(PageNumber number, unsigned level, std::uint64_t index, Page into) const
{
    into.format(number, m_signature, level == 0 ? PageKind::leaf : PageKind::internal, level);
    if (level == 0)
        return makeLeaf(index, into);
    // The lowest key below a page is that of its first leaf's first record; of the leftmost page, none is lower.
    std::uint64_t leavesBelow = 1;
    for (unsigned i = 1; i < level; ++i)
        leavesBelow *= m_perNode;
    const std::uint64_t last = std::min((index + 1) * m_perNode, m_levels[level - 1].pages);
    for (std::uint64_t child = index * m_perNode; child < last; ++child) {
        const PageNumber page = nodeNumber(level - 1, child);
        into.insert(child == 0 ? 0 : firstKeyOf(child * leavesBelow), std::as_bytes(std::span(&page, 1)));
    }
}

} // namespace loadstone::storage
