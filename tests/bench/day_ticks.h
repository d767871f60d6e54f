// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "metrics/tick.h"

#include <loadstone/histogram.h>
#include <loadstone/recording.h>

#include <cstdint>
#include <vector>

namespace loadstone {

/// What a made-up day has.
struct DayContent {
    const char* name;
    bool counters; ///< 200 of the kinds that a host has; else 4
    bool allNoise; ///< all but the first four are noise of 52 bits, which no codec makes smaller
    bool actions; ///< 20 with two histograms each, 50 operations/s per action
};

/// Makes ticks of one second like a host's and a mail load's: jittering clock, quotients of small integers, rates over an
/// uneven second, random walks, events, gaps. The same seed for all.
class DayTicks {
public:
    static constexpr std::uint32_t kCounters = 200, kActions = 20;

    explicit DayTicks(const DayContent& content);

    /// A new id at each call. Ten counters make an object, so that a chart has 20 lanes for them.
    [[nodiscard]] RunHeader header() const;
    /// To be asked for in the order of their numbers, from 0.
    metrics::Tick tick(std::uint64_t number);

private:
    double noisy(double mean);
    double value(std::uint32_t id, std::uint64_t number, double length);
    void addHistograms(metrics::Tick& tick, std::uint64_t number);

    DayContent m_content;
    Random m_random { 42 };
    std::vector<double> m_levels;
    Nanoseconds m_end {};
    Histogram m_response, m_service;
};

} // namespace loadstone
