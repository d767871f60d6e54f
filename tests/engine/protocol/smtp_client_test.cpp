// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation.h"
#include "protocol/sasl/sasl.h"

#include <array>

using namespace loadstone;
using namespace loadstone::protocol;
using loadstone::test::Delivery;
using loadstone::test::serverBytes;

namespace {

constexpr const char* kPassword = "s3cret-Word";

/// What a conversation came to.
struct Outcome {
    std::vector<bool> accepted, undecided;
    std::size_t count = 0;
    bool uncertain = false, ready = false, closed = false, waiting = false;
    FailureKind kind = FailureKind::none;
    int code = 0;
    SmtpVerb verb {};
    std::string text, transcript, said;
    std::vector<SmtpVerb> timed;
    bool timesRise = true;
    bool operator==(const Outcome&) const = default;
};

Outcome run(const SmtpOptions& options, std::string_view script, const Delivery& delivery = {})
{
    SmtpClient client(options, "tim", kPassword);
    const std::array<std::string, 3> recipients { "a@x", "b@x", "c@x" };
    const std::array<std::string_view, 2> pieces { "Subject: t\r\n\r\n", "..dot\r\n" };
    SmtpEnvelope envelope;
    envelope.sender = "me@x";
    envelope.recipients = recipients;
    envelope.pieces = pieces;
    envelope.size = 20;
    Outcome outcome;
    outcome.said = test::play(client, script, delivery, [&](std::string_view what) {
        if (what == "tls") {
            REQUIRE(client.wantsTls());
            return client.tlsEstablished();
        }
        if (what == "lost")
            return client.fail(FailureKind::connectionLost, 104, "gone");
        REQUIRE(client.ready());
        if (what == "idle")
            return;
        if (what == "quit")
            client.quit();
        else
            client.submit(envelope, what == "submit, then quit");
    });
    outcome.accepted = client.accepted();
    outcome.undecided = client.undecided();
    outcome.count = client.acceptedCount();
    outcome.uncertain = client.uncertain();
    outcome.ready = client.ready();
    outcome.closed = client.closed();
    outcome.waiting = client.waiting();
    outcome.kind = client.failure().kind;
    outcome.code = client.failure().code;
    outcome.verb = static_cast<SmtpVerb>(client.failure().verb);
    outcome.text = client.failure().text;
    outcome.transcript = client.transcript().text();
    for (const SmtpTiming& timing : client.timings()) {
        outcome.timed.push_back(timing.verb);
        outcome.timesRise = outcome.timesRise && timing.done > timing.sent;
    }
    return outcome;
}

/// The same outcome wherever the server's bytes are cut.
Outcome runEverySplit(const SmtpOptions& options, std::string_view script)
{
    const Outcome whole = run(options, script);
    for (std::size_t split = 1; split < serverBytes(script); ++split)
        REQUIRE(run(options, script, { .split = split }) == whole);
    REQUIRE(run(options, script, { .bytewise = true }) == whole);
    CHECK(whole.timesRise);
    return whole;
}

SmtpOptions pipelining()
{
    SmtpOptions options;
    options.pipelining = true;
    return options;
}

constexpr std::string_view kOpening = "S: 220 mx ESMTP\n"
                                      "C: EHLO loadstone.invalid\n"
                                      "S: 250-mx\n"
                                      "S: 250-PIPELINING\n"
                                      "S: 250-SIZE 1000000\n"
                                      "S: 250 8BITMIME\n";
constexpr std::string_view kBody = "C: Subject: t\n"
                                   "C: \n"
                                   "C: ..dot\n"
                                   "C: .\n";

std::string join(std::initializer_list<std::string_view> parts)
{
    std::string all;
    for (const std::string_view part : parts)
        all += part;
    return all;
}

const std::string kOneByOne = join({ kOpening,
    "> submit\n"
    "C: MAIL FROM:<me@x> SIZE=20 BODY=8BITMIME\n"
    "S: 250 ok\n"
    "C: RCPT TO:<a@x>\n"
    "S: 250 ok\n"
    "C: RCPT TO:<b@x>\n"
    "S: 250 ok\n"
    "C: RCPT TO:<c@x>\n"
    "S: 250 ok\n"
    "C: DATA\n"
    "S: 354 go on\n",
    kBody,
    "S: 250-2.0.0 taken\n"
    "S: 250 as 4711\n" });

constexpr std::string_view kPipelinedCommands = "C: MAIL FROM:<me@x> SIZE=20 BODY=8BITMIME\n"
                                                "C: RCPT TO:<a@x>\n"
                                                "C: RCPT TO:<b@x>\n"
                                                "C: RCPT TO:<c@x>\n"
                                                "C: DATA\n";

} // namespace

