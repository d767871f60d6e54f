// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/record_content.h"
#include "storage/page/space_map.h"

#include <vector>

namespace loadstone::storage {

/// The pages of a database that was just filled. Each page is a function of its number alone, so that they can be made in any
/// order, by several at once, and a filling that was interrupted goes on. Records all have one size, and so have their long
/// values; the keys of both count up. The leaves come first, in the order of their keys, then the levels
/// above them; the topmost page is the root.
class InitialTree {
public:
    /// `records`: at least 1.
    InitialTree(
        std::uint64_t records, std::size_t pageSize, std::uint32_t signature, const RecordContent& content);

    [[nodiscard]] std::uint64_t records() const noexcept { return m_records; }
    /// Pages in use: all below this number are, maps, header and root included.
    [[nodiscard]] PageNumber end() const noexcept;
    /// How many records of that size, with long values of that size, fill that many pages, about.
    [[nodiscard]] static std::uint64_t recordsFor(
        std::uint64_t pages, std::size_t pageSize, std::size_t valueSize, std::size_t longSize);
    [[nodiscard]] static Key longKeyOf(std::uint64_t record) noexcept
    {
        return RecordContent::kLongKeys + record;
    }

    /// Makes any page but the two headers, sealed. `pages`: that the file has.
    void make(PageNumber number, Page into) const;

private:
    struct Level {
        std::uint64_t pages;
        std::uint64_t before; // pages of lower levels
    };
    [[nodiscard]] static std::uint64_t perLeaf(std::size_t pageSize, std::size_t valueSize) noexcept;
    [[nodiscard]] PageNumber numberOf(
        std::uint64_t place) const noexcept; // the nth page that is neither fixed nor a map
    [[nodiscard]] std::uint64_t placeOf(PageNumber number) const noexcept;
    void makeNode(PageNumber number, unsigned level, std::uint64_t index, Page into) const;
    void makeLeaf(std::uint64_t index, Page into) const;
    [[nodiscard]] Key firstKeyOf(std::uint64_t leaf) const noexcept;
    [[nodiscard]] PageNumber nodeNumber(unsigned level, std::uint64_t index) const noexcept;
    std::uint64_t m_records;
    std::size_t m_pageSize;
    std::uint32_t m_signature;
    const RecordContent& m_content;
    std::uint64_t m_perLeaf, m_longsPerLeaf, m_perNode;
    std::uint64_t m_recordLeaves; // leaves of records; those of long values follow
    std::vector<Level> m_levels; // from the leaves up; the last has one page, the root
};

} // namespace loadstone::storage
