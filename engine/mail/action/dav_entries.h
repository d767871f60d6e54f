// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/dav_requests.h"

#include <cstdint>

namespace loadstone::mail {

/// Calendars and address books, and what is put there. False: a failure, which is reported to the shell.
class DavEntries {
public:
    /// `series`: number of the schedule that the action comes from, or kInitialSeries: what is put is then that of
    /// initialWorld().
    DavEntries(DavRequests& requests, std::uint32_t series);

    /// Makes the collection where it is missing.
    Task<bool> open(DavCollection& collection, bool contacts);
    Task<bool> putEvent(DavCollection& calendar, ObjectId id);
    Task<bool> putContact(DavCollection& contacts, ObjectId id);
    /// Puts an object. It is there as well where the server refuses it because it is there: it was sent twice then, the first
    /// answer being lost with its connection, or a session of before has put it.
    Task<bool> put(DavCollection& collection, bool contacts, const protocol::DavRequest& request);
    [[nodiscard]] CalendarWorld world() const;

private:
    DavRequests& m_requests;
    ActionShell& m_shell;
    const MailSetup& m_setup;
    std::uint32_t m_series;
};

} // namespace loadstone::mail