TEST_CASE("a message is submitted command by command, wherever the replies are cut")
{
    const std::string script = kOneByOne + "> submit\n" + kOneByOne.substr(kOneByOne.find("C: MAIL"))
        + "> quit\nC: QUIT\nS: 221 bye\n";
    const Outcome outcome = runEverySplit({}, script);
    CHECK(outcome.count == 3);
    CHECK(outcome.kind == FailureKind::none);
    CHECK(outcome.closed);
    CHECK_FALSE(outcome.uncertain);
    CHECK(outcome.timed.size() == 2 + 2 * 6 + 1);
    CHECK(outcome.timed.front() == SmtpVerb::banner);
    CHECK(outcome.timed.back() == SmtpVerb::quit);
    CHECK_THAT(outcome.transcript, ContainsSubstring("[20 bytes of message]"));
    CHECK_THAT(outcome.transcript, !ContainsSubstring("Subject"));
}

TEST_CASE("a pipelining client says all commands at once, and QUIT along with the message")
{
    const Outcome outcome = runEverySplit(pipelining(),
        join({ kOpening, "> submit, then quit\n", kPipelinedCommands,
            "S: 250 ok\nS: 250 ok\nS: 250 ok\nS: 250 ok\nS: 354 go on\n", kBody,
            "C: QUIT\nS: 250 taken\nS: 221 bye\n" }));
    CHECK(outcome.accepted == std::vector<bool> { true, true, true });
    CHECK(outcome.kind == FailureKind::none);
    CHECK(outcome.closed);
}

TEST_CASE("a server that closes instead of answering QUIT has done its work")
{
    const std::string script = join({ kOpening, "> submit, then quit\n", kPipelinedCommands,
        "S: 250 ok\nS: 250 ok\nS: 250 ok\nS: 250 ok\nS: 354 go on\n", kBody,
        "C: QUIT\nS: 250 taken\n> lost\n" });
    const Outcome outcome = run(pipelining(), script);
    CHECK(outcome.count == 3);
    CHECK(outcome.kind == FailureKind::none);
    CHECK(outcome.closed);
}

TEST_CASE("without the server's offer nothing is pipelined")
{
    const std::string script = "S: 220 mx\nC: EHLO loadstone.invalid\nS: 250 mx\n> submit, then quit\nC: "
                               "MAIL FROM:<me@x>\nS: 250 ok\n"
                               "C: RCPT TO:<a@x>\nS: 250 ok\nC: RCPT TO:<b@x>\nS: 250 ok\nC: RCPT "
                               "TO:<c@x>\nS: 250 ok\nC: DATA\nS: 354\n"
        + std::string(kBody) + "S: 250 taken\n";
    const Outcome outcome = runEverySplit(pipelining(), script);
    CHECK(outcome.count == 3);
    CHECK(outcome.ready); // QUIT is the shell's then
}

TEST_CASE("a server that knows no EHLO is greeted with HELO")
{
    const Outcome outcome = runEverySplit(pipelining(),
        "S: 220 old\nC: EHLO loadstone.invalid\nS: 500 what?\nC: HELO loadstone.invalid\nS: 250 hello\n> "
        "submit\nC: MAIL FROM:<me@x>\nS: 451 later\nC: RSET\nS: 250 ok\n");
    CHECK(outcome.kind == FailureKind::transientReply);
    CHECK(outcome.ready);
    const Outcome refused = run(
        {}, "S: 220 old\nC: EHLO loadstone.invalid\nS: 500 what?\nC: HELO loadstone.invalid\nS: 550 no\n");
    CHECK(refused.closed);
    CHECK(refused.kind == FailureKind::permanentReply);
    CHECK(refused.verb == SmtpVerb::hello);
}

