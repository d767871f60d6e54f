// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/dav_request.h"

#include "protocol/dav/content_lines.h"

#include <array>

namespace loadstone::protocol {

namespace {

constexpr std::string_view kXml = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr std::string_view kCalendarSpace = "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"";
constexpr std::string_view kContactSpace = "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:carddav\"";

template <class... Parts>
std::string join(const Parts&... parts)
{
    std::string out;
    (out.append(parts), ...);
    return out;
}

DavRequest xmlRequest(DavVerb verb, const char* method, const std::string& path, const char* depth,
    std::string body, std::vector<int> accepts)
{
    DavRequest request { verb, method, path, { "Content-Type: application/xml; charset=utf-8" },
        std::move(body), std::move(accepts) };
    if (depth != nullptr)
        request.headers.push_back(join("Depth: ", depth));
    return request;
}

DavRequest put(const std::string& path, std::string text, std::string_view etag, std::string_view type)
{
    DavRequest request { DavVerb::put, "PUT", path, { join("Content-Type: ", type, "; charset=utf-8") },
        std::move(text), { 201, 204, 200 } };
    request.headers.push_back(etag.empty() ? "If-None-Match: *" : join("If-Match: ", etag));
    return request;
}

std::string timeRange(WallTime from, WallTime to)
{
    return join("<C:time-range start=\"", utcStamp(from), "\" end=\"", utcStamp(to), "\"/>");
}

DavRequest multiget(DavVerb verb, const std::string& path, std::span<const std::string> hrefs,
    std::string_view space, std::string_view report, std::string_view data)
{
    std::string body = join(kXml, "<C:", report, " ", space, "><D:prop><D:getetag/><C:", data, "/></D:prop>");
    for (const std::string& href : hrefs)
        body += join("<D:href>", xmlEscaped(href), "</D:href>");
    body += join("</C:", report, ">");
    return xmlRequest(verb, "REPORT", path, "1", std::move(body), { 207 });
}

} // namespace

const char* toString(DavVerb verb)
{
    constexpr std::array<const char*, kDavVerbs> kNames { "DAV connect", "DAV TLS handshake", "DAV PROPFIND",
        "CalDAV MKCALENDAR", "CardDAV MKCOL", "DAV PUT", "DAV GET", "CalDAV calendar-query",
        "CalDAV calendar-multiget", "CalDAV free-busy-query", "CalDAV calendar-query for free/busy",
        "CardDAV addressbook-query", "CardDAV addressbook-multiget", "DAV PROPFIND of members",
        "DAV DELETE" };
    return kNames[static_cast<std::size_t>(verb)];
}

std::string xmlEscaped(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&':
            out.append("&amp;");
            break;
        case '<':
            out.append("&lt;");
            break;
        case '>':
            out.append("&gt;");
            break;
        case '"':
            out.append("&quot;");
            break;
        default:
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' || c == '\r')
                out.push_back(c);
        }
    }
    return out;
}

DavRequest lookAtCollection(const std::string& path)
{
    return xmlRequest(DavVerb::propfind, "PROPFIND", path, "0",
        join(kXml,
            "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:resourcetype/><D:supported-report-set/></D:prop>"
            "</D:propfind>"),
        { 207, 404 });
}

DavRequest listCollection(const std::string& path)
{
    return xmlRequest(DavVerb::list, "PROPFIND", path, "1",
        join(
            kXml, "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:getetag/><D:resourcetype/></D:prop></D:propfind>"),
        { 207, 404 });
}

DavRequest makeCalendar(const std::string& path, std::string_view name)
{
    return xmlRequest(DavVerb::makeCalendar, "MKCALENDAR", path, nullptr,
        join(kXml, "<C:mkcalendar ", kCalendarSpace, "><D:set><D:prop><D:displayname>", xmlEscaped(name),
            "</D:displayname><C:supported-calendar-component-set><C:comp name=\"VEVENT\"/>"
            "<C:comp "
            "name=\"VJOURNAL\"/></C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>"),
        { 201 });
}

