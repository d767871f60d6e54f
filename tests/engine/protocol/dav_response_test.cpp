// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/dav_response.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

std::string refusal(const std::string& xml)
{
    const auto read = readMultistatus(xml);
    REQUIRE_FALSE(read);
    return read.error().message;
}

const std::string kBegin =
    "<?xml version='1.0' encoding='utf-8'?>\n<multistatus xmlns=\"DAV:\" "
    "xmlns:C=\"urn:ietf:params:xml:ns:caldav\" xmlns:R=\"urn:ietf:params:xml:ns:carddav\">";
const std::string kEnd = "</multistatus>";

} // namespace

TEST_CASE("a multistatus gives resources with their ETags and data, whatever the prefixes")
{
    const auto read =
        readMultistatus("<d:multistatus xmlns:d=\"DAV:\" xmlns:x=\"urn:ietf:params:xml:ns:caldav\">\n"
                        "<d:response><d:href> /u0/calendar/a%20b.ics\n</d:href><d:propstat><d:prop>"
                        "<d:getetag>\"1&amp;2\"</d:getetag><x:calendar-data>BEGIN:VCALENDAR&#13;\n"
                        "END:VCALENDAR&#13;\n</x:calendar-data></d:prop>"
                        "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
                        "<d:response><d:href>/u0/calendar/gone.ics</d:href>"
                        "<d:status>HTTP/1.1 404 Not Found</d:status></d:response></d:multistatus>");
    REQUIRE(read);
    REQUIRE(read->size() == 2);
    CHECK((*read)[0].href == "/u0/calendar/a%20b.ics");
    CHECK((*read)[0].name() == "a%20b.ics");
    CHECK((*read)[0].etag == "\"1&2\"");
    CHECK((*read)[0].data == "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n");
    CHECK((*read)[0].status == 0);
    CHECK((*read)[1].status == 404);
    CHECK((*read)[1].name() == "gone.ics");
}

TEST_CASE("properties that were not found count for nothing, whatever stands in them")
{
    const auto read = readMultistatus(kBegin
        + "<response><href>/a</href><propstat><prop><getetag>\"x\"</getetag></prop><status>HTTP/1.1 404 Not "
          "Found"
          "</status></propstat><propstat><prop><R:address-data>BEGIN:VCARD</R:address-data></prop>"
          "<status>HTTP/1.1 200 OK</status></propstat></response>"
        + kEnd);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    CHECK(read->front().etag.empty());
    CHECK(read->front().data == "BEGIN:VCARD");
}

TEST_CASE("a collection tells its type and its reports; an owner's href is not the resource's")
{
    const auto read = readMultistatus(kBegin
        + "<response><href>/u0/calendar/</href><propstat><prop><owner><href>/u0/</href></owner><resourcetype>"
          "<C:calendar/><collection/></resourcetype><supported-report-set><supported-report><report>"
          "<C:free-busy-query/></report></supported-report><supported-report><report><sync-collection/></"
          "report>"
          "</supported-report></supported-report-set></prop><status>HTTP/1.1 200 "
          "OK</status></propstat></response>"
        + kEnd);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    CHECK(read->front().href == "/u0/calendar/");
    CHECK(read->front().name().empty());
    CHECK(read->front().types == std::vector<std::string> { "calendar", "collection" });
    CHECK(read->front().reports == std::vector<std::string> { "free-busy-query", "sync-collection" });
}

TEST_CASE("an empty multistatus is an answer; anything that is none is refused with what it is")
{
    CHECK(readMultistatus(kBegin + kEnd)->empty());
    CHECK_THAT(refusal(""), Catch::StartsWith("line 1 of the answer: it is not well-formed XML"));
    CHECK_THAT(refusal(kBegin), Catch::StartsWith("line 2 of the answer: it is not well-formed XML"));
    CHECK_THAT(refusal("<html/>"), Catch::Contains("is not a multistatus, but html"));
    CHECK_THAT(refusal("<multistatus/>"), Catch::Contains("is not a multistatus"));
    CHECK_THAT(refusal(kBegin + "<a></b>" + kEnd), Catch::Contains("mismatched tag"));
    CHECK_THAT(refusal(kBegin + kEnd + "more"), Catch::Contains("not well-formed XML"));
}

TEST_CASE("entities, depths and sizes that serve an attack are refused")
{
    std::string laughs = "<!DOCTYPE m [<!ENTITY a \"ha\">";
    for (char c = 'b'; c < 'm'; ++c) {
        laughs += std::string("<!ENTITY ") + c + " \"";
        for (int i = 0; i < 10; ++i)
            laughs += std::string("&") + static_cast<char>(c - 1) + ";";
        laughs += "\">";
    }
    CHECK_THAT(refusal(laughs + "]>" + kBegin.substr(kBegin.find('\n') + 1)
                   + "<response><href>&l;</href></response>" + kEnd),
        Catch::Contains("document type declaration"));
    CHECK_THAT(refusal("<!DOCTYPE m SYSTEM \"file:///etc/passwd\"><m/>"),
        Catch::Contains("document type declaration"));
    std::string deep = kBegin;
    for (std::size_t i = 0; i < kMostDavDepth; ++i)
        deep += "<a>";
    CHECK_THAT(refusal(deep), Catch::Contains("elements nested more than 64 deep"));
    CHECK_THAT(refusal(kBegin + "<response><href>" + std::string(kMostDavText + 1, 'x') + "</href></response>"
                   + kEnd),
        Catch::Contains("larger than 1024 KB"));
    std::string many = kBegin;
    for (std::size_t i = 0; i <= kMostDavResources; ++i)
        many += "<response/>";
    CHECK_THAT(refusal(many + kEnd), Catch::Contains("more than 100000 resources"));
    CHECK_THAT(refusal(std::string(kMostDavBytes + 1, ' ')), Catch::Contains("larger than 32 MB"));
}
