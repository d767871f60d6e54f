// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/dav_entries.h"

#include <algorithm>

namespace loadstone::mail {

using protocol::DavRequest;
using protocol::DavResource;
using protocol::DavVerb;

namespace {

bool has(const std::vector<std::string>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether an object is the one that was put, as far as a server leaves it alone.
bool isSame(std::string_view object, std::string_view put)
{
    const std::string lies = protocol::unfolded(object), meant = protocol::unfolded(put);
    for (const char* name : { "UID", "SEQUENCE", "DTSTART" })
        if (const auto value = protocol::contentValue(meant, name);
            value && protocol::contentValue(lies, name) != value)
            return false;
    return true;
}

} // namespace

DavEntries::DavEntries(DavRequests& requests, std::uint32_t series)
    : m_requests(requests)
    , m_shell(requests.shell())
    , m_setup(m_shell.setup())
    , m_series(series)
{
}

CalendarWorld DavEntries::world() const
{
    if (m_series == kInitialSeries)
        return initialWorld(m_setup.plan);
    return { m_setup.plan.target, m_setup.plan.seed, m_setup.runKey, m_shell.mailboxes(),
        m_setup.plan.workload.profile->addressing.recipients,
        std::chrono::floor<std::chrono::days>(m_setup.started) };
}

Task<bool> DavEntries::open(DavCollection& collection, bool contacts)
{
    if (collection.open)
        co_return true;
    const std::string path = m_requests.pathOf(m_requests.serviceOf(contacts));
    const DavRequest look = protocol::lookAtCollection(path);
    for (const bool made : { false, true }) {
        const bool looked = co_await m_requests.ask(collection, contacts, look);
        if (!looked)
            co_return false;
        if (collection.link->client.reply().status == 404) {
            if (made) {
                m_requests.complain(
                    collection, DavVerb::propfind, "the resource made at " + path + " is missing");
                co_return false;
            }
            const std::string name = contacts ? "Contacts" : "Calendar";
            const DavRequest make =
                contacts ? protocol::makeAddressBook(path, name) : protocol::makeCalendar(path, name);
            const bool good = co_await m_requests.ask(collection, contacts, make);
            if (!good)
                co_return false;
            continue;
        }
        std::vector<DavResource> resources;
        if (!m_requests.readAnswer(collection, DavVerb::propfind, resources))
            co_return false;
        const char* const type = contacts ? "addressbook" : "calendar";
        if (resources.empty() || !has(resources.front().types, type)) {
            m_requests.complain(collection, DavVerb::propfind,
                "the resource at " + path + " is not of type " + type + "; name another path in the plan");
            co_return false;
        }
        collection.freeBusyQuery = has(resources.front().reports, "free-busy-query");
        collection.open = true;
        break;
    }
    co_return collection.open;
}

Task<bool> DavEntries::putEvent(DavCollection& calendar, ObjectId id)
{
    const CalendarWorld about = world();
    const protocol::CalendarEvent event = decideEvent(about, id);
    const DavRequest put = protocol::putEvent(
        m_requests.pathOf(m_setup.calendars) + event.uid + ".ics", protocol::toICalendar(event));
    const bool good = co_await this->put(calendar, false, put);
    if (good)
        calendar.known.push_back(
            { id, calendar.link->client.reply().etag, 0, event.start, event.end, std::string() });
    co_return good;
}

Task<bool> DavEntries::putContact(DavCollection& contacts, ObjectId id)
{
    const CalendarWorld about = world();
    const protocol::Contact contact = decideContact(about, id);
    const DavRequest put = protocol::putContact(
        m_requests.pathOf(m_setup.contacts) + contact.uid + ".vcf", protocol::toVCard(contact));
    const bool good = co_await this->put(contacts, true, put);
    if (good)
        contacts.known.push_back(
            { id, contacts.link->client.reply().etag, 0, WallTime(), WallTime(), contact.family });
    co_return good;
}

Task<bool> DavEntries::put(DavCollection& collection, bool contacts, const DavRequest& request)
{
    protocol::Failure unmet;
    const bool good = co_await m_requests.ask(collection, contacts, request, &unmet);
    if (good || !unmet)
        co_return good;
    if (m_requests.repeated() || m_series == kInitialSeries) {
        DavRequest look = protocol::getObject(request.path);
        look.accepts.push_back(404);
        const bool looked = co_await m_requests.ask(collection, contacts, look);
        if (!looked)
            co_return false;
        const std::string object = std::move(collection.link->client.reply().body);
        if (isSame(object, request.body)) // of nothing it is not
            co_return true;
    }
    m_shell.report(unmet, toString(request.verb), &collection.link->client.transcript());
    co_return false;
}

} // namespace loadstone::mail
