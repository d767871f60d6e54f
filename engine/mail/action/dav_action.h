// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/dav_session.h"
#include "protocol/dav/dav_response.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// An action of a simulated user in the calendar or the address book, over CalDAV and CardDAV. Its outcome says how it ended.
class DavAction : public ActionShell {
public:
    /// `series`: number of the schedule that the action comes from, or kInitialSeries: what it puts is then that of initialWorld().
    DavAction(WorkerContext& context, Appointment& action, std::uint32_t series);

    /// The action itself; of a logon: opens what the user's day needs.
    Task<void> act(DavSession& session);

    // For whoever fills calendars and address books before a run. False: see outcome().
    Task<bool> openCalendar(DavCollection& calendar); ///< makes it where it is missing
    Task<bool> openContacts(DavCollection& contacts);
    Task<bool> putEvent(DavCollection& calendar, ObjectId id);
    Task<bool> putContact(DavCollection& contacts, ObjectId id);

protected:
    /// Sends a request over the collection's connection, which it makes where there is none, and waits for the answer. With
    /// `unmet` the status 412 is no failure of the action yet: it is given there.
    Task<bool> ask(DavCollection& collection, bool contacts, const protocol::DavRequest& request,
        protocol::Failure* unmet = nullptr);
    /// Of the answer to the request `verb`, a multistatus. False, and reported, where it cannot be read.
    bool readAnswer(
        DavCollection& collection, protocol::DavVerb verb, std::vector<protocol::DavResource>& to);
    [[nodiscard]] const DavService& serviceOf(bool contacts) const
    {
        return contacts ? m_setup.contacts : m_setup.calendars;
    }
    [[nodiscard]] std::string pathOf(const DavService& service) const;
    [[nodiscard]] CalendarWorld world() const;

private:
    Task<bool> openCollection(DavCollection& collection, bool contacts);
    /// Puts an object. It is there as well where the server refuses it because it is there: it was sent twice then, the first
    /// answer being lost with its connection, or a session of before has put it.
    Task<bool> put(DavCollection& collection, bool contacts, const protocol::DavRequest& request);
    Task<void> alterEvent(DavCollection& calendar);
    Task<void> putJournal(DavCollection& calendar);
    Task<void> checkFreeBusy(DavCollection& calendar);
    Task<void> browse(DavCollection& collection, bool contacts);

    Task<bool> dial(DavCollection& collection, const DavService& service);
    void complain(DavCollection& collection, protocol::DavVerb verb, std::string text);

    std::uint32_t m_series;
    bool m_repeated = false; // the last request: nothing had come of the first time
};

} // namespace loadstone::mail
