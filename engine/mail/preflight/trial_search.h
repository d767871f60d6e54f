// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/prepare/mailbox_session.h"

#include <string>

namespace loadstone::mail {

/// What a look for a message in the mailbox that it was sent to has found.
struct TrialFind {
    bool found = false, removed = false;
    std::string folder; ///< where; empty: over POP3
};

/// Looks for one message of its own over IMAP, and removes it: the Inbox, or all folders.
class ImapTrialSearch {
public:
    /// `run` and `id` are the message's token.
    ImapTrialSearch(ActionShell& shell, std::uint32_t run, std::uint64_t id, bool everywhere);
    /// One visit. What fails is reported to the shell.
    Task<void> search(TrialFind& find);

private:
    Task<bool> searchFolders();
    Task<bool> searchFolder(std::string folder, bool mayRefuse);

    ActionShell& m_shell;
    MailboxSession m_session;
    std::uint32_t m_run;
    std::uint64_t m_id;
    bool m_everywhere;
    TrialFind m_find;
};

/// The same over POP3.
class Pop3TrialSearch {
public:
    Pop3TrialSearch(ActionShell& shell, std::uint32_t run, std::uint64_t id);
    Task<void> search(TrialFind& find);

private:
    ActionShell& m_shell;
    std::uint32_t m_run;
    std::uint64_t m_id;
};

} // namespace loadstone::mail
