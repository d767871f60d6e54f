// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

namespace loadstone::metrics {

struct Sample {
    double at = 0; ///< s
    double value = 0;
};

/// How fast a value grows, per second: the median of the slopes between all pairs of samples (Theil 1950, Sen 1968), which
/// a third of the samples being outliers does not upset. Of more than 500 samples evenly spaced ones are taken. 0 for fewer
/// than two.
double robustSlope(std::span<const Sample> samples);

struct Growth {
    double slope = 0; ///< per second
    double begin =
        0; ///< the trend's value at the first sample: the median of the samples without their slope
    double deviations = 0; ///< the trend in standard deviations of what chance brings; below 0: it falls
};

/// The robust slope and whether it is more than chance: the test of Mann (1945) and Kendall, its variance corrected for the
/// autocorrelation that queues have (Hamed and Rao, "A modified Mann-Kendall trend test for autocorrelated data", Journal
/// of Hydrology 204, 1998). Works on means over at most 60 stretches; none for fewer than 10 samples.
std::optional<Growth> growthOf(std::span<const Sample> samples);

/// With fewer samples nothing is said about when they settle.
inline constexpr std::size_t kLeastToSettle = 50;

/// From which sample on a series only fluctuates: the truncation that minimises the marginal standard error of the mean of
/// the rest, over means of five samples or more (MSER-5; White, Simulation 69, 1997). None where the best would leave less
/// than half, and for fewer than 50 samples.
std::optional<std::size_t> settledFrom(std::span<const double> samples);

} // namespace loadstone::metrics
