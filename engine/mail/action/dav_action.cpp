// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/dav_action.h"

#include "mail/action/converse.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace loadstone::mail {

using plan::ActionKind;
using protocol::DavRequest;
using protocol::DavResource;
using protocol::DavVerb;
using protocol::FailureKind;

namespace {

constexpr ConnectNames kNames = connectNames<DavVerb>("DAV connect", "DAV TLS handshake");
constexpr std::size_t kFetchedAtOnce = 200; // objects of one multiget

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

DavAction::DavAction(WorkerContext& context, Appointment& action, std::uint32_t series)
    : ActionShell(context, action)
    , m_series(series)
{
}

CalendarWorld DavAction::world() const
{
    if (m_series == kInitialSeries)
        return initialWorld(m_setup.plan);
    return { m_setup.plan.target, m_setup.plan.seed, m_setup.runKey, m_mailboxes,
        m_setup.plan.workload.profile->addressing.recipients,
        std::chrono::floor<std::chrono::days>(m_setup.started) };
}

std::string DavAction::pathOf(const DavService& service) const
{
    return plan::collectionPath(m_setup.plan.target, *service.endpoint, m_action.mailbox);
}

Task<void> DavAction::act(DavSession& session)
{
    const ActionKind kind = m_action.kind;
    if (kind == ActionKind::logon) {
        session.hangUp();
        if (m_setup.usesCalendars)
            co_await openCalendar(session.calendar);
        if (m_setup.usesContacts)
            co_await openContacts(session.contacts);
        co_return;
    }
    const bool contacts = plan::isOf(kind, plan::ActionSet::contacts);
    DavCollection& collection = contacts ? session.contacts : session.calendar;
    const bool open = co_await openCollection(collection, contacts);
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
        co_await putContact(collection, id);
        break;
    case ActionKind::journal:
        co_await putJournal(collection);
        break;
    default: // makeAppointment, requestMeeting
        co_await putEvent(collection, id);
        break;
    }
}

Task<bool> DavAction::openCalendar(DavCollection& calendar)
{
    const bool open = co_await openCollection(calendar, false);
    co_return open;
}

Task<bool> DavAction::openContacts(DavCollection& contacts)
{
    const bool open = co_await openCollection(contacts, true);
    co_return open;
}

Task<bool> DavAction::openCollection(DavCollection& collection, bool contacts)
{
    if (collection.open)
        co_return true;
    const std::string path = pathOf(serviceOf(contacts));
    const DavRequest look = protocol::lookAtCollection(path);
    for (const bool made : { false, true }) {
        const bool looked = co_await ask(collection, contacts, look);
        if (!looked)
            co_return false;
        if (collection.link->client.reply().status == 404) {
            if (made) {
                complain(collection, DavVerb::propfind, "what was made at " + path + " is not there");
                co_return false;
            }
            const std::string name = contacts ? "Contacts" : "Calendar";
            const DavRequest make =
                contacts ? protocol::makeAddressBook(path, name) : protocol::makeCalendar(path, name);
            const bool good = co_await ask(collection, contacts, make);
            if (!good)
                co_return false;
            continue;
        }
        std::vector<DavResource> resources;
        if (!readAnswer(collection, DavVerb::propfind, resources))
            co_return false;
        const char* const type = contacts ? "addressbook" : "calendar";
        if (resources.empty() || !has(resources.front().types, type)) {
            complain(collection, DavVerb::propfind,
                "at " + path + " lies something that is no " + type + "; name another path in the plan");
            co_return false;
        }
        collection.freeBusyQuery = has(resources.front().reports, "free-busy-query");
        collection.open = true;
        break;
    }
    co_return collection.open;
}

Task<bool> DavAction::putEvent(DavCollection& calendar, ObjectId id)
{
    const CalendarWorld about = world();
    const protocol::CalendarEvent event = decideEvent(about, id);
    const DavRequest put =
        protocol::putEvent(pathOf(m_setup.calendars) + event.uid + ".ics", protocol::toICalendar(event));
    const bool good = co_await this->put(calendar, false, put);
    if (good)
        calendar.known.push_back(
            { id, calendar.link->client.reply().etag, 0, event.start, event.end, std::string() });
    co_return good;
}

