// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/imap/imap_response.h"

#include <cstdint>
#include <string>

namespace loadstone::mail {

/// The name of a folder of a user's mailbox, where the server has none of its own for it: "INBOX", "Deleted Items", "Sent
/// Items", "Folder 001".
std::string folderName(std::uint16_t folder);

/// What a server calls the folders of one mailbox, by what NAMESPACE and LIST say: one rule for initialisation and users. Sent
/// Items and Deleted Items are the folders of these names; where there are none, those that the server marks as such
/// (SPECIAL-USE, RFC 6154).
class FolderNames {
public:
    std::string prefix; ///< of the names of the user's own folders (NAMESPACE)

    /// A new LIST begins.
    void clear();
    /// One line of it, of a folder that can be opened and named.
    void listed(const protocol::ImapMailbox& mailbox);
    [[nodiscard]] std::string nameOf(std::uint16_t folder) const;
    /// Without a regard to marks: as this program names the folders that it makes.
    [[nodiscard]] std::string ownNameOf(std::uint16_t folder) const;
    [[nodiscard]] static bool isMarked(const protocol::ImapMailbox& mailbox, std::string_view attribute);

private:
    std::string m_sent, m_trash; // marked as such; empty: nothing is
    bool m_hasSentItems = false, m_hasDeletedItems = false; // by these names
};

/// The LIST that tells of all folders, with their marks where the server offers to (RFC 6154, 2).
const char* listAllFolders(bool marks);

} // namespace loadstone::mail
