// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/smtp/smtp_script.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

/// A session, with what has been sent.
struct Session {
    explicit Session(bool lmtp = false)
        : script(transcript, lmtp)
    {
    }
    /// Sends what is to be sent.
    std::string write()
    {
        std::string sent;
        for (const std::string_view piece : script.output())
            sent += piece;
        now += std::chrono::milliseconds(1);
        script.written(now);
        return sent;
    }
    void hear(std::string_view bytes)
    {
        now += std::chrono::milliseconds(1);
        script.received(bytes, now);
    }
    void play(SmtpVerb verb, std::string_view line, std::string_view reply)
    {
        REQUIRE(script.ready());
        script.command(verb, line);
        CHECK(write() == std::string(line) + "\r\n");
        hear(reply);
    }
    /// As far as the message.
    void begin(const std::vector<std::string_view>& recipients)
    {
        play(SmtpVerb::mailFrom, "MAIL FROM:<a@load.test>", "250 ok\r\n");
        for (const std::string_view reply : recipients)
            play(SmtpVerb::rcptTo, "RCPT TO:<b@load.test>", reply);
        play(SmtpVerb::data, "DATA", "354 go on\r\n");
    }
    void send()
    {
        REQUIRE(script.takesMessage());
        script.message(pieces, 9);
        CHECK(write() == "Subject: x\r\n\r\ny\r\n.\r\n");
    }
    Transcript transcript;
    SmtpScript script;
    MonoTime now {};
    std::vector<std::string_view> pieces { "Subject: x\r\n\r\n", "y\r\n" };
};

using Bits = std::vector<bool>;

} // namespace

TEST_CASE("a script's message is accepted for the recipients that were taken, and each command is timed")
{
    Session session;
    session.begin({ "250 ok\r\n", "550 no such user\r\n", "251 elsewhere\r\n" });
    CHECK(session.script.accepted() == Bits {}); // nothing is accepted before the message is
    session.send();
    session.hear("250 queued\r\n");
    CHECK(session.script.accepted() == Bits { true, false, true });
    CHECK(session.script.acceptedCount() == 2);
    CHECK(session.script.acceptedAt() == session.now);
    CHECK_FALSE(session.script.uncertain());
    session.script.quit();
    CHECK(session.write() == "QUIT\r\n");
    session.hear("221 bye\r\n");
    CHECK(session.script.closed());
    CHECK_FALSE(session.script.failure());
    std::vector<SmtpVerb> timed;
    for (const SmtpTiming& timing : session.script.timings()) {
        timed.push_back(timing.verb);
        CHECK(timing.done > timing.sent);
    }
    using enum SmtpVerb;
    CHECK(timed == std::vector<SmtpVerb> { mailFrom, rcptTo, rcptTo, rcptTo, data, endOfData, quit });
}

TEST_CASE("a message of a script that is refused, or not answered, is not accepted")
{
    Session session;
    session.begin({ "250 ok\r\n" });
    session.send();
    SECTION("refused")
    {
        session.hear("552 too large\r\n");
        CHECK(session.script.ready());
        CHECK(session.script.code() == 552);
        CHECK_FALSE(session.script.uncertain());
        CHECK(session.script.undecided() == Bits { false });
    }
    SECTION("not answered")
    {
        session.script.fail(FailureKind::connectionLost, 104, "gone");
        CHECK(session.script.uncertain());
        CHECK(session.script.undecided() == Bits { true });
        CHECK(session.script.failure().kind == FailureKind::connectionLost);
    }
    CHECK(session.script.acceptedCount() == 0);
    CHECK(session.script.accepted() == Bits { false });
}

