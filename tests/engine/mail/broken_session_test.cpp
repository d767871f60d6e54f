// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that go away, fall silent or talk nonsense at any point: each is an outcome of the action, by its kind and place.
#include "mail/preflight/preflight_probe.h"
#include "support/catch.h"
#include "support/endless_server.h"
#include "support/one_action.h"
#include "support/scripted_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

using namespace loadstone;
using namespace loadstone::test;
using plan::ActionKind;
using protocol::FailureKind;
using Fault = ScriptedPeer::Fault;

namespace {

struct Protocol {
    const char* name;
    ActionKind action;
    std::string greeting;
    std::function<std::string(const std::string&)> (*answers)(); ///< of a new connection
    std::vector<std::string> places; ///< what waits for each of the server's answers
    std::string startTls; ///< the line by which TLS begins
};

std::function<std::string(const std::string&)> smtpServer()
{
    return [body = false](const std::string& line) mutable -> std::string {
        if (body) {
            body = line != ".";
            return body ? "" : "250 taken\r\n";
        }
        body = line == "DATA";
        return body                        ? "354 go on\r\n"
            : line.starts_with("EHLO")     ? "250-mx\r\n250-STARTTLS\r\n250 AUTH CRAM-MD5\r\n"
            : line.starts_with("AUTH")     ? "334 PHhAeT4=\r\n"
            : line.starts_with("QUIT")     ? "221 bye\r\n"
            : line.starts_with("STARTTLS") ? "220 begin\r\n"
                                           : "250 ok\r\n";
    };
}

std::function<std::string(const std::string&)> pop3Server()
{
    return [](const std::string& line) -> std::string {
        return line.starts_with("AUTH") ? "+ PHhAeT4=\r\n"
            : line == "CAPA"            ? "+OK\r\nSASL CRAM-MD5\r\nUSER\r\n.\r\n"
            : line == "UIDL"            ? "+OK\r\n1 a\r\n2 b\r\n.\r\n"
            : line.starts_with("RETR")  ? "+OK\r\nSubject: x\r\n\r\n..body\r\n.\r\n"
                                        : "+OK\r\n";
    };
}

std::function<std::string(const std::string&)> imapServer()
{
    return [tag = std::string()](const std::string& line) mutable -> std::string {
        const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
        if (!has(" ")) // the answer to the challenge
            return tag + " OK [CAPABILITY IMAP4rev1] in\r\n";
        tag = line.substr(0, line.find(' '));
        const std::string data = has("AUTHENTICATE") ? "+ PHhAeT4=\r\n"
            : has(" LIST ") ? "* LIST () \"/\" \"Deleted Items\"\r\n* LIST () \"/\" \"Sent Items\"\r\n* LIST "
                              "() \"/\" \"Folder 001\"\r\n"
            : has(" SELECT") ? "* 1 EXISTS\r\n* OK [UIDNEXT 2] next\r\n"
            : has(" SEARCH") ? "* SEARCH 1\r\n"
            : has("HEADER")
            ? "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[HEADER.FIELDS (X-LOADSTONE-TOKEN)] {2}\r\n\r\n)\r\n"
            : has(" FETCH") ? "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[] {17}\r\nSubject: x\r\n\r\ny\r\n)\r\n"
                            : "";
        return has("AUTHENTICATE") ? data : data + tag + " OK done\r\n";
    };
}

const std::vector<Protocol> kProtocols {
    { "smtp", ActionKind::sendMessage, "220 mx\r\n", smtpServer,
        { "SMTP banner", "SMTP EHLO", "SMTP AUTH", "SMTP AUTH", "SMTP MAIL", "SMTP RCPT", "SMTP DATA",
            "SMTP end of data", "SMTP QUIT" },
        "STARTTLS" },
    { "pop3", ActionKind::readMailbox, "+OK hello\r\n", pop3Server,
        { "POP3 banner", "POP3 CAPA", "POP3 AUTH", "POP3 AUTH", "POP3 UIDL", "POP3 RETR", "POP3 RETR",
            "POP3 QUIT" },
        "STLS" },
    { "imap", ActionKind::readMailbox, "* OK [CAPABILITY IMAP4rev1 STARTTLS AUTH=CRAM-MD5] hello\r\n",
        imapServer,
        { "IMAP greeting", "IMAP AUTHENTICATE", "IMAP AUTHENTICATE", "IMAP LIST", "IMAP SELECT", "IMAP NOOP",
            "IMAP SEARCH", "IMAP FETCH", "IMAP FETCH" },
        "STARTTLS" },
};

/// One action against a server that goes wrong after so many bytes of its own.
ActionEnd meet(const Protocol& protocol, std::size_t wrongAfter, Fault fault, const char* timeout,
    const char* tls = "none", std::vector<std::size_t>* answers = nullptr)
{
    ScriptedPeer peer({ protocol.greeting, protocol.answers(), wrongAfter, fault });
    const bool imap = std::string(protocol.name) == "imap";
    std::string target =
        fmt::format("[target]\npassword = \"secret\"\ncommand_timeout = \"{}\"\n[target.{}]\nport = {}\n"
                    "auth = \"cram-md5\"\ntls = \"{}\"\n",
            timeout, protocol.name, peer.port(), tls);
    if (imap) // users send too
        target += "[target.smtp]\nport = 1\n";
    const ActionEnd end = carryOut(protocol.action, planOf(protocol.action, target, imap));
    if (answers != nullptr)
        *answers = peer.answers();
    return end;
}

} // namespace

