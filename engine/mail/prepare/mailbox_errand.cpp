// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/prepare/mailbox_errand.h"

#include "mail/prepare/collection_errand.h"
#include "mail/users/mail_series.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

using protocol::FailureKind;

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
    const Nanoseconds rest = kRest * m_action.attempt;
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
    WorkerContext::PutBefore before; // counted by the attempts that did it
    if (const auto known = m_shell.context().putBefore.extract(m_action.mailbox))
        before = known.mapped();
    if (good) {
        count(kFound, found - std::min(found, before.messages));
        count(kEntriesFound, collections.found() - std::min(collections.found(), before.entries));
        count(kForeign, foreign);
        count(kEntriesForeign, collections.foreign());
        if (!collections.left().empty())
            leave(collections.left());
        if (!m_left.empty())
            m_shell.context().journal.write([&](JournalPages& pages) {
                pages.notes.push_back(m_session.login() + ": left alone what is not Loadstone's: " + m_left
                    + (m_leftCount > kToldOfLeft ? fmt::format(", and {} more", m_leftCount - kToldOfLeft)
                                                 : ""));
            });
        count(kDone);
        return;
    }
    before.messages += appended;
    before.entries += collections.made();
    m_shell.context().putBefore[m_action.mailbox] = before;
    if (m_action.attempt + 1U >= kPreparationAttempts
        && m_shell.outcome().failure.kind != FailureKind::stopped)
        count(kGivenUp);
}

void MailboxErrand::leave(const std::string& what)
{
    if (++m_leftCount <= kToldOfLeft)
        m_left += (m_left.empty() ? "" : ", ") + what;
}

void MailboxErrand::count(std::size_t preparationCounter, std::uint64_t n)
{
    if (n > 0)
        m_shell.context().recorder.count(static_cast<std::uint32_t>(kWorkerCounts + preparationCounter), n);
}

} // namespace loadstone::mail
