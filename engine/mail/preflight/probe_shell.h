// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/converse.h"
#include "mail/preflight/preflight_probe.h"

#include <memory>

/// Sessions of the preflight, for its own files.
namespace loadstone::mail {

/// A session as the probe holds it, with its protocol's core.
template <class Client, class Options>
struct ProbeSession {
    ProbeSession(WorkerContext& context, const Options& options, std::string name, std::string_view password)
        : login(std::move(name))
        , connection(context.io.get_executor(), context.connections)
        , client(options, login, password)
    {
    }
    std::string login;
    Connection connection;
    Client client;
    protocol::Failure failure;
    unsigned commands = 0;
};

/// One protocol of the plan's target.
template <class Options>
struct ProbeService {
    const char* name; // "SMTP"
    const plan::Endpoint& endpoint;
    boost::asio::ip::tcp::endpoint to;
    boost::asio::ssl::context* tls;
    const Options& options;
    bool logsIn;
    std::uint64_t sessions; // that the plan holds at once
    bool surely; // else at most
};

/// Opens and ends sessions, one after the other, and tells what comes of it.
class ProbeShell : public ActionShell {
public:
    ProbeShell(WorkerContext& context, const ProbeOptions& options, std::vector<PreflightFinding>& findings)
        : ActionShell(context, m_none)
        , m_options(options)
        , m_findings(findings)
    {
    }

protected:
    template <class Client, class Options>
    using Held = std::unique_ptr<ProbeSession<Client, Options>>;

    void tell(Severity severity, std::string found, std::string effect = {})
    {
        m_findings.push_back({ severity, m_subject, std::move(found), std::move(effect) });
    }
    /// There was no session, or no answer to what it was for. `what`: what then fails, "every action over SMTP".
    void unreachable(const protocol::Failure& why, const std::string& what, std::uint64_t mailbox);
    /// How a connection is protected, and who vouches for the server.
    void secured(const Connection& connection, const plan::Endpoint& endpoint,
        const boost::asio::ip::address& to, bool logsIn);
    /// Something was found that the run is bound to fail on.
    [[nodiscard]] bool doomed() const;
    bool goOn(const std::string& doing) { return !m_options.progress || m_options.progress(doing); }
    template <class Options>
    [[nodiscard]] static std::string subjectOf(const ProbeService<Options>& service)
    {
        return fmt::format("{} {}", service.name, plan::hostAndPort(service.endpoint));
    }
    [[nodiscard]] std::string nameOf(std::uint64_t mailbox) const
    {
        return plan::mailboxName(m_setup.plan.target, mailbox);
    }

    template <class Client, class Options>
    Held<Client, Options> make(const ProbeService<Options>& service, std::uint64_t mailbox)
    {
        return std::make_unique<ProbeSession<Client, Options>>(m_context, service.options,
            plan::loginName(m_setup.plan.target, service.endpoint, mailbox), m_setup.password);
    }

    template <class Client, class Options>
    Task<void> open(const ProbeService<Options>& service, ProbeSession<Client, Options>& session)
    {
        const TlsSettings tls = settingsOf(service);
        constexpr ConnectNames names = connectNames<VerbOf<Client>>("connect", "TLS handshake");
        m_outcome.failure = {};
        const bool connected = co_await connect(session.connection, service.endpoint, service.to, tls, names);
        if (!connected) {
            session.failure = m_outcome.failure;
            co_return;
        }
        session.client.open(monoNow(), session.connection.secure());
        co_await converse(session.connection, session.client, tls, session.commands, 0);
        if (!session.client.ready()) {
            session.failure = session.client.failure();
            if (!session.failure)
                session.failure.kind = protocol::FailureKind::connectionLost;
        }
    }

    template <class Client, class Options>
    Task<void> leave(const ProbeService<Options>& service, ProbeSession<Client, Options>& session)
    {
        if (!session.client.ready())
            co_return;
        if constexpr (std::is_same_v<Client, protocol::ImapClient>)
            session.client.logout();
        else
            session.client.quit();
        const TlsSettings tls = settingsOf(service);
        co_await converse(session.connection, session.client, tls, session.commands, 0);
    }

    template <class Options>
    TlsSettings settingsOf(const ProbeService<Options>& service) const
    {
        TlsSettings tls;
        tls.context = service.tls;
        tls.serverName = service.endpoint.nameInTls();
        return tls;
    }

    const ProbeOptions& m_options;
    std::vector<PreflightFinding>& m_findings;
    Appointment m_none; // a probe carries none out
    std::string m_subject; // what is told is about it
};

} // namespace loadstone::mail
