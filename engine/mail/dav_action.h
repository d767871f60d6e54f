// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action_shell.h"
#include "mail/dav_session.h"
#include "protocol/dav_response.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// An action of a simulated user in the calendar or the address book, over CalDAV and CardDAV. Its outcome says how it ended.
class DavAction final : public ActionShell {
public:
    /// `series`: number of the schedule that the action comes from.
    DavAction(WorkerContext& context, const Action& action, std::uint32_t series);

    /// The action itself; of a logon: opens what the user's day needs.
    Task<void> act(DavSession& session);

    // For whoever fills calendars and address books before a run. False: see outcome().
    Task<bool> openCalendar(DavCollection& calendar); ///< makes it where it is missing
    Task<bool> openContacts(DavCollection& contacts);
    Task<bool> putEvent(DavCollection& calendar, ObjectId id);
    Task<bool> putContact(DavCollection& contacts, ObjectId id);

private:
    Task<bool> openCollection(DavCollection& collection, bool contacts);
    Task<void> alterEvent(DavCollection& calendar);
    Task<void> putJournal(DavCollection& calendar);
    Task<void> checkFreeBusy(DavCollection& calendar);
    Task<void> browse(DavCollection& collection, bool contacts);

    /// Sends a request over the collection's connection, which it makes where there is none, and waits for the answer.
    Task<bool> ask(DavCollection& collection, bool contacts, const protocol::DavRequest& request);
    Task<bool> dial(DavCollection& collection, const DavService& service);
    /// Of the answer just got. False, and reported, where it cannot be read.
    /// Of the request `verb`, a multistatus.
    bool readAnswer(
        DavCollection& collection, protocol::DavVerb verb, std::vector<protocol::DavResource>& to);
    void complain(DavCollection& collection, protocol::DavVerb verb, std::string text);
    [[nodiscard]] std::string pathOf(const DavService& service) const;
    [[nodiscard]] CalendarWorld world() const;

    std::uint32_t m_series;
};

} // namespace loadstone::mail
