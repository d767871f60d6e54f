// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/tick.h"

#include <loadstone/histogram.h>
#include <loadstone/run_log.h>
#include <loadstone/series.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::run {

/// Stretches of a load in which every action failed, of a server that went away, refuses everybody, or is full; and those in which none
/// ended, of a server that is silent. They become events, so that the run's log has the times at which they began and ended; what they mean
/// for the figures is said by the verdict. The control thread only.
class Outages {
public:
    /// Stretches of failures are reported from this length on, and from this number of failed actions.
    static constexpr Nanoseconds kLeastLength = std::chrono::seconds(3);
    static constexpr double kLeastFailures = 5;
    /// Silence is reported from this length on, if an action has waited for as long.
    static constexpr Nanoseconds kLeastSilence = std::chrono::seconds(10);
    /// Stretches of a target; its further ones are in the counters alone.
    static constexpr int kMostReported = 20;

    /// The series of the recording. Each of several targets fails for itself. Those without ages of their own are silent together: what is
    /// under way is known of all.
    Outages(const std::vector<CounterInfo>& counters, const std::vector<HistogramInfo>& histograms);

    /// One tick, and its histograms by id: its events, if any. A tick without load (a quiet time, a drain) ends no stretch and begins none.
    [[nodiscard]] std::vector<RunEvent> add(
        const metrics::Tick& tick, const std::vector<Histogram>& histograms, PhaseKind phase);

private:
    /// Ticks of a load, one after another, of which the same is true.
    struct Stretch {
        std::optional<Nanoseconds> since; ///< the beginning of its first tick; nothing: there is none
        bool reported = false;
    };
    struct Target {
        std::string name; ///< of one of several; empty: the only one
        std::uint32_t ended = 0, failed = 0; ///< ids of counters
        std::vector<std::uint32_t> ages; ///< ids of histograms: how long the actions under way have lasted
        Stretch failing, silent;
        double failures = 0; ///< while it fails
        int reported = 0; ///< stretches so far
    };
    void addFailures(Target& target, const metrics::Tick& tick, std::vector<RunEvent>& events) const;
    void addSilence(Target& target, const metrics::Tick& tick, const std::vector<Histogram>& histograms,
        std::vector<RunEvent>& events) const;

    std::vector<Target> m_targets;
};

} // namespace loadstone::run
