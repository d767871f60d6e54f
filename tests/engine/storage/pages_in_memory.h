// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "storage/page/tree.h"

#include <map>
#include <memory>
#include <utility>

namespace loadstone::test {

/// The pages of one database, all in memory; now and then one is said not to be, so that edits are rolled back.
class PagesInMemory : public storage::PageSource {
public:
    PagesInMemory(std::size_t pageSize, storage::PageNumber pages, std::uint64_t seed)
        : m_pageSize(pageSize)
        , m_pages(pages)
        , m_random(seed)
    {
        using namespace storage;
        for (PageNumber map = kFirstMap; map < pages;
             map = mapOf(map, pageSize) == kFirstMap ? stretchOf(pageSize) : map + stretchOf(pageSize)) {
            const Page page = memory(map);
            page.format(map, kSignature, PageKind::spaceMap, 0);
            const unsigned taken = map == kFirstMap ? kFirstFreePage : 1;
            for (unsigned bit = 0; bit < taken; ++bit)
                page.bytes()[sizeof(PageHeader)] |= std::byte { 1 } << bit;
        }
        memory(kRootPage).format(kRootPage, kSignature, PageKind::leaf, 0);
    }

    storage::Page resident(storage::PageId id) override
    {
        if (id.number >= m_pages || (missEvery > 0 && id != m_missed && m_random.below(missEvery) == 0)) {
            m_missed = id;
            return {};
        }
        return memory(id.number);
    }
    storage::Page fresh(storage::PageId id) override
    {
        return missEvery > 0 && m_random.below(missEvery) == 0 ? storage::Page {} : memory(id.number);
    }
    [[nodiscard]] std::uint32_t signature(std::uint8_t) const override { return kSignature; }
    [[nodiscard]] storage::PageNumber pages(std::uint8_t) const override { return m_pages; }

    storage::Page memory(storage::PageNumber number)
    {
        auto& bytes = m_memory[number];
        if (!bytes)
            bytes = std::make_unique<std::byte[]>(m_pageSize);
        return storage::Page(std::span(bytes.get(), m_pageSize));
    }
    static constexpr std::uint32_t kSignature = 0x51a7e;
    std::uint64_t missEvery = 0; ///< 0: never

private:
    std::size_t m_pageSize;
    storage::PageNumber m_pages;
    Random m_random;
    storage::PageId m_missed;
    std::map<storage::PageNumber, std::unique_ptr<std::byte[]>> m_memory;
};

} // namespace loadstone::test
