// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/series.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// Average, minimum and maximum of one counter over a window. Levels in the counter's unit, counts per second of their tick.
struct CounterReading {
    std::uint32_t source = 0; ///< of the recording; 0: the run's own counters
    CounterInfo counter; ///< its id is that within the source; of a rate of events, that of eventRatesOf()
    bool eventRate = false; ///< of eventRatesOf()
    double average =
        0; ///< each sample weighs as much as its tick overlaps the window; NaN, as the two below: no sample
    double minimum = 0, maximum = 0;
    std::uint64_t samples = 0; ///< that are not missing
    double coverage = 0; ///< share of the window for which there are samples, 0 to 1
    [[nodiscard]] std::string unit() const; ///< of the values: "%", "messages/s"
};

/// A time for each transfer has no sample while nothing is transferred; that is not missing data.
bool restsWhileIdle(const CounterInfo& counter);

/// All counters of one computer over a window.
struct ComputerReadings {
    std::string computer; ///< its name, as criteria and charts call it
    std::string role; ///< "sut", "generator", "directory"; empty: none
    bool own =
        false; ///< the machine that ran Loadstone: the run's own counters, and the rates of actions and commands
    std::vector<CounterReading> counters; ///< in the order of the recording; those without a sample, too
};

/// The readings of all computers: systems under test first, the machine that ran Loadstone last. They are over the run's own ticks that end
/// in the window, as its results are. A tick of another source counts with its part in that time, at the source's offset. Reads every counter's samples: some 1 ms for each 1,000,000.
Result<std::vector<ComputerReadings>> readingsWithin(const Recording& recording, const TimeWindow& window);

/// The readings over a mix's measurement, or over the part of it that a chosen window takes.
struct MeasuredReadings {
    std::int32_t mix = -1; ///< as Phase::mix; -1: of a window that touches no mix
    std::string name; ///< of the mix
    TimeWindow window; ///< as far as it has come
    std::vector<ComputerReadings> computers;
};
/// One for each mix of computeResults(), of the same window; those that have no tick yet are left out. A window that touches no mix has its
/// readings all the same.
Result<std::vector<MeasuredReadings>> readingsOf(
    const Recording& recording, const std::optional<TimeWindow>& window = {});

} // namespace loadstone
