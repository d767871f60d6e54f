// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/histogram.h"

#include <loadstone/series.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::run {

/// Above these the generator, not the server, may have set the pace.
struct HealthLimits {
    Nanoseconds slipP99 = std::chrono::milliseconds(10); ///< of the actions' timer slip
    double workerCpu = 90; ///< %, mean of the busiest worker thread
};

/// Judges whether the generator was the bottleneck: live over the last ticks, and per measurement phase for good.
/// The control thread only.
class Health {
public:
    explicit Health(HealthLimits limits)
        : m_limits(limits)
    {
    }

    /// One tick's timer slip and the CPU use (%) of its busiest worker.
    void add(const Phase& phase, Nanoseconds length, const metrics::Histogram& slip, double busiestWorker);
    /// Ticks that had to be lengthened because the disk did not keep up.
    void storeOverrun() { ++m_overruns; }

    /// Why the last ticks are not the server's alone; empty when they are.
    [[nodiscard]] std::string live() const;
    /// The same for every measurement phase so far, one sentence each.
    [[nodiscard]] std::vector<std::string> verdict() const;

private:
    struct Stretch {
        std::string name;
        std::uint32_t phase = 0;
        metrics::Histogram slip;
        double cpuSeconds = 0, seconds = 0;
    };
    [[nodiscard]] std::string judge(const Stretch& stretch) const;

    HealthLimits m_limits;
    std::vector<Stretch> m_measured;
    std::vector<Stretch> m_recent; // the last kRecent ticks
    std::uint64_t m_overruns = 0;
};

} // namespace loadstone::run
