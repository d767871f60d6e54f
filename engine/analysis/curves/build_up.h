// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/curve.h>
#include <loadstone/queue_rows.h>

#include <span>

namespace loadstone::analysis {

/// When a queue is above a limit for good. `points`: in order of time, NaN where missing, those up to the end of `searched`; one before its
/// begin says how the queue stood there. A sample at the limit is not above it. No sample is smoothed: a peak that recovers is none by this
/// definition already, and a mean would move the time. `longestGap`: a longer time without a sample decides nothing, so that the answer is
/// cannotTell where the queue may have been on the other side of the limit meanwhile.
BuildUp buildUpOf(
    std::span<const CounterPoint> points, const TimeWindow& searched, double limit, Nanoseconds longestGap);
/// Two minutes, or a twentieth of what is searched where that is less; and two of the counter's intervals (the median, which gaps do not
/// move) where they are more. Of three points or fewer the interval is not known.
Nanoseconds longestGapOf(std::span<const CounterPoint> points, const TimeWindow& searched);

} // namespace loadstone::analysis
