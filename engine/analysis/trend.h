// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace loadstone::analysis {

struct Sample {
    double at = 0; ///< s
    double value = 0;
};

/// How fast a value grows, per second: the median of the slopes between all pairs of samples (Theil 1950, Sen 1968), which
/// a third of the samples being outliers does not upset. Of more than 500 samples evenly spaced ones are taken. 0 for fewer
/// than two.
double robustSlope(std::span<const Sample> samples);

} // namespace loadstone::analysis
