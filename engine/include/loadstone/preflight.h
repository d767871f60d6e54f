// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/plan_file.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// A finding before a run.
struct PreflightFinding {
    Severity severity = Severity::info; ///< error: the run as planned will fail
    std::string subject; ///< "IMAP 10.0.0.5:143"
    std::string found; ///< "takes 20 connections at once from one address"
    std::string effect; ///< its effect on the run; empty: none
    /// Folders that the plan names and that are not there: making them cures the finding.
    std::vector<std::filesystem::path> missingFolders {};
    bool operator==(const PreflightFinding&) const = default;
};

/// The findings about a plan's servers.
struct Preflight {
    std::vector<PreflightFinding> findings; ///< in the order of the checks
    [[nodiscard]] bool passed() const; ///< no error among them
};

/// How thorough the check is, and who gets its progress.
struct PreflightOptions {
    PlanInput plan;
    std::optional<std::string> password; ///< see RunOptions
    std::vector<std::string> agreed; ///< see RunOptions; a source of counters without agreement is not asked
    std::filesystem::path historyFolder; ///< see RunOptions
    bool limits = true; ///< try how many connections the servers take; takes seconds
    /// Send one message to the first mailbox and remove it again, where the plan names a server to remove it over.
    bool message = true;
    unsigned mostConnections = 200; ///< at once, of each protocol
    /// Called with what is being checked, on the thread that called preflight(); false cancels.
    std::function<bool(const std::string& doing)> progress;
};

/// Checks a plan's servers as its clients will use them: logs in, asks whether they accept its mail, checks calendars and address
/// books, and sends one message, which it waits for (at most a minute) and removes. The embedded target has no findings.
/// Asks the plan's sources of counters once: one that does not answer is a warning.
/// An Error when the plan cannot be used (isUnusablePlan()) or `progress` cancelled (operation_canceled).
Result<Preflight> preflight(const PreflightOptions& options);

} // namespace loadstone
