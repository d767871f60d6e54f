// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/dav_requests.h"

#include "mail/action/converse.h"

namespace loadstone::mail {

using protocol::DavRequest;
using protocol::DavResource;
using protocol::DavVerb;
using protocol::FailureKind;

namespace {
constexpr ConnectNames kDavNames = connectNames<DavVerb>("DAV connect", "DAV TLS handshake");
}

DavRequests::DavRequests(ActionShell& shell)
    : m_shell(shell)
    , m_context(shell.context())
    , m_setup(shell.setup())
    , m_action(shell.action())
{
}

std::string DavRequests::pathOf(const DavService& service) const
{
    return plan::collectionPath(m_setup.plan.target, *service.endpoint, m_action.mailbox);
}

Task<bool> DavRequests::dial(DavCollection& collection, const DavService& service)
{
    const std::string user = m_shell.loginAt(*service.endpoint);
    collection.link = std::make_unique<DavCollection::Link>(
        service, m_context.io.get_executor(), m_context.connections, user, m_setup.password);
    TlsSettings tls;
    tls.context = service.tls.get();
    tls.serverName = service.endpoint->nameInTls();
    Connection& connection = collection.link->connection;
    const bool connected =
        co_await m_shell.connect(connection, *service.endpoint, service.address, tls, kDavNames);
    if (!connected)
        collection.link.reset();
    else if (!m_setup.commandTrace.empty())
        collection.link->port = connection.localPort();
    co_return connected;
}

Task<bool> DavRequests::ask(
    DavCollection& collection, bool contacts, const DavRequest& request, protocol::Failure* unmet)
{
    const DavService& service = serviceOf(contacts);
    m_repeated = false;
    for (;;) {
        // Servers end connections as they like, after each answer or when they were idle; that is no failure of theirs. What
        // one says unasked would be taken for the answer to what is asked next.
        if (collection.link && (collection.link->client.closed() || collection.link->connection.stale()))
            collection.link.reset();
        const bool kept = collection.link != nullptr;
        if (!kept) {
            const bool connected = co_await dial(collection, service);
            if (!connected)
                co_return false;
        }
        DavCollection::Link& link = *collection.link;
        link.client.transcript().clear();
        link.client.send(request);
        TlsSettings tls;
        tls.context = service.tls.get();
        co_await m_shell.converse(link.connection, link.client, tls, link.commands, link.port);
        const protocol::Failure why = link.client.failure();
        if (!why)
            co_return true;
        // RFC 9112, 9.3.1: the end of an idle connection may cross the request on its way.
        if (kept && why.kind == FailureKind::connectionLost && link.client.unanswered()) {
            collection.link.reset();
            m_repeated = true;
            continue;
        }
        constexpr int kUnmet = 412; // RFC 9110, 15.5.13
        if (unmet != nullptr && why.code == kUnmet)
            *unmet = why;
        else
            m_shell.report(why, toString(request.verb), &link.client.transcript());
        link.client.forgetFailure();
        co_return false;
    }
}

bool DavRequests::readAnswer(DavCollection& collection, DavVerb verb, std::vector<DavResource>& to)
{
    const std::string answer =
        std::move(collection.link->client.reply().body); // nothing of it stays while the user is idle
    auto read = protocol::readMultistatus(answer);
    if (read) {
        to = std::move(*read);
        return true;
    }
    complain(collection, verb, read.error().message);
    return false;
}

void DavRequests::complain(DavCollection& collection, DavVerb verb, std::string text)
{
    protocol::Failure failure;
    failure.kind = FailureKind::protocol;
    failure.verb = static_cast<std::uint8_t>(verb);
    failure.text = std::move(text);
    m_shell.report(failure, toString(verb), &collection.link->client.transcript());
}

} // namespace loadstone::mail
