// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions of SMTP and POP3 commands against servers that answer well, badly, too early, twice, or not at all: what the audit is
// told is what happened.
#include "support/catch.h"
#include "support/one_action.h"
#include "support/scripted_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

using namespace loadstone;
using namespace loadstone::test;
using plan::ActionKind;
using protocol::FailureKind;
using Answer = std::function<std::string(const std::string&)>;

namespace {

constexpr const char* kMail =
    R"(["MAIL FROM:<{sender}> SIZE={size}", "RCPT TO:<{recipient}>", "DATA", "{message}"])";
constexpr const char* kFetch = R"(["STAT", "RETR {n}", "DELE {n}"])";

std::string planFor(
    const char* protocol, std::uint16_t port, const std::string& commands, const std::string& more = {})
{
    const bool smtp = std::string(protocol) == "smtp";
    return fmt::format(
        "format = 1\nkind = \"mail\"\n[target]\npassword = \"secret\"\ncommand_timeout = \"2 s\"\n"
        "[target.{}]\nport = {}\n{}\n[workload]\n[[workload.steps]]\naction = \"{} session\"\n"
        "commands = {}\n{}{}\n[mix]\n{}\n[[mixes]]\nclients = 1\nthreads_per_client = 1\n"
        "mailboxes_per_client = 4\nmeasurement = \"1 min\"\n",
        protocol, port, smtp ? "" : "auth = \"user/pass\"", smtp ? "SMTP" : "POP3", commands,
        smtp ? "size = \"2 KB\"\nrecipients = 2\n" : "", more.starts_with("request") ? "" : more,
        more.starts_with("request") ? more : "");
}

/// Answers what `special` has no answer for as a good server does.
Answer smtpServer(Answer special = [](const std::string&) { return std::string(); })
{
    return [special = std::move(special), body = false](const std::string& line) mutable -> std::string {
        if (body) {
            body = line != ".";
            return body ? "" : special(".").empty() ? "250 taken\r\n" : special(".");
        }
        if (std::string answer = special(line); !answer.empty())
            return answer;
        body = line == "DATA";
        return body ? "354 go on\r\n" : line == "QUIT" ? "221 bye\r\n" : "250 ok\r\n";
    };
}

Answer pop3Server(Answer special = [](const std::string&) { return std::string(); })
{
    return [special = std::move(special)](const std::string& line) -> std::string {
        if (std::string answer = special(line); !answer.empty())
            return answer;
        return line == "STAT" ? "+OK 2 400\r\n"
            : line.starts_with("RETR")
            ? "+OK\r\nSubject: x\r\nMessage-ID: <" + line.substr(5) + "@elsewhere.test>\r\n\r\nbody\r\n.\r\n"
            : "+OK\r\n";
    };
}

Answer answers(std::string to, std::string with)
{
    return [to = std::move(to), with = std::move(with)](
               const std::string& line) { return line.starts_with(to) ? with : std::string(); };
}

struct Played {
    ActionEnd end;
    std::vector<std::string> lines; ///< that the server got
};

Played play(const char* protocol, const std::string& commands, Answer answer, const std::string& more = {})
{
    Played played;
    const bool smtp = std::string(protocol) == "smtp";
    {
        ScriptedPeer peer({ smtp ? "220 mx\r\n" : "+OK\r\n", [&](const std::string& line) {
                               played.lines.push_back(line);
                               return answer(line);
                           } });
        played.end = carryOut(smtp ? ActionKind::smtpSession : ActionKind::pop3Session,
            planFor(protocol, peer.port(), commands, more));
        peer.answers(); // its thread is done with the lines
    }
    return played;
}

bool said(const Played& played, const std::string& beginning)
{
    return std::ranges::any_of(
        played.lines, [&](const std::string& line) { return line.starts_with(beginning); });
}

} // namespace

TEST_CASE("a script of SMTP commands sends its message to each recipient, and the audit knows of its copies")
{
    const Played played = play("smtp", kMail, smtpServer());
    CAPTURE(played.end.failure.text, played.end.transcript);
    CHECK(played.end.failure.kind == FailureKind::none);
    REQUIRE(played.lines.size() > 8);
    CHECK(played.lines[0] == "EHLO loadstone.invalid");
    CHECK(played.lines[1].starts_with("MAIL FROM:<u0@load.test> SIZE=20"));
    CHECK(played.lines[2].starts_with("RCPT TO:<u"));
    CHECK(played.lines[3].starts_with("RCPT TO:<u"));
    CHECK(played.lines[2] != played.lines[3]);
    CHECK(played.lines[4] == "DATA");
    CHECK(played.lines.back() == "QUIT");
    CHECK(played.end.sent == 1);
    CHECK(played.end.recipients == 2);
    REQUIRE(played.end.accepted.size() == 2);
    CHECK(played.end.accepted[0].first);
    CHECK_FALSE(played.end.accepted[1].first);
    CHECK_FALSE(played.end.accepted[0].uncertain);
}

