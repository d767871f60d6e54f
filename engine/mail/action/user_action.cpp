// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_action.h"

#include "mail/action/dav_action.h"
#include "mail/action/drain_visit.h"
#include "mail/action/oracle_visit.h"
#include "mail/action/user_inbox.h"
#include "mail/action/user_letter.h"
#include "mail/action/user_logon.h"
#include "mail/action/user_messages.h"

namespace loadstone::mail {

using plan::ActionKind;

UserAction::UserAction(ActionShell& shell)
    : m_shell(shell)
    , m_context(shell.context())
    , m_action(shell.action())
{
}

Task<void> UserAction::live()
{
    const bool mine = co_await takeTurn();
    if (!mine)
        co_return;
    std::unique_ptr<UserSession> session = takeSession();
    UserCommands commands(m_shell, *session);
    co_await act(commands);
    session->forget();
    ActionOutcome& outcome = m_shell.outcome();
    outcome.done = monoNow(); // the user waits no longer
    outcome.over = true;
    const ActionOutcome told = outcome; // what fails from here on is not the action's
    if (session->oracle) {
        UserInbox inbox(commands);
        OracleVisit oracle(commands, inbox);
        co_await oracle.begin();
    }
    UserLogon logon(commands);
    co_await logon.beginIdle();
    outcome = told;
    tellRenumbered(*session);
    putBack(std::move(session));
}

/// An action of the schedule before may still be under way: a user has one session, and does one thing at a time.
Task<bool> UserAction::takeTurn()
{
    constexpr auto kLook = std::chrono::milliseconds(2);
    while (!m_context.atWork.insert(m_action.mailbox).second) {
        boost::asio::steady_timer timer(m_context.io, kLook);
        const auto place = m_context.holds.insert(m_context.holds.end(), &timer);
        co_await timer.async_wait(kTuple);
        m_context.holds.erase(place);
        if (m_context.stopping) {
            m_shell.outcome().failure.kind = protocol::FailureKind::stopped;
            co_return false;
        }
        m_shell.outcome().sent = monoNow();
    }
    co_return true;
}

/// The user's own, or a new one without a connection.
std::unique_ptr<UserSession> UserAction::takeSession()
{
    const plan::MailPlan& plan = m_shell.setup().plan;
    auto known = m_context.users.extract(m_action.mailbox);
    auto session =
        known ? std::move(known.mapped()) : std::make_unique<UserSession>(m_shell.loginAt(plan.target.imap));
    if (!session->oracle && !session->unfollowed
        && isFollowed(plan.seed, m_action.mailbox, plan.workload.oracle)) {
        session->oracle = std::make_unique<MailboxOracle>(m_shell.mailboxName());
        m_context.journal.write([](JournalPages& pages) { ++pages.followed; });
    }
    session->plan = &plan;
    session->users = m_shell.mailboxes();
    if (session->link() != nullptr && !session->oracle) // an oracle's finding needs what led to it
        session->link()->client.transcript().clear();
    session->current = false;
    return session;
}

void UserAction::putBack(std::unique_ptr<UserSession> session)
{
    if (m_action.mailbox >= m_context.mailboxes) { // another mix has begun, which does not have this user
        session->hangUp();
        session->dav.hangUp();
    }
    m_context.users.insert_or_assign(m_action.mailbox, std::move(session));
    m_context.atWork.erase(m_action.mailbox);
}

Task<void> UserAction::renewIdle()
{
    if (!m_context.atWork.insert(m_action.mailbox).second)
        co_return; // an action has just begun, which ends it
    auto known = m_context.users.extract(m_action.mailbox);
    if (!known) {
        m_context.atWork.erase(m_action.mailbox);
        co_return;
    }
    std::unique_ptr<UserSession> session = std::move(known.mapped());
    UserCommands commands(m_shell, *session);
    UserLogon logon(commands);
    co_await logon.renewIdle();
    putBack(std::move(session));
}

Task<void> UserAction::act(UserCommands& commands)
{
    UserSession& session = commands.session();
    UserLogon logon(commands);
    DavAction collections(m_shell);
    if (m_action.kind == ActionKind::logon) {
        session.hangUp();
        const bool on = co_await logon.logOn();
        session.refused = !on;
        session.refusal = m_shell.outcome().failure;
        if (on) {
            co_await collections.act(session.dav); // opens them
            m_shell.outcome().settled = true; // failed or not: the user is present, and reads mail
        }
        co_return;
    }
    if (plan::needsCollections(m_action.kind)) {
        co_await collections.act(session.dav);
        co_return;
    }
    if (m_action.kind == ActionKind::logoff)
        session.dav.hangUp();
    const bool there = co_await logon.beThere();
    if (there && m_action.kind == ActionKind::logoff)
        co_await logon.logOff();
    else if (there)
        co_await actOnMail(commands);
}

Task<void> UserAction::actOnMail(UserCommands& commands)
{
    UserInbox inbox(commands);
    UserMessages messages(commands, inbox);
    DrainVisit drain(commands, inbox);
    UserLetter letter(commands);
    switch (m_action.kind) {
    case ActionKind::checkInbox: {
        const bool looked = co_await inbox.look();
        if (looked || m_shell.outcome().failure) // what was listed is there, whatever became of fetching it
            m_shell.outcome().found = std::move(commands.session().seen);
        break;
    }
    case ActionKind::browseFolder:
        co_await messages.browse();
        break;
    case ActionKind::readMessage:
        co_await messages.read();
        break;
    case ActionKind::loadAttachment:
        co_await messages.loadAttachment();
        break;
    case ActionKind::moveMessage:
        co_await messages.dispose(m_action.folder(), false);
        break;
    case ActionKind::copyMessage:
        co_await messages.dispose(m_action.folder(), true);
        break;
    case ActionKind::deleteMessage:
        co_await messages.dispose(kDeletedItems, false);
        break;
    case ActionKind::emptyDeletedItems:
        co_await messages.emptyDeletedItems();
        break;
    case ActionKind::readMailbox:
        co_await drain.visit();
        break;
    default: // sendMessage, reply, replyAll, forward
        co_await letter.write();
        break;
    }
}

/// A server to which it happens to all is told of by the first of each user's.
void UserAction::tellRenumbered(UserSession& session)
{
    std::vector<Renumbered>& renumbered = m_shell.outcome().renumbered;
    renumbered = std::move(session.renumbered);
    session.renumbered.clear();
    if (renumbered.empty() || std::exchange(session.toldRenumbered, true))
        return;
    const Renumbered& first = renumbered.front();
    std::string text = m_shell.mailboxName() + ": UIDVALIDITY of " + session.nameOf(first.folder) + " is "
        + std::to_string(first.validity)
        + " now: pending actions on messages that were seen before are dropped";
    m_context.journal.write([&](JournalPages& pages) { pages.notes.push_back(std::move(text)); });
}

} // namespace loadstone::mail
