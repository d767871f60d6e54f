// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that answer before they can have an answer, or what nobody asked: nothing counts as done, and the connection is not
// used again. And servers that lack what the plan asks for: it is told.
#include "support/catch.h"
#include "support/one_action.h"
#include "support/scripted_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

using namespace loadstone;
using namespace loadstone::test;
using plan::ActionKind;
using protocol::FailureKind;

namespace {

/// Answers APPEND with its leave and the end at once; notes all lines.
class HastyServer {
public:
    explicit HastyServer(std::string capabilities)
        : m_capabilities(std::move(capabilities))
    {
    }
    ScriptedPeer::Script script(unsigned connections)
    {
        ScriptedPeer::Script script;
        script.greeting = "* OK [CAPABILITY IMAP4rev1 " + m_capabilities + "] hello\r\n";
        script.answer = [this](const std::string& line) { return answer(line); };
        script.connections = connections;
        return script;
    }
    std::vector<std::string> lines()
    {
        const std::lock_guard lock(m_mutex);
        return m_lines;
    }

private:
    std::string answer(const std::string& line)
    {
        const std::lock_guard lock(m_mutex);
        m_lines.push_back(line);
        const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
        const std::string data = has(" SELECT") ? "* 0 EXISTS\r\n* OK [UIDVALIDITY 1] it is\r\n"
            : has(" SEARCH")                    ? "* SEARCH\r\n"
            : has(" APPEND")                    ? "+ go\r\n"
                                                : "";
        const std::string tag = line.substr(0, line.find(' '));
        return data + tag
            + (has("COMPRESS") ? " NO not now\r\n"
                               : " OK [CAPABILITY IMAP4rev1 " + m_capabilities + "] done\r\n");
    }

    std::mutex m_mutex; // the peer's thread answers
    std::string m_capabilities;
    std::vector<std::string> m_lines;
};

std::function<std::string(const std::string&)> smtpServer()
{
    return [body = false](const std::string& line) mutable -> std::string {
        if (body) {
            body = line != ".";
            return body ? "" : "250 taken\r\n";
        }
        body = line == "DATA";
        return body ? "354 go on\r\n" : line == "QUIT" ? "221 bye\r\n" : "250 ok\r\n";
    };
}

std::string targetOf(std::uint16_t imap, std::uint16_t smtp, const std::string& more = {})
{
    return fmt::format(
        "[target]\npassword = \"secret\"\ncommand_timeout = \"10 s\"\n[target.imap]\nport = {}\n"
        "auth = \"login\"\n{}[target.smtp]\nport = {}\n",
        imap, more, smtp);
}

} // namespace

TEST_CASE(
    "a copy in Sent Items whose answer comes before the message is no copy, and nothing of it is sent later")
{
    HastyServer server("UIDPLUS");
    std::vector<std::string> lines;
    {
        ScriptedPeer imap(server.script(2));
        ScriptedPeer smtp({ "220 mx\r\n", smtpServer() });
        ActionStage stage(planOf(ActionKind::sendMessage, targetOf(imap.port(), smtp.port()), true));
        REQUIRE(stage.play(ActionKind::logon).failure.kind == FailureKind::none);
        const ActionEnd sent = stage.play(ActionKind::sendMessage);
        CAPTURE(sent.failure.text, sent.transcript);
        CHECK(sent.failure.kind == FailureKind::protocol);
        CHECK(sent.where == "IMAP APPEND");
        CHECK(sent.errors == 1);
        const ActionEnd next = stage.play(ActionKind::checkInbox); // over another connection
        CAPTURE(next.failure.text, next.transcript);
        CHECK(next.failure.kind == FailureKind::none);
        lines = server.lines();
    }
    for (const std::string& line : lines)
        CHECK_THAT(line, Catch::StartsWith("a"));
    CHECK(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("LOGIN") != std::string::npos;
    }) == 2);
}

TEST_CASE("a mailbox is not filled by a server that answers before it has got the message")
{
    HastyServer server("UIDPLUS");
    ScriptedPeer imap(server.script(1));
    ActionStage stage(planOf(ActionKind::initialiseMailbox, targetOf(imap.port(), 1), true)
        + "[workload.initial]\ninbox = 2\n");
    const ActionEnd end = stage.play(ActionKind::initialiseMailbox);
    CAPTURE(end.failure.text, end.transcript);
    CHECK(end.failure.kind == FailureKind::protocol);
    CHECK(end.where == "IMAP APPEND");
    CHECK(end.appended == 0);
}

