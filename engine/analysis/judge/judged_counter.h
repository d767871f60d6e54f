// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/number.h>
#include <loadstone/quantity.h>
#include <loadstone/recording.h>

#include <optional>
#include <string>
#include <vector>

namespace loadstone::analysis {

/// A sample that is there, on the run's time axis. Counts are per second.
struct TimedSample {
    Nanoseconds begin {}, end {}; ///< of its tick
    double value = 0;
};

/// What a criterion asks for: a quantity of the whole machine, or a path as a person typed it.
struct WantedCounter {
    std::optional<Quantity> quantity;
    std::string path; ///< where there is no quantity
    std::string of; ///< as plan::CounterCriterion::of
};

/// A counter that a criterion is about.
struct JudgedCounter {
    std::string path; ///< without its computer
    std::string computer; ///< its name; empty: the machine that ran Loadstone, and the plan does not name it
    bool found = false; ///< some series has it
    Unit unit; ///< of the values; of somebody else's counter none
    std::vector<TimedSample> samples; ///< of the ticks that overlap the window, in order of time
    /// Why nothing can be said, though there may be samples: they cover less than 90 % of the window, each tick by its length. Ticks in
    /// which a mean had nothing to be of ("Avg. Disk sec/Read" without a read) are covered. Empty: it can. Of the machine that ran
    /// Loadstone empty, too, where no series has the counter.
    std::string cannotTell;
    /// What else might have been judged: computers of the role that gave other counters but not this one, further sources of this
    /// computer. Empty: nothing.
    std::string remark {};
};

/// The counters of all computers that a criterion is about, at least one. Of a role: of every computer that has it, except those that
/// gave counters, but not this one, where another one did.
Result<std::vector<JudgedCounter>> judgedCounters(
    const Recording& recording, const WantedCounter& wanted, const TimeWindow& window);

} // namespace loadstone::analysis
