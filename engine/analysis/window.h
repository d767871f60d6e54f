// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/trend.h"
#include "history/layout.h"

#include <loadstone/recording.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::analysis {

/// Events of a counter of kind count within some ticks; missing samples add nothing, nor does history::kNoCounter.
struct Events {
    std::uint64_t total = 0;
    Nanoseconds begin {}, end {}; ///< of the ticks that were added up
};
Result<Events> eventsWithin(const Recording& recording, std::uint32_t counterId, history::TickRange range);

/// A phase as far as it has come.
TimeWindow windowOf(const Recording& recording, const Phase& phase);
/// The id of a counter by its path; none: the recording does not have it.
std::optional<std::uint32_t> counterNamed(const RunHeader& header, const std::string& path);
/// The samples that there are within a window, counts per second.
Result<std::vector<Sample>> samplesOf(const Recording& recording, std::uint32_t counterId, TimeWindow window);

inline constexpr const char* kOutstanding = "\\Loadstone Audit\\Outstanding";
inline constexpr const char* kMail = "\\Loadstone Mail(_Total)\\"; // then "Messages Sent/sec" and so on

} // namespace loadstone::analysis
