// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation.h"
#include "protocol/imap/imap_client.h"
#include "protocol/sasl/sasl.h"

#include <array>
#include <vector>

using namespace loadstone;
using namespace loadstone::protocol;
using loadstone::test::Delivery;
using loadstone::test::serverBytes;

namespace {

constexpr const char* kPassword = "s3cret \"Word\\";

/// What a listener was told.
struct Told final : ImapListener {
    std::vector<std::string> ends; ///< "IMAP FETCH 3 OK"
    std::vector<std::string> names; ///< of data, and codes of untagged conditions
    std::string bodies;

    void data(const ImapText&, const ImapResponse& response) override
    {
        names.emplace_back(response.kind == ImapResponse::Kind::data ? response.name : response.code);
    }
    void body(std::string_view, std::string_view piece, bool begins, bool ends_) override
    {
        bodies.append(begins ? "<" : "").append(piece).append(ends_ ? ">" : "");
    }
    void ended(const ImapEnd& end, MonoTime) override
    {
        constexpr std::array kConditions { "OK", "NO", "BAD" };
        ends.push_back(std::string(toString(end.verb)) + " " + std::to_string(end.tag) + " "
            + kConditions.at(static_cast<std::size_t>(end.condition)));
    }
};

struct Outcome {
    std::vector<std::string> ends, names;
    std::string bodies, text, transcript;
    bool ready = false, closed = false, waiting = false, idled = false;
    FailureKind kind = FailureKind::none;
    ImapVerb verb {};
    std::vector<ImapVerb> timed;
    bool operator==(const Outcome&) const = default;
};

Outcome run(const ImapOptions& options, std::string_view script, const Delivery& delivery = {})
{
    ImapClient client(options, "tim", kPassword);
    Told told;
    client.listen(&told);
    const std::array<std::string_view, 2> pieces { "Subject: t\r\n\r\n", "text\r\n" };
    Outcome outcome;
    test::play(client, script, delivery, [&](std::string_view what) {
        if (what == "tls") {
            REQUIRE(client.wantsTls());
            return client.tlsEstablished();
        }
        if (what == "lost")
            return client.fail(FailureKind::connectionLost, 104, "gone");
        if (what == "done") {
            outcome.idled = client.idling();
            return client.done();
        }
        REQUIRE_FALSE(client.mayNotSend());
        if (what == "append")
            client.append("Sent \"box\"", "\\Seen", pieces, 20);
        else if (what == "idle")
            client.idle();
        else if (what == "logout")
            client.logout();
        else // fetch, and at once a second command
            for (const std::string_view text : { "FETCH 1:2 (FLAGS BODY[])", "NOOP" })
                client.command(text == "NOOP" ? ImapVerb::noop : ImapVerb::fetch, text);
    });
    outcome.ends = told.ends;
    outcome.names = told.names;
    outcome.bodies = told.bodies;
    outcome.ready = client.ready();
    outcome.closed = client.closed();
    outcome.waiting = client.waiting();
    outcome.kind = client.failure().kind;
    outcome.verb = static_cast<ImapVerb>(client.failure().verb);
    outcome.text = client.failure().text;
    outcome.transcript = client.transcript().text();
    for (const ImapTiming& timing : client.timings()) {
        outcome.timed.push_back(timing.verb);
        CHECK(timing.done > timing.sent);
    }
    return outcome;
}

/// However the server's bytes are cut, the outcome is the same.
Outcome runEverySplit(const ImapOptions& options, std::string_view script)
{
    const Outcome whole = run(options, script);
    CHECK(run(options, script, { .bytewise = true }) == whole);
    for (std::size_t split = 1; split < serverBytes(script); ++split) {
        INFO("cut behind byte " << split);
        REQUIRE(run(options, script, { .split = split }) == whole);
    }
    return whole;
}

const std::string kIn = "S: * OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+] hello\n"
                        "C: a1 AUTHENTICATE PLAIN "
    + plainMessage({ {}, "tim", kPassword }) + "\nS: a1 OK [CAPABILITY IMAP4rev1 IDLE LITERAL+ MOVE] in\n";

} // namespace

