// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/imap_errand.h"

namespace loadstone::mail {

/// Removes what Loadstone put into a mailbox, in any run and with any seed: its messages, and the folders that it makes where
/// nothing else is in them. Anything else stays and is told.
class MailboxCleaning final : public ImapErrand {
public:
    using ImapErrand::ImapErrand;
    Task<void> clean();

private:
    Task<bool> cleanFolders();
    Task<bool> cleanFolder(const ListedFolder& folder);
    Task<bool> removeFolders();
    [[nodiscard]] bool isOurs(const ListedFolder& folder) const;

    struct Emptied {
        std::string name;
        std::uint64_t messages = 0; // of Loadstone's, that go with it
    };
    std::vector<Emptied> m_emptied;
    std::uint64_t m_foreign = 0; // messages
    std::string m_left; // where they are
};

} // namespace loadstone::mail
