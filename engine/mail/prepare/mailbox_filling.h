// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/prepare/imap_errand.h"

namespace loadstone::mail {

/// What a plan's mailbox is filled with. Comes to the same however often it is done and wherever it was cut off: what is there
/// is looked at first, and only what is missing is added.
class MailboxFilling final : public ImapErrand {
public:
    using ImapErrand::ImapErrand;

private:
    /// Whether the folder was made now, was there already, or neither.
    enum class Made : std::uint8_t { now, before, failed };
    Task<bool> workOnFolders() override;
    Task<bool> fillFolder(std::uint16_t folder);
    Task<Made> make(std::uint16_t folder);
    /// Which of the folder's messages are there; removes what is there twice.
    Task<bool> lookFor(std::uint16_t folder, std::vector<bool>& there);
    Task<bool> append(std::uint16_t folder, const std::vector<bool>& there);
};

} // namespace loadstone::mail
