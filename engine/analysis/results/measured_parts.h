// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/results/results_cache.h"

#include <optional>
#include <vector>

namespace loadstone::analysis {

/// What of a mix is counted and judged together: its measurement, or what a chosen window takes of it.
struct MeasuredPart {
    Phase
        phase; ///< with the begin and end of the part; of a chosen one the index of the phase that it was made from
    TimeWindow window; ///< as far as the part has come; of a chosen one that of its ticks
    history::TickRange ticks;
    bool chosen = false;
};

/// The parts that the results of the recording are of, in order of time. Without a window: every measurement. With one: its part in each
/// measurement that it touches; where it touches none, the whole window, as one part of the first mix that it touches. None where it
/// touches no mix. A window that has less than 100 ms of a phase (or half of the shorter one) does not touch it, nor does it take a part
/// without ticks.
std::vector<MeasuredPart> measuredParts(const Recording& recording, const std::optional<TimeWindow>& window);

/// From the begin of the first tick that ends in the window to the end of the last one: what all figures of a window are over. The window
/// itself where no tick ends in it.
TimeWindow tickWindow(const Recording& recording, const TimeWindow& window);

/// An Error unless the window has a length and some tick ends in it.
Result<void> checkWindow(const Recording& recording, const TimeWindow& window);

/// Valid until the next call.
Result<const MixSums*> sumsOf(const Recording& recording, const MeasuredPart& part);

/// The ticks of a phase; while it goes on (or was cut off) it reaches to its last tick.
history::TickRange ticksOf(const Recording& recording, const Phase& phase);

} // namespace loadstone::analysis
