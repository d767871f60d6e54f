// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/converse.h"

#include <fmt/format.h>

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

template <class Client, class Options>
using HeldSession = std::unique_ptr<ProbeSession<Client, Options>>;

template <class Options>
std::string subjectOf(const ProbeService<Options>& service)
{
    return fmt::format("{} {}", service.name, plan::hostAndPort(service.endpoint));
}

/// Opens and ends sessions, one after the other.
class ProbeSessions {
public:
    explicit ProbeSessions(ActionShell& shell)
        : m_shell(shell)
    {
    }

    template <class Client, class Options>
    HeldSession<Client, Options> make(const ProbeService<Options>& service, std::uint64_t mailbox)
    {
        const MailSetup& setup = m_shell.setup();
        return std::make_unique<ProbeSession<Client, Options>>(m_shell.context(), service.options,
            plan::loginName(setup.plan.target, service.endpoint, mailbox), setup.password);
    }

    /// Connects and logs on; the session has the failure, if there is one.
    template <class Client, class Options>
    Task<void> open(const ProbeService<Options>& service, ProbeSession<Client, Options>& session)
    {
        const TlsSettings tls = settingsOf(service);
        constexpr ConnectNames names = connectNames<VerbOf<Client>>("connect", "TLS handshake");
        m_shell.outcome().failure = {};
        const bool connected =
            co_await m_shell.connect(session.connection, service.endpoint, service.to, tls, names);
        if (!connected) {
            session.failure = m_shell.outcome().failure;
            co_return;
        }
        session.client.open(monoNow(), session.connection.secure());
        co_await m_shell.converse(session.connection, session.client, tls, session.commands, 0);
        if (!session.client.ready()) {
            session.failure = session.client.failure();
            if (!session.failure)
                session.failure.kind = protocol::FailureKind::connectionLost;
        }
    }

    /// Until all that the session was told to send is answered.
    template <class Client, class Options>
    Task<void> exchange(const ProbeService<Options>& service, ProbeSession<Client, Options>& session)
    {
        const TlsSettings tls = settingsOf(service);
        co_await m_shell.converse(session.connection, session.client, tls, session.commands, 0);
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
        co_await exchange(service, session);
    }

private:
    template <class Options>
    static TlsSettings settingsOf(const ProbeService<Options>& service)
    {
        TlsSettings tls;
        tls.context = service.tls;
        tls.serverName = service.endpoint.nameInTls();
        return tls;
    }

    ActionShell& m_shell;
};

} // namespace loadstone::mail
