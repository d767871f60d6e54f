// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_action.h"

#include "mail/action/dav_action.h"

#include <algorithm>

namespace loadstone::mail {

using plan::ActionKind;
using protocol::FailureKind;
using protocol::ImapVerb;

Task<void> UserAction::live()
{
    const bool mine = co_await takeTurn();
    if (!mine)
        co_return;
    if (auto known = m_context.users.extract(m_action.mailbox))
        m_session = std::move(known.mapped());
    else
        m_session = std::make_unique<UserSession>(loginAt(m_setup.plan.target.imap));
    if (!m_session->oracle && !m_session->unfollowed
        && isFollowed(m_setup.plan.seed, m_action.mailbox, m_setup.plan.workload.oracle)) {
        m_session->oracle = std::make_unique<MailboxOracle>(mailboxName());
        m_context.journal.write([](JournalPages& pages) { ++pages.followed; });
    }
    m_session->plan = &m_setup.plan;
    m_session->users = m_mailboxes;
    if (m_session->link() != nullptr && !m_session->oracle) // an oracle's finding needs what led to it
        m_session->link()->client.transcript().clear();
    m_session->current = false;
    co_await act();
    m_session->forget();
    m_outcome.done = monoNow(); // the user waits no longer
    m_outcome.over = true;
    const ActionOutcome told = m_outcome; // what fails from here on is not the action's
    if (m_session->oracle)
        co_await beginOracle();
    co_await beginIdle();
    m_outcome = told;
    tellRenumbered();
    if (m_action.mailbox >= m_context.mailboxes) { // another mix has begun, which does not have this user
        m_session->hangUp();
        m_session->dav.hangUp();
    }
    m_context.users.insert_or_assign(m_action.mailbox, std::move(m_session));
    m_context.atWork.erase(m_action.mailbox);
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
            m_outcome.failure.kind = FailureKind::stopped;
            co_return false;
        }
        m_outcome.sent = monoNow();
    }
    co_return true;
}

Task<void> UserAction::act()
{
    if (m_action.kind == ActionKind::logon) {
        m_session->hangUp();
        const bool on = co_await logOn();
        m_session->refused = !on;
        m_session->refusal = m_outcome.failure;
        if (on) {
            co_await useCollections();
            m_outcome.settled = true; // failed or not: the user is present, and reads mail
        }
        co_return;
    }
    if (plan::needsCollections(m_action.kind)) {
        co_await useCollections();
        co_return;
    }
    if (m_action.kind == ActionKind::logoff)
        m_session->dav.hangUp();
    const bool there = co_await beThere();
    if (!there)
        co_return;
    switch (m_action.kind) {
    case ActionKind::logoff:
        co_await logOff();
        break;
    case ActionKind::checkInbox: {
        const bool looked = co_await lookForMail();
        if (looked || m_outcome.failure) // what was listed is there, whatever became of fetching it
            m_outcome.found = std::move(m_session->seen);
        break;
    }
    case ActionKind::browseFolder:
        co_await browse();
        break;
    case ActionKind::readMessage:
        co_await read();
        break;
    case ActionKind::loadAttachment:
        co_await loadAttachment();
        break;
    case ActionKind::moveMessage:
        co_await dispose(m_action.folder(), false);
        break;
    case ActionKind::copyMessage:
        co_await dispose(m_action.folder(), true);
        break;
    case ActionKind::deleteMessage:
        co_await dispose(kDeletedItems, false);
        break;
    case ActionKind::emptyDeletedItems:
        co_await emptyDeletedItems();
        break;
    case ActionKind::readMailbox:
        co_await fetchRest();
        break;
    default: // sendMessage, reply, replyAll, forward
        co_await write();
        break;
    }
}

Task<void> UserAction::useCollections()
{
    DavAction action(m_context, m_action, m_generation);
    co_await action.act(m_session->dav);
    if (action.outcome().failure) {
        m_outcome.failure = action.outcome().failure;
        m_outcome.where = action.outcome().where;
    }
}

Task<bool> UserAction::command(ImapVerb verb, const std::string& text)
{
    m_session->link()->client.command(verb, text);
    const bool good = co_await exchange(*m_session->link());
    co_return good;
}

