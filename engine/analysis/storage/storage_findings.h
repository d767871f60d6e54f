// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/storage_test.h"

#include <loadstone/judgement.h>

#include <cstdint>
#include <optional>
#include <vector>

/// What no storage test may have: damaged pages and log segments, wrong records, failed transfers, transfers that were
/// not completed for long. Counted from a test's first
/// phase to its last, its warm-up included.
namespace loadstone::analysis {

/// Of the test that is mix `mix` of the recording. `window`: of this window instead, whatever it is of.
Result<std::vector<Criterion>> judgeFindings(const Recording& recording, std::int32_t mix,
    plan::StorageTestKind kind, const std::optional<TimeWindow>& window = {});
/// Those of them that are not met outside all tests that have been measured: while databases are made, in a test that
/// did not come to its measurement.
Result<std::vector<Criterion>> judgeFindingsElsewhere(const Recording& recording);
/// Of a raw device test: whether a transfer was not completed for long in any of its phases; empty where none was.
Result<std::vector<Criterion>> judgeAnswers(const Recording& recording);

} // namespace loadstone::analysis
