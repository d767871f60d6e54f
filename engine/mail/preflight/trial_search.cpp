// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/trial_search.h"

#include "mail/action/converse.h"
#include "mail/message/message_check.h"
#include "protocol/common/server_line.h"

#include <algorithm>

namespace loadstone::mail {

using protocol::Pop3Verb;

ImapTrialSearch::ImapTrialSearch(ActionShell& shell, std::uint32_t run, std::uint64_t id, bool everywhere)
    : m_shell(shell)
    , m_session(shell)
    , m_run(run)
    , m_id(id)
    , m_everywhere(everywhere)
{
}

Task<void> ImapTrialSearch::search(TrialFind& find)
{
    const bool good = co_await m_session.logOn();
    if (good) {
        co_await searchFolders();
        co_await m_session.logOut();
    }
    find = m_find;
}

Task<bool> ImapTrialSearch::searchFolders()
{
    bool good = co_await searchFolder("INBOX", false);
    if (!good || m_find.found || !m_everywhere)
        co_return good;
    good = co_await m_session.list();
    const std::vector<ListedFolder> listed = m_session.folders();
    for (const ListedFolder& folder : listed) {
        const bool other = folder.selectable && !protocol::equalsIgnoringCase(folder.name, "INBOX");
        if (good && other && !m_find.found)
            good = co_await searchFolder(folder.name, true);
    }
    co_return good;
}

Task<bool> ImapTrialSearch::searchFolder(std::string folder, bool mayRefuse)
{
    const bool opened = co_await m_session.look(folder, mayRefuse);
    if (!opened) // one that nobody may open holds nothing that was delivered
        co_return mayRefuse && !m_shell.outcome().failure;
    std::vector<std::uint32_t> ours;
    bool foreignDeleted = false;
    for (const FoundMessage& message : m_session.messages()) {
        if (message.kind == FoundMessage::Kind::run && message.token.run == m_run && message.token.id == m_id)
            ours.push_back(message.uid);
        else
            foreignDeleted = foreignDeleted || message.deleted;
    }
    if (ours.empty())
        co_return true;
    m_find.found = true;
    m_find.folder = folder;
    m_find.removed = co_await m_session.remove(ours, foreignDeleted);
    co_return m_find.removed;
}

Pop3TrialSearch::Pop3TrialSearch(ActionShell& shell, std::uint32_t run, std::uint64_t id)
    : m_shell(shell)
    , m_run(run)
    , m_id(id)
{
}

Task<void> Pop3TrialSearch::search(TrialFind& find)
{
    constexpr ConnectNames names = connectNames<Pop3Verb>("POP3 connect", "POP3 TLS handshake");
    const plan::Endpoint& endpoint = m_shell.setup().plan.target.pop3;
    const std::string name = m_shell.loginAt(endpoint);
    Connection connection(m_shell.context().io.get_executor(), m_shell.context().connections);
    TlsSettings tls;
    tls.context = m_shell.setup().pop3Tls.get();
    tls.serverName = endpoint.nameInTls();
    const bool connected = co_await m_shell.connect(connection, endpoint, m_shell.setup().pop3, tls, names);
    if (!connected)
        co_return;
    unsigned commands = 0;
    protocol::Pop3Client client(m_shell.setup().pop3Options, name, m_shell.setup().password);
    MessageCheck headers(m_run);
    client.open(monoNow(), connection.secure());
    co_await m_shell.converse(connection, client, tls, commands, 0);
    if (client.ready()) {
        client.visit(protocol::Pop3Visit::list, headers);
        co_await m_shell.converse(connection, client, tls, commands, 0);
    }
    if (client.ready() && client.readToEnd()) { // otherwise its place among the others is not its number
        const std::vector<RetrievedMessage> messages = headers.take();
        const auto ours =
            std::find_if(messages.begin(), messages.end(), [&](const RetrievedMessage& message) {
                using Kind = RetrievedMessage::Kind; // of a header alone the digest is never right
                return (message.kind == Kind::whole || message.kind == Kind::damaged) && message.id == m_id;
            });
        find.found = ours != messages.end();
        if (find.found) {
            client.remove(static_cast<std::uint64_t>(ours - messages.begin()) + 1);
            co_await m_shell.converse(connection, client, tls, commands, 0);
        }
    }
    if (client.ready()) {
        client.quit();
        co_await m_shell.converse(connection, client, tls, commands, 0);
    }
    find.removed = find.found && client.committed();
    if (const protocol::Failure why = client.failure())
        m_shell.report(why, toString(static_cast<Pop3Verb>(why.verb)), &client.transcript());
}

} // namespace loadstone::mail
