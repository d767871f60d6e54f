// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "plan/model/raw_test.h"

#include <loadstone/time.h>

#include <cmath>
#include <cstdint>

namespace loadstone::storage {

/// One of several workers, who share a test's rate and its file.
struct Share {
    unsigned index = 0, count = 1;
    /// What it has of something that is dealt out one by one.
    [[nodiscard]] unsigned of(unsigned all) const { return all / count + (index < all % count ? 1 : 0); }
};

/// The instants at which a worker's transfers are due. All workers together have the load's rate: evenly, each in its turn, or
/// at random (a Poisson process each). Computed from the beginning, so that no error adds up.
class DueTimes {
public:
    /// `load.perSecond` > 0.
    DueTimes(const plan::RawLoad& load, MonoTime begin, Share share, std::uint64_t seed)
        : m_random(seed)
        , m_begin(begin)
        , m_interval(1e9 / load.perSecond)
        , m_share(share)
        , m_poisson(load.arrivals == plan::RawArrivals::poisson)
    {
        m_offset = m_poisson ? m_random.exponential(m_interval * m_share.count) : m_interval * m_share.index;
    }
    [[nodiscard]] MonoTime next() const noexcept
    {
        return m_begin + Nanoseconds(static_cast<std::int64_t>(m_offset));
    }
    void pass() noexcept
    {
        ++m_passed;
        if (m_poisson)
            m_offset += m_random.exponential(m_interval * m_share.count);
        else
            m_offset = m_interval * (static_cast<double>(m_passed) * m_share.count + m_share.index);
    }

private:
    Random m_random;
    MonoTime m_begin;
    double m_interval, m_offset = 0; // ns
    Share m_share;
    std::uint64_t m_passed = 0;
    bool m_poisson;
};

/// Where a worker's transfers go. At random: anywhere in the file; else through a part of it of its own, over and over.
class Offsets {
public:
    Offsets(const plan::RawTest& test, Share share, std::uint64_t seed)
        : m_random(seed)
        , m_block(test.block)
        , m_anywhere(test.pattern == plan::RawPattern::random)
    {
        const std::uint64_t blocks = test.size / test.block;
        m_first = m_anywhere ? 0 : blocks * share.index / share.count;
        m_end = m_anywhere ? blocks : blocks * (share.index + 1) / share.count;
        m_at = m_first;
    }
    [[nodiscard]] std::uint64_t next() noexcept
    {
        if (m_anywhere)
            return m_random.below(m_end) * m_block;
        const std::uint64_t offset = m_at * m_block;
        m_at = m_at + 1 < m_end ? m_at + 1 : m_first;
        return offset;
    }

private:
    Random m_random;
    std::uint64_t m_block, m_first = 0, m_end = 0, m_at = 0; // in blocks
    bool m_anywhere;
};

} // namespace loadstone::storage