TEST_CASE("an IMAP session logs in as the server offers it, and the transcript keeps the password to itself")
{
    const std::string encoded = plainMessage({ {}, "tim", kPassword });
    const std::string asked = "S: * OK hello\nC: a1 CAPABILITY\n";
    for (const std::string& script : { kIn,
             asked
                 + "S: * CAPABILITY IMAP4rev1 AUTH=PLAIN\nS: a1 OK done\nC: a2 AUTHENTICATE PLAIN\nS: + \nC: "
                 + encoded
                 + "\nS: a2 OK in\nC: a3 CAPABILITY\nS: * CAPABILITY IMAP4rev1 MOVE\nS: a3 OK done\n",
             asked
                 + "S: * CAPABILITY IMAP4rev1\nS: a1 OK done\nC: a2 LOGIN \"tim\" \"s3cret \\\"Word\\\\\"\n"
                   "S: a2 OK [CAPABILITY IMAP4rev1 MOVE] in\n",
             std::string("S: * PREAUTH [CAPABILITY IMAP4rev1] as tim\n") }) {
        const Outcome outcome = runEverySplit({}, script);
        CHECK(outcome.ready);
        CHECK(outcome.kind == FailureKind::none);
        CHECK(outcome.transcript.find("s3cret") == std::string::npos);
        CHECK(outcome.transcript.find(encoded) == std::string::npos);
    }
    const Outcome refused = runEverySplit({},
        asked
            + "S: * CAPABILITY IMAP4rev1\nS: a1 OK done\n"
              "C: a2 LOGIN \"tim\" \"s3cret \\\"Word\\\\\"\nS: a2 NO [AUTHENTICATIONFAILED] who?\n");
    CHECK(refused.closed);
    CHECK(refused.kind == FailureKind::authentication);
    CHECK(refused.text == "who?");
    const Outcome disabled = run({}, asked + "S: * CAPABILITY IMAP4rev1 LOGINDISABLED\nS: a1 OK done\n");
    CHECK(disabled.kind == FailureKind::authentication);
    const Outcome busy = run({}, "S: * BYE too many\n");
    CHECK(busy.kind == FailureKind::refused);
    CHECK(busy.text == "too many");
}

TEST_CASE("what an IMAP server said in the clear is forgotten with STARTTLS, and PREAUTH is no way around it")
{
    ImapOptions options;
    options.startTls = true;
    const std::string opening = "S: * OK [CAPABILITY IMAP4rev1 STARTTLS MOVE] hello\nC: a1 STARTTLS\n";
    const Outcome outcome = runEverySplit(options,
        opening
            + "S: a1 OK go\n> tls\nC: a2 CAPABILITY\n"
              "S: * CAPABILITY IMAP4rev1\nS: a2 OK done\nC: a3 LOGIN \"tim\" \"s3cret \\\"Word\\\\\"\n"
              "S: a3 OK [CAPABILITY IMAP4rev1] in\n");
    CHECK(outcome.ready);
    const Outcome injected = run(options, opening + "S: a1 OK go\nS: * CAPABILITY INJECTED\n");
    CHECK(injected.closed);
    CHECK(injected.kind == FailureKind::tls);
    CHECK(injected.verb == ImapVerb::tlsHandshake);
    CHECK(injected.transcript.find("INJECTED") == std::string::npos);
    for (const std::string& script :
        { opening + "S: a1 NO not now\n", std::string("S: * OK [CAPABILITY IMAP4rev1] hello\n"),
            std::string("S: * PREAUTH [CAPABILITY IMAP4rev1 STARTTLS] in already\n") })
        CHECK(run(options, script).kind == FailureKind::tls);
}

