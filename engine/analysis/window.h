// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/layout.h"

#include <loadstone/recording.h>

#include <cstdint>

namespace loadstone::analysis {

/// Events of a counter of kind count within some ticks; missing samples add nothing.
struct Events {
    std::uint64_t total = 0;
    Nanoseconds begin {}, end {}; ///< of the ticks that were added up
};
Result<Events> eventsWithin(const Recording& recording, std::uint32_t counterId, history::TickRange range);

} // namespace loadstone::analysis
