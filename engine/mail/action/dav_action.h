// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/dav_entries.h"

namespace loadstone::mail {

/// An action of a simulated user in the calendar or the address book, over CalDAV and CardDAV. What fails is reported to the
/// shell.
class DavAction {
public:
    explicit DavAction(ActionShell& shell);
    /// The action itself; of a logon: opens what the user's day needs.
    Task<void> act(DavSession& session);

private:
    Task<void> alterEvent(DavCollection& calendar);
    Task<void> putJournal(DavCollection& calendar);
    Task<void> checkFreeBusy(DavCollection& calendar);
    Task<void> browse(DavCollection& collection, bool contacts);

    const MailSetup& m_setup;
    const Appointment& m_action;
    std::uint32_t m_series;
    DavRequests m_requests;
    DavEntries m_entries;
};

} // namespace loadstone::mail
