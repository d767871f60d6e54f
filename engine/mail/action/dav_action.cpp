// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/dav_action.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace loadstone::mail {

using plan::ActionKind;
using protocol::DavRequest;
using protocol::DavResource;
using protocol::DavVerb;

namespace {
constexpr std::size_t kFetchedAtOnce = 200; // objects of one multiget
}

DavAction::DavAction(ActionShell& shell)
    : m_setup(shell.setup())
    , m_action(shell.action())
    , m_series(shell.generation())
    , m_requests(shell)
    , m_entries(m_requests, m_series)
{
}

Task<void> DavAction::act(DavSession& session)
{
    const ActionKind kind = m_action.kind;
    if (kind == ActionKind::logon) {
        session.hangUp();
        if (m_setup.usesCalendars)
            co_await m_entries.open(session.calendar, false);
        if (m_setup.usesContacts)
            co_await m_entries.open(session.contacts, true);
        co_return;
    }
    const bool contacts = plan::isOf(kind, plan::ActionSet::contacts);
    DavCollection& collection = contacts ? session.contacts : session.calendar;
    const bool open = co_await m_entries.open(collection, contacts);
    if (!open)
        co_return;
    const ObjectId id { m_action.mailbox, kind, m_series, m_action.number() };
    switch (kind) {
    case ActionKind::updateSchedule:
        co_await alterEvent(collection);
        break;
    case ActionKind::checkFreeBusy:
        co_await checkFreeBusy(collection);
        break;
    case ActionKind::browseCalendar:
    case ActionKind::browseContacts:
        co_await browse(collection, contacts);
        break;
    case ActionKind::createContact:
        co_await m_entries.putContact(collection, id);
        break;
    case ActionKind::journal:
        co_await putJournal(collection);
        break;
    default: // makeAppointment, requestMeeting
        co_await m_entries.putEvent(collection, id);
        break;
    }
}

Task<void> DavAction::putJournal(DavCollection& calendar)
{
    const CalendarWorld about = m_entries.world();
    const protocol::JournalEntry entry =
        decideJournal(about, { m_action.mailbox, m_action.kind, m_series, m_action.number() });
    const DavRequest put = protocol::putEvent(
        m_requests.pathOf(m_setup.calendars) + entry.uid + ".ics", protocol::toICalendar(entry));
    co_await m_entries.put(calendar, false, put);
}

/// One of those that this client knows, to another hour; the first of all where there is none yet.
Task<void> DavAction::alterEvent(DavCollection& calendar)
{
    const CalendarWorld about = m_entries.world();
    if (calendar.known.empty()) {
        const ObjectId id { m_action.mailbox, m_action.kind, m_series, m_action.number() };
        co_await m_entries.putEvent(calendar, id);
        co_return;
    }
    const std::size_t place = decidePlace(about, m_action.mailbox, m_action.number(), calendar.known.size());
    const ObjectId id = calendar.known[place].id;
    const protocol::CalendarEvent event = decideEvent(about, id, calendar.known[place].changes + 1);
    const std::string path = m_requests.pathOf(m_setup.calendars) + event.uid + ".ics";
    std::string etag = calendar.known[place].etag;
    if (etag.empty()) { // RFC 4791, 5.3.4: what was put may have been changed by the server
        const DavRequest get = protocol::getObject(path);
        const bool got = co_await m_requests.ask(calendar, false, get);
        if (!got)
            co_return;
        etag = calendar.link->client.reply().etag;
        if (etag.empty()) {
            m_requests.complain(
                calendar, DavVerb::get, "the event has no ETag, which it must have (RFC 4791, 5.3.4)");
            co_return;
        }
    }
    const DavRequest put = protocol::putEvent(path, protocol::toICalendar(event), etag);
    const bool good = co_await m_entries.put(calendar, false, put);
    DavCollection::Known& known = calendar.known[place];
    known.etag.clear(); // after a failure, too: what lies there now is not known
    if (!good)
        co_return;
    known.etag = calendar.link->client.reply().etag;
    known.changes = event.sequence;
    known.start = event.start;
    known.end = event.end;
}

Task<void> DavAction::checkFreeBusy(DavCollection& calendar)
{
    const CalendarWorld about = m_entries.world();
    const TimeSpan span = decideSpan(about, m_action.mailbox, m_action.kind, m_action.number());
    const DavRequest query = protocol::queryFreeBusy(
        m_requests.pathOf(m_setup.calendars), span.from, span.to, !calendar.freeBusyQuery);
    const bool good = co_await m_requests.ask(calendar, false, query);
    if (!good)
        co_return;
    if (!calendar.freeBusyQuery) {
        std::vector<DavResource> events;
        m_requests.readAnswer(calendar, query.verb, events);
        co_return;
    }
    const std::string answer = std::move(calendar.link->client.reply().body);
    if (answer.find("BEGIN:VFREEBUSY") == std::string::npos)
        m_requests.complain(calendar, query.verb, "the answer is not a VFREEBUSY (RFC 4791, 7.10)");
}

/// Asks what there is and fetches it. What this client has put there must be among it.
Task<void> DavAction::browse(DavCollection& collection, bool contacts)
{
    const CalendarWorld about = m_entries.world();
    const std::string path = m_requests.pathOf(m_requests.serviceOf(contacts));
    const TimeSpan span = decideSpan(about, m_action.mailbox, m_action.kind, m_action.number());
    const std::string family = decideName(about, m_action.mailbox, m_action.number());
    const DavRequest query = contacts ? protocol::queryContacts(path, family)
                                      : protocol::queryCalendar(path, "VEVENT", span.from, span.to);
    bool good = co_await m_requests.ask(collection, contacts, query);
    std::vector<DavResource> found;
    good = good && m_requests.readAnswer(collection, query.verb, found);
    if (!good)
        co_return;
    std::erase_if(found,
        [](const DavResource& resource) { return resource.status / 100 > 2 || resource.name().empty(); });
    std::unordered_set<std::string_view> names;
    std::vector<std::string> hrefs;
    for (const DavResource& resource : found) {
        names.insert(resource.name());
        hrefs.push_back(resource.href);
    }
    for (const DavCollection::Known& known : collection.known) {
        const bool meant = contacts ? known.family == family : known.start < span.to && known.end > span.from;
        const std::string name = uidOf(about, known.id) + (contacts ? ".vcf" : ".ics");
        if (!meant || names.contains(name))
            continue;
        m_requests.complain(
            collection, query.verb, name + ", which this run made, is not among the results");
        co_return;
    }
    for (std::size_t i = 0; i < hrefs.size(); i += kFetchedAtOnce) {
        const auto some =
            std::span<const std::string>(hrefs).subspan(i, std::min(kFetchedAtOnce, hrefs.size() - i));
        const DavRequest get = contacts ? protocol::getContacts(path, some) : protocol::getEvents(path, some);
        good = co_await m_requests.ask(collection, contacts, get);
        std::vector<DavResource> fetched;
        good = good && m_requests.readAnswer(collection, get.verb, fetched);
        if (!good)
            co_return;
        const auto whole = std::count_if(fetched.begin(), fetched.end(), [&](const DavResource& resource) {
            return resource.data.find(contacts ? "BEGIN:VCARD" : "BEGIN:VCALENDAR") != std::string::npos;
        });
        if (static_cast<std::size_t>(whole) != some.size()) {
            m_requests.complain(collection, get.verb,
                fmt::format("{} of the {} objects that were found have no content",
                    some.size() - std::min(some.size(), static_cast<std::size_t>(whole)), some.size()));
            co_return;
        }
    }
}

} // namespace loadstone::mail
