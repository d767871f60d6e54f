// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/user_commands.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// How a user's client learns what is new in the Inbox, and fetches it.
class UserInbox {
public:
    explicit UserInbox(UserCommands& commands);
    /// Fills the session's list of what is new.
    Task<bool> look();
    /// All that was found and not yet fetched as a whole. `mayBeKnown`: some of it may have been fetched under another UID.
    Task<bool> fetchUnread(bool mayBeKnown = false);
    /// Whether the server's search says what its flags say, of which FETCH has just told (`present`). A contradiction is a
    /// finding. False: the search failed.
    Task<bool> searchAgainst(const std::vector<UserSession::Present>& present);
    /// Each message of the Inbox is fetched once as a new one: seen again, under another UID, it was delivered twice. `again`:
    /// its UID is another one by the server's word.
    void reportRetrieved(MessageCheck& check, bool again);

private:
    [[nodiscard]] std::string searchUnseen();

    UserCommands& m_commands;
    ActionShell& m_shell;
    UserSession& m_session;
    const Appointment& m_action;
};

} // namespace loadstone::mail
