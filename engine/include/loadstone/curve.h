// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/time.h"

#include <cstdint>

namespace loadstone {

/// Of a window: samples for a smaller share of it say too little of the whole. The same for criteria, comparisons and charts.
inline constexpr double kEnoughCovered = 0.9;

/// A counter over the time of a run.
struct CounterPoint {
    Nanoseconds at {}; ///< end of the tick, since the run's start
    /// In the unit of its series; NaN: missing. Of CounterKind::count already divided by the tick's length: per second.
    double value = 0;
    bool operator==(const CounterPoint&) const = default;
};
struct CounterBand { ///< one stretch of a curve with fewer points
    Nanoseconds begin {}, end {}; ///< since the run's start
    /// NaN: no sample in it. The average weights each sample with the length of its tick; counts are per second.
    double minimum = 0, maximum = 0, average = 0;
    bool operator==(const CounterBand&) const = default;
};
struct CounterStatistics { ///< PerfMon's five boxes
    double last = 0, average = 0, minimum = 0, maximum = 0;
    Nanoseconds duration {}; ///< from the first tick's begin to the last one's end
    std::uint64_t samples = 0; ///< 0: all values above are NaN
    Nanoseconds begin {}; ///< of the first tick within the window, since the run's start
    double coverage =
        0; ///< share of the window, in whole ticks of the run, for which there are samples, 0 to 1
};

} // namespace loadstone
