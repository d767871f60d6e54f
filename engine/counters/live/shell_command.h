// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstddef>
#include <stop_token>
#include <string>

namespace loadstone::counters {

/// What a command printed, and when it had ended.
struct CommandOutput {
    std::string text;
    MonoTime ended {};
};

/// How long a command may take and how much it may print.
struct CommandLimits {
    Nanoseconds time {};
    std::size_t bytes = 1U << 20; ///< of its standard output
};

/// Runs `/bin/sh -c COMMAND` in a process group of its own, with nothing to read from. When this returns, no process of that group is
/// left; the same holds soon after this process has ended, however it ended. An Error says which limit it passed, or its exit status
/// and the first line of its standard error, or that `stop` was asked for (operation_canceled). Any thread.
Result<CommandOutput> runShellCommand(
    const std::string& command, const CommandLimits& limits, const std::stop_token& stop);

} // namespace loadstone::counters
