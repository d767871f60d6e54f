// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/compared.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// A figure over all runs of one plan. Values, any thread.
namespace loadstone {

struct TrendPoint {
    std::size_t run = 0; ///< index into PlanTrend::runs
    std::optional<double> value; ///< none: missing
    FigureFlags flags;
    bool counts = false; ///< it takes part in the search for changes: valid, complete, no bound
};

/// A run from which on the figure may be another one.
struct ChangePoint {
    std::size_t run = 0; ///< index into PlanTrend::runs: the first run after it
    double before = 0, after = 0; ///< means of the stretches before and after
    std::optional<double> change; ///< after / before - 1
    double p = 1; ///< of the permutation test
};

struct TrendRun {
    RunId id;
    std::string title;
    WallTime started {};
    std::string configuration; ///< ComparedRun::configuration
};

struct PlanTrend {
    static constexpr std::size_t kLeastRuns = 10; ///< with fewer no changes are looked for
    static constexpr std::size_t kLeastSegment = 3;
    static constexpr std::size_t kMostRuns = 500; ///< the newest
    RowKey key;
    std::string mix; ///< its name; empty: of whole runs
    std::string label, unit;
    Rounding rounding;
    Better better = Better::neither;
    std::vector<TrendRun> runs; ///< rising start
    std::vector<TrendPoint> points; ///< one for each run
    std::vector<ChangePoint> changes; ///< in order of time
    std::string note; ///< why there are none: "10 runs are needed, and there are 7"
};

/// The trend of a row in the mix of this name (of all runs: in the order given, sorted here by their start). Change points by E-divisive:
/// D. Matteson and N. James, "A nonparametric approach for multiple change point analysis of multivariate data" (Journal of the American
/// Statistical Association 109, 2014), with 499 permutations at 1 %, each stretch split against all that follows in it, and segments of three runs at least. A change point is a question and no verdict.
PlanTrend planTrend(const std::vector<ComparedRun>& runs, const RowKey& row, const std::string& mix = {});

/// Rows that can be shown, with the name of their mix, in the order of the reports.
struct TrendChoice {
    RowKey key;
    std::string mix, group, label, unit;
};
std::vector<TrendChoice> trendChoices(const std::vector<ComparedRun>& runs);

} // namespace loadstone
