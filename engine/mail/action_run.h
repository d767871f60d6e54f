// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/worker.h"

#include <string>

namespace loadstone::mail {

/// An SMTP connection with its protocol state; kept between messages where the plan says so.
struct SmtpSession {
    SmtpSession(const MailSetup& setup, const Executor& executor, ConnectionSet& set, std::string loginName);
    std::string login;
    Connection connection;
    protocol::SmtpClient client;
    // The message under way; here, so that a connection's next message finds the memory of its last one:
    Message message;
    std::vector<std::uint32_t> mailboxes; // its recipients
    std::vector<std::string> recipients; // their addresses
    std::string sender;
    unsigned commands = 0; // so far, for the trace
    std::uint16_t port = 0;
    MonoTime lastUse {};
};

/// Carries out one action on the worker's thread: the coroutine shells over the protocol cores.
class ActionRun {
public:
    /// Carries out `first`, and then whatever the worker has for it to go on with.
    static Task<void> play(Worker& worker, Action first);

private:
    ActionRun(Worker& worker, const Action& action)
        : m_worker(worker)
        , m_setup(worker.m_setup)
        , m_action(action)
        , m_generation(worker.m_generation)
        , m_mailboxes(worker.m_mailboxes)
    {
    }
    Task<void> visitMailbox(const plan::Step& step);
    Task<void> sendMessage(const plan::Step& step);
    Task<void> transact(SmtpSession& session, const plan::Step& step, bool fresh);
    Task<bool> openSmtp(SmtpSession& session);
    Task<bool> connect(Connection& connection, const plan::Endpoint& endpoint,
        const boost::asio::ip::tcp::endpoint& to, const TlsSettings& tls, std::uint32_t connectHistogram,
        std::uint32_t tlsHistogram, const char* connectName, const char* tlsName);
    /// Exchanges bytes until the client is ready or closed.
    template <class Client>
    Task<void> converse(Connection& connection, Client& client, const TlsSettings& tls,
        std::uint32_t tlsHistogram, unsigned& commands, std::uint16_t port);
    template <class Client>
    void recordTimings(Client& client, unsigned& commands, std::uint16_t port);
    void report(const protocol::Failure& failure, const char* where, const protocol::Transcript* transcript);
    void reportAccepted(const SmtpSession& session);
    void keepUnsent(const SmtpSession& session, std::uint32_t number);
    void reportRetrieved(MessageCheck& check, const protocol::Pop3Client& client, plan::StepKind kind);
    Task<void> hold(Nanoseconds length);
    void setAddress(std::string& address, std::uint32_t mailbox) const;
    [[nodiscard]] Nanoseconds offset(MonoTime t) const { return t - m_worker.m_origin; }
    [[nodiscard]] boost::asio::ip::address nextSource() const;
    [[nodiscard]] Nanoseconds commandLimit() const { return m_setup.plan.target.commandTimeout; }

    Worker& m_worker;
    const MailSetup& m_setup;
    Action m_action;
    std::uint32_t m_generation; // of the schedule that it comes from
    std::uint32_t m_mailboxes; // of the mix in which it began: another one may come before it ends
    bool m_repeats = false; // a message that some of its recipients have
    ActionOutcome m_outcome;
};

} // namespace loadstone::mail
