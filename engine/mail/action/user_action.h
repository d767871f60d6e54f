// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/user_session.h"

#include <memory>

namespace loadstone::mail {

class UserCommands;

/// One action of a simulated user's day, over the IMAP session that lasts the day, SMTP, CalDAV and CardDAV.
class UserAction {
public:
    explicit UserAction(ActionShell& shell);
    Task<void> live();
    /// Ends an IDLE that has lasted long, and begins another one.
    Task<void> renewIdle();

private:
    Task<bool> takeTurn();
    [[nodiscard]] std::unique_ptr<UserSession> takeSession();
    void putBack(std::unique_ptr<UserSession> session);
    Task<void> act(UserCommands& commands);
    Task<void> actOnMail(UserCommands& commands);
    void tellRenumbered(UserSession& session);

    ActionShell& m_shell;
    WorkerContext& m_context;
    const Appointment& m_action;
};

} // namespace loadstone::mail