Task<bool> DavAction::putContact(DavCollection& contacts, ObjectId id)
{
    const CalendarWorld about = world();
    const protocol::Contact contact = decideContact(about, id);
    const DavRequest put =
        protocol::putContact(pathOf(m_setup.contacts) + contact.uid + ".vcf", protocol::toVCard(contact));
    const bool good = co_await this->put(contacts, true, put);
    if (good)
        contacts.known.push_back(
            { id, contacts.link->client.reply().etag, 0, WallTime(), WallTime(), contact.family });
    co_return good;
}

Task<void> DavAction::putJournal(DavCollection& calendar)
{
    const CalendarWorld about = world();
    const protocol::JournalEntry entry =
        decideJournal(about, { m_action.mailbox, m_action.kind, m_series, m_action.number() });
    const DavRequest put =
        protocol::putEvent(pathOf(m_setup.calendars) + entry.uid + ".ics", protocol::toICalendar(entry));
    co_await this->put(calendar, false, put);
}

/// One of those that this client knows, to another hour; the first of all where there is none yet.
Task<void> DavAction::alterEvent(DavCollection& calendar)
{
    const CalendarWorld about = world();
    if (calendar.known.empty()) {
        const ObjectId id { m_action.mailbox, m_action.kind, m_series, m_action.number() };
        co_await putEvent(calendar, id);
        co_return;
    }
    const std::size_t place = decidePlace(about, m_action.mailbox, m_action.number(), calendar.known.size());
    const ObjectId id = calendar.known[place].id;
    const protocol::CalendarEvent event = decideEvent(about, id, calendar.known[place].changes + 1);
    const std::string path = pathOf(m_setup.calendars) + event.uid + ".ics";
    std::string etag = calendar.known[place].etag;
    if (etag.empty()) { // RFC 4791, 5.3.4: what was put may have been changed by the server
        const DavRequest get = protocol::getObject(path);
        const bool got = co_await ask(calendar, false, get);
        if (!got)
            co_return;
        etag = calendar.link->client.reply().etag;
        if (etag.empty()) {
            complain(calendar, DavVerb::get, "the event has no ETag, which it must have (RFC 4791, 5.3.4)");
            co_return;
        }
    }
    const DavRequest put = protocol::putEvent(path, protocol::toICalendar(event), etag);
    const bool good = co_await this->put(calendar, false, put);
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
    const CalendarWorld about = world();
    const TimeSpan span = decideSpan(about, m_action.mailbox, m_action.kind, m_action.number());
    const DavRequest query =
        protocol::queryFreeBusy(pathOf(m_setup.calendars), span.from, span.to, !calendar.freeBusyQuery);
    const bool good = co_await ask(calendar, false, query);
    if (!good)
        co_return;
    if (!calendar.freeBusyQuery) {
        std::vector<DavResource> events;
        readAnswer(calendar, query.verb, events);
        co_return;
    }
    const std::string answer = std::move(calendar.link->client.reply().body);
    if (answer.find("BEGIN:VFREEBUSY") == std::string::npos)
        complain(calendar, query.verb, "the answer is no VFREEBUSY (RFC 4791, 7.10)");
}

/// Asks what there is and fetches it. What this client has put there must be among it.
Task<void> DavAction::browse(DavCollection& collection, bool contacts)
{
    const CalendarWorld about = world();
    const std::string path = pathOf(serviceOf(contacts));
    const TimeSpan span = decideSpan(about, m_action.mailbox, m_action.kind, m_action.number());
    const std::string family = decideName(about, m_action.mailbox, m_action.number());
    const DavRequest query = contacts ? protocol::queryContacts(path, family)
                                      : protocol::queryCalendar(path, "VEVENT", span.from, span.to);
    bool good = co_await ask(collection, contacts, query);
    std::vector<DavResource> found;
    good = good && readAnswer(collection, query.verb, found);
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
        complain(collection, query.verb, name + ", which was put there, is not among what was found");
        co_return;
    }
    for (std::size_t i = 0; i < hrefs.size(); i += kFetchedAtOnce) {
        const auto some =
            std::span<const std::string>(hrefs).subspan(i, std::min(kFetchedAtOnce, hrefs.size() - i));
        const DavRequest get = contacts ? protocol::getContacts(path, some) : protocol::getEvents(path, some);
        good = co_await ask(collection, contacts, get);
        std::vector<DavResource> fetched;
        good = good && readAnswer(collection, get.verb, fetched);
        if (!good)
            co_return;
        const auto whole = std::count_if(fetched.begin(), fetched.end(), [&](const DavResource& resource) {
            return resource.data.find(contacts ? "BEGIN:VCARD" : "BEGIN:VCALENDAR") != std::string::npos;
        });
        if (static_cast<std::size_t>(whole) != some.size()) {
            complain(collection, get.verb,
                fmt::format("{} of {} objects that were found came without their content",
                    some.size() - std::min(some.size(), static_cast<std::size_t>(whole)), some.size()));
            co_return;
        }
    }
}

