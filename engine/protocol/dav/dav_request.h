// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// What is timed on its own over CalDAV and CardDAV. connect and tlsHandshake are the shell's.
enum class DavVerb : std::uint8_t {
    connect,
    tlsHandshake,
    propfind,
    makeCalendar,
    makeAddressBook,
    put,
    get,
    calendarQuery,
    calendarMultiget,
    freeBusyQuery,
    freeBusyByEvents, ///< calendar-query in the place of a free-busy-query that the server does not have
    addressBookQuery,
    addressBookMultiget,
    list,
    remove
};
inline constexpr std::size_t kDavVerbs = 15;
/// "DAV PUT", "CalDAV calendar-query" and so on.
const char* toString(DavVerb verb);

/// One HTTP request, without what depends on the connection (Host, Authorization, Content-Length).
struct DavRequest {
    DavVerb verb = DavVerb::get;
    std::string method, path; ///< the path is encoded for a URL
    std::vector<std::string> headers; ///< "Depth: 0"
    std::string body;
    std::vector<int> accepts; ///< HTTP status that is no failure
};

/// Asks what lies at the path of a collection, and which reports it has (RFC 3253, 3.1.5). 404 is an answer.
DavRequest lookAtCollection(const std::string& path);
/// Asks what a collection holds (RFC 4918, 9.1): ETag and type of each member. 404 is an answer.
DavRequest listCollection(const std::string& path);
/// MKCALENDAR for events and journal entries (RFC 4791, 5.3.1).
DavRequest makeCalendar(const std::string& path, std::string_view name);
/// Extended MKCOL (RFC 5689, RFC 6352, 6.3.1).
DavRequest makeAddressBook(const std::string& path, std::string_view name);

/// Puts an object; `etag` empty: only where nothing lies there yet (If-None-Match: *), otherwise only while it is the one of
/// this ETag (If-Match).
DavRequest putEvent(const std::string& path, std::string text, std::string_view etag = {});
DavRequest putContact(const std::string& path, std::string text, std::string_view etag = {});
DavRequest getObject(const std::string& path);
/// DELETE; that it is gone already is no failure.
DavRequest removeObject(const std::string& path);

/// ETags of the objects of a component ("VEVENT") that touch the time from `from` to `to` (RFC 4791, 7.8).
DavRequest queryCalendar(const std::string& path, std::string_view component, WallTime from, WallTime to);
/// The busy time within that (RFC 4791, 7.10), or what one has to ask for to compute it: the events' times.
DavRequest queryFreeBusy(const std::string& path, WallTime from, WallTime to, bool byEvents);
/// ETags of the contacts whose full name contains `name` in whatever capitals (RFC 6352, 8.6).
DavRequest queryContacts(const std::string& path, std::string_view name);
/// The objects at `hrefs`, as a query gave them (RFC 4791, 7.9; RFC 6352, 8.7).
DavRequest getEvents(const std::string& path, std::span<const std::string> hrefs);
DavRequest getContacts(const std::string& path, std::span<const std::string> hrefs);

/// & < > " escaped; bytes that XML 1.0 has no place for are left out.
std::string xmlEscaped(std::string_view text);

} // namespace loadstone::protocol
