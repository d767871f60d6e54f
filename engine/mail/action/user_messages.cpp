// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_messages.h"

#include <algorithm>

namespace loadstone::mail {

using protocol::FailureKind;
using protocol::ImapVerb;

UserMessages::UserMessages(UserCommands& commands, UserInbox& inbox)
    : m_commands(commands)
    , m_inbox(inbox)
    , m_shell(commands.shell())
    , m_session(commands.session())
    , m_action(m_shell.action())
{
}

Task<void> UserMessages::browse()
{
    const bool open = co_await m_commands.select(m_action.folder());
    if (!open || m_session.exists == 0)
        co_return;
    const auto place = 1 + static_cast<std::uint32_t>(m_action.pick() * m_session.exists);
    const std::string text = "FETCH " + std::to_string(std::min(place, m_session.exists)) + kListing;
    m_session.forget();
    const bool good = co_await m_commands.command(ImapVerb::fetch, text);
    if (good)
        m_shell.outcome().found = std::move(m_session.seen);
}

Task<void> UserMessages::read()
{
    const SeenMessage& message = m_action.message();
    const bool open = co_await m_commands.enterTo(message);
    if (!open)
        co_return;
    const bool first = m_action.reading() == 0;
    const std::string uid = std::to_string(message.uid);
    if (first
        && m_shell.setup().plan.workload.profile->cached) { // the client has it: only the server has to know
        if (m_session.oracle)
            m_session.oracle->reading(message.uid);
        const std::string text = "UID STORE " + uid + " +FLAGS.SILENT (\\Seen)";
        const bool marked = co_await m_commands.command(ImapVerb::store, text);
        m_session.settled(marked);
        co_return;
    }
    MessageCheck check(m_shell.setup().runKey);
    m_shell.prepare(check);
    m_session.forget();
    m_session.check = &check;
    if (m_session.oracle)
        m_session.oracle->reading(message.uid);
    const std::string text = "UID FETCH " + uid + " (BODY[])";
    const bool good = co_await m_commands.command(ImapVerb::fetch, text);
    m_session.check = nullptr;
    m_session.settled(good);
    if (first && (good || check.count() > 0)) // otherwise it is still owed
        std::erase(m_session.unread, message.uid);
    if (good && check.count() == 0) {
        protocol::Failure gone;
        gone.kind = FailureKind::noReply;
        gone.text = "the message that was listed does not exist";
        m_shell.report(gone, toString(ImapVerb::fetch), &m_session.link()->client.transcript());
    }
    if (first)
        m_inbox.reportRetrieved(check, message.uid < m_session.againBelow);
}

Task<void> UserMessages::loadAttachment()
{
    const SeenMessage& message = m_action.message();
    const bool open = co_await m_commands.enterTo(message);
    if (!open)
        co_return;
    m_session.forget();
    const std::string text = "UID FETCH " + std::to_string(message.uid) + " (BODY.PEEK[2])";
    co_await m_commands.command(ImapVerb::fetch, text);
}

Task<void> UserMessages::dispose(std::uint16_t to, bool keeps)
{
    const SeenMessage& message = m_action.message();
    const bool open = co_await m_commands.enterTo(message);
    if (!open)
        co_return;
    const std::string uid = std::to_string(message.uid);
    const std::string target = " " + protocol::imapQuoted(m_session.nameOf(to));
    const protocol::ImapClient& client = m_session.link()->client;
    const bool moves = !keeps && client.can("MOVE");
    MailboxOracle* oracle = m_session.oracle.get();
    if (oracle != nullptr)
        oracle->copying(message.uid, to, moves, client.can("UIDPLUS"));
    if (moves) {
        const std::string text = "UID MOVE " + uid + target;
        const bool moved = co_await m_commands.command(ImapVerb::move, text);
        m_session.settled(moved);
        co_return;
    }
    const std::string copy = "UID COPY " + uid + target;
    bool good = co_await m_commands.command(ImapVerb::copy, copy);
    m_session.settled(good);
    if (keeps || !good)
        co_return;
    if (oracle != nullptr)
        oracle->removing(message.uid);
    const std::string mark = "UID STORE " + uid + " +FLAGS.SILENT (\\Deleted)";
    good = co_await m_commands.queue(ImapVerb::store, mark);
    if (good) {
        const std::string expunge = client.can("UIDPLUS") ? "UID EXPUNGE " + uid : std::string("EXPUNGE");
        good = co_await m_commands.command(ImapVerb::expunge, expunge);
    }
    m_session.settled(good);
}

Task<void> UserMessages::emptyDeletedItems()
{
    const bool open = co_await m_commands.select(kDeletedItems);
    if (!open || m_session.exists == 0)
        co_return;
    if (m_session.oracle)
        m_session.oracle->emptying();
    const std::string mark = "STORE 1:* +FLAGS.SILENT (\\Deleted)";
    bool good = co_await m_commands.queue(ImapVerb::store, mark);
    if (good) {
        const std::string expunge = "EXPUNGE";
        good = co_await m_commands.command(ImapVerb::expunge, expunge);
    }
    m_session.settled(good);
}

} // namespace loadstone::mail
