// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/space_map.h"

#include <optional>
#include <vector>

namespace loadstone::storage {

/// The B+tree of a database's records (Bayer and McCreight, Acta Informatica 1, 1972; all records in the leaves, which are
/// chained). It does no I/O: each function works on the pages that are in memory, and says which one it misses.
/// A function that leaves its edit hindered has to be done again, after rollBack().
class Tree {
public:
    Tree(std::uint8_t database, PageNumber root, std::size_t pageSize, SpaceMap& space);

    struct Found {
        Key key;
        std::span<const std::byte> value; ///< until the edit ends
    };
    /// The record with the lowest key that is not below `key`; nothing where there is none, or the edit is hindered.
    std::optional<Found> seek(PageEdit& edit, Key key) const;

    void insert(PageEdit& edit, Key key, std::span<const std::byte> value);
    void erase(PageEdit& edit, Key key);
    void replace(PageEdit& edit, Key key, std::span<const std::byte> value);
    /// Changes a part of a value.
    void patch(PageEdit& edit, Key key, std::uint16_t offset, std::span<const std::byte> bytes);

private:
    struct Step {
        PageNumber number;
        Page page;
        unsigned slot; // the one taken further down
    };
    using Path = std::vector<Step>; // from the root to a leaf
    [[nodiscard]] Page readNode(PageEdit& edit, PageNumber number, int level) const;
    [[nodiscard]] Path descend(PageEdit& edit, Key key) const;
    /// Makes room for one more entry with a value of that size in the path's leaf, one split at a time. False: a split was
    /// made, the path is another now, or the edit is hindered.
    bool makeRoom(PageEdit& edit, const Path& path, Key key, std::size_t valueSize);
    void growRoot(PageEdit& edit, Page root);
    void split(PageEdit& edit, const Step& parent, const Step& node, unsigned first, Key key);
    void shrink(PageEdit& edit, const Path& path);
    bool merge(PageEdit& edit, const Step& parent, unsigned leftSlot, int level);
    void release(PageEdit& edit, PageNumber page);
    std::uint8_t m_database;
    PageNumber m_root;
    std::size_t m_pageSize;
    SpaceMap& m_space;
};

} // namespace loadstone::storage
