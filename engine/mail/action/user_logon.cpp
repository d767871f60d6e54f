// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_action.h"

#include <algorithm>

/// How a user's session begins, idles and ends.
namespace loadstone::mail {

using protocol::ImapVerb;

/// Servers end sessions that were idle for long (RFC 9051, 5.4: half an hour); that is no failure of theirs.
bool UserAction::connected()
{
    if (m_session->alive() && m_session->link()->connection.hungUp())
        m_session->hangUp();
    return m_session->alive();
}

Task<bool> UserAction::beThere()
{
    if (connected()) {
        const bool awake = co_await endIdle();
        if (awake || m_outcome.failure)
            co_return awake;
        m_session->hangUp();
    }
    if (m_action.kind == plan::ActionKind::logoff)
        co_return false; // the server was faster
    if (m_session->refused) { // just now, by the logon before this action: it fails as that did
        m_session->refused = false;
        report(m_session->refusal, toString(static_cast<ImapVerb>(m_session->refusal.verb)), nullptr);
        co_return false;
    }
    const bool on = co_await logOn();
    co_return on;
}

Task<bool> UserAction::logOn()
{
    UserSession& session = *m_session;
    UserSession::Link& link = session.renew(m_setup, m_context.io.get_executor(), m_context.connections);
    bool good = co_await openImap(link);
    if (good)
        good = co_await findFolders();
    if (good)
        good = co_await select(kInbox);
    if (!good)
        session.hangUp();
    co_return good;
}

/// The user's folders, those that are missing made.
Task<bool> UserAction::findFolders()
{
    UserSession& session = *m_session;
    const protocol::ImapClient& client = session.link()->client;
    session.folders.clear();
    session.names.clear();
    bool good = true;
    if (client.can("NAMESPACE")) {
        const std::string names = "NAMESPACE";
        good = co_await queue(ImapVerb::nameSpace, names);
    }
    const std::string all = listAllFolders(client.can("SPECIAL-USE") && client.can("LIST-EXTENDED"));
    if (good)
        good = co_await command(ImapVerb::list, all);
    const auto end =
        static_cast<std::uint16_t>(kFirstOwnFolder + m_setup.plan.workload.profile->initial.folders);
    for (std::uint16_t folder = kDeletedItems; good && folder < end; ++folder) {
        if (std::find(session.folders.begin(), session.folders.end(), folder) != session.folders.end())
            continue;
        const std::string text = "CREATE " + protocol::imapQuoted(session.nameOf(folder));
        good = co_await queue(ImapVerb::create, text);
    }
    if (good)
        good = co_await settle();
    co_return good;
}

Task<void> UserAction::logOff()
{
    m_session->link()->client.logout();
    co_await exchange(*m_session->link());
    m_session->hangUp();
}

/// Where the plan and the server want it, a session waits in IDLE for the user's next action. It may end at any time from here
/// on: the next action then logs on again.
Task<void> UserAction::beginIdle()
{
    UserSession& session = *m_session;
    const bool wanted = m_setup.plan.target.imap.idle && !m_context.stopping && session.alive()
        && session.link()->client.ready() && session.selected != UserSession::kNoFolder
        && session.link()->client.can("IDLE");
    if (!wanted)
        co_return;
    session.link()->client.idle();
    const bool mayBeOver = true;
    co_await exchange(*session.link(), mayBeOver);
    session.idleSince = monoNow();
}

/// What has come meanwhile is read with the answer to DONE. The server's BYE may cross that: it has then ended a session that
/// was idle, and nothing has failed.
Task<bool> UserAction::endIdle()
{
    UserSession& session = *m_session;
    if (!session.link()->client.idling())
        co_return true;
    session.link()->client.done();
    const bool mayBeOver = true;
    const bool good = co_await exchange(*session.link(), mayBeOver);
    session.current = good;
    co_return good;
}

Task<void> UserAction::renewIdle()
{
    if (!m_context.atWork.insert(m_action.mailbox).second)
        co_return; // an action has just begun, which ends it
    if (auto known = m_context.users.extract(m_action.mailbox)) {
        m_session = std::move(known.mapped());
        if (connected() && m_session->link()->client.idling()) {
            const bool good = co_await endIdle();
            if (good)
                co_await beginIdle();
            else if (!m_session->alive())
                m_session->hangUp();
        }
        if (m_action.mailbox >= m_context.mailboxes)
            m_session->hangUp();
        m_context.users.insert_or_assign(m_action.mailbox, std::move(m_session));
    }
    m_context.atWork.erase(m_action.mailbox);
}

} // namespace loadstone::mail
