// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/user_inbox.h"

namespace loadstone::mail {

/// What the mailbox oracle asks of the server beside what the user does: a listing when the day begins, and every message at the
/// end of the run. Both lie outside the measured actions: behind the first logon, and in the drain. The session has an oracle.
class OracleVisit {
public:
    OracleVisit(UserCommands& commands, UserInbox& inbox);
    /// After an action: lists the mailbox once, and reports what was found. A mailbox that cannot be listed is not followed.
    Task<void> begin();
    /// Compares all folders and messages with what is known of them. False: a command failed.
    Task<bool> compare();

private:
    Task<bool> listAll(); ///< what the mailbox holds when the day begins
    Task<bool> listWhole(std::uint16_t folder, MessageCheck* contents);
    void tellFindings();

    UserCommands& m_commands;
    UserInbox& m_inbox;
    ActionShell& m_shell;
    UserSession& m_session;
    const Appointment& m_action;
};

} // namespace loadstone::mail
