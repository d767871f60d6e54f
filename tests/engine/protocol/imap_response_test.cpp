// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_response.h"
#include "support/catch.h"

#include <string>
#include <vector>

using namespace loadstone::protocol;
using namespace std::string_view_literals;

namespace {

struct Heard {
    std::vector<ImapText> responses;
    std::vector<std::string> bodies;
    bool malformed = false;
};

/// What a reader makes of `stream` when it comes in pieces of `size` bytes.
Heard hear(std::string_view stream, std::size_t size)
{
    Heard heard;
    ImapReader reader;
    bool within = false;
    while (!stream.empty() && !heard.malformed) {
        std::string_view piece = stream.substr(0, size);
        stream.remove_prefix(piece.size());
        for (bool more = true; more;)
            switch (reader.feed(piece)) {
            case ImapReader::Status::needMore:
                CHECK(piece.empty());
                more = false;
                break;
            case ImapReader::Status::response:
                heard.responses.push_back(reader.response());
                break;
            case ImapReader::Status::body:
                CHECK(reader.bodyBegins() == !within);
                if (reader.bodyBegins())
                    heard.bodies.emplace_back();
                heard.bodies.back() += reader.piece();
                within = !reader.bodyEnds();
                break;
            case ImapReader::Status::malformed:
                heard.malformed = true;
                more = false;
            }
    }
    return heard;
}

Heard hear(std::string_view stream)
{
    const Heard whole = hear(stream, stream.size());
    for (const std::size_t size : { 1, 2, 3, 7 }) {
        const Heard cut = hear(stream, size);
        CHECK(cut.malformed == whole.malformed);
        CHECK(cut.bodies == whole.bodies);
        REQUIRE(cut.responses.size() == whole.responses.size());
        for (std::size_t i = 0; i < cut.responses.size(); ++i) {
            CHECK(cut.responses[i].text == whole.responses[i].text);
            CHECK(cut.responses[i].streamed == whole.responses[i].streamed);
        }
    }
    return whole;
}

ImapFetch fetchOf(const ImapText& text)
{
    const auto response = parseImapResponse(text.text);
    REQUIRE(response);
    REQUIRE(response->name == "FETCH");
    auto fetch = parseImapFetch(text, *response);
    REQUIRE(fetch);
    return *fetch;
}

bool isFetch(const std::string& text)
{
    const ImapText whole { text, {} };
    const auto response = parseImapResponse(whole.text);
    return response && parseImapFetch(whole, *response);
}

} // namespace

TEST_CASE("IMAP responses are cut at their ends, wherever the network cuts them")
{
    const Heard heard = hear("* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n"
                             "+ go on\n"
                             "* 3 EXISTS\r\n"
                             "a1 NO [TRYCREATE] no such mailbox {3}\r\n"
                             "* LIST (\\HasNoChildren) \"/\" {5}\r\na\"b c\r\n");
    REQUIRE(heard.responses.size() == 5);
    CHECK_FALSE(heard.malformed);
    CHECK(heard.responses[1].text == "+ go on");
    CHECK(heard.responses[3].text
        == "a1 NO [TRYCREATE] no such mailbox {3}"); // words for people bring no literal

    const auto greeting = parseImapResponse(heard.responses[0].text);
    REQUIRE(greeting);
    CHECK(greeting->kind == ImapResponse::Kind::condition);
    CHECK(greeting->tag.empty());
    CHECK(greeting->code == "CAPABILITY");
    CHECK(greeting->codeArguments == "IMAP4rev1 IDLE");
    CHECK(greeting->text == "ready");

    const auto refused = parseImapResponse(heard.responses[3].text);
    REQUIRE(refused);
    CHECK(refused->tag == "a1");
    CHECK(refused->condition == ImapCondition::no);
    CHECK(refused->code == "TRYCREATE");

    const auto exists = parseImapResponse(heard.responses[2].text);
    REQUIRE(exists);
    CHECK(exists->numbered);
    CHECK(exists->number == 3);
    CHECK(exists->name == "EXISTS");

    const auto list = parseImapResponse(heard.responses[4].text);
    REQUIRE(list);
    const auto mailbox = parseImapList(heard.responses[4], *list);
    REQUIRE(mailbox);
    CHECK(mailbox->attributes == std::vector<std::string_view> { "\\HasNoChildren" });
    CHECK(mailbox->delimiter == "/");
    CHECK(mailbox->name == "a\"b c");
}

