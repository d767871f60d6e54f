// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstddef>
#include <span>
#include <utility>

namespace loadstone::storage {

/// Owns page-aligned memory, zeros at first; in huge pages where the kernel has them, so that registering it is cheap.
class Arena {
public:
    static Result<Arena> make(std::size_t bytes);
    Arena() = default;
    Arena(Arena&& other) noexcept
        : m_memory(std::exchange(other.m_memory, {}))
    {
    }
    Arena& operator=(Arena&& other) noexcept
    {
        std::swap(m_memory, other.m_memory);
        return *this;
    }
    ~Arena();
    [[nodiscard]] std::span<std::byte> all() const noexcept { return m_memory; }

private:
    std::span<std::byte> m_memory;
};

} // namespace loadstone::storage