DavRequest makeAddressBook(const std::string& path, std::string_view name)
{
    return xmlRequest(DavVerb::makeAddressBook, "MKCOL", path, nullptr,
        join(kXml, "<D:mkcol ", kContactSpace,
            "><D:set><D:prop><D:resourcetype><D:collection/><C:addressbook/></D:resourcetype><D:displayname>",
            xmlEscaped(name), "</D:displayname></D:prop></D:set></D:mkcol>"),
        { 201 });
}

DavRequest putEvent(const std::string& path, std::string text, std::string_view etag)
{
    return put(path, std::move(text), etag, "text/calendar");
}

DavRequest putContact(const std::string& path, std::string text, std::string_view etag)
{
    return put(path, std::move(text), etag, "text/vcard");
}

DavRequest getObject(const std::string& path)
{
    return { DavVerb::get, "GET", path, {}, {}, { 200 } };
}

DavRequest removeObject(const std::string& path)
{
    return { DavVerb::remove, "DELETE", path, {}, {}, { 204, 200, 404 } };
}

DavRequest queryCalendar(const std::string& path, std::string_view component, WallTime from, WallTime to)
{
    return xmlRequest(DavVerb::calendarQuery, "REPORT", path, "1",
        join(kXml, "<C:calendar-query ", kCalendarSpace,
            "><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name=\"VCALENDAR\"><C:comp-filter "
            "name=\"",
            component, "\">", timeRange(from, to),
            "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"),
        { 207 });
}

DavRequest queryFreeBusy(const std::string& path, WallTime from, WallTime to, bool byEvents)
{
    if (!byEvents)
        return xmlRequest(DavVerb::freeBusyQuery, "REPORT", path, "1",
            join(kXml, "<C:free-busy-query ", kCalendarSpace, ">", timeRange(from, to),
                "</C:free-busy-query>"),
            { 200 });
    return xmlRequest(DavVerb::freeBusyByEvents, "REPORT", path, "1",
        join(kXml, "<C:calendar-query ", kCalendarSpace,
            "><D:prop><C:calendar-data><C:comp name=\"VCALENDAR\"><C:prop name=\"VERSION\"/>"
            "<C:comp name=\"VEVENT\"><C:prop name=\"UID\"/><C:prop name=\"DTSTART\"/><C:prop name=\"DTEND\"/>"
            "<C:prop name=\"DURATION\"/><C:prop name=\"TRANSP\"/><C:prop name=\"STATUS\"/></C:comp></C:comp>"
            "</C:calendar-data></D:prop><C:filter><C:comp-filter name=\"VCALENDAR\">"
            "<C:comp-filter name=\"VEVENT\">",
            timeRange(from, to), "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"),
        { 207 });
}

DavRequest queryContacts(const std::string& path, std::string_view name)
{
    return xmlRequest(DavVerb::addressBookQuery, "REPORT", path, "1",
        join(kXml, "<C:addressbook-query ", kContactSpace,
            "><D:prop><D:getetag/></D:prop><C:filter><C:prop-filter name=\"FN\"><C:text-match "
            "collation=\"i;unicode-casemap\" match-type=\"contains\">",
            xmlEscaped(name), "</C:text-match></C:prop-filter></C:filter></C:addressbook-query>"),
        { 207 });
}

DavRequest getEvents(const std::string& path, std::span<const std::string> hrefs)
{
    return multiget(
        DavVerb::calendarMultiget, path, hrefs, kCalendarSpace, "calendar-multiget", "calendar-data");
}

DavRequest getContacts(const std::string& path, std::span<const std::string> hrefs)
{
    return multiget(
        DavVerb::addressBookMultiget, path, hrefs, kContactSpace, "addressbook-multiget", "address-data");
}

} // namespace loadstone::protocol