TEST_CASE("recipients that are refused do not keep the message from the others")
{
    const std::string oneByOne = join({ kOpening,
        "> submit\nC: MAIL FROM:<me@x> SIZE=20 BODY=8BITMIME\nS: 250 ok\nC: RCPT TO:<a@x>\nS: 250 ok\nC: "
        "RCPT TO:<b@x>\n"
        "S: 550 unknown\nC: RCPT TO:<c@x>\nS: 450 busy\nC: DATA\nS: 354 go\n",
        kBody, "S: 250 taken\nC: RSET\nS: 250 ok\n" });
    const std::string pipelined = join({ kOpening, "> submit\n", kPipelinedCommands,
        "S: 250 ok\nS: 250 ok\nS: 550 unknown\nS: 450 busy\nS: 354 go\n", kBody,
        "S: 250 taken\nC: RSET\nS: 250 ok\n" });
    for (const auto& [options, script] :
        { std::pair { SmtpOptions(), oneByOne }, std::pair { pipelining(), pipelined } }) {
        const Outcome outcome = runEverySplit(options, script);
        CHECK(outcome.accepted == std::vector<bool> { true, false, false });
        CHECK(outcome.count == 1);
        CHECK(outcome.kind == FailureKind::permanentReply); // the first refusal is the cause
        CHECK(outcome.code == 550);
        CHECK(outcome.verb == SmtpVerb::rcptTo);
        CHECK(outcome.ready);
    }
}

TEST_CASE("what was accepted stays accepted when the connection is lost afterwards")
{
    const Outcome outcome = run(pipelining(),
        join({ kOpening, "> submit\n", kPipelinedCommands,
            "S: 250 ok\nS: 250 ok\nS: 550 unknown\nS: 250 ok\nS: 354 go\n", kBody,
            "S: 250 taken\nC: RSET\n> lost\n" }));
    CHECK(outcome.accepted == std::vector<bool> { true, false, true });
    CHECK(outcome.count == 2);
    CHECK_FALSE(outcome.uncertain);
    CHECK(outcome.closed);
}

TEST_CASE("a pipelined DATA that is let through without recipients gets an empty message")
{
    const Outcome outcome = runEverySplit(pipelining(),
        join({ kOpening, "> submit, then quit\n", kPipelinedCommands,
            "S: 250 ok\nS: 550 no\nS: 550 no\nS: 550 no\nS: 354 go\nC: .\nS: 554 no valid recipients\n> "
            "quit\nC: QUIT\nS: 221 bye\n" }));
    CHECK(outcome.count == 0);
    CHECK_FALSE(outcome.uncertain);
    CHECK(outcome.verb == SmtpVerb::rcptTo);
    CHECK(outcome.code == 550);
    const Outcome taken = run(pipelining(),
        join({ kOpening, "> submit\n", kPipelinedCommands,
            "S: 550 no\nS: 503 no\nS: 503 no\nS: 503 no\nS: 354 go\nC: .\nS: 250 whatever\nC: RSET\nS: 250 "
            "ok\n" }));
    CHECK(taken.count == 0);
    CHECK(taken.verb == SmtpVerb::mailFrom);
    CHECK(taken.ready);
}

TEST_CASE("a refusal is told with its command, its kind and its code, at every command")
{
    struct Case {
        std::string_view until; // the script up to this client line
        SmtpVerb verb;
        bool closes;
    };
    const std::string script = kOneByOne;
    for (const Case& c :
        { Case { "C: EHLO", SmtpVerb::banner, true }, Case { "C: RCPT TO:<a@x>", SmtpVerb::mailFrom, false },
            Case { "C: Subject", SmtpVerb::data, false }, Case { "", SmtpVerb::endOfData, false } })
        for (const int code : { 421, 451, 550 }) {
            const std::size_t at = c.until.empty() ? script.size() : script.find(c.until);
            const std::size_t from =
                c.until.empty() ? script.find("S: 250-2.0.0") : script.rfind("S: ", at - 1);
            const std::string part = script.substr(0, from) + "S: " + std::to_string(code) + " no\n"
                + (c.closes ? "" : "C: RSET\nS: 250 ok\n");
            const Outcome outcome = runEverySplit({}, part);
            CHECK(outcome.verb == c.verb);
            CHECK(outcome.code == code);
            CHECK(outcome.kind == (code < 500 ? FailureKind::transientReply : FailureKind::permanentReply));
            CHECK(outcome.text == "no");
            CHECK(outcome.count == 0);
            CHECK_FALSE(outcome.uncertain);
            CHECK(outcome.closed == c.closes);
            CHECK(outcome.ready == !c.closes);
        }
}

