// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace loadstone::metrics {

/// Keeps what one thread works at still while another looks at it, once a tick. Passing costs one atomic exchange and no
/// system call; who meets the other inside yields. What is done inside is short and does not block. A BasicLockable.
class Gate {
public:
    void lock() noexcept
    {
        while (m_taken.exchange(true, std::memory_order_acquire))
            std::this_thread::yield();
    }
    void unlock() noexcept { m_taken.store(false, std::memory_order_release); }

private:
    std::atomic<bool> m_taken { false };
};

/// What has begun and not ended, of at most as many at once as there are sessions: room is reused, and begin() allocates only
/// while their number grows. Not thread-safe: a Gate stands before it.
class Underway {
public:
    struct Entry {
        MonoTime intended {};
        std::uint32_t actor = 0;
        std::uint32_t generation = 0; ///< of the schedule that it comes from
        std::uint32_t kind = kNothing;
        bool waits = false; ///< for another attempt
    };
    static constexpr std::uint32_t kNothing = 0xffffffff; ///< as a kind: its room is free

    /// Gives the place that end() takes.
    std::uint32_t begin(const Entry& entry)
    {
        if (m_free == kNothing) {
            // Thousands of sessions wait: a vector that doubles would keep room for as many again.
            if (m_entries.size() == m_entries.capacity())
                m_entries.reserve(m_entries.size() + m_entries.size() / 8 + 16);
            m_entries.push_back(entry);
            return static_cast<std::uint32_t>(m_entries.size() - 1);
        }
        const std::uint32_t place = m_free;
        m_free = m_entries[place].actor;
        m_entries[place] = entry;
        return place;
    }
    /// Counts as meant so much later.
    void postpone(std::uint32_t place, Nanoseconds length) { m_entries[place].intended += length; }
    void wait(std::uint32_t place) { m_entries[place].waits = true; }
    void goOn(std::uint32_t place) { m_entries[place].waits = false; }
    /// Ends all that wait.
    void endWaiting()
    {
        for (std::uint32_t place = 0; place < m_entries.size(); ++place)
            if (m_entries[place].waits)
                end(place);
    }
    void end(std::uint32_t place)
    {
        m_entries[place] = {};
        m_entries[place].actor = std::exchange(m_free, place);
    }
    /// Free ones among them.
    [[nodiscard]] std::span<const Entry> entries() const { return m_entries; }

private:
    std::vector<Entry> m_entries;
    std::uint32_t m_free = kNothing; // the first place of those that are free; their actor is the next
};

} // namespace loadstone::metrics
