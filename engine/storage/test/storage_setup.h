// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"
#include "storage/device/file_device.h"
#include "storage/store/group_mark.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::storage {

/// What a run does with the groups of a plan.
enum class StoragePurpose : std::uint8_t {
    run, ///< makes what is missing, then goes through the tests
    make, ///< only that
    verify, ///< goes through tests that change nothing, of groups that are there
    recover, ///< opens groups that are there, with what is to be replayed, and closes them
    remove ///< removes their files
};

/// A storage test that may begin: its places were looked at, its groups claimed.
struct StorageSetup {
    struct Group {
        GroupOptions options;
        GroupMark mark;
        std::vector<RecordContent> contents; ///< of each database; empty until the mark has a seed
        void makeContents();
    };
    plan::StoragePlan plan;
    StoragePurpose purpose = StoragePurpose::run;
    std::vector<Group> groups;
    std::vector<std::string> volumes; ///< names, each once
    std::vector<std::pair<std::filesystem::path, std::size_t>> places; ///< every folder, and its volume
    std::vector<std::string> warnings; ///< for the event log
    DeviceOptions device; ///< of each group
    Nanoseconds patience =
        std::chrono::seconds(30); ///< with transfers of which none is completed, when all is to end
    /// Makes a group's device; tests put a failing one in its place.
    std::function<Result<std::unique_ptr<Device>>(const DeviceOptions&)> makeDevice;
    [[nodiscard]] std::size_t volumeOf(const std::filesystem::path& file) const;
};

/// Looks at the folders that the plan names and claims its groups. An Error says why nothing may be written there, and what to
/// do. `historyFolder`: where the run will be recorded; empty: nowhere.
Result<std::unique_ptr<StorageSetup>> setUpStorageTest(
    const plan::StoragePlan& plan, StoragePurpose purpose, const std::filesystem::path& historyFolder);

/// Files that removing the plan's groups would remove.
Result<std::vector<std::filesystem::path>> filesOfGroups(const plan::StorageTest& test);

} // namespace loadstone::storage