TEST_CASE("what STAT hides is found in the drain over POP3, and told of; before, STAT alone is asked")
{
    const bool drains = GENERATE(true, false);
    std::vector<std::string> lines; // the peer's thread has ended when they are looked at
    ScriptedPeer peer({ "+OK hello\r\n", [&](const std::string& line) -> std::string {
                           lines.push_back(line);
                           return line == "CAPA"          ? "-ERR no\r\n"
                               : line == "STAT"           ? "+OK 0 0\r\n"
                               : line == "LIST"           ? "+OK\r\n1 20\r\n2 20\r\n.\r\n"
                               : line.starts_with("RETR") ? "+OK\r\nSubject: x\r\n\r\ny\r\n.\r\n"
                                                          : "+OK\r\n";
                       } });
    ActionStage stage(planOf(ActionKind::emptyMailbox,
        fmt::format("[target]\npassword = \"secret\"\n[target.pop3]\nport = {}\n", peer.port())));
    mail::Appointment action;
    action.kind = ActionKind::emptyMailbox;
    action.script()->drains = drains;
    const ActionEnd end = stage.play(std::move(action));
    peer.answers();
    CAPTURE(end.where, end.failure.text);
    CHECK_FALSE(end.failure);
    CHECK(end.retrieved == (drains ? 2 : 0));
    CHECK(end.readToEnd == (drains ? 1 : 0)); // what a run says is lost is the drain's to prove
    CHECK(std::count(lines.begin(), lines.end(), "LIST") == (drains ? 1 : 0));
    CHECK(end.warnings.size() == (drains ? 1 : 0));
    CHECK(end.notes
        == (drains ? std::vector<std::string> { "u0: STAT counts 0 messages, the listing names 2" }
                   : std::vector<std::string>()));
}

TEST_CASE("a server may go away at any point: the action fails by the connection's loss, where it stood")
{
    for (const Protocol& protocol : kProtocols) {
        std::vector<std::size_t> begins;
        const ActionEnd whole = meet(protocol, ScriptedPeer::kNever, Fault::closes, "10 s", "none", &begins);
        CAPTURE(protocol.name, whole.where, whole.failure.text, whole.transcript);
        REQUIRE(whole.failure.kind == FailureKind::none);
        REQUIRE(begins.size() == protocol.places.size() + 1);
        for (std::size_t i = 0; i < protocol.places.size(); ++i)
            for (const std::size_t into :
                { 0, 3, 12, 50 }) { // before the answer, and in its midst; 50: in a literal
                const std::size_t at = begins[i] + into;
                if (at == 0 || (into > 0 && at + 2 > begins[i + 1])) // 0 bytes: below
                    continue;
                const ActionEnd end = meet(protocol, at, Fault::closes, "10 s");
                CAPTURE(protocol.places[i], into, end.where, end.failure.text, end.transcript);
                if (protocol.places[i] == "SMTP QUIT") { // harms nobody
                    CHECK(end.failure.kind == FailureKind::none);
                    continue;
                }
                CHECK(end.failure.kind == FailureKind::connectionLost);
                CHECK(end.where == protocol.places[i]);
                CHECK(end.errors == 1);
            }
    }
}

