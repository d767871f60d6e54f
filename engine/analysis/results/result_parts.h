// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/results/measured_parts.h"
#include "analysis/results/results_cache.h"
#include "history/tick_reader.h"

#include <loadstone/counter_choice.h>
#include <loadstone/results.h>

#include <optional>
#include <vector>

/// What the results of a run are put together from.
namespace loadstone::analysis {

/// Rows of one scope in the order of their series; response and service of one action share a row.
std::vector<LatencyRow> latencyRows(const RunHeader& header, const MixSums& sums, LatencyScope scope);
/// What did not happen has no row.
void leaveOutIdle(std::vector<LatencyRow>& rows);
/// The most frequent first.
std::vector<ErrorRow> errorRows(const MixSums& sums);
/// What a phase of initialisation or clean-up did.
Result<PreparationResult> preparationOf(const Recording& recording, const Phase& phase);
/// A storage test's own I/O, by volume and class.
Result<std::vector<IoRow>> ioRows(const Recording& recording, history::TickRange range, const MixSums& sums);
/// At the 95th percentile, under the weights of the plan's profile; none where it has none.
Result<std::optional<Score>> scoreOf(
    const Recording& recording, history::TickRange range, const MixSums& sums);
/// The queues that the results of a recording's mixes look at. No sources where one target of several is looked at: they belong to no
/// target. They are searched among all counters by the patterns of their names: once for all mixes.
std::vector<ChosenCounter> queuesOf(const Recording& recording);
/// Of a mix, which is complete or not: how long until each of them builds up.
Result<std::vector<QueueRow>> queueRows(const Recording& recording, const std::vector<ChosenCounter>& queues,
    const Phase& measurement, bool complete);
/// The last that the oracle's counters say, and what came after the last tick; none where it follows no mailbox.
Result<std::optional<OracleTotals>> oracleOf(
    const Recording& recording, const std::vector<AuditException>& exceptions);

} // namespace loadstone::analysis
