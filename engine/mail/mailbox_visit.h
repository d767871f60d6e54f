// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action_shell.h"
#include "mail/message_check.h"

namespace loadstone::mail {

/// One visit to a mailbox over POP3: empties, reads, lists it, or just stays.
class MailboxVisit final : public ActionShell {
public:
    using ActionShell::ActionShell;
    Task<void> visit();

private:
    void reportRetrieved(MessageCheck& check, const protocol::Pop3Client& client);
};

} // namespace loadstone::mail
