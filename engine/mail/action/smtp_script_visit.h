// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/smtp_submission.h"
#include "protocol/smtp/smtp_script.h"

#include <string>

namespace loadstone::mail {

/// One SMTP session of a script: connect, log in where the plan says so, send the step's commands one after another, quit. A message
/// is the audit's as soon as the server has accepted it, whatever reply the script expects.
class SmtpScriptVisit {
public:
    explicit SmtpScriptVisit(ActionShell& shell);
    Task<void> visit();

private:
    Task<bool> carryOut(SmtpSession& session, protocol::SmtpScript& script);
    /// A command once, or once for each recipient.
    Task<bool> play(SmtpSession& session, protocol::SmtpScript& script, const plan::ScriptCommand& command);
    Task<bool> command(SmtpSession& session, protocol::SmtpScript& script, const plan::ScriptCommand& command,
        const std::string& line);
    Task<bool> message(
        SmtpSession& session, protocol::SmtpScript& script, const plan::ScriptCommand& command);
    /// Makes the message of the transaction that MAIL begins.
    void compose(SmtpSession& session, bool eightBit);
    [[nodiscard]] std::string lineOf(const SmtpSession& session, const std::string& text) const;
    /// What came after the last reply, if anything.
    void hearUnasked(SmtpSession& session, protocol::SmtpScript& script);
    bool judge(protocol::SmtpScript& script, const plan::ScriptCommand& command, protocol::SmtpVerb verb);

    ActionShell& m_shell;
    WorkerContext& m_context;
    const MailSetup& m_setup;
    const Appointment& m_action;
    const plan::Step& m_step;
    bool m_first = true; // no command was sent yet
};

} // namespace loadstone::mail
