// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/page_copies.h"

#include "storage/device/transfers.h"

#include <cstring>
#include <map>

namespace loadstone::storage {
namespace {

constexpr char kCopiesMagic[8] = { 'L', 'S', 't', 'o', 'n', 'e', 'W', '1' };

/// The first block of a slot.
struct Head {
    std::uint64_t hash; // of the rest of the block
    char magic[8];
    LogPosition logEnd; // the copies have all changes before
    std::uint32_t count;
    std::uint32_t pageSize;
    struct Entry {
        std::uint32_t database;
        PageNumber number;
    } entries[PageCopies::kMostPages];
};
static_assert(sizeof(Head) <= PageCopies::kHead);

std::uint64_t hashOfSlot(std::span<const std::byte> slot) noexcept
{
    return contentHash(slot.subspan(sizeof(std::uint64_t), PageCopies::kHead - sizeof(std::uint64_t)));
}

} // namespace

std::uint64_t PageCopies::fileSize(std::size_t pageSize) noexcept
{
    return kSlots * (kHead + kMostPages * pageSize);
}

PageCopies::PageCopies(Loop& loop, Cache& cache, FileId file, std::string path, Durability durability)
    : m_loop(loop)
    , m_cache(cache)
    , m_file(file)
    , m_path(std::move(path))
    , m_durability(durability)
    , m_memory(fileSize(cache.pageSize()))
{
}

std::span<std::byte> PageCopies::pages(std::size_t slot) const noexcept
{
    return m_memory.bytes().subspan(slot * slotSize() + kHead, kMostPages * m_cache.pageSize());
}

Task<Result<void>> PageCopies::write(std::size_t slot, std::span<const PageId> ids, LogPosition logEnd)
{
    const auto bytes = m_memory.bytes().subspan(slot * slotSize(), kHead + ids.size() * m_cache.pageSize());
    std::memset(bytes.data(), 0, kHead);
    Head head {};
    std::memcpy(head.magic, kCopiesMagic, sizeof kCopiesMagic);
    head.logEnd = logEnd;
    head.count = static_cast<std::uint32_t>(ids.size());
    head.pageSize = static_cast<std::uint32_t>(m_cache.pageSize());
    for (std::size_t i = 0; i < ids.size(); ++i)
        head.entries[i] = { ids[i].database, ids[i].number };
    std::memcpy(bytes.data(), &head, sizeof head);
    head.hash = hashOfSlot(bytes);
    std::memcpy(bytes.data(), &head.hash, sizeof head.hash);
    co_return co_await writeAt(
        m_loop, m_file, slot * slotSize(), bytes, IoClass::databaseWrite, m_path, m_durability);
}

Task<Result<std::size_t>> PageCopies::restore(LogPosition checkpoint)
{
    // Of several copies of a page the latest one counts.
    std::map<std::pair<std::uint32_t, PageNumber>, Page> copies;
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        const auto bytes = m_memory.bytes().subspan(slot * slotSize(), slotSize());
        const Result<void> read =
            co_await readAt(m_loop, m_file, slot * slotSize(), bytes, IoClass::databaseRead, m_path);
        if (!read)
            co_return read.error();
        Head head;
        std::memcpy(&head, bytes.data(), sizeof head);
        if (std::memcmp(head.magic, kCopiesMagic, sizeof kCopiesMagic) != 0 || head.hash != hashOfSlot(bytes)
            || head.count > kMostPages || head.pageSize != m_cache.pageSize())
            continue;
        // An old batch, long in place: its copies lack changes that recovery will not make again.
        if (head.logEnd < checkpoint)
            continue;
        for (std::size_t i = 0; i < head.count; ++i) {
            const auto [database, number] = head.entries[i];
            const Page copy(bytes.subspan(kHead + i * m_cache.pageSize(), m_cache.pageSize()));
            if (database >= m_cache.databases()
                || copy.verify(number, m_cache.file(static_cast<std::uint8_t>(database)).signature)
                    != PageState::good)
                continue; // torn itself: then the page in place was not touched yet
            Page& latest = copies[{ database, number }];
            if (!latest.valid() || latest.header().timestamp < copy.header().timestamp)
                latest = copy;
        }
    }
    std::size_t restored = 0;
    const AlignedMemory memory(m_cache.pageSize());
    for (const auto& [id, copy] : copies) {
        const Cache::File& file = m_cache.file(static_cast<std::uint8_t>(id.first));
        const std::uint64_t offset = std::uint64_t { id.second } * m_cache.pageSize();
        const Result<void> read =
            co_await readAt(m_loop, file.file, offset, memory.bytes(), IoClass::databaseRead, file.path);
        if (!read)
            co_return read.error();
        // A torn page may also look like one with a wrong bit: where a bit is all that the missing part would have changed.
        if (Page(memory.bytes()).verify(id.second, file.signature) == PageState::good)
            continue;
        const Result<void> written = co_await writeAt(
            m_loop, file.file, offset, copy.bytes(), IoClass::databaseWrite, file.path, m_durability);
        if (!written)
            co_return written.error();
        ++restored;
    }
    co_return restored;
}

} // namespace loadstone::storage
