// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/histogram.h"

#include <atomic>
#include <cstdint>
#include <utility>
#include <algorithm>
#include <vector>

namespace loadstone::metrics {

/// What one worker measured since the last swap. Histograms and counts by dense index.
struct Slab {
    std::vector<Histogram> histograms;
    std::vector<std::uint64_t> counts;
    void clear() noexcept;
    void mergeInto(Slab& other) const;
};

/// Single writer, single reader. The owner thread records without locks or allocation (two sequentially
/// consistent stores per sample); the sampler swaps slabs at each tick. The reader waits at most for one
/// record() that is under way: a few nanoseconds.
class Recorder {
public:
    Recorder(std::size_t histograms, std::size_t counts);

    // The owner thread:
    void record(std::uint32_t histogram, Nanoseconds latency)
    {
        Slab& slab = enter();
        slab.histograms[histogram].record(latency);
        leave();
    }
    void count(std::uint32_t counter, std::uint64_t n = 1)
    {
        Slab& slab = enter();
        slab.counts[counter] += n;
        leave();
    }

    // The sampler's thread: takes what was recorded since the last call, adding it to `into`.
    void collect(Slab& into);

private:
    Slab& enter() noexcept
    {
        m_writing.store(true, std::memory_order_seq_cst);
        return m_slabs[m_active.load(std::memory_order_seq_cst)];
    }
    void leave() noexcept { m_writing.store(false, std::memory_order_release); }

    Slab m_slabs[2];
    // Dekker's handshake: the writer raises its flag and then looks which slab is active; the reader switches the
    // active slab and then looks at the flag. Whichever comes second in the single order of these sees the other.
    alignas(64) std::atomic<unsigned> m_active { 0 };
    alignas(64) std::atomic<bool> m_writing { false };
};

} // namespace loadstone::metrics
