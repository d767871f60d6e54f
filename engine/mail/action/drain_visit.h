// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/user_inbox.h"

#include <vector>

namespace loadstone::mail {

/// The drain's visit to a user's mailbox: fetches all that has come and was not read, looks for what the ledger misses, and
/// compares the mailbox of a user whom the oracle follows.
class DrainVisit {
public:
    DrainVisit(UserCommands& commands, UserInbox& inbox);
    Task<void> visit();

private:
    Task<bool> fetchOwed(MonoTime began);
    Task<bool> lookThrough(std::vector<UserSession::Present>& present);

    UserCommands& m_commands;
    UserInbox& m_inbox;
    ActionShell& m_shell;
    UserSession& m_session;
    const Appointment& m_action;
};

} // namespace loadstone::mail
