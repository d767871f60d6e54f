// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_action.h"
#include "mail/message/number_set.h"

#include <algorithm>

/// How a user's client learns what is new in the Inbox, and fetches it.
namespace loadstone::mail {

using protocol::ImapVerb;

namespace {

constexpr std::size_t kFetchedAtOnce = 100; // messages of one command in the drain
constexpr unsigned kLooks = 100; // of one visit in the drain, should ever more arrive meanwhile
constexpr unsigned kPipelinedFetches = 4; // of these commands

} // namespace

Task<bool> UserAction::askForChanges()
{
    UserSession& session = *m_session;
    const std::uint64_t known = session.inboxChanges;
    bool good = true;
    if (known != 0 && known < session.highestChange && session.inboxNext > 1) {
        const std::string text = "UID FETCH 1:" + std::to_string(session.inboxNext - 1)
            + " (FLAGS) (CHANGEDSINCE " + std::to_string(known) + ")"; // RFC 7162, 3.1.4
        good = co_await command(ImapVerb::fetch, text);
    }
    if (good)
        session.inboxChanges = session.highestChange;
    co_return good;
}

Task<bool> UserAction::lookForMail()
{
    UserSession& session = *m_session;
    session.forget();
    bool good = co_await select(kInbox);
    if (!good || !session.news)
        co_return good;
    session.forget();
    session.news = false; // whatever is told from now on, in the answers below too, is for the next look
    const bool cached = m_setup.plan.workload.profile->cached;
    const std::uint32_t from = session.inboxNext;
    std::uint32_t upTo = from;
    std::vector<std::string> which;
    if (from == 0) { // what lay there before and was not read is new to this client
        const std::string search = searchUnseen();
        good = co_await command(ImapVerb::search, search);
        if (!good) {
            session.news = true;
            co_return false;
        }
        which = numberSets(session.numbers);
        upTo = session.uidNext;
        if (!session.numbers.empty())
            upTo = std::max(upTo, session.numbers.back() + 1);
    } else
        which.push_back(std::to_string(from) + ":*");
    for (std::size_t i = 0; good && i < which.size(); ++i) {
        const std::string text = "UID FETCH " + which[i] + kListing;
        good = co_await command(ImapVerb::fetch, text);
    }
    // "n:*" names the last message even where its UID is below n (RFC 9051, 6.4.8).
    std::erase_if(session.seen, [from](const SeenMessage& message) { return message.uid < from; });
    if (!good) { // all of it is asked for again: answers come in any order (RFC 9051, 7.5.2)
        session.news = true;
        session.seen.clear();
        co_return false;
    }
    for (const SeenMessage& message : session.seen) {
        upTo = std::max(upTo, message.uid + 1);
        session.unread.push_back(message.uid);
    }
    std::sort(session.unread.begin(), session.unread.end()); // answers come in any order
    session.inboxNext = upTo;
    if (from == 0 && session.againBelow != 0)
        session.againBelow = upTo;
    if (cached) {
        session.listed.insert(session.listed.end(), session.seen.begin(), session.seen.end());
        good = co_await fetchUnread();
        session.seen = session.takeFetched();
        session.news = session.news || !good; // the rest is fetched at the next look
    }
    co_return good;
}

/// All that was found in the Inbox and not yet fetched as a whole.
Task<bool> UserAction::fetchUnread(bool mayBeKnown)
{
    UserSession& session = *m_session;
    bool good = true;
    while (good && !session.unread.empty()) {
        MessageCheck check(m_setup.runKey);
        prepare(check);
        session.forget();
        session.check = &check;
        const unsigned commands = m_setup.plan.target.imap.pipelining ? kPipelinedFetches : 1;
        const std::size_t count = std::min(session.unread.size(), commands * kFetchedAtOnce);
        const bool again = mayBeKnown || session.unread.front() < session.againBelow;
        const std::vector<std::string> sets =
            numberSets(std::span(session.unread).first(count), kFetchedAtOnce);
        for (std::size_t i = 0; good && i < sets.size(); ++i) {
            const std::string text = "UID FETCH " + sets[i] + " (UID RFC822.SIZE BODY.PEEK[])";
            good = co_await queue(ImapVerb::fetch, text);
        }
        if (good)
            good = co_await settle();
        session.check = nullptr;
        reportRetrieved(check, again);
        if (good)
            session.unread.erase(session.unread.begin(),
                session.unread.begin() + static_cast<std::ptrdiff_t>(std::min(count, session.unread.size())));
        else // what came whole is done, the rest is still owed
            std::erase_if(session.unread, [&](std::uint32_t uid) {
                return std::any_of(session.seen.begin(), session.seen.end(),
                    [uid](const SeenMessage& message) { return message.uid == uid; });
            });
    }
    co_return good;
}

Task<void> UserAction::fetchRest()
{
    const MonoTime began = monoNow();
    m_session->current = false; // that IDLE told of nothing new is not enough
    bool good = co_await lookForMail();
    for (unsigned look = 1; good && m_session->news && look < kLooks;
         ++look) // told in the answers to the last
        good = co_await lookForMail();
    if (good)
        good = co_await fetchUnread();
    if (good && m_context.owed != nullptr)
        good = co_await fetchOwed(began);
    if (good && m_session->oracle && !m_session->oracle->compared)
        co_await compareForOracle();
}

/// A search, or which messages are new, has no say in what is lost: what the ledger misses is looked for by its token among all
/// messages of the Inbox. Once for what lay there before the first look, and again where that proves what is missing.
Task<bool> UserAction::fetchOwed(MonoTime began)
{
    UserSession& session = *m_session;
    const std::shared_ptr<const OwedCopies> owed = m_context.owed;
    const auto mine = owed->of.find(m_action.mailbox);
    if (mine == owed->of.end() && !owed->incomplete)
        co_return true;
    const std::vector<OwedCopies::Copy> none;
    const std::vector<OwedCopies::Copy>& copies = mine == owed->of.end() ? none : mine->second;
    const bool first = !session.inboxLookedThrough;
    const bool proves = owed->incomplete
        || std::any_of(copies.begin(), copies.end(),
            [&](const OwedCopies::Copy& copy) { return copy.due < offset(began); });
    if (!first && !proves)
        co_return true;
    std::vector<UserSession::Present> present;
    bool good = co_await lookThrough(present);
    const bool whole = good && present.size() >= session.exists;
    for (const UserSession::Present& message : present) {
        const OwedCopies::Copy wanted { message.token.id, {} };
        const bool missed = std::binary_search(copies.begin(), copies.end(), wanted);
        if (message.sent && message.token.run == m_setup.runKey && (missed || (owed->incomplete && first)))
            session.unread.push_back(message.uid);
    }
    std::sort(session.unread.begin(), session.unread.end());
    if (good)
        good = co_await fetchUnread(true);
    const bool compared = session.oracle && session.oracle->compared; // with the search, too
    if (good && first && !compared)
        good = co_await searchAgainst(present);
    if (!good || !whole || session.news)
        co_return good;
    session.inboxLookedThrough = true;
    m_context.journal.write([&](JournalPages& pages) {
        pages.reads.push_back({ m_action.mailbox, offset(began) });
    });
    co_return true;
}

/// All messages of the Inbox, each once.
Task<bool> UserAction::lookThrough(std::vector<UserSession::Present>& present)
{
    UserSession& session = *m_session;
    session.forget();
    // That there is nothing is the server's count, which is looked behind as well; some servers take "1:*" of nothing for an error.
    const std::string text = std::string("UID FETCH ") + (session.exists > 0 ? "1:*" : "1:4294967295")
        + " (UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (X-Loadstone-Token)])";
    session.present = &present;
    const bool good = co_await command(ImapVerb::fetch, text);
    session.present = nullptr;
    session.forget();
    std::sort(present.begin(), present.end(),
        [](const UserSession::Present& a, const UserSession::Present& b) { return a.uid < b.uid; });
    const auto twice = std::unique(present.begin(), present.end(),
        [](const UserSession::Present& a, const UserSession::Present& b) { return a.uid == b.uid; });
    present.erase(twice, present.end());
    co_return good;
}

/// Whether the server's search says what its flags say, which FETCH has just told. A contradiction is a finding.
Task<bool> UserAction::searchAgainst(const std::vector<UserSession::Present>& present)
{
    UserSession& session = *m_session;
    session.forget();
    const std::string search = searchUnseen();
    const bool good = co_await command(ImapVerb::search, search);
    if (!good)
        co_return false;
    std::vector<std::pair<std::uint32_t, bool>> read;
    for (const UserSession::Present& message : present)
        read.emplace_back(message.uid, message.read);
    if (session.oracle) {
        session.oracle->searched(read, session.numbers);
        co_return true;
    }
    if (const auto wrong = contradictionOf(read, session.numbers))
        m_context.journal.write([&](JournalPages& pages) {
            ++pages.oracleChecks; // of a user whom the oracle does not follow: only what fails is told of
            pages.findings.push_back(
                { m_action.mailbox, offset(monoNow()), mailboxName() + ", INBOX: " + *wrong });
        });
    co_return true;
}

/// RFC 4731 where the server has it.
std::string UserAction::searchUnseen()
{
    return m_session->link()->client.can("ESEARCH") ? "UID SEARCH RETURN (ALL) UNSEEN" : "UID SEARCH UNSEEN";
}

/// Each message of the Inbox is fetched once as a new one: seen again, under another UID, it was delivered twice. `again`: its
/// UID is another one by the server's word.
void UserAction::reportRetrieved(MessageCheck& check, bool again)
{
    const std::vector<RetrievedMessage> messages = check.take();
    if (messages.empty())
        return;
    m_context.recorder.count(m_context.series.total().retrieved, messages.size());
    reportDamages(check, messages);
    ForeignMail foreign { m_action.mailbox, 0, true };
    m_context.journal.write([&](JournalPages& pages) {
        for (const RetrievedMessage& message : messages)
            if (message.kind == RetrievedMessage::Kind::foreign)
                ++foreign.count;
            else if (message.kind != RetrievedMessage::Kind::initial)
                pages.retrieved.push_back(
                    { message.kind, message.id, m_action.mailbox, true, offset(message.at), again });
        if (foreign.count > 0)
            pages.foreign.push_back(foreign);
    });
}

} // namespace loadstone::mail
