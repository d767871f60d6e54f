// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/store/storage_group.h"

namespace loadstone::storage {

/// The pages that one transaction, or one read, has seen in its group's cache. They keep a pin until it ends, so that those
/// it waited for are not gone when it tries again.
class StorageGroup::Pages : public PageSource {
public:
    explicit Pages(StorageGroup& group)
        : m_group(group)
    {
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() override { release(); }

    Page resident(PageId id) override;
    Page fresh(PageId id) override;
    [[nodiscard]] std::uint32_t signature(std::uint8_t database) const override
    {
        return m_group.m_cache.file(database).signature;
    }
    [[nodiscard]] PageNumber pages(std::uint8_t database) const override
    {
        return static_cast<PageNumber>(m_group.m_pages[database]);
    }

    /// A page seen.
    [[nodiscard]] Frame* frame(PageId id) const;
    /// Takes over a pin.
    void adopt(Frame& frame) { m_pinned.push_back(&frame); }
    /// Pages got by fresh() have a content now.
    void keepFresh() { m_fresh.clear(); }
    /// They have none; they are forgotten. How many there were.
    std::size_t discardFresh();
    void release();

private:
    StorageGroup& m_group;
    std::vector<Frame*> m_pinned, m_fresh; // a fresh one is in both
};

} // namespace loadstone::storage
