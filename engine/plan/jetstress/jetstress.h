// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/storage_test.h"

#include <loadstone/plan_file.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::plan {

/// What a Jetstress configuration says, in Loadstone's units. What it leaves out is missing here as well.
struct JetstressConfiguration {
    struct Thresholds {
        std::optional<Nanoseconds> averageRead, maximumRead, averageWrite, maximumWrite;
    };
    struct Instance {
        std::vector<std::string> databases; ///< as Windows writes them
        std::string log, backup; ///< likewise; may be empty
    };
    /// Something of no meaning here, or of another: with the reason.
    struct LeftOut {
        int line = 0;
        std::string what, why;
    };
    bool of2007 = false; ///< by its version, or else by its pages
    std::string version, description;
    StorageTestKind kind = StorageTestKind::performance;
    std::optional<Nanoseconds> duration;
    bool verify = false, maintenance = false, tuning = false, backupToDisk = false;
    std::optional<unsigned> insert, erase, replace, lazyCommits; ///< per cent
    std::optional<unsigned> operations, logsToReplay, latencyErrors, copies;
    std::optional<unsigned> threads;
    std::optional<double> mailboxes, quotaMegabytes, iopsPerMailbox;
    std::optional<double> margin, reserved; ///< shares
    std::optional<unsigned> shortPad, longPad; ///< bytes
    std::optional<unsigned> pageSize; ///< bytes
    std::optional<unsigned> logFileKilobytes;
    std::optional<Nanoseconds> maintenanceInterval;
    Thresholds strict, lenient;
    std::vector<Instance> instances;
    std::vector<LeftOut> leftOut;
};

/// Reads the XML of Jetstress 2007 to 2013. An Error begins with the line of what is wrong.
Result<JetstressConfiguration> readJetstress(std::string_view xml);

/// A plan's text. `name`: of the configuration, for comments.
std::string writePlan(const JetstressConfiguration& configuration, const std::string& name,
    const std::vector<FolderMapping>& folders);

/// A folder of Windows as it is called here: by the longest mapping that fits, upper and lower case alike, else below the
/// placeholder that the check of the plan refuses.
std::string mapFolder(const std::string& windows, const std::vector<FolderMapping>& folders);

} // namespace loadstone::plan
