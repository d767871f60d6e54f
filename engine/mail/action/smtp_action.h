// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/smtp_submission.h"

namespace loadstone::mail {

/// A script's step that sends a message.
class SmtpAction final : Composer {
public:
    explicit SmtpAction(ActionShell& shell);
    Task<void> send() { return m_submission.send(); }

private:
    MessageOrder compose(SmtpSession& session, std::uint32_t number) override;

    ActionShell& m_shell;
    const Appointment& m_action;
    SmtpSubmission m_submission;
};

} // namespace loadstone::mail
