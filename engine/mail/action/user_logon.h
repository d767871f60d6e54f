// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/user_commands.h"

namespace loadstone::mail {

/// How a user's session begins, idles and ends: it lasts the day, and the connection is made again where it was lost. What fails
/// is reported to the shell.
class UserLogon {
public:
    explicit UserLogon(UserCommands& commands);
    /// False: there is no session. The action has failed then, or was a logoff, which has nothing left to do.
    Task<bool> beThere();
    /// On a new connection, with the Inbox selected. False: see the shell's outcome.
    Task<bool> logOn();
    Task<void> logOff();
    /// Where the plan and the server want it, the session waits in IDLE for the user's next action. It may end at any time from
    /// here on: the next action then logs on again.
    Task<void> beginIdle();
    /// Ends an IDLE that has lasted long, and begins another one.
    Task<void> renewIdle();

private:
    bool connected();
    Task<bool> findFolders();
    Task<bool> endIdle();

    UserCommands& m_commands;
    ActionShell& m_shell;
    UserSession& m_session;
    const Appointment& m_action;
};

} // namespace loadstone::mail
