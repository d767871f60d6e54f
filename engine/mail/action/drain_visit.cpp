// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/drain_visit.h"

#include "mail/action/oracle_visit.h"

#include <algorithm>

namespace loadstone::mail {

using protocol::ImapVerb;

namespace {
constexpr unsigned kLooks = 100; // of one visit, should ever more arrive meanwhile
}

DrainVisit::DrainVisit(UserCommands& commands, UserInbox& inbox)
    : m_commands(commands)
    , m_inbox(inbox)
    , m_shell(commands.shell())
    , m_session(commands.session())
    , m_action(m_shell.action())
{
}

Task<void> DrainVisit::visit()
{
    const MonoTime began = monoNow();
    m_session.current = false; // that IDLE told of nothing new is not enough
    bool good = co_await m_inbox.look();
    for (unsigned look = 1; good && m_session.news && look < kLooks;
         ++look) // told in the answers to the last
        good = co_await m_inbox.look();
    if (good)
        good = co_await m_inbox.fetchUnread();
    if (good && m_shell.context().owed != nullptr)
        good = co_await fetchOwed(began);
    if (good && m_session.oracle && !m_session.oracle->compared) {
        OracleVisit oracle(m_commands, m_inbox);
        co_await oracle.compare();
    }
}

/// A search, or which messages are new, has no say in what is lost: what the ledger misses is looked for by its token among all
/// messages of the Inbox. Once for what lay there before the first look, and again where that proves what is missing.
Task<bool> DrainVisit::fetchOwed(MonoTime began)
{
    const std::shared_ptr<const OwedCopies> owed = m_shell.context().owed;
    const auto mine = owed->of.find(m_action.mailbox);
    if (mine == owed->of.end() && !owed->incomplete)
        co_return true;
    const std::vector<OwedCopies::Copy> none;
    const std::vector<OwedCopies::Copy>& copies = mine == owed->of.end() ? none : mine->second;
    const bool first = !m_session.inboxLookedThrough;
    const bool proves = owed->incomplete
        || std::any_of(copies.begin(), copies.end(),
            [&](const OwedCopies::Copy& copy) { return copy.due < m_shell.offset(began); });
    if (!first && !proves)
        co_return true;
    std::vector<UserSession::Present> present;
    bool good = co_await lookThrough(present);
    const bool whole = good && present.size() >= m_session.exists;
    for (const UserSession::Present& message : present) {
        const OwedCopies::Copy wanted { message.token.id, {} };
        const bool missed = std::binary_search(copies.begin(), copies.end(), wanted);
        if (message.sent && message.token.run == m_shell.setup().runKey
            && (missed || (owed->incomplete && first)))
            m_session.unread.push_back(message.uid);
    }
    std::sort(m_session.unread.begin(), m_session.unread.end());
    if (good)
        good = co_await m_inbox.fetchUnread(true);
    const bool compared = m_session.oracle && m_session.oracle->compared; // with the search, too
    if (good && first && !compared)
        good = co_await m_inbox.searchAgainst(present);
    if (!good || !whole || m_session.news)
        co_return good;
    m_session.inboxLookedThrough = true;
    m_shell.context().journal.write([&](JournalPages& pages) {
        pages.reads.push_back({ m_action.mailbox, m_shell.offset(began) });
    });
    co_return true;
}

/// All messages of the Inbox, each once.
Task<bool> DrainVisit::lookThrough(std::vector<UserSession::Present>& present)
{
    m_session.forget();
    // That there is nothing is the server's count, which is looked behind as well; some servers take "1:*" of nothing for an error.
    const std::string text = std::string("UID FETCH ") + (m_session.exists > 0 ? "1:*" : "1:4294967295")
        + " (UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (X-Loadstone-Token)])";
    m_session.present = &present;
    const bool good = co_await m_commands.command(ImapVerb::fetch, text);
    m_session.present = nullptr;
    m_session.forget();
    std::sort(present.begin(), present.end(),
        [](const UserSession::Present& a, const UserSession::Present& b) { return a.uid < b.uid; });
    const auto twice = std::unique(present.begin(), present.end(),
        [](const UserSession::Present& a, const UserSession::Present& b) { return a.uid == b.uid; });
    present.erase(twice, present.end());
    co_return good;
}

} // namespace loadstone::mail
