// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/dav_action.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// The part of filling or cleaning a mailbox that lies in its calendar and its address book, where the plan names servers for
/// them. Comes to the same however often it is done and wherever it was cut off: names tell what is there.
class CollectionErrand final : public DavAction {
public:
    CollectionErrand(WorkerContext& context, Appointment& action)
        : DavAction(context, action, kInitialSeries)
    {
    }

    /// Does what the action says. False: see outcome().
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

    std::uint64_t m_found = 0, m_made = 0, m_foreign = 0;
    std::string m_left;
};

} // namespace loadstone::mail