TEST_CASE("with LMTP each recipient of a script's message has an answer of its own")
{
    Session session(true);
    session.begin({ "250 ok\r\n", "550 no\r\n", "250 ok\r\n", "250 ok\r\n" });
    session.send();
    session.hear("250 one\r\n452 full\r\n");
    CHECK_FALSE(session.script.ready());
    SECTION("all of them")
    {
        session.hear("250 three\r\n");
        CHECK(session.script.ready());
        CHECK(session.script.accepted() == Bits { true, false, false, true });
        CHECK(session.script.code() == 452); // the worst
    }
    SECTION("the connection ends before the last one")
    {
        session.script.fail(FailureKind::connectionLost, 104, "gone");
        CHECK(session.script.accepted() == Bits { true, false, false, false });
        CHECK(session.script.undecided() == Bits { false, false, false, true });
    }
    CHECK(session.script.acceptedCount() == (session.script.ready() ? 2 : 1));
}

TEST_CASE("replies that come twice, early or unasked end a script's session")
{
    Session session;
    SECTION("twice")
    {
        session.play(SmtpVerb::noop, "NOOP", "250 ok\r\n250 ok\r\n");
        CHECK_THAT(session.script.failure().text, Catch::Contains("no command expects"));
    }
    SECTION("half of a second one")
    {
        session.play(SmtpVerb::noop, "NOOP", "250 ok\r\n250 o");
        CHECK_THAT(session.script.failure().text, Catch::Contains("no command expects"));
    }
    SECTION("before the command")
    {
        session.script.command(SmtpVerb::noop, "NOOP");
        session.hear("250 ok\r\n");
        CHECK_THAT(session.script.failure().text, Catch::Contains("not sent yet"));
    }
    SECTION("between two commands")
    {
        session.play(SmtpVerb::noop, "NOOP", "250 ok\r\n");
        session.hear("250 again\r\n");
        CHECK(session.script.failure().kind == FailureKind::protocol);
    }
    SECTION("before all of the message was sent")
    {
        session.begin({ "250 ok\r\n" });
        session.send();
        session.script.answeredEarly();
        session.hear("250 queued\r\n");
        CHECK_THAT(session.script.failure().text, Catch::Contains("before all of it was sent"));
        CHECK(session.script.acceptedCount() == 0);
        CHECK(session.script.undecided() == Bits { true }); // it may have been taken for all that
    }
    SECTION("a leave to send that no command asks for")
    {
        session.play(SmtpVerb::noop, "NOOP", "354 go on\r\n");
        CHECK(session.script.failure().kind == FailureKind::protocol);
    }
    SECTION("no reply at all")
    {
        session.play(SmtpVerb::noop, "NOOP", "hello\r\n");
        CHECK(session.script.failure().kind == FailureKind::protocol);
    }
    CHECK(session.script.closed());
    CHECK_FALSE(session.script.waiting());
    CHECK(session.script.output().empty());
}

TEST_CASE("a server that leaves between two commands of a script says why")
{
    Session session;
    session.play(SmtpVerb::noop, "NOOP", "250 ok\r\n");
    session.hear("421 shutting down\r\n");
    CHECK(session.script.failure().kind == FailureKind::transientReply);
    CHECK(session.script.failure().code == 421);
}

TEST_CASE("a session that a server ends at QUIT without a word has not failed")
{
    Session session;
    session.script.quit();
    session.write();
    session.script.fail(FailureKind::connectionLost, 0, "closed");
    CHECK(session.script.closed());
    CHECK_FALSE(session.script.failure());
}

TEST_CASE("commands of scripts are counted as what they are")
{
    CHECK(smtpVerbOf("MAIL FROM:<>") == SmtpVerb::mailFrom);
    CHECK(smtpVerbOf("RCPT TO:<a@b>") == SmtpVerb::rcptTo);
    CHECK(smtpVerbOf("DATA") == SmtpVerb::data);
    CHECK(smtpVerbOf("VRFY x") == SmtpVerb::vrfy);
    CHECK(smtpVerbOf("HELP") == SmtpVerb::help);
    CHECK(smtpVerbOf("NOOP") == SmtpVerb::noop);
}
