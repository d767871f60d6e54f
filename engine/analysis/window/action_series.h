// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <cstdint>
#include <optional>

/// The series that belong together because they are about one action. An action is what has a response time: an action of a mail
/// run, the transaction of a storage test, a class of transfers of a raw test. It is named by the key of any of its latencies;
/// that key's clock does not matter.
namespace loadstone::analysis {

/// Its counts. Ended well: what is in the response histogram. Unfinished: what is in the one of LatencyClock::age.
enum class ActionCount : std::uint8_t {
    due, ///< meant to begin within the tick
    begun, ///< a first attempt, within the tick
    failed, ///< ended badly, after the last attempt
};
constexpr ActionCount kActionCounts[] { ActionCount::due, ActionCount::begun, ActionCount::failed };

/// Ids; none: the recording does not have it.
std::optional<std::uint32_t> actionLatency(const RunHeader& header, SeriesKey action, LatencyClock clock);
std::optional<std::uint32_t> actionCounter(const RunHeader& header, const SeriesKey& action, ActionCount count);
/// A counter of some action of the present view.
bool countsActions(const CounterInfo& info);

} // namespace loadstone::analysis