TEST_CASE("commands are answered by their tags, bodies come through, and news may come at any time")
{
    const Outcome outcome = runEverySplit({},
        kIn
            + "> fetch\nC: a2 FETCH 1:2 (FLAGS BODY[])\nC: a3 NOOP\n"
              "S: * 7 EXISTS\nS: * 1 FETCH (FLAGS () BODY[] {6}\nS: abcd\nS: )\nS: a3 OK [HIGHESTMODSEQ 8] "
              "done\n"
              "S: * OK [ALERT] mind the gap\nS: * 2 FETCH (BODY[] {0}\nS: )\nS: a2 NO [SERVERBUG] that was "
              "all\n");
    CHECK(outcome.ends == std::vector<std::string> { "IMAP NOOP 3 OK", "IMAP FETCH 2 NO" });
    CHECK(outcome.names == std::vector<std::string> { "EXISTS", "FETCH", "ALERT", "FETCH" });
    CHECK(outcome.bodies.starts_with("<"));
    CHECK(outcome.ready);
    CHECK(outcome.kind == FailureKind::noReply);
    CHECK(outcome.verb == ImapVerb::fetch);
    CHECK(outcome.timed
        == std::vector<ImapVerb> {
            ImapVerb::greeting, ImapVerb::authenticate, ImapVerb::noop, ImapVerb::fetch });
}

TEST_CASE(
    "a message is appended at once where the server takes literals unasked, and with its leave elsewhere")
{
    const Outcome atOnce = runEverySplit({},
        kIn
            + "> append\nC: a2 APPEND \"Sent \\\"box\\\"\" (\\Seen) {20+}\nC: Subject: t\nC: \nC: text\nC: \n"
              "S: a2 OK [APPENDUID 1 2] done\n");
    CHECK(atOnce.ends == std::vector<std::string> { "IMAP APPEND 2 OK" });
    const std::string slow =
        "S: * PREAUTH [CAPABILITY IMAP4rev1] in\n> append\nC: a1 APPEND \"Sent \\\"box\\\"\" (\\Seen) {20}\n";
    const Outcome allowed =
        runEverySplit({}, slow + "S: + go on\nC: Subject: t\nC: \nC: text\nC: \nS: a1 OK done\n");
    CHECK(allowed.ends == std::vector<std::string> { "IMAP APPEND 1 OK" });
    const Outcome refused = runEverySplit({}, slow + "S: a1 NO [TRYCREATE] no such mailbox\n");
    CHECK(refused.ends == std::vector<std::string> { "IMAP APPEND 1 NO" });
    CHECK(refused.ready); // and the next command may be sent
    CHECK(refused.kind == FailureKind::noReply);
}

TEST_CASE("an answer that comes while something of its command is still due is none, and ends the session")
{
    const std::string slow = "S: * PREAUTH [CAPABILITY IMAP4rev1 IDLE] in\n> append\n"
                             "C: a1 APPEND \"Sent \\\"box\\\"\" (\\Seen) {20}\n";
    const std::string idle = "S: * PREAUTH [CAPABILITY IMAP4rev1 IDLE] in\n> idle\nC: a1 IDLE\n";
    const std::string login = "S: * OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello\nC: a1 AUTHENTICATE PLAIN\n";
    const std::vector<std::pair<std::string, ImapVerb>> scripts {
        { slow + "S: + go on\nS: a1 OK done\n", ImapVerb::append }, // before the message
        { slow + "S: + go on\nS: a1 NO not so\n", ImapVerb::append },
        { slow + "S: a1 OK done\n", ImapVerb::append }, // without the leave for it
        { idle + "S: + idling\nS: a1 OK done\n", ImapVerb::idle }, // before DONE
        { idle + "S: + idling\nS: a1 BAD done\n", ImapVerb::idle },
        { idle + "S: a1 OK done\n", ImapVerb::idle },
        { login + "S: + \nS: a1 OK in\n", ImapVerb::authenticate }, // before the password
        { login + "S: + \nS: a1 NO out\n", ImapVerb::authenticate },
    };
    for (const auto& [script, verb] : scripts) {
        INFO(script);
        const Outcome outcome = run({}, script);
        CHECK(outcome.closed);
        CHECK_FALSE(outcome.ready);
        CHECK(outcome.kind == FailureKind::protocol);
        CHECK(outcome.verb == verb);
        CHECK(outcome.ends.empty());
    }
    // Refused before the leave: a mere NO, and nothing of the message is left to be sent.
    const ImapOptions options;
    ImapClient client(options, "tim", kPassword);
    client.open({}, false);
    client.received("* PREAUTH [CAPABILITY IMAP4rev1] in\r\n", {});
    {
        const std::string text = "a message that does not live long";
        const std::array<std::string_view, 1> pieces { text };
        client.append("Sent", "", pieces, text.size());
        client.output();
        client.written({});
        client.received("a1 NO full\r\n", {});
    }
    REQUIRE(client.ready());
    client.command(ImapVerb::noop, "NOOP");
    CHECK(test::take(client) == "a2 NOOP\r\n");
}

