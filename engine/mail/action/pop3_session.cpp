// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/pop3_session.h"

#include "mail/action/converse.h"

namespace loadstone::mail {

using protocol::Pop3Verb;

namespace {
constexpr ConnectNames kPop3Names = connectNames<Pop3Verb>("POP3 connect", "POP3 TLS handshake");
}

Pop3Session::Pop3Session(ActionShell& shell)
    : login(shell.loginAt(shell.setup().plan.target.pop3))
    , connection(shell.context().io.get_executor(), shell.context().connections)
    , client(shell.setup().pop3Options, login, shell.setup().password)
{
}

Task<bool> Pop3Session::open(ActionShell& shell)
{
    const MailSetup& setup = shell.setup();
    const plan::Endpoint& endpoint = setup.plan.target.pop3;
    TlsSettings tls;
    tls.context = setup.pop3Tls.get();
    tls.serverName = endpoint.nameInTls();
    const bool connected = co_await shell.connect(connection, endpoint, setup.pop3, tls, kPop3Names);
    if (!connected)
        co_return false;
    port = setup.commandTrace.empty() ? std::uint16_t { 0 } : connection.localPort();
    client.open(monoNow(), connection.secure());
    co_await shell.converse(connection, client, tls, commands, port);
    co_return client.ready();
}

} // namespace loadstone::mail
