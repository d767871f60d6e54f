// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/storage/exceedings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::analysis {

/// The counters of a quantity for each storage group: their ids.
std::vector<std::uint32_t> groupCounters(const RunHeader& header, Quantity quantity);

inline constexpr const char* kStallsCompanion = "page fault stalls";
/// What goes on in a storage test beside its transfers, as far as it was recorded: checkpoints, pages flushed, log files begun, page
/// fault stalls, maintenance, the processors of this machine.
Result<std::vector<Companion>> storageCompanions(
    const Recording& recording, const std::vector<Stretch>& samples);

} // namespace loadstone::analysis