TEST_CASE("a message is not accepted by a server that says so before it has got all of it")
{
    // Longer than what the kernel keeps of a connection, so that the client waits while it sends.
    const auto plan = [](std::uint16_t port) {
        return fmt::format(
            "format = 1\nkind = \"mail\"\n[target]\npassword = \"secret\"\ncommand_timeout = \"10 s\"\n"
            "[target.smtp]\nport = {}\n[workload]\npacing = \"closed\"\n[[workload.steps]]\n"
            "action = \"send message\"\nsize = \"30 MB\"\n[[mixes]]\nclients = 1\nthreads_per_client = 1\n"
            "mailboxes_per_client = 2\nmeasurement = \"1 min\"\n",
            port);
    };
    ScriptedPeer::Script script;
    script.greeting = "220 mx\r\n";
    script.answer = [body = 0](const std::string& line) mutable -> std::string {
        if (body > 0)
            return ++body == 3 ? "250 taken\r\n" : "";
        body = line == "DATA" ? 1 : 0;
        return body > 0 ? "354 go on\r\n" : "250 ok\r\n";
    };
    ScriptedPeer smtp(std::move(script));
    const ActionEnd end = carryOut(ActionKind::sendMessage, plan(smtp.port()));
    CAPTURE(end.failure.text, end.transcript);
    CHECK(end.failure.kind == FailureKind::protocol);
    CHECK_THAT(end.failure.text, Catch::Contains("before all of it was sent"));
}

TEST_CASE("what a calendar server says unasked is not taken for the answer to the next request")
{
    std::string request;
    unsigned puts = 0;
    ScriptedPeer::Script script;
    script.connections = 2;
    script.answer = [&](const std::string& line) -> std::string {
        if (line.find(" HTTP/1.1") != std::string::npos)
            request = line;
        if (!line.empty())
            return {};
        if (request.find("PROPFIND") != std::string::npos) {
            const std::string body =
                "<multistatus xmlns=\"DAV:\"><response><href>/u0/</href><propstat><prop><resourcetype>"
                "<collection/><calendar xmlns=\"urn:ietf:params:xml:ns:caldav\"/></resourcetype></prop>"
                "<status>HTTP/1.1 200 OK</status></propstat></response></multistatus>";
            return fmt::format(
                "HTTP/1.1 207 Multi-Status\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
        }
        return puts++ == 0 ? "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
                           : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
    };
    ScriptedPeer dav(std::move(script));
    ActionStage stage(planOf(ActionKind::logon,
        targetOf(1, 1) + fmt::format("[target.caldav]\nport = {}\npath = \"/{{user}}/\"\n", dav.port()),
        true));
    const auto appointment = [](std::uint32_t number) {
        mail::Appointment action;
        action.kind = ActionKind::makeAppointment;
        action.of = mail::TimedAction { .number = number };
        return action;
    };
    const ActionEnd first = stage.play(appointment(0));
    CAPTURE(first.failure.text, first.transcript);
    REQUIRE(first.failure.kind == FailureKind::none);
    dav.sayUnasked("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
    const ActionEnd second = stage.play(appointment(1));
    CAPTURE(second.failure.text, second.transcript);
    CHECK(second.failure.kind == FailureKind::transientReply); // 403, and not the 201 from before
    CHECK(second.failure.code == 403);
}

TEST_CASE("compression and CONDSTORE that the plan asks for and the server does not give are told once")
{
    const std::string asks = "compress = true\ncondstore = true\n";
    {
        HastyServer server("UIDPLUS");
        ScriptedPeer imap(server.script(2));
        ActionStage stage(planOf(ActionKind::logon, targetOf(imap.port(), 1, asks), true));
        const ActionEnd first = stage.play(ActionKind::logon);
        CHECK(first.failure.kind == FailureKind::none);
        REQUIRE(first.warnings.size() == 2);
        CHECK_THAT(first.warnings[0], Catch::Contains("offers no CONDSTORE"));
        CHECK_THAT(first.warnings[1], Catch::Contains("offers no COMPRESS=DEFLATE"));
        CHECK(stage.play(ActionKind::logon).warnings.empty());
    }
    HastyServer server("CONDSTORE COMPRESS=DEFLATE");
    ScriptedPeer imap(server.script(1));
    ActionStage stage(planOf(ActionKind::logon, targetOf(imap.port(), 1, asks), true));
    const ActionEnd refused = stage.play(ActionKind::logon);
    CHECK(refused.failure.kind == FailureKind::none);
    REQUIRE(refused.warnings.size() == 1);
    CHECK_THAT(refused.warnings[0], Catch::Contains("refuses COMPRESS"));
}
