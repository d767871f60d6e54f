// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::plan {

/// What a counter may be, on average over a measurement.
struct CounterCriterion {
    std::string path; ///< as charts name it: "\Processor(_Total)\% Processor Time"
    /// Whose it is: "sut", "generator" or "directory" (every computer with that role), or a computer's name; empty: of the machine that
    /// runs Loadstone.
    std::string of;
    std::optional<double> least, most; ///< in the counter's unit; of counts: per second
    bool mayGrow = true;
    bool operator==(const CounterCriterion&) const = default;
};

/// What a measurement must come to for its load to count as borne. Each is judged for each mix; what is absent is not.
struct Criteria {
    bool stated = false;
    double percentile = 95; ///< of all response times below
    std::optional<Nanoseconds> score; ///< the weighted one, at most
    std::optional<Nanoseconds> responseTime; ///< of every action, at most
    std::vector<std::pair<std::string, Nanoseconds>>
        actions; ///< keys as weights have them; instead of responseTime
    std::optional<double> processorLeast, processorMost; ///< mean, %
    std::string processorOf; ///< as CounterCriterion::of
    std::optional<double> errorRate; ///< failed of all actions, 0 to 1, at most
    std::optional<double> queueGrowth; ///< copies accepted and not yet retrieved: by so many they may grow
    bool audit = false; ///< no copy lost, delivered twice or damaged
    std::vector<CounterCriterion> counters;
    bool operator==(const Criteria&) const = default;
};

} // namespace loadstone::plan
