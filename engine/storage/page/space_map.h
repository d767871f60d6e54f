// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/page_edit.h"

#include <optional>
#include <vector>

namespace loadstone::storage {

// How a database's pages are laid out: page 0 is its header and page 1 the header's double, page 2 the first space map, page
// 3 the root of the records. A space map has one bit for each page of its stretch, itself included, set while in use; the
// first one's stretch begins at page 0, every further one lies at the beginning of its own.

inline constexpr PageNumber kHeaderDouble = 1, kFirstMap = 2, kRootPage = 3, kFirstFreePage = 4;

/// How many pages one space map tells of.
[[nodiscard]] PageNumber stretchOf(std::size_t pageSize) noexcept;
/// The space map that tells of a page.
[[nodiscard]] PageNumber mapOf(PageNumber page, std::size_t pageSize) noexcept;
[[nodiscard]] bool isMap(PageNumber page, std::size_t pageSize) noexcept;
/// Whether a map, read, says that the page is in use.
[[nodiscard]] bool inUse(Page map, PageNumber page) noexcept;

/// Finds free pages of one database. It remembers where to look first; that is no more than a hint. And it passes over maps that
/// have none, as far as it was told how many each has: of a large database there are thousands of maps.
class SpaceMap {
public:
    SpaceMap(std::uint8_t database, std::size_t pageSize);

    /// A page that was free and now is in use; kNoPage where the edit is hindered.
    PageNumber allocate(PageEdit& edit);
    void release(PageEdit& edit, PageNumber page);
    /// The hint, to be put back when an edit was rolled back: or pages would be passed over.
    [[nodiscard]] PageNumber hint() const noexcept { return m_next; }
    void setHint(PageNumber page) noexcept { m_next = page; }
    /// How many pages that a map tells of are free. What edits change in that is to be counted when they are accepted.
    void setFree(PageNumber map, std::uint32_t pages);
    void countUse(PageNumber map, int pages) noexcept;

private:
    std::uint8_t m_database;
    std::size_t m_pageSize;
    PageNumber allocateIn(PageEdit& edit, PageNumber from, PageNumber to);
    [[nodiscard]] bool isFull(const PageEdit& edit, PageNumber map) const;
    PageNumber m_next = kFirstFreePage;
    std::vector<std::optional<std::uint32_t>> m_free; // pages, by map; none: not known
};

} // namespace loadstone::storage
