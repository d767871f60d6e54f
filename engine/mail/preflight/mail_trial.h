// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/preflight/probe_findings.h"
#include "mail/preflight/probe_sessions.h"

#include <string>

namespace loadstone::mail {

struct TrialFind;

/// Whether the target takes mail from and to the plan's mailboxes.
class MailTrial {
public:
    using Service = ProbeService<protocol::SmtpOptions>;
    using Session = ProbeSession<protocol::SmtpClient, protocol::SmtpOptions>;

    MailTrial(ActionShell& shell, ProbeFindings& findings, ProbeSessions& sessions);
    /// Names a sender and recipients, and then takes it back (RSET): no message.
    Task<void> ask(const Service& service, Session& session);
    /// Sends one message to the first mailbox, waits for it there, and removes it; only where nothing stands in the way of the run
    /// so far. `noRoom`: the mailbox has none, so a message would wait in the server's queue.
    Task<void> tryMessage(const Service& service, bool noRoom);

private:
    [[nodiscard]] bool sends() const;
    [[nodiscard]] std::string addressOf(std::uint64_t mailbox) const;
    void refused(const protocol::Failure& why, const std::string& what);
    Task<void> awaitMessage(std::uint64_t size, MonoTime sent);
    Task<void> search(bool everywhere, TrialFind& find, protocol::Failure& failure);

    ActionShell& m_shell;
    const MailSetup& m_setup;
    ProbeFindings& m_findings;
    ProbeSessions& m_sessions;
};

} // namespace loadstone::mail
