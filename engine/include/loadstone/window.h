// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Windows as people choose them.
namespace loadstone {

/// A moment of a run of `length`, since its start. Accepted are "1:51:03" (time since the start, with seconds), "+90 s" and "2 h"
/// (likewise), "14:05" (the first such clock time, UTC, since the run began, where that is within the run; else, where that is,
/// minutes and seconds since the start, as charts write them), and "2026-11-23T14:05:00Z". An Error says what would be right.
Result<Nanoseconds> parseRunTime(const RunHeader& header, Nanoseconds length, std::string_view text);

/// What was asked for. With `steady` or `phase`, from and to are empty.
struct WindowChoice {
    std::string from,
        to; ///< as parseRunTime() reads them; empty: begin or end of the run. "+90 s" as `to` counts from `from`
    std::string phase; ///< "measurement 2", "ramp-up", or the name of a mix, which means its measurement
    bool steady = false; ///< the window in which a mix was steady: that of `phase`, else the last one
    [[nodiscard]] bool empty() const { return from.empty() && to.empty() && phase.empty() && !steady; }
};
struct ChosenWindow {
    TimeWindow window; ///< since the run's start; within the run so far
    std::string name; ///< "measurement 2 (1000 users)", "steady state of 500 users"; empty: times were given
};
/// None for an empty choice. An Error says which phases there are, or why there is no steady state, or what is wrong with a time.
Result<std::optional<ChosenWindow>> chooseWindow(const Recording& recording, const WindowChoice& choice);
/// "1:51:03 to 2:51:03 of the run (measurement 2, 1000 users)", for headings.
std::string describe(const ChosenWindow& window);

} // namespace loadstone
