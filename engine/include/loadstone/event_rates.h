// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/curve.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/series.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Rates of actions and commands: "Read message" or "POP3 RETR" per second. A recording stores the latencies of each, and their number
/// within a tick is the count of what ended well in it. Read like counters, though no counter is stored.
namespace loadstone {

/// One series for each action and command of the recording, with a key of Quantity::actionsCompleted or commandsAnswered and the
/// subject of its latencies. Ids count from 0 within this list; they mean nothing elsewhere.
std::vector<CounterInfo> eventRatesOf(const RunHeader& header);

// The same as Recording's functions for counters, of one series of that list: values are per second, 0 in a tick where nothing ended. An
// id that the list does not have is an Error.
Result<std::vector<CounterPoint>> eventRate(const Recording& recording, std::uint32_t id, TimeWindow window);
Result<std::vector<CounterBand>> eventRateBands(
    const Recording& recording, std::uint32_t id, TimeWindow window, std::size_t bands);
Result<CounterStatistics> eventRateStatistics(
    const Recording& recording, std::uint32_t id, TimeWindow window);
/// Of all series, in the order of that list.
Result<std::vector<CounterStatistics>> eventRateStatistics(const Recording& recording, TimeWindow window);

} // namespace loadstone
