// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"

#include <memory>
#include <string>
#include <vector>

namespace loadstone::mail {

/// An SMTP connection with its protocol state; kept between messages where the plan says so.
struct SmtpSession {
    SmtpSession(const MailSetup& setup, const Executor& executor, ConnectionSet& set, std::string loginName);
    std::string login;
    Connection connection;
    protocol::SmtpClient client;
    // The message under way; here, so that a connection's next message finds the memory of its last one:
    std::unique_ptr<Message> message = std::make_unique<Message>();
    std::vector<std::uint32_t> mailboxes; // its recipients
    std::vector<std::string> recipients; // their addresses
    std::string sender;
    unsigned commands = 0; // so far, for the trace
    std::uint16_t port = 0;
    MonoTime lastUse {};
};

/// Connects and logs in. False: a failure, which is reported.
Task<bool> openSmtpSession(ActionShell& shell, SmtpSession& session);

/// What became of a message that was sent, by recipient of the session's mailboxes.
struct Acceptance {
    const std::vector<bool>& accepted;
    const std::vector<bool>& undecided; ///< sent, and no answer was seen
    std::size_t count = 0; ///< accepted
    MonoTime at {};
};
/// Counts an accepted message, and tells the audit of its copies. `repeats`: some recipients have had it from an attempt before.
void tellAccepted(ActionShell& shell, const SmtpSession& session, const Acceptance& acceptance, bool repeats);

/// Composes the message that a submission sends.
class Composer {
public:
    /// Sets the session's mailboxes and gives the kind and size of the message numbered `number`.
    virtual MessageOrder compose(SmtpSession& session, std::uint32_t number) = 0;
    /// All or part of the message was accepted. May take it out of the session.
    virtual void accepted(SmtpSession&) { }

protected:
    ~Composer() = default;
};

/// Submits one message: over a connection of its own, or over the one that the actor has kept. What fails is reported to the
/// shell.
class SmtpSubmission {
public:
    SmtpSubmission(ActionShell& shell, Composer& composer);
    Task<void> send();

private:
    Task<void> transact(SmtpSession& session, bool fresh);
    void keepUnsent(const SmtpSession& session, std::uint32_t number);

    ActionShell& m_shell;
    Composer& m_composer;
    WorkerContext& m_context;
    const MailSetup& m_setup;
    Appointment& m_action;
    bool m_repeats = false; // a message that some of its recipients have
};

} // namespace loadstone::mail
