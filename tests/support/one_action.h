// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action_shell.h"

#include <chrono>
#include <string>

namespace loadstone::test {

struct ActionEnd {
    protocol::Failure failure;
    std::string where; ///< the command that failed
    std::string transcript;
    unsigned errors = 0; ///< counted for the recording
};

/// A plan of two mailboxes that takes only this action: over POP3 or SMTP as a step, logon and readMailbox of `users` over
/// IMAP. `target`: its tables from [target] on.
std::string planOf(plan::ActionKind kind, const std::string& target, bool users = false);

/// Carries out one action for the first mailbox, as a load thread would, on this thread and without a run around it. Throws
/// std::runtime_error where the plan is none, or where the action has not ended within `limit`.
ActionEnd carryOut(
    plan::ActionKind kind, const std::string& plan, std::chrono::seconds limit = std::chrono::seconds(20));

} // namespace loadstone::test
