// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/user_session.h"

#include <string>

namespace loadstone::mail {

/// The commands of one action over a user's session, and the folder that they are about. What fails is reported to the shell.
class UserCommands {
public:
    UserCommands(ActionShell& shell, UserSession& session);

    Task<bool> command(protocol::ImapVerb verb, const std::string& text);
    /// A command that those after it do not depend on: where the plan has pipelining it is sent and not waited for, until
    /// settle() or a command().
    Task<bool> queue(protocol::ImapVerb verb, const std::string& text);
    Task<bool> settle();

    Task<bool> select(std::uint16_t folder); ///< looks for news where it is selected already
    Task<bool> enter(std::uint16_t folder); ///< the same without looking
    /// Enters the folder of a message. False, too, where its UID names it no more.
    Task<bool> enterTo(const SeenMessage& message);
    /// Whether its UID names it no more; the action then does nothing.
    bool dropped(const SeenMessage& message);

    [[nodiscard]] ActionShell& shell() noexcept { return m_shell; }
    [[nodiscard]] UserSession& session() noexcept { return m_session; }

private:
    Task<bool> askForChanges(); ///< flags that changed while another folder was open

    ActionShell& m_shell;
    UserSession& m_session;
};

} // namespace loadstone::mail
