// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <QString>

#include <vector>

namespace loadstone::ui {

/// At what the runs of an overlay are laid over each other.
enum class OverlayAlign {
    measurement, ///< where the first measurement begins
    load, ///< where the measurement of one mix begins, the same load in all runs
    wallClock, ///< at the time of the day and the date
    timeOfDay, ///< at the time of the day, whatever the date
    start, ///< at the runs' starts
};

/// What is known of the time axis of a run.
struct OverlayRun {
    WallTime started {};
    Nanoseconds length {};
    std::vector<Phase> phases;
    Nanoseconds byHand {}; ///< what the user has moved it by: later where it is above 0
};

/// Where things lie on the axis that all runs share. It begins at 0, where the first run starts.
struct OverlayAxis {
    std::vector<Nanoseconds> starts; ///< of each run
    Nanoseconds origin {}; ///< from which the axis counts: where the runs are aligned
    Nanoseconds length {}; ///< to the end of the last run
    std::vector<bool> aligned; ///< each run: it has what the runs are aligned at; else it lies at its start
    bool operator==(const OverlayAxis&) const = default;
};

/// `load`: the mix's name, for OverlayAlign::load.
OverlayAxis overlayAxis(const std::vector<OverlayRun>& runs, OverlayAlign align, const QString& load = {});
/// Names of mixes that were measured in two runs at least, in the order of the first one.
QStringList commonLoads(const std::vector<OverlayRun>& runs);

/// What is read where `visible` is shown: half of it again at both sides, so that a panned chart has its lines before they are read.
TimeWindow withMargins(TimeWindow visible);
/// Whether `read`, made by withMargins(), has what `visible` shows, in the same detail.
bool isRead(TimeWindow read, TimeWindow visible);
/// A window of the axis as a run counts that starts at `start` of it; not empty, and not before the run.
TimeWindow ofRun(TimeWindow window, Nanoseconds start);

} // namespace loadstone::ui