TEST_CASE("an LMTP server answers the message once for each recipient that it had accepted")
{
    SmtpOptions options = pipelining();
    options.lmtp = true;
    const std::string opening = "S: 220 lmtp\nC: LHLO loadstone.invalid\nS: 250-x\nS: 250 PIPELINING\n";
    const Outcome outcome = runEverySplit(options,
        opening
            + "> submit, then quit\nC: MAIL FROM:<me@x>\nC: RCPT TO:<a@x>\nC: RCPT TO:<b@x>\nC: RCPT "
              "TO:<c@x>\nC: DATA\n"
              "S: 250 ok\nS: 250 ok\nS: 550 unknown\nS: 250 ok\nS: 354 go\n"
            + std::string(kBody) + "C: QUIT\nS: 452 full\nS: 250 delivered\nS: 221 bye\n");
    CHECK(outcome.accepted == std::vector<bool> { false, false, true });
    CHECK(outcome.count == 1);
    CHECK(outcome.code == 550);
    CHECK(outcome.closed);
}

TEST_CASE("a connection lost between an LMTP server's answers leaves undecided only whom it had not answered")
{
    SmtpOptions options = pipelining();
    options.lmtp = true;
    const Outcome outcome = run(options,
        join({ "S: 220 lmtp\nC: LHLO loadstone.invalid\nS: 250-PIPELINING\nS: 250-SIZE\nS: 250 8BITMIME\n> "
               "submit\n",
            kPipelinedCommands, "S: 250 ok\nS: 250 ok\nS: 550 unknown\nS: 250 ok\nS: 354 go\n", kBody,
            "S: 250 delivered\n> lost\n" }));
    CHECK(outcome.accepted == std::vector<bool> { true, false, false });
    CHECK(outcome.undecided == std::vector<bool> { false, false, true });
    CHECK(outcome.count == 1);
    CHECK(outcome.uncertain);
}

TEST_CASE("what came in the clear before STARTTLS is forgotten, and nothing may come behind its answer")
{
    SmtpOptions options;
    options.startTls = true;
    options.auth = SmtpAuth::automatic;
    const std::string encoded = plainMessage({ {}, "tim", kPassword });
    const Outcome outcome = runEverySplit(options,
        "S: 220 mx\nC: EHLO loadstone.invalid\nS: 250-mx\nS: 250-PIPELINING\nS: 250-AUTH LOGIN\nS: 250 "
        "STARTTLS\nC: STARTTLS\n"
        "S: 220 go ahead\n"
        "> tls\nC: EHLO loadstone.invalid\nS: 250-mx\nS: 250 AUTH PLAIN LOGIN\nC: AUTH PLAIN "
            + encoded + "\nS: 235 ok\n> submit\nC: MAIL FROM:<me@x>\n");
    CHECK(outcome.kind == FailureKind::none);
    CHECK_THAT(outcome.transcript, ContainsSubstring("[TLS established]"));
    const Outcome injected = run(options,
        "S: 220 mx\nC: EHLO loadstone.invalid\nS: 250-mx\nS: 250 STARTTLS\nC: STARTTLS\n"
        "S: 220 go ahead\nS: 250-injected\nS: 250 AUTH PLAIN\n");
    CHECK(injected.closed);
    CHECK(injected.kind == FailureKind::tls);
    CHECK_THAT(injected.transcript, !ContainsSubstring("injected"));
    for (const char* rest : { "S: 250 no such thing\n", "S: 250 STARTTLS\nC: STARTTLS\nS: 454 not now\n" }) {
        const Outcome refused =
            runEverySplit(options, std::string("S: 220 mx\nC: EHLO loadstone.invalid\n") + rest);
        CHECK(refused.kind == FailureKind::tls);
        CHECK(refused.closed);
    }
}