TEST_CASE("a session idles until it is done, and takes its leave")
{
    const Outcome outcome = runEverySplit({},
        kIn
            + "> idle\nC: a2 IDLE\nS: + idling\nS: * 8 EXISTS\n> done\nC: DONE\nS: a2 OK done\n"
              "> logout\nC: a3 LOGOUT\nS: * BYE bye\nS: a3 OK done\n");
    CHECK(outcome.idled);
    CHECK(outcome.names == std::vector<std::string> { "EXISTS", "" });
    CHECK(outcome.closed);
    CHECK(outcome.kind == FailureKind::none);
    const Outcome abrupt = run({}, kIn + "> logout\nC: a2 LOGOUT\nS: * BYE bye\n> lost\n");
    CHECK(abrupt.closed);
    CHECK(abrupt.kind == FailureKind::none);
}

TEST_CASE("an IMAP server that leaves, speaks out of turn or nonsense ends the session as what it is")
{
    const Outcome left =
        run({}, kIn + "> fetch\nC: a2 FETCH 1:2 (FLAGS BODY[])\nC: a3 NOOP\nS: * BYE shutting down\n");
    CHECK(left.kind == FailureKind::connectionLost);
    CHECK(left.verb == ImapVerb::fetch);
    CHECK_FALSE(left.waiting);
    for (const std::string& script : { std::string("S: + hello\n"), std::string("S: HTTP/1.1 400\n"),
             kIn + "S: a9 OK what?\n", kIn + "S: + and?\n", kIn + "S: a1 OK again\n",
             std::string("S: * OK [CAPABILITY IMAP4rev1] x\nS: a1 OK early\n") }) {
        INFO(script);
        const Outcome outcome = run({}, script);
        CHECK(outcome.closed);
        CHECK(outcome.kind == FailureKind::protocol);
    }
}

TEST_CASE("IDLE is timed from DONE to its answer, not by how long it lasted")
{
    ImapOptions options;
    ImapClient client(options, "tim", kPassword);
    const MonoTime begin { std::chrono::seconds(1) };
    client.open(begin, false);
    client.received("* PREAUTH [CAPABILITY IMAP4rev1 IDLE] in\r\n", begin);
    client.clearTimings();
    client.idle();
    client.output();
    client.written(begin);
    client.received("+ idling\r\n", begin);
    REQUIRE(client.idling());
    const MonoTime end = begin + std::chrono::minutes(20);
    client.received("* 3 EXISTS\r\n", end);
    client.done();
    client.output();
    client.written(end);
    client.received("a1 OK done\r\n", end + std::chrono::milliseconds(2));
    REQUIRE(client.ready());
    REQUIRE(client.timings().size() == 1);
    CHECK(client.timings()[0].done - client.timings()[0].sent == std::chrono::milliseconds(2));
}

