// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/prepare/mailbox_session.h"

#include <cstdint>
#include <string>

namespace loadstone::mail {

class CollectionErrand;

/// What filling mailboxes and cleaning them have in common: a visit to one mailbox over a session of its own, then to its calendar
/// and address book, and what is counted and told of it.
class MailboxErrand {
public:
    MailboxErrand(ActionShell& shell, MailboxSession& session);

    /// Logs on. False: nothing is to be done over IMAP. end() follows in any case.
    Task<bool> begin();
    /// `good`: begin() and what was to be done over IMAP.
    Task<void> end(bool good);
    void count(Quantity what, std::uint64_t n = 1);
    /// Something that was left alone, for the event log.
    void leave(const std::string& what);

    // Counted when the mailbox is done:
    /// Initial messages that were there, those that earlier attempts have put there among them.
    std::uint64_t found = 0;
    std::uint64_t appended = 0; ///< messages, in this attempt
    std::uint64_t foreign = 0; ///< messages

private:
    void conclude(bool good, const CollectionErrand& collections);

    ActionShell& m_shell;
    Appointment& m_action;
    MailboxSession& m_session;
    bool m_loggedOn = false;
    std::string m_left;
    unsigned m_leftCount = 0;
};

} // namespace loadstone::mail
