// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/dav_client.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::protocol;
using namespace std::chrono_literals;

namespace {

const std::string kEvent = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n";

/// What the client writes; its time is `when`.
std::string written(DavClient& client, MonoTime when)
{
    std::string all;
    for (const std::string_view piece : client.output())
        all += piece;
    client.written(when);
    return all;
}

/// Sends the request and feeds the answer in pieces of `size` bytes.
void exchange(DavClient& client, const DavRequest& request, std::string_view answer, std::size_t size)
{
    client.send(request);
    CHECK(client.waiting());
    written(client, MonoTime(1s));
    for (MonoTime now(2s); !answer.empty() && client.waiting(); now += 1ms) {
        client.received(answer.substr(0, size), now);
        answer.remove_prefix(std::min(size, answer.size()));
    }
}

} // namespace

TEST_CASE("a request says where, who and what; a put only where nothing lies, a change only of what is known")
{
    DavClient client("10.0.0.5:5232", "u1", "a secret");
    client.send(putEvent("/u1/calendar/a.ics", kEvent));
    const std::string put = written(client, MonoTime(1s));
    CHECK(put
        == "PUT /u1/calendar/a.ics HTTP/1.1\r\nHost: 10.0.0.5:5232\r\nUser-Agent: Loadstone\r\n"
           "Content-Type: text/calendar; charset=utf-8\r\nIf-None-Match: *\r\nContent-Length: 32\r\n"
           "Authorization: Basic dTE6YSBzZWNyZXQ=\r\n\r\n"
            + kEvent);
    client.received("HTTP/1.1 201 Created\r\nETag: \"7\"\r\nContent-Length: 0\r\n\r\n", MonoTime(2s));
    CHECK(client.ready());
    CHECK(client.reply().status == 201);
    CHECK(client.reply().etag == "\"7\"");
    REQUIRE(client.timings().size() == 1);
    CHECK(client.timings()[0].verb == DavVerb::put);
    CHECK(client.timings()[0].code == 201);
    CHECK(client.timings()[0].done - client.timings()[0].sent == 1s);

    client.send(putEvent("/u1/calendar/a.ics", kEvent, "\"7\""));
    CHECK_THAT(written(client, MonoTime(3s)), Catch::Contains("\r\nIf-Match: \"7\"\r\n"));
    client.received("HTTP/1.1 412 Precondition Failed\r\nContent-Length: 7\r\n\r\nchanged", MonoTime(4s));
    CHECK(client.failure().kind == FailureKind::transientReply);
    CHECK(client.failure().code == 412);
    CHECK(client.failure().text == "412 Precondition Failed");
    const std::string transcript = client.transcript().text();
    CHECK_THAT(transcript, Catch::Contains("C: PUT /u1/calendar/a.ics HTTP/1.1"));
    CHECK_THAT(transcript, Catch::Contains("Authorization: ***"));
    CHECK_THAT(transcript, Catch::Contains("S: changed"));
    CHECK(transcript.find("dTE6") == std::string::npos);
    CHECK(transcript.find("secret") == std::string::npos);
    CHECK(client.ready()); // the connection is as good as before
}

TEST_CASE("answers of every kind of length come whole, in whatever pieces")
{
    const std::string body = "<multistatus xmlns=\"DAV:\"/>";
    const std::string counted = "HTTP/1.1 207 Multi-Status\r\nContent-Length: 27\r\n\r\n" + body;
    const std::string chunked =
        "HTTP/1.1 207 Multi-Status\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<mult\r\n16\r\n"
        "istatus xmlns=\"DAV:\"/>\r\n0\r\n\r\n";
    const std::string interim =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + counted;
    for (const std::string& answer : { counted, chunked, interim })
        for (const std::size_t size : { 1, 2, 3, 7, 50, 1000 }) {
            CAPTURE(answer, size);
            DavClient client("h", "u", "p");
            exchange(client, queryContacts("/u/contacts/", "Baker"), answer, size);
            CHECK(client.reply().body == body);
            CHECK_FALSE(client.failure());
            CHECK(client.ready());
            CHECK(client.answered() == 1);
        }
}

TEST_CASE("an answer that ends with its connection is whole, and the connection is done with")
{
    DavClient client("h", "u", "p");
    exchange(client, getObject("/a"), "HTTP/1.0 200 OK\r\nETag: \"1\"\r\n\r\nsome", 9);
    CHECK(client.waiting());
    client.fail(FailureKind::connectionLost, 0, "the server closed the connection");
    CHECK_FALSE(client.failure());
    CHECK(client.closed());
    CHECK(client.reply().body == "some");

    DavClient said("h", "u", "p");
    exchange(
        said, getObject("/a"), "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx", 200);
    CHECK(said.closed());
    CHECK_FALSE(said.failure());
}

