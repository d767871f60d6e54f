// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/run_header.h"

#include <filesystem>
#include <span>

namespace loadstone {

/// Makes one recording of those of several generators, which had one plan's users among them and ran at the same time. Its own series are
/// theirs combined by key, as the table of quantities says (sum, maximum, weighted mean), and their histograms merged, so that results,
/// percentiles and verdicts are those of one recording of all samples. Each generator's own series are kept as a source of it, under
/// the time of its own, and so are its sources.
///
/// * The time axis is that of the recording that began first. Each tick stands for those of the same number in the others, which must
///   belong to the same phase and begin and end within `apart` of it, by the generators' clocks.
/// * After a measurement one generator may go on for longer than another, in the last phase. Then a level of the other stays as its last
///   tick has it.
/// * A sum of which a generator has no sample is missing; a maximum or mean is that of those who have one.
/// * Counters of a host are taken once where several generators ran on it.
/// * Totals of the audit are added. What one generator sent and another one's users fetched is in neither's delivered copies.
/// * Of notes, tags and marks nothing is taken over.
///
/// An Error says why two do not belong together: another kind, plan, mixes or phases, a run that is not over or given twice, series of
/// another definition, ticks that do not line up. `to` must not exist; of a failure nothing is left. Any thread; takes as long as reading
/// all of them. Gives the id of the new run.
Result<RunId> mergeRecordings(std::span<const std::filesystem::path> recordings,
    const std::filesystem::path& to, Nanoseconds apart = std::chrono::seconds(1));

} // namespace loadstone
