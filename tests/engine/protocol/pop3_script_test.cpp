// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/pop3/pop3_script.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

struct Collector final : MessageSink {
    std::string current;
    std::vector<std::string> messages;
    void begin() override { current.clear(); }
    void data(std::string_view text) override { current += text; }
    void end(MonoTime) override { messages.push_back(current); }
};

struct Session {
    void play(Pop3Verb verb, std::string_view line, std::string_view reply, std::uint64_t message = 0)
    {
        REQUIRE(script.ready());
        script.command(verb, line, message);
        write();
        hear(reply);
    }
    void write()
    {
        now += std::chrono::milliseconds(1);
        script.written(now);
    }
    void hear(std::string_view bytes)
    {
        now += std::chrono::milliseconds(1);
        script.received(bytes, now);
    }
    void quit(std::string_view reply)
    {
        script.quit();
        write();
        hear(reply);
    }
    Transcript transcript;
    Collector sink;
    Pop3Script script { transcript, sink };
    MonoTime now {};
};

} // namespace

TEST_CASE("a script's messages are counted, fetched and gone once QUIT is answered")
{
    Session session;
    session.play(Pop3Verb::stat, "STAT", "+OK 2 500\r\n");
    CHECK(session.script.messages() == 2);
    session.play(Pop3Verb::retr, "RETR 1", "+OK\r\nA: b\r\n\r\n..x\r\n.\r\n", 1);
    session.play(Pop3Verb::dele, "DELE 1", "+OK\r\n", 1);
    session.play(Pop3Verb::retr, "RETR 2", "+OK\r\nC: d\r\n.\r\n", 2);
    session.play(Pop3Verb::dele, "DELE 2", "-ERR no\r\n", 2);
    CHECK_FALSE(session.script.good());
    CHECK(session.script.ready());
    CHECK(session.sink.messages == std::vector<std::string> { "A: b\r\n\r\n.x\r\n", "C: d\r\n" });
    CHECK(session.script.fetched() == std::vector<std::uint64_t> { 1, 2 });
    CHECK_FALSE(session.script.gone(1)); // not before QUIT
    session.quit("+OK bye\r\n");
    CHECK(session.script.closed());
    CHECK_FALSE(session.script.failure());
    CHECK(session.script.gone(1));
    CHECK_FALSE(session.script.gone(2));
}

TEST_CASE("deletions of a script that were taken back, or whose QUIT failed, are none")
{
    Session session;
    session.play(Pop3Verb::dele, "DELE 1", "+OK\r\n", 1);
    SECTION("taken back")
    {
        session.play(Pop3Verb::rset, "RSET", "+OK\r\n");
        session.quit("+OK\r\n");
        CHECK_FALSE(session.script.failure());
    }
    SECTION("QUIT refused")
    {
        session.quit("-ERR some messages were not removed\r\n");
        CHECK(session.script.failure().kind == FailureKind::errReply);
    }
    SECTION("QUIT not answered")
    {
        session.script.quit();
        session.write();
        session.script.fail(FailureKind::connectionLost, 0, "closed");
        CHECK(session.script.failure().kind == FailureKind::connectionLost);
    }
    CHECK_FALSE(session.script.gone(1));
}

TEST_CASE("listings and headers of a script are read to their end, whatever they hold")
{
    Session session;
    session.play(Pop3Verb::list, "LIST", "+OK\r\n1 100\r\n2 200\r\n3 300\r\n.\r\n");
    CHECK(session.script.messages() == 3);
    session.play(Pop3Verb::list, "LIST 2", "+OK 2 200\r\n", 2);
    CHECK(session.script.messages() == 3);
    session.play(Pop3Verb::uidl, "UIDL", "+OK\r\n1 a\r\n.\r\n");
    CHECK(session.script.messages() == 1);
    session.play(Pop3Verb::top, "TOP 1 0", "+OK\r\nA: b\r\n\r\n.\r\n", 1);
    session.play(Pop3Verb::capa, "CAPA", "+OK\r\nUIDL\r\n.\r\n");
    session.play(Pop3Verb::capa, "CAPA", "-ERR\r\n");
    CHECK(session.script.ready());
    CHECK(session.sink.messages.empty());
    CHECK(session.script.fetched().empty());
    CHECK(session.script.timings().size() == 6);
}

TEST_CASE("a message of a script that breaks off is not fetched")
{
    Session session;
    session.play(Pop3Verb::retr, "RETR 1", "+OK\r\nA: b\r\n", 1);
    CHECK_FALSE(session.script.ready());
    session.script.fail(FailureKind::timeout, 0, "no reply");
    CHECK(session.script.closed());
    CHECK(session.script.fetched().empty());
    CHECK(session.script.failure().verb == static_cast<std::uint8_t>(Pop3Verb::retr));
}

TEST_CASE("replies over POP3 that come twice, early, unasked or as something else end a script's session")
{
    Session session;
    SECTION("twice")
    {
        session.play(Pop3Verb::noop, "NOOP", "+OK\r\n+OK\r\n");
    }
    SECTION("half of a second one")
    {
        session.play(Pop3Verb::noop, "NOOP", "+OK\r\n+");
    }
    SECTION("before the command")
    {
        session.script.command(Pop3Verb::noop, "NOOP");
        session.hear("+OK\r\n");
    }
    SECTION("between two commands")
    {
        session.play(Pop3Verb::noop, "NOOP", "+OK\r\n");
        session.hear("+OK\r\n");
    }
    SECTION("no status")
    {
        session.play(Pop3Verb::noop, "NOOP", "250 ok\r\n");
    }
    SECTION("no number")
    {
        session.play(Pop3Verb::stat, "STAT", "+OK many\r\n");
    }
    SECTION("an impossible number")
    {
        session.play(Pop3Verb::stat, "STAT", "+OK 99999999999 1\r\n");
    }
    SECTION("a line without end")
    {
        session.play(Pop3Verb::noop, "NOOP", "+OK " + std::string(5000, 'x'));
    }
    CHECK(session.script.closed());
    CHECK(session.script.failure().kind == FailureKind::protocol);
    CHECK_FALSE(session.script.waiting());
    CHECK(session.script.output().empty());
}

TEST_CASE("a reply in single bytes is the same reply to a script")
{
    Session session;
    session.script.command(Pop3Verb::retr, "RETR 1", 1);
    session.write();
    for (const char c : std::string_view("+OK 5 octets\r\nA: b\r\n\r\n..\r\n.\r\n"))
        session.hear({ &c, 1 });
    CHECK(session.script.ready());
    CHECK(session.sink.messages == std::vector<std::string> { "A: b\r\n\r\n.\r\n" });
}
