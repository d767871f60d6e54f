// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/prepare/imap_errand.h"

namespace loadstone::mail {

/// What a look for a message in the mailbox that it was sent to has found.
struct TrialFind {
    bool found = false, removed = false;
    std::string folder; ///< where; empty: over POP3
};

/// Looks for one message of its own over IMAP, and removes it: the Inbox, or all folders.
class ImapTrialSearch final : public ImapErrand {
public:
    /// `run` and `id` are the message's token.
    ImapTrialSearch(
        WorkerContext& context, Appointment& action, std::uint32_t run, std::uint64_t id, bool everywhere);
    /// One visit. What fails is the outcome's.
    Task<void> search(TrialFind& find);

private:
    Task<bool> workOnFolders() override;
    Task<bool> searchFolder(std::string folder, bool mayRefuse);

    std::uint32_t m_run;
    std::uint64_t m_id;
    bool m_everywhere;
    TrialFind m_find;
};

/// The same over POP3.
class Pop3TrialSearch final : public ActionShell {
public:
    Pop3TrialSearch(WorkerContext& context, Appointment& action, std::uint32_t run, std::uint64_t id);
    Task<void> search(TrialFind& find);

private:
    std::uint32_t m_run;
    std::uint64_t m_id;
};

} // namespace loadstone::mail
