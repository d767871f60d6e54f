// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/load.h"
#include "session/unusable_plan.h"
#include "storage/raw/raw_workload.h"

#include <algorithm>

namespace loadstone::session {

Result<Load> rawLoad(
    const plan::RawPlan& plan, const RunOptions& options, const std::filesystem::path& historyFolder)
{
    if (options.purpose != RunPurpose::run)
        return unusablePlan(fail("a raw device test has no mailboxes to fill or to clean; the run fills its "
                                 "file; remove the file by hand, together with its mark"));
    // One thread keeps a fast device busy; more are for those that need them, and say so.
    const unsigned workers = std::max({ 1U, options.workers != 0 ? options.workers : plan.workers });
    auto setup = storage::setUpRawTest(plan, workers, historyFolder);
    if (!setup)
        return unusablePlan(setup.error());
    auto workload = std::make_unique<storage::RawWorkload>(*std::move(setup));
    Load load;
    load.started = wallNow();
    load.responseHistograms = workload->responseHistograms();
    load.workload = std::move(workload);
    return load;
}

std::vector<PreflightFinding> placeFindings(
    const plan::RawPlan& plan, const std::filesystem::path& historyFolder)
{
    const auto setup = storage::setUpRawTest(plan, 1, historyFolder);
    if (!setup)
        return { { Severity::error, "[device]", setup.error().message, "" } };
    std::vector<PreflightFinding> findings { { Severity::info, "[device]",
        plan.test.path + " may be used, on the volume " + (*setup)->volume, "" } };
    for (const std::string& warning : (*setup)->warnings)
        findings.push_back({ Severity::warning, "[device]", warning, "" });
    return findings;
}

} // namespace loadstone::session
