// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace loadstone::embedded {

/// The server's places and its one freeze: at most so many commands in service at once, the others first
/// come, first served (an M/G/N queue); and a span of time in which no reply leaves.
class ServiceDesk {
public:
    ServiceDesk(std::uint32_t places, Nanoseconds freezeAfter, Nanoseconds freezeFor)
        : m_places(places)
        , m_freezeAfter(freezeAfter.count())
        , m_freezeFor(freezeFor.count())
    {
    }

    /// Takes a place; false when all are taken: then wait() with a key.
    bool tryEnter()
    {
        if (m_places != 0 && m_taken >= m_places)
            return false;
        ++m_taken;
        return true;
    }
    void wait(std::uint64_t key) { m_line.push_back(key); }
    /// Gives a place back, or hands it to the first in line, whose key is returned (its owner may be gone:
    /// then leave() again on its behalf).
    std::optional<std::uint64_t> leave()
    {
        if (m_line.empty() || (m_places != 0 && m_taken > m_places)) { // there may be fewer places now
            --m_taken;
            return std::nullopt;
        }
        const std::uint64_t key = m_line.front();
        m_line.pop_front();
        return key;
    }

    /// Another number of places; those who get one now, first come first, are added to `admitted`. Who has one keeps it.
    void setPlaces(std::uint32_t places, std::vector<std::uint64_t>& admitted)
    {
        m_places = places;
        while (!m_line.empty() && tryEnter()) {
            admitted.push_back(m_line.front());
            m_line.pop_front();
        }
    }
    /// From now on, in place of the other one; 0 ends it.
    void freeze(std::int64_t nowNs, Nanoseconds length)
    {
        m_freezeFrom = nowNs;
        m_freezeFor = length.count();
    }

    /// The freeze is counted from here, the first time.
    void connected(std::int64_t nowNs)
    {
        if (m_freezeFor != 0 && m_freezeFrom == 0)
            m_freezeFrom = nowNs + m_freezeAfter;
    }
    /// `atNs`, or the end of the freeze when `atNs` is in it.
    [[nodiscard]] std::int64_t outsideFreeze(std::int64_t atNs) const
    {
        const bool frozen = m_freezeFrom != 0 && atNs >= m_freezeFrom && atNs < m_freezeFrom + m_freezeFor;
        return frozen ? m_freezeFrom + m_freezeFor : atNs;
    }

private:
    std::uint32_t m_places, m_taken = 0;
    std::deque<std::uint64_t> m_line;
    std::int64_t m_freezeAfter, m_freezeFor, m_freezeFrom = 0;
};

} // namespace loadstone::embedded
