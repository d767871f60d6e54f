// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/load.h"
#include "session/unusable_plan.h"
#include "storage/test/storage_workload.h"

#include <loadstone/document.h>
#include <loadstone/units.h>

#include <fmt/format.h>

namespace loadstone::session {

namespace {

using storage::StoragePurpose;

StoragePurpose purposeOf(RunPurpose purpose)
{
    switch (purpose) {
    case RunPurpose::run:
        break;
    case RunPurpose::initialise:
        return StoragePurpose::make;
    case RunPurpose::cleanUp:
        return StoragePurpose::remove;
    case RunPurpose::verify:
        return StoragePurpose::verify;
    case RunPurpose::recover:
        return StoragePurpose::recover;
    }
    return StoragePurpose::run;
}

} // namespace

Result<std::string> withTestFor(RunPurpose purpose, const std::string& planText)
{
    Document plan(planText);
    Result<void> added;
    if (purpose == RunPurpose::verify)
        added = plan.append("tests", "kind = \"checksum\"\nname = \"verification\"");
    else if (purpose == RunPurpose::recover)
        added = plan.append("tests", "kind = \"recovery\"\nname = \"recovery after a crash\"");
    if (!added)
        return added.error();
    return plan.text();
}

Result<Load> storageLoad(
    const plan::StoragePlan& plan, const RunOptions& options, const std::filesystem::path& historyFolder)
{
    auto setup = storage::setUpStorageTest(plan, purposeOf(options.purpose), historyFolder);
    if (!setup)
        return unusablePlan(setup.error());
    auto workload = std::make_unique<storage::StorageWorkload>(*std::move(setup));
    Load load;
    load.started = wallNow();
    load.responseHistograms = workload->responseHistograms();
    load.workload = std::move(workload);
    return load;
}

Result<std::vector<PreflightFinding>> storageFindings(
    const plan::StoragePlan& plan, const std::filesystem::path& historyFolder)
{
    std::vector<PreflightFinding> findings;
    const auto setup = storage::setUpStorageTest(plan, StoragePurpose::run, historyFolder);
    if (!setup) {
        PreflightFinding& finding = findings.emplace_back(
            PreflightFinding { Severity::error, "[[groups]]", setup.error().message, "" });
        for (const plan::SpaceNeed& need : plan::spaceNeeded(plan.test)) {
            std::error_code none;
            if (!std::filesystem::exists(std::filesystem::symlink_status(need.folder, none)))
                finding.missingFolders.emplace_back(need.folder);
        }
        return findings;
    }
    for (const storage::StorageSetup::Group& group : (*setup)->groups) {
        const bool isThere = group.mark.state() == storage::GroupMark::State::made;
        findings.push_back({ Severity::info, group.options.name,
            isThere ? fmt::format("its databases are there, made with the seed {}", group.mark.seed())
                    : fmt::format("{} of {} {} made with the first run",
                        group.options.databaseFolders.size() == 1
                            ? "1 database"
                            : fmt::format("{} databases", group.options.databaseFolders.size()),
                        formatBytes(group.options.pagesPerDatabase * group.options.pageSize),
                        group.options.databaseFolders.size() == 1 ? "is" : "are"),
            "" });
    }
    for (const std::string& warning : (*setup)->warnings)
        findings.push_back({ Severity::warning, "[[groups]]", warning, "" });
    return findings;
}

} // namespace loadstone::session

namespace loadstone {

Result<std::vector<std::filesystem::path>> filesToRemove(const PlanInput& plan)
{
    const auto loaded = plan::loadPlan(plan);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return session::problemsOf(*loaded, plan.name());
    if (loaded->plan.storage() == nullptr)
        return std::vector<std::filesystem::path>();
    return storage::filesOfGroups(loaded->plan.storage()->test);
}

} // namespace loadstone
