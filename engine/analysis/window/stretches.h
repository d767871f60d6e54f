// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/layout.h"

#include <loadstone/recording.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace loadstone::analysis {

/// One of the equal parts that a window is cut into, counted from its beginning. A tick belongs to the one that its middle
/// lies in; a part without a tick is left out.
struct Stretch {
    TimeWindow window;
    history::TickRange ticks; ///< begins where that of the stretch before it ends
};

/// What becomes of the last stretch where the window, or the recording so far, ends before it does.
enum class Rest : std::uint8_t {
    leaveOut,
    takeLarge, ///< it is one of its own when it is at least half as long, or there is no other
};
/// `length`: above 0.
std::vector<Stretch> stretchesOf(
    const Recording& recording, TimeWindow window, Nanoseconds length, Rest rest);

/// All latencies of a stretch together.
struct LatencySum {
    std::uint64_t count = 0;
    double total = 0; ///< ns
    [[nodiscard]] std::optional<double> mean() const; ///< ns; none: there was nothing
};
/// One for each stretch, of one series of latencies.
Result<std::vector<LatencySum>> latencySums(
    const Recording& recording, std::uint32_t histogram, const std::vector<Stretch>& stretches);

/// What was unfinished at the end of a stretch.
struct AgeSum {
    std::uint64_t count = 0;
    double total = 0; ///< ns
    Nanoseconds oldest {};
};
/// One for each stretch, of one series of ages; all nothing where `ages` is none.
Result<std::vector<AgeSum>> ageSums(
    const Recording& recording, std::optional<std::uint32_t> ages, const std::vector<Stretch>& stretches);
/// The mean of a stretch as far as it is known, ns: of what ended; or if that is longer, with what is unfinished at its age.
/// None: there was nothing.
std::optional<double> leastMean(const LatencySum& ended, const AgeSum& unfinished);
/// Whether such a mean is only a lower bound: what is unfinished moves it by more than a tenth.
bool isLowerBound(double leastMean, const LatencySum& ended);

/// One for each stretch: the mean of a level, or what is counted per second; of several counters the sum. NaN: no samples.
Result<std::vector<double>> meanValues(const Recording& recording, const std::vector<std::uint32_t>& counters,
    const std::vector<Stretch>& stretches);

} // namespace loadstone::analysis
