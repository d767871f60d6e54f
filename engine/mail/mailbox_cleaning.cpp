// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mailbox_cleaning.h"

#include "mail/mail_series.h"
#include "mail/user_session.h"
#include "protocol/server_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loadstone::mail {

using protocol::ImapVerb;

namespace {

/// A name that Loadstone gives to folders.
bool isOurName(const std::string& name)
{
    if (name == folderName(kDeletedItems) || name == folderName(kSentItems))
        return true;
    const std::string_view kBegin = "Folder ";
    unsigned number = 0;
    if (!name.starts_with(kBegin))
        return false;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kBegin.size(), end, number);
    constexpr unsigned kMost = 0xffff - kFirstOwnFolder;
    return read.ec == std::errc() && read.ptr == end && number >= 1 && number <= kMost
        && folderName(static_cast<std::uint16_t>(kFirstOwnFolder + number - 1)) == name;
}

bool isInbox(const std::string& name)
{
    return protocol::equalsIgnoringCase(name, "INBOX");
}

} // namespace

Task<void> MailboxCleaning::clean()
{
    co_await restBeforeRetry();
    const bool there = co_await logOn();
    bool good = there;
    if (there)
        good = co_await cleanFolders();
    if (good) {
        count(kForeign, m_foreign);
        if (!m_left.empty())
            note(fmt::format("{}: left alone what is not Loadstone's: {}", login(), m_left));
        count(kDone);
    } else if (m_action.attempt + 1U >= kPreparationAttempts
        && m_outcome.failure.kind != protocol::FailureKind::stopped)
        count(kGivenUp);
    m_outcome.settled = good; // whatever comes of the farewell
    if (there)
        co_await logOut();
}

/// The Inbox last: it is then selected, and no server has to delete the folder that a session is in.
Task<bool> MailboxCleaning::cleanFolders()
{
    bool good = co_await list();
    ListedFolder inbox { "INBOX", "", true };
    const std::vector<ListedFolder> listed = folders(); // servers may tell of more meanwhile
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
        && std::none_of(folders().begin(), folders().end(), [&](const ListedFolder& other) {
               return !folder.delimiter.empty() && other.name.starts_with(folder.name + folder.delimiter);
           });
}

Task<bool> MailboxCleaning::cleanFolder(const ListedFolder& folder)
{
    bool good = co_await look(folder.name, !isInbox(folder.name) && !isOurName(folder.name));
    if (!good && !m_outcome.failure) { // somebody else's, say, which LIST tells of all the same
        m_left += fmt::format(
            "{}what is in \"{}\", which the server does not open", m_left.empty() ? "" : ", ", folder.name);
        co_return true;
    }
    if (!good)
        co_return false;
    std::vector<std::uint32_t> ours;
    bool foreignDeleted = false;
    for (const FoundMessage& message : messages()) {
        if (message.kind != FoundMessage::Kind::foreign)
            ours.push_back(message.uid);
        else
            foreignDeleted = foreignDeleted || message.deleted;
    }
    const std::uint64_t foreign = messages().size() - ours.size();
    if (foreign == 0 && isOurs(folder)) {
        m_emptied.push_back({ folder.name, ours.size() }); // its messages go with it
        co_return true;
    }
    m_foreign += foreign;
    if (foreign > 0 || !isInbox(folder.name))
        m_left += fmt::format("{}{} message{} in \"{}\"", m_left.empty() ? "" : ", ", foreign,
            foreign == 1 ? "" : "s", folder.name);
    if (ours.empty())
        co_return true;
    const std::size_t number = ours.size();
    good = co_await remove(ours, foreignDeleted);
    count(kRemoved, good ? number : 0);
    co_return good;
}

Task<bool> MailboxCleaning::removeFolders()
{
    bool good = true;
    constexpr std::size_t kTogether = 20; // sent before the first is answered
    for (std::size_t i = 0;
         good && i < m_emptied.size();) { // somebody else's mail may have come since the look
        const std::string text = "STATUS " + protocol::imapQuoted(m_emptied[i].name) + " (MESSAGES)";
        good = co_await command(ImapVerb::status, text);
        if (good && told() != m_emptied[i].messages) {
            m_left += fmt::format(
                "{}\"{}\", where mail has come meanwhile", m_left.empty() ? "" : ", ", m_emptied[i].name);
            m_emptied.erase(m_emptied.begin() + static_cast<std::ptrdiff_t>(i));
        } else
            ++i;
    }
    for (std::size_t at = 0; good && at < m_emptied.size(); at += kTogether) {
        const std::size_t end = std::min(at + kTogether, m_emptied.size());
        takeEnds();
        for (std::size_t i = at; i < end; ++i)
            client().command(ImapVerb::remove, "DELETE " + protocol::imapQuoted(m_emptied[i].name));
        good = co_await exchange();
        const std::vector<bool> deleted = takeEnds();
        for (std::size_t i = at; i < end && i - at < deleted.size(); ++i)
            if (deleted[i - at]) {
                count(kFoldersRemoved);
                count(kRemoved, m_emptied[i].messages);
            }
    }
    co_return good;
}

} // namespace loadstone::mail
