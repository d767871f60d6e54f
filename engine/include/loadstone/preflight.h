// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/recording.h"
#include "loadstone/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// Something that was found out before a run.
struct PreflightFinding {
    Severity severity = Severity::info; ///< error: the run as planned is bound to fail
    std::string subject; ///< "IMAP 10.0.0.5:143"
    std::string found; ///< "takes 20 connections at once from one address"
    std::string effect; ///< what it will do to the run; empty: nothing
};

/// The findings about a plan's servers.
struct Preflight {
    std::vector<PreflightFinding> findings; ///< in the order of looking
    [[nodiscard]] bool passed() const; ///< no error among them
};

/// How thorough the look is, and who is told of its progress.
struct PreflightOptions {
    std::filesystem::path plan;
    std::optional<std::string> password; ///< see RunOptions
    std::filesystem::path historyFolder; ///< see RunOptions
    bool limits = true; ///< try how many connections the servers take; takes seconds
    /// Send one message to the first mailbox and remove it again, where the plan names a server to remove it over.
    bool message = true;
    unsigned mostConnections = 200; ///< at once, of each protocol
    /// Told what is being looked at, on the thread that called preflight(); false gives up.
    std::function<bool(const std::string& doing)> progress;
};

/// Looks at a plan's servers as its clients will: logs in, asks whether its mail would be taken, looks at calendars and address
/// books, and sends one message that it removes again. Waits for that at most a minute. Of the embedded target there is nothing to
/// find. An Error when the plan cannot be used (isUnusablePlan()) or `progress` gave up (operation_canceled).
Result<Preflight> preflight(const PreflightOptions& options);

} // namespace loadstone
