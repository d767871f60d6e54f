// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::history {

/// When a tick was and which phase it belongs to.
struct TickTime {
    Nanoseconds begin {}, end {}; ///< since the run's start; begin <= end
    std::uint32_t phase = 0;
    bool operator==(const TickTime&) const = default;
};

/// No run is longer (ten years): keeps sums of times from a damaged file within their type.
constexpr Nanoseconds kLongestRun = std::chrono::hours(24 * 3653);
constexpr std::uint32_t kMostPhases = 2000; // a plan of 100 mixes has some 400

/// True when a tick may stand after one that ended at `previousEnd`.
constexpr bool follows(const TickTime& tick, Nanoseconds previousEnd)
{
    return tick.begin >= previousEnd && tick.end >= tick.begin && tick.end <= kLongestRun
        && tick.phase < kMostPhases;
}

/// A stretch of consecutive ticks' times.
std::string encodeTimes(std::span<const TickTime> times);
/// `count` times in rising order from `previousEnd`; an Error when the bytes are not those of so many.
Result<std::vector<TickTime>> decodeTimes(std::string_view bytes, std::size_t count, Nanoseconds previousEnd);

/// One tick's histograms in one blob: (id, Histogram::encode()) with rising ids.
using SparseHistograms = std::vector<std::pair<std::uint32_t, std::string>>;
std::string encodeSparse(const SparseHistograms& histograms);
/// Ids below `limit` in rising order, else an Error.
Result<SparseHistograms> decodeSparse(std::string_view bytes, std::uint32_t limit);

} // namespace loadstone::history