Task<bool> UserAction::queue(ImapVerb verb, const std::string& text)
{
    m_session->link()->client.command(verb, text);
    if (m_setup.plan.target.imap.pipelining)
        co_return true;
    const bool good = co_await exchange(*m_session->link());
    co_return good;
}

Task<bool> UserAction::settle()
{
    if (!m_session->link()->client.waiting())
        co_return true;
    const bool good = co_await exchange(*m_session->link());
    co_return good;
}

Task<bool> UserAction::select(std::uint16_t folder)
{
    UserSession& session = *m_session;
    if (session.selected == folder && !session.unsure) {
        if (session.current) // IDLE or SELECT has told
            co_return true;
        const std::string noop = "NOOP";
        const bool good = co_await command(ImapVerb::noop, noop);
        co_return good;
    }
    session.selected = folder;
    session.exists = session.uidNext = 0;
    session.highestChange = 0;
    if (session.oracle)
        session.oracle->selecting(folder);
    std::string text = "SELECT " + protocol::imapQuoted(session.nameOf(folder));
    if (m_setup.plan.target.imap.condstore && session.link()->client.can("CONDSTORE"))
        text += " (CONDSTORE)";
    session.selecting = true;
    bool good = co_await command(ImapVerb::select, text);
    session.selecting = session.unsure = false;
    session.news = folder == kInbox;
    session.current = good;
    if (!good)
        session.selected = UserSession::kNoFolder;
    else if (folder == kInbox && session.highestChange != 0)
        good = co_await askForChanges();
    co_return good;
}

Task<bool> UserAction::enter(std::uint16_t folder)
{
    if (m_session->selected == folder && !m_session->unsure)
        co_return true;
    const bool good = co_await select(folder);
    co_return good;
}

bool UserAction::dropped(const SeenMessage& message)
{
    const std::uint32_t now = m_session->validityOf(message.folder);
    m_outcome.dropped = message.validity != 0 && message.validity != now;
    return m_outcome.dropped;
}

Task<bool> UserAction::enterTo(const SeenMessage& message)
{
    const bool open = co_await enter(message.folder);
    co_return open && !dropped(message);
}

/// A server to which it happens to all is told of by the first of each user's.
void UserAction::tellRenumbered()
{
    m_outcome.renumbered = std::move(m_session->renumbered);
    m_session->renumbered.clear();
    if (m_outcome.renumbered.empty() || std::exchange(m_session->toldRenumbered, true))
        return;
    const Renumbered& first = m_outcome.renumbered.front();
    std::string text = mailboxName() + ": UIDVALIDITY of " + m_session->nameOf(first.folder) + " is "
        + std::to_string(first.validity)
        + " now: what was to be done with messages that were seen before is dropped";
    m_context.journal.write([&](JournalPages& pages) { pages.notes.push_back(std::move(text)); });
}

Task<void> UserAction::browse()
{
    UserSession& session = *m_session;
    const bool open = co_await select(m_action.folder());
    if (!open || session.exists == 0)
        co_return;
    const auto place = 1 + static_cast<std::uint32_t>(m_action.pick() * session.exists);
    const std::string text = "FETCH " + std::to_string(std::min(place, session.exists)) + kListing;
    session.forget();
    const bool good = co_await command(ImapVerb::fetch, text);
    if (good)
        m_outcome.found = std::move(session.seen);
}

Task<void> UserAction::read()
{
    UserSession& session = *m_session;
    const SeenMessage& message = m_action.message();
    const bool open = co_await enterTo(message);
    if (!open)
        co_return;
    const bool first = m_action.reading() == 0;
    const std::string uid = std::to_string(message.uid);
    if (first && m_setup.plan.workload.profile->cached) { // the client has it: only the server has to know
        if (session.oracle)
            session.oracle->reading(message.uid);
        const std::string text = "UID STORE " + uid + " +FLAGS.SILENT (\\Seen)";
        const bool marked = co_await command(ImapVerb::store, text);
        settleOracle(marked);
        co_return;
    }
    MessageCheck check(m_setup.runKey);
    prepare(check);
    session.forget();
    session.check = &check;
    if (session.oracle)
        session.oracle->reading(message.uid);
    const std::string text = "UID FETCH " + uid + " (BODY[])";
    const bool good = co_await command(ImapVerb::fetch, text);
    session.check = nullptr;
    settleOracle(good);
    if (first && (good || check.count() > 0)) // otherwise it is still owed
        std::erase(session.unread, message.uid);
    if (good && check.count() == 0) {
        protocol::Failure gone;
        gone.kind = FailureKind::noReply;
        gone.text = "the message that was listed is not there";
        report(gone, toString(ImapVerb::fetch), &session.link()->client.transcript());
    }
    if (first)
        reportRetrieved(check, message.uid < session.againBelow);
}

