// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/counter_log.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Where a log belongs in a run, found by what both computers measured of the same traffic.
namespace loadstone {

struct OffsetOptions {
    Nanoseconds reach =
        std::chrono::hours(1); ///< searched on both sides of what the clocks say; 1 min to 24 h
    /// Which counters of the log, see chooseCounters(); their sum counts. None: the bytes of its network interfaces, else of its disks,
    /// of the computers of `attached`.
    std::vector<std::string> ofLog;
    std::vector<std::string> attached; ///< which counters of the log are wanted, as AttachOptions::patterns
    /// Which counters of the run, see countersOf(), its sources aside. None: bytes of all network interfaces or disks, like the log's.
    std::vector<std::string> ofRun;
    std::optional<Nanoseconds> zone; ///< as AttachOptions::zone
    std::optional<Nanoseconds> around; ///< where the log begins in the run, about; none: as the clocks say
};

struct OffsetPoint {
    Nanoseconds offset {}; ///< where the log begins on the run's axis
    /// Of ranks (Spearman), -1 to 1. NaN: too little of both lies on each other, or one does not vary.
    double correlation = 0;
    bool operator==(const OffsetPoint&) const = default;
};

/// What the search found. There is a proposal if the highest correlation is 0.6 or more, does not lie at the edge of what was searched, is
/// not wider than half of it, and is the only one: the highest one that is farther away than the peak is wide is at most 0.9 of it. Periodic loads have several.
struct OffsetProposal {
    std::optional<Nanoseconds> offset; ///< for AttachOptions::offset; none: see `reason`
    std::string reason; ///< why nothing is proposed, one sentence; else empty
    std::string ofLog, ofRun; ///< what was compared, for people
    Nanoseconds byClocks {}; ///< where the clocks have it, or as OffsetOptions::around
    Nanoseconds step {}; ///< between two points
    Nanoseconds interval {}; ///< over which values are means: the log's or the run's, whichever is longer
    std::vector<OffsetPoint> curve; ///< by offset
    OffsetPoint best; ///< the peak; correlation 0: there is none
    Nanoseconds width {}; ///< of the peak, at half of its height
    std::optional<OffsetPoint> second; ///< the highest one apart from the peak
};

/// Correlates the ranks of a log's values with those of a recording over all offsets within reach. Values of the log are compared with
/// means of the run over the log's interval at each second (or tick, if longer); values of a log with shorter intervals than the run's are
/// averaged first. Half an hour of a log of one second takes some 20 ms; memory: 16 bytes a second of the run and of the log, and some 200 while it computes. An Error where
/// the log or the recording cannot be read, or none of their counters fits.
Result<OffsetProposal> proposeOffset(
    const Recording& recording, const std::filesystem::path& log, const OffsetOptions& options = {});
/// The same for a source that is attached already, around its present offset; the proposal is for moveSource(). `zone` does not matter.
Result<OffsetProposal> proposeOffset(
    const Recording& recording, std::uint32_t source, const OffsetOptions& options = {});

} // namespace loadstone
