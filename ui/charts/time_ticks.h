// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <QString>

#include <optional>
#include <vector>

namespace loadstone::ui {

struct TimeTick {
    double second = 0;
    QString label; ///< unique within one set of ticks
};

/// The window begins and ends on different days of the local calendar.
bool spansMidnight(TimeWindow window, WallTime start);
/// Round moments within the window, at most `most` of them: every second, 5 s, 1 min, ... as fits.
/// `start`: labels are times of day counted from it, with the date where the window spans midnight; none:
/// time since the run's start.
/// `origin`: the moment from which times without `start` count.
std::vector<TimeTick> timeTicks(
    TimeWindow window, int most, std::optional<WallTime> start = {}, Nanoseconds origin = {});

} // namespace loadstone::ui