TEST_CASE("a client may ask whether mail would be taken, and then takes it back")
{
    for (const bool together : { false, true }) { // nothing may be sent along that could not be taken back
        SmtpOptions options;
        options.pipelining = together;
        SmtpClient client(options, "", "");
        const std::vector<std::string> recipients { "u0@load.test", "u9@load.test" };
        const auto ask = [&](std::string_view what) {
            SmtpEnvelope envelope;
            envelope.sender = recipients[0];
            envelope.recipients = recipients;
            envelope.size = 10240;
            envelope.onlyAsks = what == "ask";
            envelope.noReports = true;
            client.submit(envelope, false);
        };
        const std::string script = "S: 220 mx\nC: EHLO loadstone.invalid\nS: 250-mx\nS: 250-PIPELINING\nS: "
                                   "250-DSN\nS: 250 SIZE\n> ask\n"
                                   "C: MAIL FROM:<u0@load.test> SIZE=10240\nS: 250 ok\n"
                                   "C: RCPT TO:<u0@load.test> NOTIFY=NEVER\nS: 250 ok\n"
                                   "C: RCPT TO:<u9@load.test> NOTIFY=NEVER\n";
        test::play(client, script + "S: 250 ok\nC: RSET\nS: 250 ok\n", {}, ask);
        CHECK(client.ready());
        CHECK_FALSE(client.failure());
        CHECK(client.acceptedCount() == 2);
        SmtpClient other(options, "", "");
        test::play(other, script + "S: 550 unknown\nC: RSET\nS: 250 ok\n", {}, [&](std::string_view) {
            SmtpEnvelope envelope;
            envelope.sender = recipients[0];
            envelope.recipients = recipients;
            envelope.size = 10240;
            envelope.onlyAsks = envelope.noReports = true;
            other.submit(envelope, false);
        });
        CHECK(other.ready());
        CHECK(other.failure().code == 550);
        CHECK(other.accepted() == std::vector<bool> { true, false });
    }
}

TEST_CASE("a login sends the password, and the transcript keeps it to itself")
{
    SmtpOptions options;
    options.auth = SmtpAuth::automatic;
    const std::string opening = "S: 220 mx\nC: EHLO loadstone.invalid\nS: 250-mx\n";
    const std::string plain = plainMessage({ {}, "tim", kPassword });
    const std::string login = opening + "S: 250 auth=LOGIN\nC: AUTH LOGIN\nS: 334 VXNlcm5hbWU6\nC: "
        + base64Encode("tim") + "\nS: 334 UGFzc3dvcmQ6\nC: " + base64Encode(kPassword) + "\n";
    for (const std::string& script :
        { opening + "S: 250 AUTH LOGIN PLAIN\nC: AUTH PLAIN " + plain + "\n", login })
        for (const bool good : { true, false }) {
            const Outcome outcome =
                runEverySplit(options, script + (good ? "S: 235 welcome\n" : "S: 535 who?\n"));
            CHECK(outcome.ready == good);
            CHECK(outcome.kind == (good ? FailureKind::none : FailureKind::authentication));
            CHECK(outcome.code == (good ? 0 : 535));
            for (const std::string& secret : { std::string(kPassword), plain, base64Encode(kPassword) })
                CHECK_THAT(outcome.transcript, !ContainsSubstring(secret));
        }
    const Outcome endless = run(options, login + "S: 334 more\n");
    CHECK(endless.kind == FailureKind::authentication);
    CHECK(endless.closed);
}

TEST_CASE("on an idle connection a server may take its leave and nothing else")
{
    const Outcome leave = runEverySplit({}, kOneByOne + "> idle\nS: 421 idle too long\n");
    CHECK(leave.closed);
    CHECK(leave.kind == FailureKind::transientReply);
    CHECK(leave.code == 421);
    CHECK(leave.count == 3);
    const Outcome chatter = runEverySplit({}, kOneByOne + "> idle\nS: 250 by the way\n");
    CHECK(chatter.closed);
    CHECK(chatter.kind == FailureKind::protocol);
    CHECK(chatter.count == 3);
}

