// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/prepare/mailbox_errand.h"

#include "mail/prepare/collection_errand.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

namespace {
constexpr unsigned kToldOfLeft = 20; // a mailbox may have thousands of folders
}

MailboxErrand::MailboxErrand(ActionShell& shell, MailboxSession& session)
    : m_shell(shell)
    , m_action(shell.action())
    , m_session(session)
{
}

/// A server that is just being started again gets some seconds before each further attempt.
Task<bool> MailboxErrand::begin()
{
    constexpr auto kRest = std::chrono::seconds(2);
    const Nanoseconds rest = kRest * m_action.attempt();
    if (rest > Nanoseconds(0))
        co_await m_shell.hold(rest);
    m_loggedOn = co_await m_session.logOn();
    co_return m_loggedOn;
}

Task<void> MailboxErrand::end(bool good)
{
    if (m_loggedOn)
        co_await m_session.logOut();
    m_session.hangUp(); // one connection at a time
    ActionShell second(m_shell.context(), m_action); // a failure of the farewell does not hide its own
    CollectionErrand collections(second);
    if (good)
        good = co_await collections.carryOut();
    if (!m_shell.outcome().failure && second.outcome().failure) { // already reported
        m_shell.outcome().failure = second.outcome().failure;
        m_shell.outcome().where = second.outcome().where;
    }
    conclude(good, collections);
}

void MailboxErrand::conclude(bool good, const CollectionErrand& collections)
{
    m_shell.outcome().settled = good; // whatever came of the farewell
    Retry& retry = std::get<ScriptAction>(m_action.of).left();
    if (good) {
        // What attempts before have put there is counted by them.
        count(Quantity::messagesFound, found - std::min(found, retry.messagesPut));
        count(Quantity::entriesFound, collections.found() - std::min(collections.found(), retry.entriesPut));
        count(Quantity::foreignMessages, foreign);
        count(Quantity::foreignEntries, collections.foreign());
        if (!collections.left().empty())
            leave(collections.left());
        if (!m_left.empty())
            m_shell.context().journal.write([&](JournalPages& pages) {
                pages.notes.push_back(m_session.login() + ": not removed, because it is not Loadstone's: " + m_left
                    + (m_leftCount > kToldOfLeft ? fmt::format(", and {} more", m_leftCount - kToldOfLeft)
                                                 : ""));
            });
        count(Quantity::mailboxesDone);
        return;
    }
    retry.messagesPut += appended;
    retry.entriesPut += collections.made();
}

void MailboxErrand::leave(const std::string& what)
{
    if (++m_leftCount <= kToldOfLeft)
        m_left += (m_left.empty() ? "" : ", ") + what;
}

void MailboxErrand::count(Quantity what, std::uint64_t n)
{
    if (n > 0)
        m_shell.context().recorder.count(m_shell.context().series.preparation(what), n);
}

} // namespace loadstone::mail
