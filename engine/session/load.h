// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/process_counters.h"
#include "plan/model/plan.h"
#include "run/workload.h"

#include <loadstone/preflight.h>
#include <loadstone/run.h>

#include <functional>
#include <memory>
#include <vector>

namespace loadstone::session {

/// A plan as it is run: all that differs between mail and storage.
struct Load {
    std::unique_ptr<run::Workload> workload;
    WallTime started {};
    std::vector<std::uint32_t> responseHistograms; ///< ids within the workload, see run::ControllerSetup
    std::vector<counters::WatchedProcess> watched; ///< beside this one
    std::function<void(history::RunEnd&)> atEnd;
};

/// Of a raw device test; `historyFolder`: where the run will be recorded.
Result<Load> rawLoad(
    const plan::RawPlan& plan, const RunOptions& options, const std::filesystem::path& historyFolder);

/// What of its place would keep such a test from beginning, or is good to know before.
std::vector<PreflightFinding> placeFindings(
    const plan::RawPlan& plan, const std::filesystem::path& historyFolder);

/// The same of a storage stress test.
Result<Load> storageLoad(
    const plan::StoragePlan& plan, const RunOptions& options, const std::filesystem::path& historyFolder);
Result<std::vector<PreflightFinding>> storageFindings(
    const plan::StoragePlan& plan, const std::filesystem::path& historyFolder);
/// The text of a storage plan with one more test at its end, which stands for what verifying or recovering alone does; of other
/// purposes as it is. An Error where the plan's list of tests cannot have one more.
Result<std::string> withTestFor(RunPurpose purpose, const std::string& planText);

} // namespace loadstone::session
