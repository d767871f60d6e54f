// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/prepare/mailbox_errand.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// Removes what Loadstone put into a mailbox, in any run and with any seed: its messages, and the folders that it makes where
/// nothing else is in them. Anything else stays and is reported.
class MailboxCleaning {
public:
    explicit MailboxCleaning(ActionShell& shell);
    /// The whole visit. What fails is reported to the shell.
    Task<void> carryOut();

private:
    Task<bool> cleanFolders();
    /// Where it holds nothing else it goes as a whole, later; unless it has to stay for the reason `stays`.
    Task<bool> cleanFolder(const ListedFolder& folder, const std::string& stays = {});
    Task<bool> removeFolders();
    Task<bool> removeSome(std::size_t begin, std::size_t end);
    [[nodiscard]] bool isOurName(const std::string& name) const;
    [[nodiscard]] bool isOurs(const ListedFolder& folder) const;

    struct Emptied {
        std::string name;
        std::uint64_t messages = 0; // of Loadstone's, that go with it
        std::string stays = {}; // why; empty: it goes
    };

    ActionShell& m_shell;
    MailboxSession m_session;
    MailboxErrand m_errand;
    std::vector<Emptied> m_emptied;
};

} // namespace loadstone::mail
