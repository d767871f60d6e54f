// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/handover.h"
#include "series/series_list.h"

#include <loadstone/histogram.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace loadstone::metrics {

/// What one worker measured since the last tick. Histograms and counts by dense index.
struct Slab {
    std::vector<Histogram> histograms;
    std::vector<std::uint64_t> counts;
    /// With room for all that a list declares.
    static Slab of(const series::SeriesList& list);
    std::uint64_t& operator[](series::CountHandle count) { return counts[count.id()]; }
    std::uint64_t operator[](series::CountHandle count) const { return counts[count.id()]; }
    Histogram& operator[](series::HistogramHandle histogram) { return histograms[histogram.id()]; }
    const Histogram& operator[](series::HistogramHandle histogram) const
    {
        return histograms[histogram.id()];
    }
    void clear() noexcept;
    void mergeInto(Slab& other) const;
};

/// Single writer, single reader: the owner thread records, the sampler collects at each tick.
class Recorder {
public:
    Recorder(std::size_t histograms, std::size_t counts);
    explicit Recorder(const series::SeriesList& list);

    // The owner thread:
    void record(std::uint32_t histogram, Nanoseconds latency)
    {
        m_slabs.write([&](Slab& slab) { slab.histograms[histogram].record(latency); });
    }
    void count(std::uint32_t counter, std::uint64_t n = 1)
    {
        m_slabs.write([&](Slab& slab) { slab.counts[counter] += n; });
    }
    void record(series::HistogramHandle histogram, Nanoseconds latency) { record(histogram.id(), latency); }
    void count(series::CountHandle what, std::uint64_t n = 1) { count(what.id(), n); }
    // None: the list has no series for it, and nobody asks.
    void record(std::optional<series::HistogramHandle> histogram, Nanoseconds latency)
    {
        if (histogram)
            record(*histogram, latency);
    }
    void count(std::optional<series::CountHandle> what, std::uint64_t n = 1)
    {
        if (what)
            count(*what, n);
    }
    /// Several changes at once, short and without blocking: `change(Slab&)`.
    template <class F>
    void write(F&& change)
    {
        m_slabs.write(std::forward<F>(change));
    }

    /// The sampler's thread: takes what was recorded since the last call, adding it to `into`.
    void collect(Slab& into);
    /// The same in two steps, of which the first is short: what was recorded until now, to be given to empty() before the next
    /// call.
    Slab& switchOver() { return m_slabs.switchOver(); }
    static void empty(Slab& full, Slab& into);

private:
    Handover<Slab> m_slabs;
};

} // namespace loadstone::metrics
