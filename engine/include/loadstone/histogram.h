// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/series.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// A log-linear latency histogram: 128 buckets of 1 ns, then 64 buckets per power of two up to 2^46 ns (19.5 h).
/// A bucket's midpoint is within 0.8 % of every value in it. Longer values count in one bucket more, of which only the lower
/// bound is known; the exact minimum, maximum and sum are kept beside the buckets. Merging is exact:
/// the histogram of all samples is that of their parts merged, whatever the parts; its sum is while it is below 2^53 ns (104 days).
/// Not thread-safe.
class Histogram {
public:
    static constexpr int kSubBits = 6;
    static constexpr int kTopBit = 46; ///< values from 2^46 ns on share the last bucket
    static constexpr std::size_t kBuckets = 128 + 64 * (kTopBit - 7) + 1;

    Histogram() = default;

    /// Constant time; allocates on the first call only. Negative latencies count as 0.
    void record(Nanoseconds latency, std::uint64_t times = 1);
    void merge(const Histogram& other); ///< adds all samples of the other histogram
    void clear() noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return m_count; }
    [[nodiscard]] bool empty() const noexcept { return m_count == 0; }
    [[nodiscard]] Nanoseconds minimum() const noexcept { return Nanoseconds(m_count > 0 ? m_min : 0); }
    [[nodiscard]] Nanoseconds maximum() const noexcept { return Nanoseconds(m_max); }
    [[nodiscard]] double sum() const noexcept { return m_sum; } ///< ns, not rounded
    [[nodiscard]] Nanoseconds mean() const noexcept; ///< 0 without samples, as the figures below
    /// Of the population, from the buckets' midpoints around the exact mean: within 0.8 % of the values' own.
    [[nodiscard]] Nanoseconds standardDeviation() const noexcept;
    /// The value that `percentile` (0..100) of the samples do not exceed, by the nearest-rank definition
    /// (NIST/SEMATECH e-Handbook, 7.2.6.2), as the midpoint of its bucket clipped to [minimum, maximum]; of the last bucket its
    /// lower bound, and isBeyond() is then true.
    [[nodiscard]] Nanoseconds percentile(double percentile) const;
    /// The percentile is in the last bucket, and is at least what percentile() returns.
    [[nodiscard]] bool isBeyond(double percentile) const;
    /// The number, from 1, of the sample that is the percentile of `count` samples by that definition; 0 without samples.
    static std::uint64_t rankOf(double percentile, std::uint64_t count) noexcept;
    /// `visit(highest, n)` for each filled bucket in rising order: no value in it is above `highest`.
    template <class F>
    void eachBucket(F&& visit) const
    {
        for (std::size_t i = m_lowest; i < m_end; ++i)
            if (m_buckets[i] > 0)
                visit(Nanoseconds(i + 1 == kBuckets ? m_max : std::min(upperBound(i) - 1, m_max)),
                    m_buckets[i]);
    }
    [[nodiscard]] LatencySummary summary() const;

    /// Compact bytes, empty for an empty histogram; the grammar is at the top of histogram.cpp.
    [[nodiscard]] std::string encode() const;
    /// Reads what encode() wrote. Anything else is an Error; never trusts a length or a count.
    static Result<Histogram> decode(std::string_view bytes);
    /// merge(decode(bytes)), with work for the filled buckets only. After an Error the content is undefined.
    Result<void> mergeEncoded(std::string_view bytes);

    /// The bucket of a value and its bounds [low, high), for tests and plots.
    static std::size_t bucketOf(std::uint64_t ns) noexcept;
    static std::uint64_t lowerBound(std::size_t bucket) noexcept;
    static std::uint64_t upperBound(std::size_t bucket) noexcept;

    bool operator==(const Histogram& other) const;

private:
    void addTo(std::size_t bucket, std::uint64_t times) noexcept
    {
        m_buckets[bucket] += times;
        m_lowest = std::min(m_lowest, bucket);
        m_end = std::max(m_end, bucket + 1);
    }

    std::vector<std::uint64_t> m_buckets; // empty until the first sample
    // All filled buckets are in [m_lowest, m_end): most histograms fill a twentieth of the buckets.
    std::size_t m_lowest = kBuckets, m_end = 0;
    std::uint64_t m_count = 0;
    std::uint64_t m_min = ~0ULL, m_max = 0;
    double m_sum = 0; // ns; a double holds a day of 1 h latencies at 1e6/s to 1e-9
};

} // namespace loadstone
