// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/prepare/mailbox_errand.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// What a plan's mailbox is filled with. The mailbox is the same however often it is done and wherever it was cut off: what is
/// there is looked at first, and only what is missing is added.
class MailboxFilling {
public:
    explicit MailboxFilling(ActionShell& shell);
    /// The whole visit. What fails is reported to the shell.
    Task<void> carryOut();

private:
    /// Whether the folder was made now, was there already, or neither.
    enum class Made : std::uint8_t { now, before, failed };
    Task<bool> fillFolders();
    Task<bool> fillFolder(std::uint16_t folder);
    Task<Made> make(std::uint16_t folder);
    /// Which of the folder's messages are there; removes what is there twice.
    Task<bool> lookFor(std::uint16_t folder, std::vector<bool>& there);
    Task<bool> append(std::uint16_t folder, const std::vector<bool>& there);

    ActionShell& m_shell;
    const Appointment& m_action;
    MailboxSession m_session;
    MailboxErrand m_errand;
};

} // namespace loadstone::mail