TEST_CASE("bodies that FETCH brings are handed out as they come, other literals stay in the response")
{
    const Heard heard = hear(
        "* 12 FETCH (UID 70 ENVELOPE (NIL {2}\r\nhi NIL) BODY[HEADER.FIELDS (DATE \"FROM\")] {6}\r\nA: b\r\n"
        " FLAGS (\\Seen $Junk) BODY[TEXT]<0> {0}\r\n RFC822.SIZE 4000)\r\n"
        "a2 OK done\r\n");
    REQUIRE(heard.responses.size() == 2);
    CHECK(heard.bodies == std::vector<std::string> { "A: b\r\n", "" });
    const ImapFetch fetch = fetchOf(heard.responses[0]);
    CHECK(fetch.number == 12);
    CHECK(fetch.uid == 70U);
    CHECK(fetch.size == 4000U);
    CHECK(fetch.flags == kImapSeen);
    CHECK(fetch.keywords == std::vector<std::string_view> { "$Junk" });
    CHECK(fetch.envelope == "(NIL {2}\r\nhi NIL)");
    REQUIRE(fetch.bodies.size() == 2);
    CHECK(fetch.bodies[0].section == "BODY[HEADER.FIELDS (DATE \"FROM\")]");
    CHECK(fetch.bodies[0].content.streamed);
    CHECK(fetch.bodies[0].content.size == 6);
    CHECK(fetch.bodies[1].section == "BODY[TEXT]<0>");
    CHECK(fetch.bodies[1].content.size == 0);
}

TEST_CASE("a FETCH response may bring short bodies in quotes, binary ones, and extensions")
{
    const Heard heard =
        hear("* 1 FETCH (BODY[1] \"a \\\"b\\\\\" BODY[2] NIL MODSEQ (12345678901) X-THING (1 (2 \"3\")) "
             "BINARY[3] ~{3}\r\n\0\1\2 INTERNALDATE \"17-Jul-1996 02:44:25 -0700\")\r\n"
             "* 2 fetch (uid 9 flags ())\r\n"sv);
    REQUIRE(heard.responses.size() == 2);
    const ImapFetch fetch = fetchOf(heard.responses[0]);
    REQUIRE(fetch.bodies.size() == 3);
    CHECK(fetch.bodies[0].content.text == "a \"b\\");
    CHECK(fetch.bodies[1].content.nil);
    CHECK(fetch.bodies[2].content.streamed);
    CHECK(heard.bodies == std::vector<std::string> { std::string("\0\1\2", 3) });
    CHECK(fetch.modSequence == 12345678901U);
    CHECK(fetch.internalDate == "\"17-Jul-1996 02:44:25 -0700\"");
    CHECK_FALSE(fetch.flags);
    const auto second = parseImapResponse(heard.responses[1].text);
    REQUIRE(second);
    const auto lower = parseImapFetch(heard.responses[1], *second);
    REQUIRE(lower);
    CHECK(lower->uid == 9U);
    CHECK(lower->flags == std::uint8_t { 0 });
}

TEST_CASE("what is no IMAP response is told, with bounded memory")
{
    CHECK(hear("\r\n").malformed);
    CHECK(hear("* LIST () \"/\" {99999999999}\r\n").malformed);
    CHECK(hear("* 1 FETCH (BODY[] {18446744073709551615}\r\n").malformed);
    CHECK(hear(std::string(ImapReader::kMaxText + 1, 'x'), 4096).malformed);
    CHECK(hear("* SEARCH {1048577}\r\n" + std::string(ImapReader::kMaxText + 1, 'x'), 65536).malformed);
    for (const char* text : { "*", "* ", "a1", "a1 EXISTS", "a1 BYE", "* 3" })
        CHECK_FALSE(parseImapResponse(text));
    CHECK_FALSE(isFetch("* 1 FETCH"));
    CHECK_FALSE(isFetch("* 1 FETCH (UID 0)"));
    CHECK_FALSE(isFetch("* 1 FETCH (UID 4294967296)"));
    CHECK_FALSE(isFetch("* 1 FETCH (FLAGS (\\Seen)"));
    CHECK_FALSE(isFetch("* 1 FETCH (BODY[HEADER \"x\")"));
    CHECK_FALSE(isFetch("* 1 FETCH (BODY[] {5}\r\nabc)"));
    CHECK_FALSE(isFetch("* 1 FETCH (X " + std::string(10000, '(') + std::string(10000, ')') + ")"));
}

TEST_CASE("sets of message numbers")
{
    CHECK(parseImapNumbers("2 7 9", 10) == std::vector<std::uint32_t> { 2, 7, 9 });
    CHECK(parseImapNumbers("2,5:7,11:10", 10) == std::vector<std::uint32_t> { 2, 5, 6, 7, 10, 11 });
    CHECK(parseImapNumbers("4294967294:4294967295", 10)->size() == 2);
    CHECK(parseImapNumbers("", 10)->empty());
    CHECK_FALSE(parseImapNumbers("1:4294967295", 1000));
    CHECK_FALSE(parseImapNumbers("1:10", 9));
    CHECK(parseImapNumbers("1:9", 9)->size() == 9);
    for (const char* text : { "0", "1:0", "x", "1:", "1:*", "-1" })
        CHECK_FALSE(parseImapNumbers(text, 10));
}
