// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/run_log.h>
#include <loadstone/series.h>

#include <QString>

#include <optional>
#include <vector>

namespace loadstone::ui {

/// What the times that people type are of.
struct TypedTimeContext {
    Nanoseconds length {}; ///< of what is shown of the run
    WallTime started {};
    Nanoseconds from {}; ///< where "+90 s" counts from
    bool clockFirst = false; ///< "14:05" is a time of day where it can be both: the axis shows times of day
    std::vector<Phase> phases;
    std::optional<Nanoseconds> firstError; ///< none: there was none
};

/// Where a typed time is.
struct TypedTime {
    Nanoseconds at {}; ///< since the run's start, within the run
    std::optional<TimeWindow> phase; ///< that was named
    bool operator==(const TypedTime&) const = default;
};

/// Reads "1:51:03" and "14:05" (time of the run, or time of day), "90 s" (since the run's start), "+90 s" and "-1:30" (from
/// `from`), "start", "end", "first error", "measurement 2", "drain", and names of mixes ("40 users": its measurement). Capitals do
/// not matter. An Error says what was typed and what would be right, in one sentence.
Result<TypedTime> readTypedTime(const QString& typed, const TypedTimeContext& context);

/// The first moment that the run's log or its transcripts call an error; none: there is none.
std::optional<Nanoseconds> firstErrorOf(
    const std::vector<RunEvent>& events, const std::vector<Transcript>& transcripts);

} // namespace loadstone::ui
