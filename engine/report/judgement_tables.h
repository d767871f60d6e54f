// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/judgement.h>
#include <loadstone/score.h>

#include <string>
#include <vector>

/// The judgement of a run: its criteria, load, steady state and score. A table without content has no rows.
namespace loadstone::report {

Table criteriaTable(const Judgement& judgement);
/// What a storage test did not meet, and how, in full: the table of a terminal cuts explanations.
std::vector<std::string> failureSentences(const Judgement& judgement);
Table steadyStateTable(const std::vector<SteadyState>& states);
/// LsLog's columns: category, weight, hits, percentile, median, mean, standard deviation. In milliseconds.
Table scoreTable(const Score& score);
/// The score in a sentence, with its formula.
std::string scoreSentence(const Score& score);
/// That the weights are no more than an approximation of LsLog's.
std::string weightsSentence(const Score& score);

} // namespace loadstone::report
