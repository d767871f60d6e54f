// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/arena.h"

#include "base/posix_file.h"

#include <fmt/format.h>

#include <sys/mman.h>

namespace loadstone::storage {

Result<Arena> Arena::make(std::size_t bytes)
{
    constexpr std::size_t kHuge = std::size_t { 2 } << 20;
    const std::size_t whole = bytes < kHuge ? bytes : (bytes + kHuge - 1) / kHuge * kHuge;
    void* memory = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return systemError(fmt::format("{} bytes of memory for I/O", whole));
    ::madvise(memory, whole, MADV_HUGEPAGE); // a wish
    Arena made;
    made.m_memory = { static_cast<std::byte*>(memory), whole };
    return made;
}

Arena::~Arena()
{
    if (!m_memory.empty())
        ::munmap(m_memory.data(), m_memory.size());
}

} // namespace loadstone::storage
