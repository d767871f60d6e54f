// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/folder_names.h"

#include "mail/users/schedule.h"
#include "protocol/common/server_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

using protocol::equalsIgnoringCase;

std::string folderName(std::uint16_t folder)
{
    switch (folder) {
    case kInbox:
        return "INBOX";
    case kDeletedItems:
        return "Deleted Items";
    case kSentItems:
        return "Sent Items";
    default:
        return fmt::format("Folder {:03}", folder - kFirstOwnFolder + 1);
    }
}

void FolderNames::clear()
{
    m_sent.clear();
    m_trash.clear();
    m_hasSentItems = m_hasDeletedItems = false;
}

bool FolderNames::isMarked(const protocol::ImapMailbox& mailbox, std::string_view attribute)
{
    return std::any_of(mailbox.attributes.begin(), mailbox.attributes.end(),
        [&](std::string_view other) { return equalsIgnoringCase(other, attribute); });
}

void FolderNames::listed(const protocol::ImapMailbox& mailbox)
{
    if (isMarked(mailbox, "\\Sent"))
        m_sent = mailbox.name;
    if (isMarked(mailbox, "\\Trash"))
        m_trash = mailbox.name;
    m_hasSentItems = m_hasSentItems || mailbox.name == ownNameOf(kSentItems);
    m_hasDeletedItems = m_hasDeletedItems || mailbox.name == ownNameOf(kDeletedItems);
}

std::string FolderNames::nameOf(std::uint16_t folder) const
{
    if (folder == kSentItems && !m_sent.empty() && !m_hasSentItems)
        return m_sent;
    if (folder == kDeletedItems && !m_trash.empty() && !m_hasDeletedItems)
        return m_trash;
    return ownNameOf(folder);
}

std::string FolderNames::ownNameOf(std::uint16_t folder) const
{
    return (folder == kInbox ? std::string() : prefix) + folderName(folder);
}

const char* listAllFolders(bool marks)
{
    return marks ? "LIST \"\" \"*\" RETURN (SPECIAL-USE)" : "LIST \"\" \"*\"";
}

} // namespace loadstone::mail