TEST_CASE(
    "a message that a script's server refuses at any command is not sent, and the session ends in order")
{
    const struct {
        const char* command;
        const char* where;
    } cases[] = { { "MAIL", "SMTP MAIL" }, { "RCPT", "SMTP RCPT" }, { "DATA", "SMTP DATA" },
        { ".", "SMTP end of data" } };
    for (const auto& [command, where] : cases) {
        const Played played = play("smtp", kMail, smtpServer(answers(command, "452 not now\r\n")));
        INFO(command << played.end.transcript);
        CHECK(played.end.failure.kind == FailureKind::transientReply);
        CHECK(played.end.failure.code == 452);
        CHECK(played.end.where == where);
        CHECK(played.end.errors == 1);
        CHECK(played.end.sent == 0);
        CHECK(played.end.accepted.empty());
        CHECK(said(played, "QUIT"));
    }
}

TEST_CASE("a message that the server takes is the audit's even where the script expects a refusal")
{
    const Played played = play("smtp",
        R"(["MAIL FROM:<{sender}>", "RCPT TO:<{recipient}>", "DATA", "{message} -> 5xx"])", smtpServer());
    CHECK(played.end.failure.kind == FailureKind::protocol);
    CHECK(played.end.where == "SMTP end of data");
    CHECK(played.end.sent == 1);
    CHECK(played.end.accepted.size() == 2);
}

TEST_CASE("a script goes on where a refusal is what it expects, and sends no message without leave")
{
    const Played played = play("smtp",
        R"(["VRFY {user} -> 5xx", "MAIL FROM:<{sender}>", "RCPT TO:<{recipient}> -> any", "DATA -> any", "{message} -> any", "RSET"])",
        [base = smtpServer()](const std::string& line) {
            return line.starts_with("VRFY") ? "502 no\r\n"
                : line == "DATA"            ? "503 no recipients\r\n"
                                            : base(line);
        });
    CAPTURE(played.end.failure.text, played.end.transcript);
    CHECK(played.end.failure.kind == FailureKind::none);
    CHECK(said(played, "VRFY u0"));
    CHECK(said(played, "RSET"));
    CHECK_FALSE(said(played, "Subject:"));
    CHECK(played.end.sent == 0);
}

TEST_CASE("only the recipients that a server has taken are copies of the audit")
{
    unsigned recipients = 0;
    const Played played = play("smtp",
        R"(["MAIL FROM:<{sender}>", "RCPT TO:<{recipient}> -> any", "DATA", "{message}"])",
        smtpServer([&](const std::string& line) {
            return line.starts_with("RCPT") && ++recipients == 1 ? std::string("550 no\r\n") : std::string();
        }));
    CHECK(played.end.failure.kind == FailureKind::none);
    CHECK(played.end.recipients == 1);
    REQUIRE(played.end.accepted.size() == 1);
    CHECK(played.end.accepted[0].first);
}

TEST_CASE(
    "answers over SMTP that come twice, and leave that nobody asked for, fail a script and accept nothing")
{
    SECTION("twice, at once")
    {
        const Played played = play("smtp", kMail, smtpServer(answers("MAIL", "250 ok\r\n250 ok\r\n")));
        CHECK(played.end.failure.kind == FailureKind::protocol);
        CHECK_FALSE(said(played, "DATA"));
        CHECK(played.end.accepted.empty());
    }
    SECTION("an end of data before the message")
    {
        const Played played = play("smtp", kMail, smtpServer(answers("DATA", "354 go on\r\n250 taken\r\n")));
        CHECK(played.end.failure.kind == FailureKind::protocol);
        CHECK(played.end.sent == 0);
        CHECK(played.end.accepted.empty());
    }
    SECTION("leave to send where the script expects a refusal")
    {
        const Played played = play("smtp", R"(["DATA -> 503"])", smtpServer());
        CHECK(played.end.failure.kind == FailureKind::protocol);
        CHECK(played.end.where == "SMTP DATA");
        CHECK_FALSE(said(played, "QUIT")); // it would be a line of a message
    }
}

