// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/pop3_session.h"
#include "mail/message/message_check.h"
#include "protocol/pop3/pop3_script.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace loadstone::mail {

/// One POP3 session of a script: log in, send the step's commands one after another, quit. Messages that RETR fetches are told to the
/// audit, as those of a visit that reads or empties a mailbox are.
class Pop3ScriptVisit {
public:
    explicit Pop3ScriptVisit(ActionShell& shell);
    Task<void> visit();

private:
    Task<bool> carryOut(Pop3Session& session, protocol::Pop3Script& script);
    /// The commands from `begin` up to `end`, for each message of the mailbox in turn.
    Task<bool> forEachMessage(
        Pop3Session& session, protocol::Pop3Script& script, std::size_t begin, std::size_t end);
    Task<bool> command(Pop3Session& session, protocol::Pop3Script& script, const plan::ScriptCommand& command,
        std::uint64_t message);
    bool judge(protocol::Pop3Script& script, const plan::ScriptCommand& command, protocol::Pop3Verb verb);
    void reportRetrieved(MessageCheck& check, const protocol::Pop3Script& script);

    ActionShell& m_shell;
    WorkerContext& m_context;
    const MailSetup& m_setup;
    const Appointment& m_action;
    const plan::Step& m_step;
    bool m_first = true; // no command was sent yet
};

} // namespace loadstone::mail
