// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/series.h>

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace loadstone::series {

/// Stands for a series that was declared; only its SeriesList makes one. As cheap as the number in it.
template <class What>
class Handle {
public:
    /// Of a counter or histogram: its id in the list. Of a count: its place in a recorder.
    [[nodiscard]] constexpr std::uint32_t id() const noexcept { return m_id; }
    bool operator==(const Handle&) const = default;

private:
    friend class SeriesList;
    explicit constexpr Handle(std::uint32_t id) noexcept
        : m_id(id)
    {
    }
    std::uint32_t m_id;
};
using CounterHandle = Handle<struct OfCounter>; ///< a value that is worked out for each tick
using CountHandle = Handle<struct OfCount>; ///< events that recorders count
using HistogramHandle = Handle<struct OfHistogram>; ///< latencies that recorders keep

/// What a workload writes: it declares each key once, in the order in which the recording has the series, and writes through the
/// handles that it gets. Not thread-safe while series are added; after that any thread may read.
class SeriesList {
public:
    // Each throws std::logic_error for a key that is declared already.
    CounterHandle addCounter(SeriesKey key);
    /// Recorders count it, and a counter of the recording shows it as it is.
    CountHandle addCount(SeriesKey key);
    /// Recorders add it up, and no counter shows it: others are made from it.
    CountHandle addSum() { return CountHandle(m_counts++); }
    /// The key has a clock.
    HistogramHandle addHistogram(SeriesKey key, LatencyScope scope);

    /// With the ids of their handles, which count from 0.
    [[nodiscard]] const std::vector<CounterInfo>& counters() const noexcept { return m_counters; }
    [[nodiscard]] const std::vector<HistogramInfo>& histograms() const noexcept { return m_histograms; }
    [[nodiscard]] std::size_t counts() const noexcept { return m_counts; } ///< of a recorder
    [[nodiscard]] const CounterInfo& infoOf(CounterHandle counter) const { return m_counters[counter.id()]; }
    [[nodiscard]] const HistogramInfo& infoOf(HistogramHandle histogram) const
    {
        return m_histograms[histogram.id()];
    }
    /// Writes the counts of a tick to the counters that show them. `counts`: of a recorder; `values`: by counter id.
    void showCounts(std::span<const std::uint64_t> counts, std::span<double> values) const;

private:
    void declare(const SeriesKey& key);
    std::vector<CounterInfo> m_counters;
    std::vector<HistogramInfo> m_histograms;
    struct Shown {
        std::uint32_t count, counter;
    };
    std::vector<Shown> m_shown;
    std::uint32_t m_counts = 0;
    std::set<SeriesKey> m_declared;
};

} // namespace loadstone::series
