// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/action_kind.h"

#include <array>

namespace loadstone::plan {

const char* toString(ActionKind kind)
{
    static constexpr std::array<const char*, kActionKinds> kNames { "Empty mailbox", "Read mailbox",
        "Send message", "Hold session", "List mailbox", "IMAP session", "Log on", "Log off", "Check Inbox",
        "Browse folder", "Read message", "Load attachment", "Reply", "Reply to all", "Forward",
        "Move message", "Copy message", "Delete message", "Empty Deleted Items", "Update schedule",
        "Make appointment", "Request meeting", "Check free/busy", "Browse calendar", "Create contact",
        "Browse contacts", "Journal", "Initialise mailbox", "Clean mailbox" };
    return kNames[static_cast<std::size_t>(kind)];
}

} // namespace loadstone::plan
