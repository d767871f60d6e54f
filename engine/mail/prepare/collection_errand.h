// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/dav_entries.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// The part of filling or cleaning a mailbox that lies in its calendar and its address book, where the plan names servers for
/// them. Its result is the same however often it is done and wherever it was cut off: names tell what is there.
class CollectionErrand {
public:
    explicit CollectionErrand(ActionShell& shell);

    /// Does what the action says. False: a failure, which is reported to the shell.
    Task<bool> carryOut();

    [[nodiscard]] std::uint64_t found() const noexcept { return m_found; } ///< initial ones, before
    [[nodiscard]] std::uint64_t made() const noexcept { return m_made; }
    [[nodiscard]] std::uint64_t foreign() const noexcept { return m_foreign; } ///< left alone
    /// "3 entries in the calendar"; empty: nothing was left alone.
    [[nodiscard]] const std::string& left() const noexcept { return m_left; }

private:
    Task<bool> fill(bool contacts);
    Task<bool> clean(bool contacts);
    /// Names of what the collection holds; none where there is no collection.
    Task<bool> list(DavCollection& collection, bool contacts, std::vector<std::string>& names);
    void count(Quantity what);

    ActionShell& m_shell;
    const Appointment& m_action;
    DavRequests m_requests;
    DavEntries m_entries;
    std::uint64_t m_found = 0, m_made = 0, m_foreign = 0;
    std::string m_left;
};

} // namespace loadstone::mail
