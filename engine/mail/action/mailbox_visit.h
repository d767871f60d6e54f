// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/pop3_session.h"
#include "mail/message/message_check.h"

namespace loadstone::mail {

/// One visit to a mailbox over POP3: empties, reads, lists it, or just stays.
class MailboxVisit {
public:
    explicit MailboxVisit(ActionShell& shell);
    Task<void> visit();

private:
    /// Empties, reads or lists it, and quits. A coroutine of its own: sessions that are held wait without its room.
    Task<void> goThrough(Pop3Session& session, MonoTime began);
    void tellContradiction(const std::string& wrong);
    void reportRetrieved(MessageCheck& check, const protocol::Pop3Client& client);

    ActionShell& m_shell;
    WorkerContext& m_context;
    const MailSetup& m_setup;
    const Appointment& m_action;
};

} // namespace loadstone::mail
