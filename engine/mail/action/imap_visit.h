// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"

namespace loadstone::mail {

struct ImapLink;

/// One IMAP session of a script: log in, open the Inbox, send the step's commands one after another, stay, log out.
class ImapVisit {
public:
    explicit ImapVisit(ActionShell& shell);
    Task<void> visit();

private:
    Task<bool> command(ImapLink& link, protocol::ImapVerb verb, const std::string& text);
    Task<void> stay(ImapLink& link, Nanoseconds length); ///< in IDLE where the plan and the server want it
    Task<bool> carryOut(ImapLink& link, const plan::Step& step);

    ActionShell& m_shell;
    WorkerContext& m_context;
    const MailSetup& m_setup;
    const Appointment& m_action;
};

} // namespace loadstone::mail
