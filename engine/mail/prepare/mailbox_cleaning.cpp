// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/prepare/mailbox_cleaning.h"

#include "mail/action/user_session.h"
#include "protocol/common/server_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loadstone::mail {

using protocol::ImapVerb;

namespace {

bool isInbox(const std::string& name)
{
    return protocol::equalsIgnoringCase(name, "INBOX");
}

} // namespace

MailboxCleaning::MailboxCleaning(ActionShell& shell)
    : m_shell(shell)
    , m_session(shell)
    , m_errand(shell, m_session)
{
}

Task<void> MailboxCleaning::carryOut()
{
    bool good = co_await m_errand.begin();
    if (good)
        good = co_await cleanFolders();
    co_await m_errand.end(good);
}

/// A name that Loadstone gives to folders.
bool MailboxCleaning::isOurName(const std::string& name) const
{
    if (name == m_session.names().ownNameOf(kDeletedItems) || name == m_session.names().ownNameOf(kSentItems))
        return true;
    const std::string begin = m_session.names().prefix + "Folder ";
    unsigned number = 0;
    if (!name.starts_with(begin))
        return false;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + begin.size(), end, number);
    constexpr unsigned kMost = 0xffff - kFirstOwnFolder;
    return read.ec == std::errc() && read.ptr == end && number >= 1 && number <= kMost
        && m_session.names().ownNameOf(static_cast<std::uint16_t>(kFirstOwnFolder + number - 1)) == name;
}

/// The Inbox last: it is then selected, and no server has to delete the folder that a session is in.
Task<bool> MailboxCleaning::cleanFolders()
{
    bool good = co_await m_session.list();
    ListedFolder inbox { "INBOX", "", true };
    const std::vector<ListedFolder> listed = m_session.folders(); // servers may tell of more meanwhile
    for (const ListedFolder& folder : listed) {
        if (good && folder.selectable && !isInbox(folder.name))
            good = co_await cleanFolder(folder);
    }
    if (good)
        good = co_await cleanFolder(inbox);
    if (good)
        good = co_await removeFolders();
    co_return good;
}

/// One of ours that has no folders below it.
bool MailboxCleaning::isOurs(const ListedFolder& folder) const
{
    return isOurName(folder.name)
        && std::none_of(
            m_session.folders().begin(), m_session.folders().end(), [&](const ListedFolder& other) {
                return !folder.delimiter.empty() && other.name.starts_with(folder.name + folder.delimiter);
            });
}

Task<bool> MailboxCleaning::cleanFolder(const ListedFolder& folder, const std::string& stays)
{
    const bool mayRefuse = !stays.empty() || (!isInbox(folder.name) && !isOurName(folder.name));
    bool good = co_await m_session.look(folder.name, mayRefuse);
    if (!good && !m_shell.outcome().failure) { // somebody else's, say, which LIST tells of all the same
        m_errand.leave(fmt::format("the content of \"{}\", which the server does not open", folder.name));
        co_return true;
    }
    if (!good)
        co_return false;
    std::vector<std::uint32_t> ours;
    bool foreignDeleted = false;
    for (const FoundMessage& message : m_session.messages()) {
        if (message.kind != FoundMessage::Kind::foreign)
            ours.push_back(message.uid);
        else
            foreignDeleted = foreignDeleted || message.deleted;
    }
    const std::uint64_t foreign = m_session.messages().size() - ours.size();
    if (foreign == 0 && stays.empty() && isOurs(folder)) {
        m_emptied.push_back({ folder.name, ours.size() }); // its messages go with it
        co_return true;
    }
    m_errand.foreign += foreign;
    if (foreign > 0 || !isInbox(folder.name))
        m_errand.leave(
            fmt::format("{} message{} in \"{}\"{}", foreign, foreign == 1 ? "" : "s", folder.name, stays));
    if (ours.empty())
        co_return true;
    const std::size_t number = ours.size();
    good = co_await m_session.remove(ours, foreignDeleted);
    m_errand.count(Quantity::messagesRemoved, good ? number : 0);
    co_return good;
}

Task<bool> MailboxCleaning::removeFolders()
{
    for (Emptied& folder : m_emptied) { // somebody else's mail may have come since the look
        const std::string text = "STATUS " + protocol::imapQuoted(folder.name) + " (MESSAGES)";
        const bool answered = co_await m_session.command(ImapVerb::status, text, true);
        if (!answered && m_shell.outcome().failure)
            co_return false;
        if (m_session.told() != folder.messages)
            folder.stays = ", which has changed in the meantime";
    }
    std::partition(
        m_emptied.begin(), m_emptied.end(), [](const Emptied& folder) { return folder.stays.empty(); });
    const auto end = static_cast<std::size_t>(std::count_if(
        m_emptied.begin(), m_emptied.end(), [](const Emptied& folder) { return folder.stays.empty(); }));
    constexpr std::size_t kTogether = 20; // sent before the first is answered
    bool good = true;
    for (std::size_t at = 0; good && at < end; at += kTogether) {
        const std::size_t behind = std::min(at + kTogether, end);
        good = co_await removeSome(at, behind);
    }
    for (std::size_t i = 0; good && i < m_emptied.size(); ++i) {
        const ListedFolder folder { m_emptied[i].name, "", true };
        if (!m_emptied[i].stays.empty())
            good = co_await cleanFolder(folder, m_emptied[i].stays);
    }
    co_return good;
}

/// A server may have its reasons to keep a folder.
Task<bool> MailboxCleaning::removeSome(std::size_t begin, std::size_t end)
{
    m_session.takeEnds();
    for (std::size_t i = begin; i < end; ++i)
        m_session.client().command(ImapVerb::remove, "DELETE " + protocol::imapQuoted(m_emptied[i].name));
    co_await m_session.exchange(true);
    const std::vector<MailboxSession::End> ends = m_session.takeEnds();
    for (std::size_t i = begin; i < end && i - begin < ends.size(); ++i) {
        const MailboxSession::End& how = ends[i - begin];
        if (how.good) {
            m_errand.count(Quantity::foldersRemoved);
            m_errand.count(Quantity::messagesRemoved, m_emptied[i].messages);
        } else
            m_emptied[i].stays = fmt::format(", which the server does not delete ({})", how.words);
    }
    co_return !m_shell.outcome().failure;
}

} // namespace loadstone::mail
