// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_inbox.h"

#include "mail/message/number_set.h"

#include <algorithm>

namespace loadstone::mail {

using protocol::ImapVerb;

namespace {

constexpr std::size_t kMessagesAtOnce = 100; // of one command
constexpr unsigned kPipelinedFetches = 4; // of these commands

} // namespace

UserInbox::UserInbox(UserCommands& commands)
    : m_commands(commands)
    , m_shell(commands.shell())
    , m_session(commands.session())
    , m_action(m_shell.action())
{
}

Task<bool> UserInbox::look()
{
    m_session.forget();
    bool good = co_await m_commands.select(kInbox);
    if (!good || !m_session.news)
        co_return good;
    m_session.forget();
    m_session.news = false; // whatever is told from now on, in the answers below too, is for the next look
    const bool cached = m_shell.setup().plan.workload.profile->cached;
    const std::uint32_t from = m_session.inboxNext;
    std::uint32_t upTo = from;
    std::vector<std::string> which;
    if (from == 0) { // what lay there before and was not read is new to this client
        const std::string search = searchUnseen();
        good = co_await m_commands.command(ImapVerb::search, search);
        if (!good) {
            m_session.news = true;
            co_return false;
        }
        which = numberSets(m_session.numbers);
        upTo = m_session.uidNext;
        if (!m_session.numbers.empty())
            upTo = std::max(upTo, m_session.numbers.back() + 1);
    } else
        which.push_back(std::to_string(from) + ":*");
    for (std::size_t i = 0; good && i < which.size(); ++i) {
        const std::string text = "UID FETCH " + which[i] + kListing;
        good = co_await m_commands.command(ImapVerb::fetch, text);
    }
    // "n:*" names the last message even where its UID is below n (RFC 9051, 6.4.8).
    std::erase_if(m_session.seen, [from](const SeenMessage& message) { return message.uid < from; });
    if (!good) { // all of it is asked for again: answers come in any order (RFC 9051, 7.5.2)
        m_session.news = true;
        m_session.seen.clear();
        co_return false;
    }
    for (const SeenMessage& message : m_session.seen) {
        upTo = std::max(upTo, message.uid + 1);
        m_session.unread.push_back(message.uid);
    }
    std::sort(m_session.unread.begin(), m_session.unread.end()); // answers come in any order
    m_session.inboxNext = upTo;
    if (from == 0 && m_session.againBelow != 0)
        m_session.againBelow = upTo;
    if (cached) {
        m_session.listed.insert(m_session.listed.end(), m_session.seen.begin(), m_session.seen.end());
        good = co_await fetchUnread();
        m_session.seen = m_session.takeFetched();
        m_session.news = m_session.news || !good; // the rest is fetched at the next look
    }
    co_return good;
}

Task<bool> UserInbox::fetchUnread(bool mayBeKnown)
{
    bool good = true;
    while (good && !m_session.unread.empty()) {
        MessageCheck check(m_shell.setup().runKey);
        m_shell.prepare(check);
        m_session.forget();
        m_session.check = &check;
        const unsigned commands = m_shell.setup().plan.target.imap.pipelining ? kPipelinedFetches : 1;
        const std::size_t count = std::min(m_session.unread.size(), commands * kMessagesAtOnce);
        const bool again = mayBeKnown || m_session.unread.front() < m_session.againBelow;
        const std::vector<std::string> sets =
            numberSets(std::span(m_session.unread).first(count), kMessagesAtOnce);
        for (std::size_t i = 0; good && i < sets.size(); ++i) {
            const std::string text = "UID FETCH " + sets[i] + " (UID RFC822.SIZE BODY.PEEK[])";
            good = co_await m_commands.queue(ImapVerb::fetch, text);
        }
        if (good)
            good = co_await m_commands.settle();
        m_session.check = nullptr;
        reportRetrieved(check, again);
        if (good)
            m_session.unread.erase(m_session.unread.begin(),
                m_session.unread.begin()
                    + static_cast<std::ptrdiff_t>(std::min(count, m_session.unread.size())));
        else // what came whole is done, the rest is still owed
            std::erase_if(m_session.unread, [&](std::uint32_t uid) {
                return std::any_of(m_session.seen.begin(), m_session.seen.end(),
                    [uid](const SeenMessage& message) { return message.uid == uid; });
            });
    }
    co_return good;
}

Task<bool> UserInbox::searchAgainst(const std::vector<UserSession::Present>& present)
{
    m_session.forget();
    const std::string search = searchUnseen();
    const bool good = co_await m_commands.command(ImapVerb::search, search);
    if (!good)
        co_return false;
    std::vector<std::pair<std::uint32_t, bool>> read;
    for (const UserSession::Present& message : present)
        read.emplace_back(message.uid, message.read);
    if (m_session.oracle) {
        m_session.oracle->searched(read, m_session.numbers);
        co_return true;
    }
    if (const auto wrong = contradictionOf(read, m_session.numbers))
        m_shell.context().journal.write([&](JournalPages& pages) {
            ++pages.oracleChecks; // of a user whom the oracle does not follow: only what fails is told of
            pages.findings.push_back({ m_action.mailbox, m_shell.offset(monoNow()),
                m_shell.mailboxName() + ", INBOX: " + *wrong });
        });
    co_return true;
}

/// RFC 4731 where the server has it.
std::string UserInbox::searchUnseen()
{
    return m_session.link()->client.can("ESEARCH") ? "UID SEARCH RETURN (ALL) UNSEEN" : "UID SEARCH UNSEEN";
}

void UserInbox::reportRetrieved(MessageCheck& check, bool again)
{
    const std::vector<RetrievedMessage> messages = check.take();
    if (messages.empty())
        return;
    m_shell.context().recorder.count(m_shell.context().series.total().retrieved, messages.size());
    m_shell.reportDamages(check, messages);
    ForeignMail foreign { m_action.mailbox, 0, true };
    m_shell.context().journal.write([&](JournalPages& pages) {
        for (const RetrievedMessage& message : messages)
            if (message.kind == RetrievedMessage::Kind::foreign)
                ++foreign.count;
            else if (message.kind != RetrievedMessage::Kind::initial)
                pages.retrieved.push_back(
                    { message.kind, message.id, m_action.mailbox, true, m_shell.offset(message.at), again });
        if (foreign.count > 0)
            pages.foreign.push_back(foreign);
    });
}

} // namespace loadstone::mail