TEST_CASE("an answer that comes between two commands of a script is not taken for the next one's")
{
    for (const bool smtp : { true, false }) {
        std::atomic<unsigned> commands { 0 };
        const Answer good = smtp ? smtpServer() : pop3Server();
        ScriptedPeer peer({ smtp ? "220 mx\r\n" : "+OK\r\n", [&](const std::string& line) {
                               commands += line == "NOOP" ? 1 : 0;
                               return good(line);
                           } });
        ActionStage stage(
            planFor(smtp ? "smtp" : "pop3", peer.port(), R"(["NOOP", "NOOP"])", "request_pause = \"1 ms\""));
        stage.onPause([&] { peer.sayUnasked(smtp ? "250 and again\r\n" : "+OK and again\r\n"); });
        const ActionEnd end = stage.play(smtp ? ActionKind::smtpSession : ActionKind::pop3Session);
        CAPTURE(end.failure.text, end.transcript);
        CHECK(end.failure.kind == FailureKind::protocol);
        CHECK_THAT(end.failure.text, Catch::Contains("no command expects"));
        peer.answers();
        CHECK(commands == 1); // the second one is not sent any more
    }
}

TEST_CASE(
    "a message of a script whose answer never comes is uncertain, and one whose connection ends is, too")
{
    for (const auto fault : { ScriptedPeer::Fault::stalls, ScriptedPeer::Fault::closes }) {
        ScriptedPeer::Script script { "220 mx\r\n", smtpServer() };
        script.fault = fault;
        script.wrongAfter =
            std::string("220 mx\r\n250 ok\r\n250 ok\r\n250 ok\r\n250 ok\r\n354 go on\r\n").size();
        ScriptedPeer peer(std::move(script));
        const ActionEnd end = carryOut(ActionKind::smtpSession, planFor("smtp", peer.port(), kMail));
        CAPTURE(end.failure.text, end.transcript);
        CHECK(end.failure.kind
            == (fault == ScriptedPeer::Fault::stalls ? FailureKind::timeout : FailureKind::connectionLost));
        CHECK(end.where == "SMTP end of data");
        CHECK(end.sent == 0);
        REQUIRE(end.accepted.size() == 2);
        CHECK(end.accepted[0].uncertain);
        CHECK_FALSE(end.accepted[0].first);
    }
}

TEST_CASE("a script of POP3 commands fetches and deletes each message, in turn")
{
    const Played played = play("pop3", kFetch, pop3Server());
    CAPTURE(played.end.failure.text, played.end.transcript);
    CHECK(played.end.failure.kind == FailureKind::none);
    CHECK(played.lines
        == std::vector<std::string> {
            "USER u0", "PASS secret", "STAT", "RETR 1", "DELE 1", "RETR 2", "DELE 2", "QUIT" });
    CHECK(played.end.retrieved == 2);
    CHECK(played.end.copies.empty()); // not of this run
    CHECK(played.end.transcript.find("secret") == std::string::npos);
}

TEST_CASE("a script of POP3 commands stops at the first reply that it does not expect, and quits")
{
    const Played refused = play("pop3", kFetch, pop3Server(answers("RETR 2", "-ERR gone\r\n")));
    CHECK(refused.end.failure.kind == FailureKind::errReply);
    CHECK(refused.end.where == "POP3 RETR");
    CHECK(refused.end.retrieved == 1);
    CHECK(refused.lines.back() == "QUIT");
    const Played expected = play("pop3", R"(["STAT", "RETR {n} -> any", "DELE {n} -> any", "NOOP -> -ERR"])",
        pop3Server(answers("RETR 2", "-ERR gone\r\n")));
    CHECK(expected.end.failure.kind == FailureKind::protocol); // NOOP succeeded
    CHECK(expected.end.where == "POP3 NOOP");
    CHECK(said(expected, "DELE 2"));
    const Played twice = play("pop3", kFetch, pop3Server(answers("STAT", "+OK 1 1\r\n+OK\r\n")));
    CHECK(twice.end.failure.kind == FailureKind::protocol);
    CHECK(twice.end.retrieved == 0);
}

TEST_CASE("an empty mailbox has no command for each message")
{
    const Played played = play("pop3", kFetch, pop3Server(answers("STAT", "+OK 0 0\r\n")));
    CHECK(played.end.failure.kind == FailureKind::none);
    CHECK(played.lines.back() == "QUIT");
    CHECK_FALSE(said(played, "RETR"));
}

TEST_CASE("a session pauses between its commands, and says how long")
{
    const Played played =
        play("pop3", R"(["NOOP", "NOOP", "NOOP"])", pop3Server(), "request_pause = \"20 ms\"");
    CHECK(played.end.failure.kind == FailureKind::none);
    CHECK(played.end.paused == std::chrono::milliseconds(40));
}
