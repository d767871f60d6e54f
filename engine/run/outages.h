// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/tick.h"

#include <loadstone/run_log.h>
#include <loadstone/series.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::run {

/// Stretches of a load in which every action failed: a server that went away, refuses everybody, or is full. They become events, so that the
/// run's log has the time at which it began and ended; what it means for the figures is said by the verdict. The control thread only.
class Outages {
public:
    /// Stretches are reported from this length on, and from this number of failed actions.
    static constexpr Nanoseconds kLeastLength = std::chrono::seconds(3);
    static constexpr double kLeastFailures = 5;
    /// Of a target; after these its further ones are counted by the counters alone.
    static constexpr int kMostReported = 20;

    /// `counters`: of the recording. Of several targets each is looked at for itself.
    explicit Outages(const std::vector<CounterInfo>& counters);

    /// One tick: its events, if any. A tick without load (a quiet time, a drain) ends no stretch and begins none.
    [[nodiscard]] std::vector<RunEvent> add(const metrics::Tick& tick, PhaseKind phase);

private:
    struct Target {
        std::string name; ///< of one of several; empty: the only one
        std::uint32_t ended = 0, failed = 0; ///< ids of counters
        Nanoseconds since {}; ///< the beginning of the first tick of the stretch
        double failures = 0; ///< within the stretch; 0: there is none
        bool reported = false;
        int stretches = 0; ///< reported so far
    };
    std::vector<Target> m_targets;
};

} // namespace loadstone::run
