// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <chrono>

namespace loadstone::plan {

/// Above one of these the generator, not the target, may have set the pace: its run is invalid. Each is judged over a
/// measurement. A share of 100 % or more is no limit.
struct HealthLimits {
    Nanoseconds slipP99 = std::chrono::milliseconds(10); ///< of how late actions were begun
    double workerCpu = 90; ///< %, of the busiest load thread
    double runQueueWait = 25; ///< %, of the load thread that was ready and without a processor for longest
    double throttled = 1; ///< %, of time in which control groups kept this process from running
    double steal = 10; ///< %, of the processors' time that the hypervisor took away
    Nanoseconds loopLagP99 = std::chrono::milliseconds(25); ///< of how late event loops came round
    Nanoseconds standstill = std::chrono::seconds(1); ///< the longest
    bool operator==(const HealthLimits&) const = default;
};

} // namespace loadstone::plan
