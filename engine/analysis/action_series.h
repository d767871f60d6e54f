// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/target_view.h"

/// How workloads call what they count of each kind of action, and what results are added up from again.
namespace loadstone::analysis {

/// Its counters are of kind count. Their instance is the name of the action's response series: "Send message".
using history::kActionsObject;
inline constexpr const char* kActionsDue = "Due/sec"; ///< meant to begin within the tick
inline constexpr const char* kActionsBegun = "Begun/sec"; ///< a first attempt, within the tick
inline constexpr const char* kActionsFailed = "Failed/sec"; ///< ended badly, after their last attempt
// Ended well: what is in the response histogram. Unfinished at the end of a tick: what is in the histogram of LatencyClock::age.

} // namespace loadstone::analysis
