// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/user_inbox.h"

namespace loadstone::mail {

/// What a user does with messages: looks for one in a folder, reads it, loads its attachment, moves, copies or deletes it.
class UserMessages {
public:
    UserMessages(UserCommands& commands, UserInbox& inbox);
    Task<void> browse();
    Task<void> read();
    Task<void> loadAttachment();
    /// Moves the action's message to another folder; with `keeps` copies it there.
    Task<void> dispose(std::uint16_t to, bool keeps);
    Task<void> emptyDeletedItems();

private:
    UserCommands& m_commands;
    UserInbox& m_inbox;
    ActionShell& m_shell;
    UserSession& m_session;
    const Appointment& m_action;
};

} // namespace loadstone::mail