Task<bool> DavAction::dial(DavCollection& collection, const DavService& service)
{
    const std::string user = loginAt(*service.endpoint);
    collection.link = std::make_unique<DavCollection::Link>(
        service, m_context.io.get_executor(), m_context.connections, user, m_setup.password);
    TlsSettings tls;
    tls.context = service.tls.get();
    tls.serverName = service.endpoint->nameInTls();
    Connection& connection = collection.link->connection;
    const bool connected = co_await connect(connection, *service.endpoint, service.address, tls, kNames);
    if (!connected)
        collection.link.reset();
    else if (!m_setup.commandTrace.empty())
        collection.link->port = connection.localPort();
    co_return connected;
}

Task<bool> DavAction::put(DavCollection& collection, bool contacts, const DavRequest& request)
{
    protocol::Failure unmet;
    const bool good = co_await ask(collection, contacts, request, &unmet);
    if (good || !unmet)
        co_return good;
    if (m_repeated || m_series == kInitialSeries) {
        DavRequest look = protocol::getObject(request.path);
        look.accepts.push_back(404);
        const bool looked = co_await ask(collection, contacts, look);
        if (!looked)
            co_return false;
        const std::string object = std::move(collection.link->client.reply().body);
        if (isSame(object, request.body)) // of nothing it is not
            co_return true;
    }
    report(unmet, toString(request.verb), &collection.link->client.transcript());
    co_return false;
}

Task<bool> DavAction::ask(
    DavCollection& collection, bool contacts, const DavRequest& request, protocol::Failure* unmet)
{
    const DavService& service = serviceOf(contacts);
    m_repeated = false;
    for (;;) {
        // Servers end connections as they like, after each answer or when they were idle; that is no failure of theirs. What
        // one says unasked would be taken for the answer to what is asked next.
        if (collection.link && (collection.link->client.closed() || collection.link->connection.stale()))
            collection.link.reset();
        const bool kept = collection.link != nullptr;
        if (!kept) {
            const bool connected = co_await dial(collection, service);
            if (!connected)
                co_return false;
        }
        DavCollection::Link& link = *collection.link;
        link.client.transcript().clear();
        link.client.send(request);
        TlsSettings tls;
        tls.context = service.tls.get();
        co_await converse(link.connection, link.client, tls, link.commands, link.port);
        const protocol::Failure why = link.client.failure();
        if (!why)
            co_return true;
        // RFC 9112, 9.3.1: the end of an idle connection may cross the request on its way.
        if (kept && why.kind == FailureKind::connectionLost && link.client.unanswered()) {
            collection.link.reset();
            m_repeated = true;
            continue;
        }
        constexpr int kUnmet = 412; // RFC 9110, 15.5.13
        if (unmet != nullptr && why.code == kUnmet)
            *unmet = why;
        else
            report(why, toString(request.verb), &link.client.transcript());
        link.client.forgetFailure();
        co_return false;
    }
}

bool DavAction::readAnswer(DavCollection& collection, DavVerb verb, std::vector<DavResource>& to)
{
    const std::string answer =
        std::move(collection.link->client.reply().body); // nothing of it stays while the user is idle
    auto read = protocol::readMultistatus(answer);
    if (read) {
        to = std::move(*read);
        return true;
    }
    complain(collection, verb, read.error().message);
    return false;
}

void DavAction::complain(DavCollection& collection, DavVerb verb, std::string text)
{
    protocol::Failure failure;
    failure.kind = FailureKind::protocol;
    failure.verb = static_cast<std::uint8_t>(verb);
    failure.text = std::move(text);
    report(failure, toString(verb), &collection.link->client.transcript());
}

} // namespace loadstone::mail
