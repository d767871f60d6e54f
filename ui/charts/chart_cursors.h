// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <limits>
#include <optional>
#include <vector>

namespace loadstone::ui {

/// The two cursors of a chart. Where both are set, the time between them is the statistics window.
struct Cursors {
    std::optional<Nanoseconds> a, b; ///< since the run's start; b may lie before a
    bool locked = false; ///< moving one of them moves the other by as much
    bool operator==(const Cursors&) const = default;

    /// The time between them, in order; none unless both are set and apart.
    [[nodiscard]] std::optional<TimeWindow> window() const;
};
/// Both moved along the axis by the same time.
Cursors shifted(Cursors cursors, Nanoseconds by);

enum class CursorName { a, b };

/// One cursor put at `at`, and the other one with it where they are locked. Both stay within [0, length]; a locked pair
/// that would leave it stops at the end with its distance kept.
Cursors moved(Cursors cursors, CursorName which, Nanoseconds at, Nanoseconds length);

/// What a line shows at one moment: its last sample at or before it, never a later one.
struct CursorValue {
    double value =
        std::numeric_limits<double>::quiet_NaN(); ///< in the line's own unit; NaN: no sample, or in a gap
    Nanoseconds age {}; ///< of that sample at the moment; 0 without one
    Nanoseconds place {}; ///< the end of the sample's stretch, where the line is drawn
    /// Longer than 0: the value is the mean of a stretch of that length, which the moment lies in, for the line is drawn of
    /// such stretches.
    Nanoseconds stretch {};
    [[nodiscard]] bool known() const { return value == value; }
};

/// Of a line whose samples are `bands`, in order of time. A stretch in which all samples are alike counts as one sample at its end.
CursorValue valueAt(const std::vector<CounterBand>& bands, Nanoseconds at);

/// What was read of the samples themselves at a moment, where a chart is drawn of stretches.
struct ReadValue {
    Nanoseconds at {}; ///< the moment
    CursorValue value;
};

/// What a line shows at both cursors. What is not known is NaN.
struct CursorReadout {
    CursorValue a, b;
    double difference = std::numeric_limits<double>::quiet_NaN(); ///< b - a, in the line's unit
    double perSecond =
        std::numeric_limits<double>::quiet_NaN(); ///< that over the time from a to b; NaN where it is 0
};
/// `read`: values that are better than those of the bands at the same moments.
CursorReadout readout(
    const std::vector<CounterBand>& bands, const Cursors& cursors, const std::vector<ReadValue>& read = {});

} // namespace loadstone::ui
