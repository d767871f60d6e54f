// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/exceedings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::analysis {

/// The counters of that name of all an object's instances, but for their sum; with an I/O class those of it alone.
std::vector<std::uint32_t> countersOf(
    const RunHeader& header, const char* object, const char* counter, const std::string& ioClass = {});

inline constexpr const char* kStallsCompanion = "page fault stalls";
/// What goes on in a storage test beside its transfers, as far as it was recorded: checkpoints, pages flushed, log files begun, page
/// fault stalls, maintenance, the processors of this machine.
Result<std::vector<Companion>> storageCompanions(
    const Recording& recording, const std::vector<Stretch>& samples);

} // namespace loadstone::analysis
