// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/window/stretches.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

/// What can be said, in words, of samples that are beyond a limit.
namespace loadstone::analysis {

/// "05:15 - 05:30", since the run's start.
std::string windowText(TimeWindow window);

/// How they lie: "a single spike, 05:15 - 05:30"; "periodic, every 75 s: 02:00 - 02:15, ..."; "sustained: 30 of 52 samples
/// from 05:15 on"; "4 spikes: ...". `exceeding` has one entry for each sample; empty where none exceeds. `noun`: "samples".
std::string describePattern(
    const std::vector<Stretch>& samples, const std::vector<bool>& exceeding, const char* noun);

/// The end of the first sample from which on `failing`, which has one entry for each, holds to the last; none where it does not.
std::optional<Nanoseconds> failsSince(const std::vector<Stretch>& samples, const std::vector<bool>& failing);

/// Something that went on beside the load, in each sample.
struct Companion {
    std::string name; ///< "checkpoint moves"
    std::string unit; ///< "/s"
    std::vector<double> values; ///< one for each sample; NaN: not known
    double alarming = std::numeric_limits<double>::infinity(); ///< a mean that is told of in any case
};

/// Those that were at least twice as much in the exceeding samples as in the others, or alarming in them, with both means:
/// "at the same time: checkpoint moves 2.00/s (else 0.12/s)". It names no cause. Empty where there is nothing to compare.
std::string describeCompanions(const std::vector<bool>& exceeding, const std::vector<Companion>& companions);

} // namespace loadstone::analysis
