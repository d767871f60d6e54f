// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/series.h"
#include "loadstone/time.h"

#include <cstdint>
#include <string>

namespace loadstone {

/// The time until a queue builds up to a limit, of one mix.
struct BuildUp {
    enum class State : std::uint8_t {
        builtUp, ///< above the limit, and not at or below it again until the end of the ramp-down
        notWithinTest, ///< at the end of the ramp-down it is not above the limit
        cannotTell, ///< samples are missing where they would decide, or the mix has not ended
    };
    State state = State::cannotTell;
    /// builtUp: from the end of the ramp-up to the first sample of the final stretch above the limit; notWithinTest: to the end of the search.
    Nanoseconds after {};
    std::string reason {}; ///< cannotTell: one sentence without a full stop
    bool operator==(const BuildUp&) const = default;
};

/// A queue over one mix, against the two limits of the plan: up to the normal one it holds what a healthy server has under way, above the
/// failing one the server falls behind. The default limits, 50 and 1,000, and the time counted from the end of the ramp-up are those of
/// "Microsoft Exchange: Scalability Testing" (eTesting Labs, figures 8 and 10), where the queue is Queued Inbound.
struct QueueRow {
    std::string name; ///< its path, for people
    std::uint32_t source = 0; ///< of the recording; 0: the run's own counter
    SeriesKey series;
    double normal = 50, failing = 1000; ///< limits, in messages or copies
    BuildUp aboveNormal, aboveFailing;
    TimeWindow searched; ///< from the end of the ramp-up to the end of the ramp-down
    std::uint64_t samples = 0; ///< within it that are not missing
    bool operator==(const QueueRow&) const = default;
};
const char* toString(BuildUp::State state); ///< "built up", "not within the test", "cannot tell"

} // namespace loadstone
