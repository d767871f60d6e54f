// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_reader.h"

#include <loadstone/result.h>

#include <cstdint>
#include <vector>

namespace loadstone::analysis {

/// How many events of series `id` of eventRatesOf() each tick of a range has; an id that the list does not have is an Error.
Result<std::vector<double>> eventCounts(
    const Recording& recording, std::uint32_t id, const history::TickRange& range);

} // namespace loadstone::analysis
