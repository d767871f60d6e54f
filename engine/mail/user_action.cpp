// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/user_action.h"

#include "mail/converse.h"
#include "mail/dav_action.h"
#include "mail/number_set.h"

#include <algorithm>

namespace loadstone::mail {

using plan::ActionKind;
using protocol::FailureKind;
using protocol::ImapVerb;

namespace {

constexpr ConnectNames kNames { commandHistogram(ImapVerb::connect), commandHistogram(ImapVerb::tlsHandshake),
    "IMAP connect", "IMAP TLS handshake" };
constexpr std::size_t kFetchedAtOnce = 100; // messages of one command in the drain
/// What a client asks of new messages to list them.
constexpr const char* kListing =
    " (UID RFC822.SIZE BODY.PEEK[HEADER.FIELDS (X-Loadstone-Token X-Loadstone-Initial Content-Type)])";

} // namespace

Task<void> UserAction::live()
{
    const bool mine = co_await takeTurn();
    if (!mine)
        co_return;
    if (auto known = m_context.users.extract(m_action.mailbox))
        m_session = std::move(known.mapped());
    else
        m_session = std::make_unique<UserSession>(login());
    if (!m_session->oracle && isFollowed(m_setup.plan.seed, m_action.mailbox, m_setup.plan.workload.oracle)) {
        m_session->oracle = std::make_unique<MailboxOracle>(login());
        m_context.journal.write([](JournalPages& pages) { ++pages.followed; });
    }
    m_session->plan = &m_setup.plan;
    m_session->users = m_mailboxes;
    if (m_session->link() != nullptr && !m_session->oracle) // an oracle's finding needs what led to it
        m_session->link()->client.transcript().clear();
    co_await act();
    if (m_session->oracle)
        tellFindings();
    m_session->forget();
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
    constexpr auto kLook = std::chrono::milliseconds(20);
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
    if (m_action.kind >= plan::kFirstCalendarAction) {
        co_await useCollections();
        co_return;
    }
    if (m_action.kind == ActionKind::logoff)
        m_session->dav.hangUp();
    if (m_action.kind == ActionKind::logoff && !connected())
        co_return; // the server was faster
    const bool there = co_await beThere();
    if (!there)
        co_return;
    switch (m_action.kind) {
    case ActionKind::logoff:
        co_await logOff();
        break;
    case ActionKind::checkInbox: {
        const bool looked = co_await lookForMail();
        if (looked)
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
        co_await dispose(m_action.folder, false);
        break;
    case ActionKind::copyMessage:
        co_await dispose(m_action.folder, true);
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

/// Servers end sessions that were idle for long (RFC 9051, 5.4: half an hour); that is no failure of theirs.
bool UserAction::connected()
{
    if (m_session->alive() && m_session->link()->connection.hungUp())
        m_session->hangUp();
    return m_session->alive();
}

Task<bool> UserAction::beThere()
{
    if (connected())
        co_return true;
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
    TlsSettings tls;
    tls.context = m_setup.imapTls.get();
    tls.serverName = m_setup.plan.target.imap.nameInTls();
    const bool connected =
        co_await connect(link.connection, m_setup.plan.target.imap, m_setup.imap, tls, kNames);
    bool good = connected;
    if (connected) {
        link.port = m_setup.commandTrace.empty() ? std::uint16_t { 0 } : link.connection.localPort();
        link.client.open(monoNow(), link.connection.secure());
        good = co_await exchange();
    }
    session.folders.clear();
    const std::string all = "LIST \"\" \"*\"";
    if (good)
        good = co_await command(ImapVerb::list, all);
    const std::uint16_t end =
        static_cast<std::uint16_t>(kFirstOwnFolder + m_setup.plan.workload.profile->initial.folders);
    for (std::uint16_t folder = kDeletedItems; good && folder < end; ++folder) {
        if (std::find(session.folders.begin(), session.folders.end(), folder) != session.folders.end())
            continue;
        const std::string text = "CREATE " + protocol::imapQuoted(folderName(folder));
        good = co_await command(ImapVerb::create, text);
    }
    if (good && session.oracle && !session.oracle->begun)
        good = co_await listForOracle();
    if (good)
        good = co_await select(kInbox);
    if (!good)
        session.hangUp();
    co_return good;
}

Task<void> UserAction::logOff()
{
    m_session->link()->client.logout();
    co_await exchange();
    m_session->hangUp();
}

Task<bool> UserAction::exchange()
{
    UserSession::Link& link = *m_session->link();
    TlsSettings tls;
    tls.context = m_setup.imapTls.get();
    tls.serverName = m_setup.plan.target.imap.nameInTls();
    co_await converse(link.connection, link.client, tls, kNames.tlsHistogram, link.commands, link.port);
    const protocol::Failure why = link.client.failure();
    if (!why)
        co_return true;
    report(why, toString(static_cast<ImapVerb>(why.verb)), &link.client.transcript());
    link.client.forgetFailure();
    co_return false;
}

Task<bool> UserAction::command(ImapVerb verb, const std::string& text)
{
    m_session->link()->client.command(verb, text);
    const bool good = co_await exchange();
    co_return good;
}

Task<bool> UserAction::select(std::uint16_t folder)
{
    UserSession& session = *m_session;
    if (session.selected == folder) {
        const std::string noop = "NOOP";
        const bool good = co_await command(ImapVerb::noop, noop);
        co_return good;
    }
    session.selected = folder;
    session.exists = session.uidNext = 0;
    if (session.oracle)
        session.oracle->selecting(folder);
    const std::string text = "SELECT " + protocol::imapQuoted(folderName(folder));
    const bool good = co_await command(ImapVerb::select, text);
    session.news = folder == kInbox;
    if (!good)
        session.selected = UserSession::kNoFolder;
    co_return good;
}

Task<bool> UserAction::enter(std::uint16_t folder)
{
    if (m_session->selected == folder)
        co_return true;
    const bool good = co_await select(folder);
    co_return good;
}

Task<bool> UserAction::lookForMail()
{
    UserSession& session = *m_session;
    bool good = co_await select(kInbox);
    if (!good || !session.news)
        co_return good;
    session.forget();
    const bool cached = m_setup.plan.workload.profile->cached;
    const std::uint32_t from = session.inboxNext;
    std::uint32_t upTo = from;
    std::string which;
    if (from == 0) { // what lay there before and was not read is new to this client
        const std::string search = "UID SEARCH UNSEEN";
        good = co_await command(ImapVerb::search, search);
        if (!good)
            co_return false;
        which = numberSet(session.numbers);
        upTo = session.uidNext;
        if (!session.numbers.empty())
            upTo = std::max(upTo, session.numbers.back() + 1);
    } else
        which = std::to_string(from) + ":*";
    session.news = false;
    if (!which.empty()) {
        const std::string text = "UID FETCH " + which + kListing;
        good = co_await command(ImapVerb::fetch, text);
        // "n:*" names the last message even where its UID is below n (RFC 9051, 6.4.8).
        std::erase_if(session.seen, [from](const SeenMessage& message) { return message.uid < from; });
    }
    if (!good) { // what was told is known, the rest is asked for again
        session.news = true;
        if (from == 0) {
            session.seen.clear();
            co_return false;
        }
    }
    for (const SeenMessage& message : session.seen) {
        upTo = std::max(upTo, message.uid + 1);
        session.unread.push_back(message.uid);
    }
    session.inboxNext = upTo;
    if (good && cached) {
        std::vector<SeenMessage> listed = std::move(session.seen);
        good = co_await fetchUnread();
        session.seen = std::move(listed);
    }
    co_return good;
}

/// All that was found in the Inbox and not yet fetched as a whole.
Task<bool> UserAction::fetchUnread()
{
    UserSession& session = *m_session;
    bool good = true;
    while (good && !session.unread.empty()) {
        const std::size_t count = std::min(session.unread.size(), kFetchedAtOnce);
        const std::string text = "UID FETCH " + numberSet(std::span(session.unread).first(count))
            + " (UID RFC822.SIZE BODY.PEEK[])";
        MessageCheck check(m_setup.runKey);
        session.forget();
        session.check = &check;
        good = co_await command(ImapVerb::fetch, text);
        session.check = nullptr;
        reportRetrieved(check);
        if (good)
            session.unread.erase(
                session.unread.begin(), session.unread.begin() + static_cast<std::ptrdiff_t>(count));
        else // what came whole is done, the rest is still owed
            std::erase_if(session.unread, [&](std::uint32_t uid) {
                return std::any_of(session.seen.begin(), session.seen.end(),
                    [uid](const SeenMessage& message) { return message.uid == uid; });
            });
    }
    co_return good;
}

Task<void> UserAction::browse()
{
    UserSession& session = *m_session;
    const bool open = co_await select(m_action.folder);
    if (!open || session.exists == 0)
        co_return;
    const auto place = 1 + static_cast<std::uint32_t>(m_action.pick * session.exists);
    const std::string text = "FETCH " + std::to_string(std::min(place, session.exists)) + kListing;
    session.forget();
    const bool good = co_await command(ImapVerb::fetch, text);
    if (good)
        m_outcome.found = std::move(session.seen);
}

Task<void> UserAction::read()
{
    UserSession& session = *m_session;
    const SeenMessage& message = m_action.message;
    const bool open = co_await enter(message.folder);
    if (!open)
        co_return;
    const bool first = m_action.number == 0;
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
        reportRetrieved(check);
}

Task<void> UserAction::loadAttachment()
{
    const SeenMessage& message = m_action.message;
    const bool open = co_await enter(message.folder);
    if (!open)
        co_return;
    m_session->forget();
    const std::string text = "UID FETCH " + std::to_string(message.uid) + " (BODY.PEEK[2])";
    co_await command(ImapVerb::fetch, text);
}

Task<void> UserAction::dispose(std::uint16_t to, bool keeps)
{
    const SeenMessage& message = m_action.message;
    const bool open = co_await enter(message.folder);
    if (!open)
        co_return;
    const std::string uid = std::to_string(message.uid);
    const std::string target = " " + protocol::imapQuoted(folderName(to));
    const protocol::ImapClient& client = m_session->link()->client;
    const bool moves = !keeps && client.can("MOVE");
    MailboxOracle* oracle = m_session->oracle.get();
    if (oracle != nullptr)
        oracle->copying(message.uid, to, moves);
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
    good = co_await command(ImapVerb::store, mark);
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
    bool good = co_await command(ImapVerb::store, mark);
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
    co_await send();
    const bool saves = m_written != nullptr && m_setup.plan.workload.profile->saveToSent;
    if (!saves || !m_session->alive())
        co_return;
    const std::string sent = folderName(kSentItems);
    if (m_session->oracle)
        m_session->oracle->appending(kSentItems, static_cast<std::uint32_t>(m_written->size));
    m_session->link()->client.append(sent, "\\Seen", m_written->pieces, m_written->size);
    const bool saved = co_await exchange();
    settleOracle(saved);
}

Task<void> UserAction::fetchRest()
{
    const MonoTime began = monoNow();
    bool good = co_await lookForMail();
    if (good)
        good = co_await fetchUnread();
    if (good)
        m_context.journal.write([&](JournalPages& pages) {
            pages.reads.push_back({ m_action.mailbox, offset(began) });
        });
    if (good && m_session->oracle && !m_session->oracle->compared)
        co_await compareForOracle();
}

/// Each message of the Inbox is fetched once as a new one: seen again, under another UID, it was delivered twice.
void UserAction::reportRetrieved(MessageCheck& check)
{
    const std::vector<RetrievedMessage> messages = check.take();
    if (messages.empty())
        return;
    m_context.recorder.count(static_cast<std::uint32_t>(MailCounter::received), messages.size());
    ForeignMail foreign { m_action.mailbox, 0, true };
    m_context.journal.write([&](JournalPages& pages) {
        for (const RetrievedMessage& message : messages)
            if (message.kind == RetrievedMessage::Kind::foreign)
                ++foreign.count;
            else if (message.kind != RetrievedMessage::Kind::initial)
                pages.retrieved.push_back(
                    { message.kind, message.id, m_action.mailbox, true, offset(message.at) });
        if (foreign.count > 0)
            pages.foreign.push_back(foreign);
    });
}

} // namespace loadstone::mail
