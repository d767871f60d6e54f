// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/layout.h"
#include "metrics/trend.h"

#include <loadstone/recording.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::analysis {

constexpr std::uint64_t kEnoughSamples = 20; ///< for a percentile to say anything

/// Events of a counter of kind count within some ticks; missing samples add nothing.
struct Events {
    std::uint64_t total = 0;
    Nanoseconds begin {}, end {}; ///< of the ticks that were added up
};
Result<Events> eventsWithin(const Recording& recording, std::uint32_t counterId, history::TickRange range);

/// The same of the quantity without a subject: of all together. 0 where the recording does not count it.
Result<Events> eventsOf(const Recording& recording, Quantity quantity, history::TickRange range);
/// What a run is about: actions of mail, transactions of a storage test, transfers of a raw one. Ids of counters.
struct Attempts {
    std::optional<std::uint32_t> all; ///< ended, well or not
    std::optional<std::uint32_t> failed; ///< with an error; of a storage test transfers
};
Attempts attemptsIn(const RunHeader& header);

/// A phase as far as it has come.
TimeWindow windowOf(const Recording& recording, const Phase& phase);
/// The samples that there are within a window, counts per second.
Result<std::vector<metrics::Sample>> samplesOf(
    const Recording& recording, std::uint32_t counterId, TimeWindow window);

} // namespace loadstone::analysis
