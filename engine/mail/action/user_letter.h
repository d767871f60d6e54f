// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/smtp_submission.h"
#include "mail/action/user_commands.h"

#include <memory>

namespace loadstone::mail {

/// A letter that a user writes: submitted over SMTP, and kept in Sent Items over IMAP where the profile says so.
class UserLetter final : Composer {
public:
    explicit UserLetter(UserCommands& commands);
    Task<void> write();

private:
    MessageOrder compose(SmtpSession& session, std::uint32_t number) override;
    void accepted(SmtpSession& session) override;

    UserCommands& m_commands;
    ActionShell& m_shell;
    UserSession& m_session;
    const Appointment& m_action;
    SmtpSubmission m_submission;
    std::unique_ptr<Message> m_written; // what the server accepted
};

} // namespace loadstone::mail
