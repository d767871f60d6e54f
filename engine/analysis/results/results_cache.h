// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/results/generator_health.h"
#include "analysis/storage/storage_sums.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "plan/model/health_limits.h"
#include "plan/model/profile.h"
#include "plan/model/storage_test.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace loadstone::analysis {

/// What the results of one mix are made from, added up tick by tick: looking again at a live run costs only
/// what is new since the last look.
struct MixSums {
    history::TickRange taken; ///< the ticks that are in it
    std::vector<Histogram> histograms; ///< by id; those of ages, which are levels, stay empty
    std::map<std::uint32_t, std::uint64_t> actions; ///< counts of actions, by id of their counters
    std::uint64_t sent = 0, received = 0, attempts = 0, failures = 0;
    /// By target, place, kind, code and what was said.
    std::map<std::tuple<std::string, std::string, FailureKind, int, std::string>, std::uint64_t> errors;
    GeneratorEvidence generator; ///< without its histograms
    StorageSums storage; ///< empty where the recording has no counters of a page store
};

/// Kept with a Recording between two calls of computeResults().
class ResultsCache final : public history::Derived {
public:
    /// The sums of the ticks in `range`, valid until the next call. A range that begins where it did last time and is not shorter only
    /// adds.
    /// `chosen`: of a chosen window, whose sums are kept apart from those of the phase.
    Result<const MixSums*> sums(
        const Recording& recording, std::uint32_t phase, history::TickRange range, bool chosen = false);

private:
    std::map<std::pair<std::uint32_t, bool>, MixSums> m_byPhase;
    std::size_t m_filled = 0; // histograms with values in it, or more: each addition counts
};

/// The recording's own, made on first use.
ResultsCache& resultsCache(const Recording& recording);

/// The storage test of the plan that the recording carries, valid as long as the recording is; null: its plan is not a storage plan, or
/// this version cannot read it.
const plan::StorageTest* storageTestOf(const Recording& recording);
/// The limits of the generator's health: the plan's, or the default ones. Valid as long as the recording is.
const plan::HealthLimits& healthLimitsOf(const Recording& recording);
/// The weights of the plan's profile, and its title; no weights: it has no profile, or one without.
std::pair<plan::ScoreWeights, std::string> scoreWeightsOf(const Recording& recording);

} // namespace loadstone::analysis
