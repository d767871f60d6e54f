// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_logon.h"

#include <algorithm>

namespace loadstone::mail {

using protocol::ImapVerb;

UserLogon::UserLogon(UserCommands& commands)
    : m_commands(commands)
    , m_shell(commands.shell())
    , m_session(commands.session())
    , m_action(m_shell.action())
{
}

/// Servers end sessions that were idle for long (RFC 9051, 5.4: half an hour); that is no failure of theirs.
bool UserLogon::connected()
{
    if (m_session.alive() && m_session.link()->connection.hungUp())
        m_session.hangUp();
    return m_session.alive();
}

Task<bool> UserLogon::beThere()
{
    if (connected()) {
        const bool awake = co_await endIdle();
        if (awake || m_shell.outcome().failure)
            co_return awake;
        m_session.hangUp();
    }
    if (m_action.kind == plan::ActionKind::logoff)
        co_return false; // the server was faster
    if (m_session.refused) { // just now, by the logon before this action: it fails as that did
        m_session.refused = false;
        m_shell.report(m_session.refusal, toString(static_cast<ImapVerb>(m_session.refusal.verb)), nullptr);
        co_return false;
    }
    const bool on = co_await logOn();
    co_return on;
}

Task<bool> UserLogon::logOn()
{
    WorkerContext& context = m_shell.context();
    UserSession::Link& link =
        m_session.renew(m_shell.setup(), context.io.get_executor(), context.connections);
    bool good = co_await link.open(m_shell);
    if (good)
        good = co_await findFolders();
    if (good)
        good = co_await m_commands.select(kInbox);
    if (!good)
        m_session.hangUp();
    co_return good;
}

/// Learns which folders the user has, and makes those that are missing.
Task<bool> UserLogon::findFolders()
{
    const protocol::ImapClient& client = m_session.link()->client;
    m_session.folders.clear();
    m_session.names.clear();
    bool good = true;
    if (client.can("NAMESPACE")) {
        const std::string names = "NAMESPACE";
        good = co_await m_commands.queue(ImapVerb::nameSpace, names);
    }
    const std::string all = listAllFolders(client.can("SPECIAL-USE") && client.can("LIST-EXTENDED"));
    if (good)
        good = co_await m_commands.command(ImapVerb::list, all);
    const auto end =
        static_cast<std::uint16_t>(kFirstOwnFolder + m_shell.setup().plan.workload.profile->initial.folders);
    for (std::uint16_t folder = kDeletedItems; good && folder < end; ++folder) {
        if (std::find(m_session.folders.begin(), m_session.folders.end(), folder) != m_session.folders.end())
            continue;
        const std::string text = "CREATE " + protocol::imapQuoted(m_session.nameOf(folder));
        good = co_await m_commands.queue(ImapVerb::create, text);
    }
    if (good)
        good = co_await m_commands.settle();
    co_return good;
}

Task<void> UserLogon::logOff()
{
    m_session.link()->client.logout();
    co_await m_session.link()->exchange(m_shell);
    m_session.hangUp();
}

Task<void> UserLogon::beginIdle()
{
    const bool wanted = m_shell.setup().plan.target.imap.idle && !m_shell.context().stopping
        && m_session.alive() && m_session.link()->client.ready()
        && m_session.selected != UserSession::kNoFolder && m_session.link()->client.can("IDLE");
    if (!wanted)
        co_return;
    m_session.link()->client.idle();
    const bool mayBeOver = true;
    co_await m_session.link()->exchange(m_shell, mayBeOver);
    m_session.idleSince = monoNow();
}

/// What has come meanwhile is read with the answer to DONE. The server's BYE may cross that: it has then ended a session that
/// was idle, and nothing has failed.
Task<bool> UserLogon::endIdle()
{
    if (!m_session.link()->client.idling())
        co_return true;
    m_session.link()->client.done();
    const bool mayBeOver = true;
    const bool good = co_await m_session.link()->exchange(m_shell, mayBeOver);
    m_session.current = good;
    co_return good;
}

Task<void> UserLogon::renewIdle()
{
    if (!connected() || !m_session.link()->client.idling())
        co_return;
    const bool good = co_await endIdle();
    if (good)
        co_await beginIdle();
    else if (!m_session.alive())
        m_session.hangUp();
}

} // namespace loadstone::mail
