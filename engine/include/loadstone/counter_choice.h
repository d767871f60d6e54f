// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/curve.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/series.h"

#include <cstdint>
#include <string>
#include <vector>

/// The counters of a recording and of its sources, together; the rates of actions and commands are among them.
namespace loadstone {

/// Where a counter of a recording stands.
struct CounterPlace {
    std::uint32_t source = 0; ///< 0: the run's own counters
    std::uint32_t counter = 0; ///< its id within the source
    bool eventRate = false; ///< of the run: the id is that of eventRatesOf()
    bool operator==(const CounterPlace&) const = default;
    auto operator<=>(const CounterPlace&) const = default;
};

struct ChosenCounter {
    CounterPlace place;
    CounterInfo info;
    std::string path; ///< with the computer that it was measured on, also of the run's own
    bool operator==(const ChosenCounter&) const = default;
};

/// The counters whose path fits one of the patterns (as chooseCounters() of loadstone/counter_log.h takes them), the run's own first, then
/// its rates of actions and commands, then those of the sources in the order of attaching. All where there is no pattern. An Error where a source cannot be read.
Result<std::vector<ChosenCounter>> countersOf(
    const Recording& recording, const std::vector<std::string>& patterns = {});

/// Every sample of one of them within the window, on the run's axis, see Recording::counter().
Result<std::vector<CounterPoint>> pointsOf(
    const Recording& recording, const CounterPlace& place, TimeWindow window);

} // namespace loadstone
