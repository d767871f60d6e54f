// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/cache.h"

namespace loadstone::storage {

/// The double-write file. Pages that are to be written go there first, a batch in one transfer, and to their own places once
/// that is durable: a page that a crash tears is whole in the one or in the other. There are several slots, so that
/// several batches can be on their way.
class PageCopies {
public:
    static constexpr std::size_t kSlots = 4, kMostPages = 64, kHead = 4096;
    /// Bytes that the file needs.
    [[nodiscard]] static std::uint64_t fileSize(std::size_t pageSize) noexcept;

    PageCopies(Loop& loop, Cache& cache, FileId file, std::string path, Durability durability);

    /// The memory of a slot's pages.
    [[nodiscard]] std::span<std::byte> pages(std::size_t slot) const noexcept;
    /// Writes the slot's first pages to the file. `logEnd`: where the log ended when they were copied.
    Task<Result<void>> write(std::size_t slot, std::span<const PageId> ids, LogPosition logEnd);

    /// After a crash: puts back every torn page that has a copy here with all changes before the checkpoint. Returns how many.
    Task<Result<std::size_t>> restore(LogPosition checkpoint);
    /// For registering with the device.
    [[nodiscard]] std::span<std::byte> memory() const noexcept { return m_memory.bytes(); }

private:
    [[nodiscard]] std::size_t slotSize() const noexcept { return kHead + kMostPages * m_cache.pageSize(); }
    Loop& m_loop;
    Cache& m_cache;
    FileId m_file;
    std::string m_path;
    Durability m_durability;
    AlignedMemory m_memory;
    std::uint64_t m_sequence = 0;
};

} // namespace loadstone::storage