Task<void> UserAction::loadAttachment()
{
    const SeenMessage& message = m_action.message();
    const bool open = co_await enterTo(message);
    if (!open)
        co_return;
    m_session->forget();
    const std::string text = "UID FETCH " + std::to_string(message.uid) + " (BODY.PEEK[2])";
    co_await command(ImapVerb::fetch, text);
}

Task<void> UserAction::dispose(std::uint16_t to, bool keeps)
{
    const SeenMessage& message = m_action.message();
    const bool open = co_await enterTo(message);
    if (!open)
        co_return;
    const std::string uid = std::to_string(message.uid);
    const std::string target = " " + protocol::imapQuoted(m_session->nameOf(to));
    const protocol::ImapClient& client = m_session->link()->client;
    const bool moves = !keeps && client.can("MOVE");
    MailboxOracle* oracle = m_session->oracle.get();
    if (oracle != nullptr)
        oracle->copying(message.uid, to, moves, client.can("UIDPLUS"));
    if (moves) {
        const std::string text = "UID MOVE " + uid + target;
        const bool moved = co_await command(ImapVerb::move, text);
        settleOracle(moved);
        co_return;
    }
    const std::string copy = "UID COPY " + uid + target;
    bool good = co_await command(ImapVerb::copy, copy);
    settleOracle(good);
    if (keeps || !good)
        co_return;
    if (oracle != nullptr)
        oracle->removing(message.uid);
    const std::string mark = "UID STORE " + uid + " +FLAGS.SILENT (\\Deleted)";
    good = co_await queue(ImapVerb::store, mark);
    if (good) {
        const std::string expunge = client.can("UIDPLUS") ? "UID EXPUNGE " + uid : std::string("EXPUNGE");
        good = co_await command(ImapVerb::expunge, expunge);
    }
    settleOracle(good);
}

Task<void> UserAction::emptyDeletedItems()
{
    const bool open = co_await select(kDeletedItems);
    if (!open || m_session->exists == 0)
        co_return;
    if (m_session->oracle)
        m_session->oracle->emptying();
    const std::string mark = "STORE 1:* +FLAGS.SILENT (\\Deleted)";
    bool good = co_await queue(ImapVerb::store, mark);
    if (good) {
        const std::string expunge = "EXPUNGE";
        good = co_await command(ImapVerb::expunge, expunge);
    }
    settleOracle(good);
}

MessageOrder UserAction::compose(SmtpSession& session, std::uint32_t)
{
    const plan::Profile& profile = *m_setup.plan.workload.profile;
    Letter letter;
    letter.recipients = std::move(session.mailboxes); // for its memory
    decideLetter(
        profile, m_setup.listsOf.at(m_mailboxes), m_setup.plan.seed, m_mailboxes, m_action, {}, letter);
    session.mailboxes = std::move(letter.recipients);
    MessageOrder order;
    order.kind = &profile.messages[letter.kind];
    return order;
}

void UserAction::accepted(SmtpSession& session)
{
    m_written = std::move(session.message);
}

Task<void> UserAction::write()
{
    if (dropped(m_action.message())) // an answer to it
        co_return;
    co_await send();
    const bool saves = m_written != nullptr && m_setup.plan.workload.profile->saveToSent;
    if (!saves || !m_session->alive())
        co_return;
    const std::string sent = m_session->nameOf(kSentItems);
    if (m_session->oracle)
        m_session->oracle->appending(kSentItems, static_cast<std::uint32_t>(m_written->size));
    m_session->link()->client.append(sent, "\\Seen", m_written->pieces, m_written->size);
    const bool saved = co_await exchange(*m_session->link());
    settleOracle(saved);
}

} // namespace loadstone::mail