TEST_CASE("a server may fall silent at any point: the action fails by the plan's time limit")
{
    for (const Protocol& protocol : kProtocols) {
        std::vector<std::size_t> begins;
        meet(protocol, ScriptedPeer::kNever, Fault::closes, "10 s", "none", &begins);
        REQUIRE(begins.size() == protocol.places.size() + 1);
        for (std::size_t i = 1; i < protocol.places.size(); ++i) {
            const ActionEnd end = meet(protocol, begins[i] + i % 2, Fault::stalls, "250 ms");
            CAPTURE(protocol.places[i], end.where, end.failure.text);
            CHECK(end.failure.kind == FailureKind::timeout);
            CHECK(end.where == protocol.places[i]);
            CHECK(end.errors == 1);
        }
        CHECK(meet(protocol, 0, Fault::closes, "10 s").where == protocol.places[0]);
        const ActionEnd longer = meet(protocol, 1, Fault::stalls, "1 s");
        CHECK(longer.failure.kind == FailureKind::timeout);
        CHECK(longer.where == protocol.places[0]);
    }
}

TEST_CASE("a server that drips has no more time for an answer than a silent one")
{
    for (const Protocol& protocol : kProtocols) {
        std::vector<std::size_t> begins;
        meet(protocol, ScriptedPeer::kNever, Fault::closes, "10 s", "none", &begins);
        REQUIRE(begins.size() == protocol.places.size() + 1);
        for (std::size_t i = 1; i < protocol.places.size(); ++i) {
            const ActionEnd end = meet(protocol, begins[i] + 4, Fault::drips, "250 ms");
            CAPTURE(protocol.places[i], end.where, end.failure.text);
            CHECK(end.failure.kind == FailureKind::timeout);
            CHECK(end.where == protocol.places[i]);
        }
    }
}

TEST_CASE("preflight gives up a server whose answer never comes to an end")
{
    const EndlessServer server;
    const ActionStage stage(planOf(ActionKind::readMailbox,
        fmt::format(
            "[target]\npassword = \"secret\"\ncommand_timeout = \"250 ms\"\n[target.imap]\nport = {}\n"
            "[target.smtp]\nport = 1\n",
            server.port),
        true));
    mail::ProbeOptions options;
    options.longestStep = std::chrono::milliseconds(500);
    options.limits = options.message = false;
    const auto findings = mail::probeServers(stage.setup(), options);
    const auto imap = std::find_if(findings.begin(), findings.end(),
        [](const PreflightFinding& finding) { return finding.subject.starts_with("IMAP"); });
    REQUIRE(imap != findings.end());
    CHECK(imap->severity == Severity::error);
    CHECK_THAT(imap->found, ContainsSubstring("cannot be reached: timeout"));
}

TEST_CASE("a TLS handshake that the server breaks off, answers with nonsense or leaves alone is an outcome")
{
    const std::map<Fault, FailureKind> kinds { { Fault::closes, FailureKind::tls },
        { Fault::babbles, FailureKind::tls }, { Fault::stalls, FailureKind::timeout } };
    for (const Protocol& protocol : kProtocols)
        for (const auto& [fault, kind] : kinds) {
            const char* const timeout = fault == Fault::stalls ? "250 ms" : "10 s";
            const std::string place = protocol.places[0].substr(0, 5) + "TLS handshake";
            CAPTURE(protocol.name, static_cast<int>(fault));
            // Up to and with the answer that lets TLS begin; what follows is the handshake.
            std::size_t bytes = protocol.greeting.size();
            const auto answers = protocol.answers();
            if (std::string(protocol.name) == "smtp")
                bytes += answers("EHLO x").size();
            bytes += answers(std::string(protocol.name) == "imap" ? "a1 STARTTLS" : protocol.startTls).size();
            for (const std::string tls : { "starttls", "implicit" }) {
                const ActionEnd end =
                    meet(protocol, tls == "implicit" ? 0 : bytes, fault, timeout, tls.c_str());
                CAPTURE(tls, end.where, end.failure.text, end.transcript);
                CHECK(end.failure.kind == kind);
                CHECK(end.where == place);
                CHECK(end.errors == 1);
            }
        }
}

TEST_CASE("an authority's file that holds no certificate is named before the load begins")
{
    const std::string target = "[target]\npassword = \"secret\"\n[target.pop3]\ntls = \"implicit\"\n"
                               "verify_certificate = true\nca_file = \"/dev/null\"\n";
    CHECK_THROWS_WITH(carryOut(ActionKind::readMailbox, planOf(ActionKind::readMailbox, target)),
        ContainsSubstring("target.pop3.ca_file") && ContainsSubstring("/dev/null"));
}
