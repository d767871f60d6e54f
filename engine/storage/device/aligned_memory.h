// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace loadstone::storage {

/// Memory for direct I/O: it begins at a multiple of 4096. Zeros. Throws std::bad_alloc.
class AlignedMemory {
public:
    static constexpr std::size_t kAlignment = 4096;

    AlignedMemory() = default;
    explicit AlignedMemory(std::size_t size)
        : m_bytes(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded(size))))
        , m_size(size)
    {
        if (!m_bytes)
            throw std::bad_alloc();
        std::fill_n(m_bytes.get(), size, std::byte {});
    }
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return { m_bytes.get(), m_size }; }
    [[nodiscard]] std::byte* data() const noexcept { return m_bytes.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
    static std::size_t rounded(std::size_t size) noexcept
    {
        return (size + kAlignment - 1) / kAlignment * kAlignment;
    }
    struct Free {
        void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
    };
    std::unique_ptr<std::byte[], Free> m_bytes;
    std::size_t m_size = 0;
};

} // namespace loadstone::storage
