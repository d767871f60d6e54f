// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/run_header.h"

#include <filesystem>
#include <span>

namespace loadstone {

/// Merges the recordings of several generators, which shared the users of one plan and ran at the same time. The series of the merged
/// recording are theirs combined by key, as the table of quantities says (sum, maximum, weighted mean), with merged histograms, so results,
/// percentiles and verdicts are those of one recording of all samples. The series of each generator are kept as a source, on their own
/// time axis, and so are its sources.
///
/// * The time axis is that of the recording that began first. Each tick combines those of the same number in the others, which must
///   belong to the same phase and begin and end within `apart` of it, by the generators' clocks.
/// * In the last phase, after a measurement, one generator may run longer than another. Then a level of the other keeps the value of its
///   last tick.
/// * A sum is missing if one generator has no sample; a maximum or mean is that of the generators with a sample.
/// * Counters of a host are taken once if several generators ran on it.
/// * Totals of the audit are added. Messages that one generator sent and another one's users fetched are in neither's delivered copies.
/// * Notes, tags and marks are not copied.
///
/// An Error says why two do not belong together: another kind, plan, mixes or phases, a run that has not ended or is given twice, series of
/// another definition, ticks that do not match. `to` must not exist; a failure leaves no file. Any thread; takes as long as reading
/// all of them. Returns the id of the new run.
Result<RunId> mergeRecordings(std::span<const std::filesystem::path> recordings,
    const std::filesystem::path& to, Nanoseconds apart = std::chrono::seconds(1));

} // namespace loadstone