TEST_CASE("a connection may be lost anywhere; the message is uncertain exactly from its body to its reply")
{
    const std::string pipelined = join({ kOpening, "> submit, then quit\n", kPipelinedCommands,
        "S: 250 ok\nS: 250 ok\nS: 250 ok\nS: 250 ok\nS: 354 go on\n", kBody,
        "C: QUIT\nS: 250 taken\nS: 221 bye\n" });
    for (const auto& [options, script] :
        { std::pair { SmtpOptions(), kOneByOne }, std::pair { pipelining(), pipelined } }) {
        const std::size_t bodyAsked =
            serverBytes(std::string_view(script).substr(0, script.find("C: Subject")));
        const std::size_t answered = serverBytes(std::string_view(script).substr(
            0, script.find("\n", script.find(options.pipelining ? "S: 250 taken" : "S: 250 as 4711"))));
        for (std::size_t at = 0; at <= serverBytes(script); ++at) {
            const Outcome outcome = run(options, script, { .lostAfter = at });
            INFO("after " << at << " bytes");
            REQUIRE(outcome.closed);
            REQUIRE_FALSE(outcome.waiting);
            REQUIRE(outcome.uncertain == (at >= bodyAsked && at < answered));
            REQUIRE(outcome.count == (at >= answered ? 3 : 0));
            const bool all = at >= answered && options.pipelining;
            REQUIRE(outcome.kind == (all ? FailureKind::none : FailureKind::connectionLost));
        }
    }
}

TEST_CASE("a server that speaks out of turn or nonsense ends the session as a protocol error")
{
    const std::string huge(SmtpReplyParser::kMaxLine, 'x');
    std::string endless;
    for (int i = 0; i < 30; ++i)
        endless += "S: 250-" + huge.substr(0, 3000) + "\n";
    for (const std::string& script : { std::string("S: 220 mx\nS: 250 too early\n"),
             std::string("S: 220 mx\nC: EHLO loadstone.invalid\nS: HTTP/1.1 400\n"), std::string("S: 22\n"),
             std::string("S: 120 mx\n"), std::string("S: 620 mx\n"), std::string("S: 220x\n"),
             std::string("S: 220-a\nS: 250 b\n"), "S: 220 " + huge + "\n",
             "S: 220 mx\nC: EHLO loadstone.invalid\n" + endless }) {
        std::string bytes;
        for (std::size_t at = 0; at < script.size();) {
            const std::size_t end = script.find('\n', at);
            if (script.compare(at, 3, "S: ") == 0)
                bytes += script.substr(at + 3, end - at - 3) + "\r\n";
            at = end + 1;
        }
        const SmtpOptions options;
        SmtpClient whole(options, "", "");
        whole.open({}, false);
        for (std::string_view rest = bytes; !rest.empty() && !whole.closed();
             rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1))) {
            whole.received(rest.substr(0, rest.find('\n') + 1), MonoTime(std::chrono::seconds(1)));
            if (script.find("C: ") != std::string::npos && !whole.output().empty())
                whole.written(MonoTime(std::chrono::seconds(1)));
        }
        INFO(script.substr(0, 100));
        CHECK(whole.closed());
        CHECK(whole.failure().kind == FailureKind::protocol);
        CHECK(whole.output().empty());
        CHECK(whole.transcript().text().size() < 17'000);
    }
    // A reply to the message before the message was sent is no acceptance.
    const SmtpOptions options;
    SmtpClient client(options, "", "");
    client.open({}, false);
    client.received("220 mx\r\n", {});
    client.written({});
    client.received("250 mx\r\n", {});
    const std::array<std::string, 1> recipients { "a@x" };
    const std::array<std::string_view, 1> pieces { "x\r\n" };
    client.submit({ "me@x", recipients, pieces, 3 }, false);
    for (const char* reply : { "250 ok\r\n", "250 ok\r\n", "354 go\r\n250 taken already\r\n" }) {
        client.written({});
        client.received(reply, {});
    }
    CHECK(client.acceptedCount() == 0);
    CHECK_FALSE(client.uncertain());
    CHECK(client.failure().kind == FailureKind::protocol);
}

TEST_CASE("a transcript keeps the beginning and the end of a long session, within 16 KB")
{
    Transcript transcript;
    std::string everything;
    for (int i = 0; i < 5000; ++i) {
        transcript.client("command " + std::to_string(i));
        everything += "C: command " + std::to_string(i) + "\n";
        if (i == 100)
            CHECK(transcript.text() == everything);
    }
    const std::string text = transcript.text();
    CHECK(text.size() <= 16'384);
    CHECK(text.size() > 14'000);
    CHECK(text.starts_with("C: command 0\n"));
    CHECK_THAT(text, ContainsSubstring("bytes left out]\nC: command "));
    CHECK(text.ends_with("C: command 4999\n"));
    for (const std::size_t size : { 100'000U, 8000U, 8192U, 20'000U }) {
        transcript.server(std::string(size, 'x'));
        CHECK(transcript.text().size() <= 16'384);
    }
}