TEST_CASE("after COMPRESS all is deflated in both directions, from the byte behind its answer on")
{
    ImapOptions options;
    const std::string opening = "* PREAUTH [CAPABILITY IMAP4rev1 COMPRESS=DEFLATE] in\r\n";
    DeflateWriter server;
    std::string stream = "a1 OK deflating\r\n";
    server.write("* 3 EXISTS\r\n", stream);
    server.flush(stream);
    server.write("* 1 FETCH (BODY[] {3}\r\nabc)\r\na2 OK done\r\n", stream);
    server.flush(stream);
    for (std::size_t split = 1; split < stream.size(); ++split) {
        INFO("cut behind byte " << split);
        ImapClient client(options, "tim", kPassword);
        Told told;
        client.listen(&told);
        MonoTime now { std::chrono::seconds(1) };
        client.open(now, false);
        client.received(opening, now);
        client.compress();
        CHECK(test::take(client) == "a1 COMPRESS DEFLATE\r\n");
        client.written(now);
        const std::size_t answer = stream.find('\n') + 1;
        client.received(std::string_view(stream).substr(0, std::min(split, answer)), now);
        if (split < answer)
            client.received(std::string_view(stream).substr(split, answer - split), now);
        REQUIRE(client.compressed());
        client.command(ImapVerb::fetch, "FETCH 1 BODY[]");
        const std::string packed = test::take(client);
        CHECK(test::take(client) == packed); // the same until it is written
        client.written(now);
        CHECK(test::take(client).empty());
        DeflateReader reader;
        std::array<char, 100> buffer;
        std::string_view in = packed, said;
        CHECK(reader.read(in, buffer, said) == DeflateReader::Status::bytes);
        CHECK(said == "a2 FETCH 1 BODY[]\r\n");
        const std::size_t from = std::max(split, answer);
        client.received(std::string_view(stream).substr(answer, from - answer), now);
        client.received(std::string_view(stream).substr(from), now);
        CHECK(told.ends == std::vector<std::string> { "IMAP COMPRESS 1 OK", "IMAP FETCH 2 OK" });
        CHECK(told.names == std::vector<std::string> { "EXISTS", "FETCH" });
        CHECK(told.bodies.find("abc") != std::string::npos);
        CHECK(client.ready());
    }
    for (const std::string& after : { std::string("* 3 EXISTS\r\n"), std::string("\xff\xff\xff\xff") }) {
        ImapClient client(options, "tim", kPassword);
        client.open({}, false);
        client.received(opening, {});
        client.compress();
        client.output();
        client.written({});
        client.received("a1 OK deflating\r\n" + after, {});
        CHECK(client.closed());
        CHECK(client.failure().kind == FailureKind::protocol);
        CHECK_THAT(client.failure().text, Catch::Matchers::Contains("are not deflate"));
    }
}

TEST_CASE("what IMAP4rev2 has built in need not be listed")
{
    ImapOptions options;
    ImapClient client(options, "tim", kPassword);
    client.open({}, false);
    client.received("* PREAUTH [CAPABILITY IMAP4rev2 AUTH=PLAIN] in\r\n", {});
    for (const char* builtIn :
        { "IDLE", "move", "UIDPLUS", "ESEARCH", "LITERAL-", "NAMESPACE", "SPECIAL-USE" })
        CHECK(client.can(builtIn));
    for (const char* other : { "LITERAL+", "CONDSTORE", "COMPRESS=DEFLATE", "ID", "QUOTA" })
        CHECK_FALSE(client.can(other));
}

TEST_CASE("a session's commands are counted by their names")
{
    CHECK(imapVerbOf("UID FETCH 1:* (FLAGS)") == ImapVerb::fetch);
    CHECK(imapVerbOf("GETQUOTAROOT INBOX") == ImapVerb::quota);
    CHECK(imapVerbOf("DELETE x") == ImapVerb::remove);
    CHECK(imapVerbOf("EXAMINE x") == ImapVerb::select);
    CHECK(imapVerbOf("NOOP") == ImapVerb::noop);
    CHECK(imapVerbOf("UNSELECT") == ImapVerb::unselect);
}
