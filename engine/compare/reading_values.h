// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/compared.h>
#include <loadstone/recording.h>

#include <optional>
#include <vector>

namespace loadstone::compare {

/// Adds to each mix the averages and maxima of the counters of all computers over its measurement. A counter whose samples cover less than
/// nine tenths of it has no value.
Result<void> addReadings(
    const Recording& recording, const std::optional<TimeWindow>& window, std::vector<ComparedMix>& mixes);

} // namespace loadstone::compare