TEST_CASE("a connection that is lost before the end of an answer has failed")
{
    for (const char* begun :
        { "", "HTTP/1.1 200 OK\r\nConte", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc" }) {
        CAPTURE(begun);
        DavClient client("h", "u", "p");
        exchange(client, getObject("/a"), begun, 100);
        CHECK(client.unanswered() == (*begun == '\0'));
        client.fail(FailureKind::connectionLost, 0, "the server closed the connection");
        CHECK(client.failure().kind == FailureKind::connectionLost);
        CHECK(client.closed());
        CHECK_FALSE(client.waiting());
    }
}

TEST_CASE("what is not HTTP, or without an end, is a failure that says so")
{
    const auto kindOf = [](const std::string& answer) {
        DavClient client("h", "u", "p");
        exchange(client, getObject("/a"), answer, 4096);
        CHECK(client.closed());
        CHECK_THAT(client.failure().text, !Catch::Contains("secret"));
        return client.failure().kind;
    };
    CHECK(kindOf("* OK IMAP ready\r\n\r\n") == FailureKind::protocol);
    CHECK(kindOf("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x')) == FailureKind::protocol);
    CHECK(kindOf("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n") == FailureKind::protocol);
    std::string promises;
    for (int i = 0; i < 20; ++i)
        promises += "HTTP/1.1 100 Continue\r\n\r\n";
    CHECK(kindOf(promises) == FailureKind::protocol);
}

TEST_CASE("an answer to a request that was not sent yet is none")
{
    DavClient client("dav.invalid", "u", "p");
    client.send(putEvent("/u/a.ics", std::string(1000, 'x')));
    client.received("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", {});
    CHECK(client.closed());
    CHECK(client.failure().kind == FailureKind::protocol);
    CHECK(client.timings().empty());
}

TEST_CASE("a status that was not meant is a failure of its kind")
{
    const auto failureOf = [](const std::string& line) {
        DavClient client("h", "u", "p");
        exchange(client, lookAtCollection("/u/calendar/"),
            "HTTP/1.1 " + line + "\r\nContent-Length: 0\r\nLocation: /dav/u/\r\n\r\n", 4096);
        return client.failure();
    };
    CHECK_FALSE(failureOf("207 Multi-Status"));
    CHECK_FALSE(failureOf("404 Not Found")); // an answer to this question
    CHECK(failureOf("401 Unauthorized").kind == FailureKind::authentication);
    CHECK(failureOf("403 Forbidden").kind == FailureKind::transientReply);
    CHECK(failureOf("503 Busy").kind == FailureKind::permanentReply);
    CHECK_THAT(failureOf("301 Moved").text,
        Catch::Contains("the collection lies at /dav/u/; name that path in the plan"));
    CHECK(failureOf("200 OK").kind == FailureKind::protocol);
}

TEST_CASE("a server that repeats the request brings no password into the transcript")
{
    const auto told = [](const std::string& password, const std::string& answer) {
        DavClient client("h", "u1", password);
        exchange(client, getObject("/a"),
            "HTTP/1.1 400 Bad\r\nETag: \"" + answer + "\"\r\nContent-Length: " + std::to_string(answer.size())
                + "\r\n\r\n" + answer,
            4096);
        return client.transcript().text() + client.failure().text;
    };
    const auto hides = [&](const std::string& password, const std::string& secret) {
        const std::string text = told(password, "before " + secret + " after");
        CAPTURE(password, secret, text);
        CHECK(text.find(secret) == std::string::npos);
        CHECK_THAT(text, Catch::Contains("before *** after"));
    };
    hides("a secret", "dTE6YSBzZWNyZXQ");
    hides("a secret", "a secret");
    hides("a secret", "a%20secret");
    hides("a secret", "a+secret");
    hides("a secret", "%61%20%73%65%63%72%65%74");
    hides("p/w:100%\xc3\xa9", "p/w:100%\xc3\xa9");
    hides("p/w:100%\xc3\xa9", "p%2Fw%3a100%25%C3%a9");
    const std::string field = told("a secret", "authorization : Basic b3RoZXI6c2VjcmV0Cg==, more");
    CHECK_THAT(field,
        Catch::Contains("authorization : ***") && !Catch::Contains("b3RoZ") && !Catch::Contains("more"));
    // Where the text is cut, no part of one stays.
    std::string late(995, '.');
    late += "a secret";
    CHECK_THAT(told("a secret", late), Catch::Contains("..***") && !Catch::Contains("a s"));
    std::string often;
    for (int i = 0; i < 400; ++i)
        often += "a secret,";
    CHECK_THAT(told("a secret", often), !Catch::Contains("cret"));
}

TEST_CASE("a request that holds the password does not bring it into the transcript")
{
    DavClient client("h", "u1", "a secret");
    client.send(getObject("/a%20secret/b"));
    CHECK_THAT(client.transcript().text(), Catch::Contains("GET /***/b HTTP/1.1"));
}

TEST_CASE("names in requests are escaped")
{
    CHECK_THAT(queryContacts("/", "a<&\"b\x01").body, Catch::Contains("a&lt;&amp;&quot;b</C:text-match>"));
    const std::vector<std::string> hrefs { "/a&b.ics" };
    CHECK_THAT(getEvents("/", hrefs).body, Catch::Contains("<D:href>/a&amp;b.ics</D:href>"));
}
