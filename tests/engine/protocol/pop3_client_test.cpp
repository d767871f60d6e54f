// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation.h"
#include "protocol/sasl/sasl.h"

using namespace loadstone;
using namespace loadstone::protocol;
using loadstone::test::Delivery;
using loadstone::test::serverBytes;

namespace {

constexpr const char* kPassword = "s3cret-Word";

/// Keeps the messages that came whole.
struct Collector final : MessageSink {
    std::string current;
    std::vector<std::string> messages;
    int begun = 0;
    void begin() override
    {
        ++begun;
        current.clear();
    }
    void data(std::string_view text) override { current += text; }
    void end(MonoTime) override { messages.push_back(current); }
};

struct Outcome {
    std::vector<std::string> messages;
    std::uint64_t announced = 0;
    bool readToEnd = false, committed = false, ready = false, closed = false, waiting = false;
    FailureKind kind = FailureKind::none;
    Pop3Verb verb {};
    std::string text, transcript, said, contradiction;
    std::vector<Pop3Verb> timed;
    bool timesRise = true;
    bool operator==(const Outcome&) const = default;
};

Outcome run(const Pop3Options& options, std::string_view script, const Delivery& delivery = {})
{
    Pop3Client client(options, "tim", kPassword);
    Collector collector;
    Outcome outcome;
    outcome.said = test::play(client, script, delivery, [&](std::string_view what) {
        if (what == "tls") {
            REQUIRE(client.wantsTls());
            return client.tlsEstablished();
        }
        if (what == "lost")
            return client.fail(FailureKind::connectionLost, 104, "gone");
        REQUIRE(client.ready());
        if (what == "quit")
            client.quit();
        else if (what == "remove")
            client.remove(1);
        else if (what != "idle")
            client.visit(what.ends_with("empty") ? Pop3Visit::empty
                    : what == "list"             ? Pop3Visit::list
                                                 : Pop3Visit::read,
                collector, what.starts_with("compare"));
    });
    outcome.messages = collector.messages;
    outcome.announced = client.messages();
    outcome.readToEnd = client.readToEnd();
    outcome.committed = client.committed();
    outcome.ready = client.ready();
    outcome.closed = client.closed();
    outcome.waiting = client.waiting();
    outcome.kind = client.failure().kind;
    outcome.verb = static_cast<Pop3Verb>(client.failure().verb);
    outcome.text = client.failure().text;
    outcome.contradiction = client.contradiction();
    outcome.transcript = client.transcript().text();
    for (const Pop3Timing& timing : client.timings()) {
        outcome.timed.push_back(timing.verb);
        outcome.timesRise = outcome.timesRise && timing.done > timing.sent;
    }
    return outcome;
}

Outcome runEverySplit(const Pop3Options& options, std::string_view script)
{
    const Outcome whole = run(options, script);
    for (std::size_t split = 1; split < serverBytes(script); ++split)
        REQUIRE(run(options, script, { .split = split }) == whole);
    REQUIRE(run(options, script, { .bytewise = true }) == whole);
    CHECK(whole.timesRise);
    return whole;
}

const std::string kLogin = "S: +OK ready\nC: USER tim\nS: +OK\nC: PASS s3cret-Word\nS: +OK in\n";
const std::string kPipelinedLogin = "S: +OK ready\nC: CAPA\nS: +OK\nS: PIPELINING\nS: UIDL\nS: .\nC: USER "
                                    "tim\nS: +OK\nC: PASS s3cret-Word\nS: +OK in\n";
const std::string kEmptyTwo = kLogin
    + "> empty\nC: STAT\nS: +OK 2 100\n"
      "C: RETR 1\nS: +OK\nS: Subject: a\nS: \nS: ..dot\nS: ...\nS: .\nC: DELE 1\nS: +OK\n"
      "C: RETR 2\nS: +OK\nS: .\nC: DELE 2\nS: +OK\n"
      "> quit\nC: QUIT\nS: +OK bye\n";

Pop3Options pipelining()
{
    Pop3Options options;
    options.pipelining = true;
    return options;
}

} // namespace

TEST_CASE("a mailbox is emptied message by message, stuffing removed wherever the bytes are cut")
{
    const Outcome outcome = runEverySplit({}, kEmptyTwo);
    CHECK(outcome.messages == std::vector<std::string> { "Subject: a\r\n\r\n.dot\r\n..\r\n", "" });
    CHECK(outcome.announced == 2);
    CHECK(outcome.readToEnd);
    CHECK(outcome.committed);
    CHECK(outcome.closed);
    CHECK(outcome.kind == FailureKind::none);
    CHECK(outcome.timed.size() == 3 + 1 + 4 + 1);
    CHECK_THAT(outcome.transcript, !ContainsSubstring(kPassword));
    CHECK_THAT(outcome.transcript, !ContainsSubstring("Subject"));
}

TEST_CASE("an empty mailbox is read to its end at once")
{
    const Outcome stat =
        runEverySplit({}, kLogin + "> empty\nC: STAT\nS: +OK 0 0\n> quit\nC: QUIT\nS: +OK bye\n");
    CHECK(stat.readToEnd);
    CHECK(stat.closed);
    const Outcome uidl =
        runEverySplit({}, kLogin + "> read\nC: UIDL\nS: +OK\nS: .\n> quit\nC: QUIT\nS: +OK bye\n");
    CHECK(uidl.readToEnd);
    CHECK(uidl.kind == FailureKind::none);
}

TEST_CASE("reading and listing leave the messages where they are")
{
    const Outcome read = runEverySplit({},
        kLogin
            + "> read\nC: UIDL\nS: +OK\nS: 1 x\nS: 2 y\nS: .\nC: RETR 1\nS: +OK\nS: one\nS: .\nC: RETR 2\nS: "
              "+OK\nS: two\nS: .\n> quit\nC: QUIT\nS: +OK\n");
    CHECK(read.messages == std::vector<std::string> { "one\r\n", "two\r\n" });
    CHECK(read.readToEnd);
    const Outcome list = runEverySplit({},
        kLogin
            + "> list\nC: UIDL\nS: +OK\nS: 1 x\nS: 2 y\nS: .\nC: TOP 1 0\nS: +OK\nS: A: b\nS: .\nC: TOP 2 "
              "0\nS: -ERR gone\n");
    CHECK(list.ready);
    CHECK_FALSE(list.readToEnd);
    CHECK(list.kind == FailureKind::errReply);
    CHECK(list.verb == Pop3Verb::top);
    const Outcome refused = runEverySplit({}, kLogin + "> read\nC: UIDL\nS: -ERR no\n");
    CHECK(refused.ready);
    CHECK_FALSE(refused.readToEnd);
    CHECK(refused.verb == Pop3Verb::uidl);
}

TEST_CASE("a visit that compares reads what STAT or the listing has, and says how they contradict each other")
{
    const std::string one = "C: RETR 1\nS: +OK\nS: x\nS: .\n", first = one + "C: DELE 1\nS: +OK\n";
    const std::string second = "C: RETR 2\nS: +OK\nS: y\nS: .\nC: DELE 2\nS: +OK\n";
    const std::string empty = kLogin + "> compare empty\nC: STAT\nS: ", quit = "> quit\nC: QUIT\nS: +OK\n";
    const Outcome same =
        runEverySplit({}, empty + "+OK 1 9\nC: LIST\nS: +OK\nS: 1 9\nS: .\n" + first + quit);
    CHECK(same.readToEnd);
    CHECK(same.contradiction.empty());
    const Outcome less = runEverySplit(
        {}, empty + "+OK 0 0\nC: LIST\nS: +OK\nS: 1 3\nS: 2 3\nS: .\n" + first + second + quit);
    CHECK(less.messages.size() == 2);
    CHECK(less.readToEnd);
    CHECK(less.committed);
    CHECK(less.kind == FailureKind::none);
    CHECK(less.contradiction == "STAT counts 0 messages, the listing names 2");
    const Outcome more = runEverySplit({},
        empty + "+OK 999 9\nC: LIST\nS: +OK\nS: 1 3\nS: .\n" + first + "C: RETR 2\nS: -ERR none\n" + quit);
    CHECK(more.messages.size() == 1);
    CHECK_FALSE(more.readToEnd);
    CHECK(more.contradiction == "STAT counts 999 messages, the listing names 1");
    const std::string other = empty + "+OK 1 3\nC: LIST\nS: -ERR no\nC: UIDL\nS: ";
    const Outcome uidl = runEverySplit({}, other + "+OK\nS: 1 a\nS: 2 b\nS: .\n" + first + second + quit);
    CHECK(uidl.readToEnd);
    CHECK(uidl.kind == FailureKind::none);
    const Outcome refused = runEverySplit({}, other + "-ERR no\n" + first + quit);
    CHECK(refused.messages.size() == 1);
    CHECK_FALSE(refused.readToEnd);
    CHECK(refused.verb == Pop3Verb::uidl);
    const Outcome read = runEverySplit(
        {}, kLogin + "> compare read\nC: UIDL\nS: +OK\nS: .\nC: STAT\nS: +OK 1 3\n" + one + quit);
    CHECK(read.messages.size() == 1);
    CHECK(read.readToEnd);
    CHECK(read.contradiction == "STAT counts 1 messages, the listing names 0");
}

TEST_CASE("a pipelining client keeps a window of retrievals under way and goes on as answers come")
{
    std::string script = kPipelinedLogin + "> empty\nC: STAT\nS: +OK 20 999\n";
    for (unsigned i = 1; i <= Pop3Client::kWindow; ++i)
        script += "C: RETR " + std::to_string(i) + "\n";
    for (unsigned i = 1; i <= 20; ++i) {
        if (i > Pop3Client::kWindow)
            script += "S: +OK deleted\n";
        script += "S: +OK\nS: m" + std::to_string(i) + "\nS: .\nC: DELE " + std::to_string(i) + "\n";
        if (i + Pop3Client::kWindow <= 20)
            script += "C: RETR " + std::to_string(i + Pop3Client::kWindow) + "\n";
    }
    for (unsigned i = 1; i <= Pop3Client::kWindow; ++i)
        script += "S: +OK deleted\n";
    const Outcome outcome = runEverySplit(pipelining(), script + "> quit\nC: QUIT\nS: +OK\n");
    REQUIRE(outcome.messages.size() == 20);
    CHECK(outcome.messages[19] == "m20\r\n");
    CHECK(outcome.readToEnd);
    CHECK(outcome.committed);
    CHECK(outcome.kind == FailureKind::none);
}

TEST_CASE("one message that cannot be had does not keep the others, and one that cannot be deleted is told")
{
    const Outcome retr = runEverySplit({},
        kLogin
            + "> empty\nC: STAT\nS: +OK 2 9\nC: RETR 1\nS: -ERR locked\nC: RETR 2\nS: +OK\nS: x\nS: .\nC: "
              "DELE 2\nS: +OK\n> quit\nC: QUIT\nS: +OK\n");
    CHECK(retr.messages.size() == 1);
    CHECK_FALSE(retr.readToEnd);
    CHECK(retr.committed);
    CHECK(retr.verb == Pop3Verb::retr);
    CHECK(retr.text == "locked");
    const Outcome dele = runEverySplit({},
        kLogin
            + "> empty\nC: STAT\nS: +OK 1 9\nC: RETR 1\nS: +OK\nS: x\nS: .\nC: DELE 1\nS: -ERR read-only\n> "
              "quit\nC: QUIT\nS: +OK\n");
    CHECK(dele.readToEnd);
    CHECK_FALSE(dele.committed); // the message may be there the next time
    CHECK(dele.kind == FailureKind::errReply);
    CHECK(dele.verb == Pop3Verb::dele);
}

TEST_CASE("a login is by the method asked for, or by the best that is offered")
{
    Pop3Options options;
    const std::string greeting = "S: +OK <1896.697170952@dbc.mtview.ca.us>\n";
    const std::string digest = apopDigest("<1896.697170952@dbc.mtview.ca.us>", kPassword);
    const std::string plain = plainMessage({ {}, "tim", kPassword });
    const std::string capabilities = "C: CAPA\nS: +OK\nS: SASL LOGIN PLAIN\nS: USER\nS: .\n";
    options.auth = Pop3Auth::apop;
    CHECK(runEverySplit(options, greeting + "C: APOP tim " + digest + "\nS: +OK\n").ready);
    const Outcome none = runEverySplit(options, "S: +OK no timestamp\n");
    CHECK(none.closed);
    CHECK(none.kind == FailureKind::authentication);
    options.auth = Pop3Auth::sasl;
    CHECK(runEverySplit(options, "S: +OK\n" + capabilities + "C: AUTH PLAIN " + plain + "\nS: +OK\n").ready);
    CHECK(runEverySplit(options, "S: +OK\nC: CAPA\nS: -ERR what?\nC: AUTH PLAIN " + plain + "\nS: +OK\n")
              .ready);
    options.auth = Pop3Auth::automatic;
    CHECK(runEverySplit(options, greeting + capabilities + "C: APOP tim " + digest + "\nS: +OK\n").ready);
    CHECK(runEverySplit(options, "S: +OK\n" + capabilities + "C: AUTH PLAIN " + plain + "\nS: +OK\n").ready);
    CHECK(runEverySplit(
        options, "S: +OK\nC: CAPA\nS: -ERR what?\nC: USER tim\nS: +OK\nC: PASS s3cret-Word\nS: +OK\n")
              .ready);
    options.startTls = true;
    const Outcome secured = runEverySplit(options,
        greeting + "C: STLS\nS: +OK begin\n> tls\n" + capabilities + "C: AUTH PLAIN " + plain + "\nS: +OK\n");
    CHECK(secured.ready);
    CHECK(secured.kind == FailureKind::none);
    const Outcome noTls = runEverySplit(options, "S: +OK\nC: STLS\nS: -ERR no\n");
    CHECK(noTls.closed);
    CHECK(noTls.kind == FailureKind::tls);
    options = {};
    for (const char* refusal : { "S: +OK\nC: USER tim\nS: -ERR who?\n",
             "S: +OK\nC: USER tim\nS: +OK\nC: PASS s3cret-Word\nS: -ERR no\n" }) {
        const Outcome refused = runEverySplit(options, refusal);
        CHECK(refused.closed);
        CHECK(refused.kind == FailureKind::authentication);
        CHECK_THAT(refused.transcript, !ContainsSubstring(kPassword));
    }
    const Outcome away = run(options, "S: -ERR too many connections\n");
    CHECK(away.closed);
    CHECK(away.kind == FailureKind::errReply);
    CHECK(away.verb == Pop3Verb::banner);
}

TEST_CASE("a connection may be lost anywhere; no message is taken for read that did not come whole")
{
    const std::size_t first = serverBytes(std::string_view(kEmptyTwo).substr(0, kEmptyTwo.find("C: DELE 1")));
    const std::size_t second =
        serverBytes(std::string_view(kEmptyTwo).substr(0, kEmptyTwo.find("C: DELE 2")));
    const std::size_t all = serverBytes(kEmptyTwo);
    for (std::size_t at = 0; at <= all; ++at) {
        const Outcome outcome = run({}, kEmptyTwo, { .lostAfter = at });
        INFO("after " << at << " bytes");
        REQUIRE(outcome.closed);
        REQUIRE_FALSE(outcome.waiting);
        REQUIRE(outcome.messages.size() == (at >= second ? 2 : at >= first ? 1 : 0));
        REQUIRE(outcome.readToEnd == (at >= second));
        REQUIRE(outcome.committed == (at == all));
        REQUIRE(outcome.kind == (at == all ? FailureKind::none : FailureKind::connectionLost));
    }
    // Where nothing was deleted, a server that closes at QUIT without a word harms nobody.
    CHECK(run({}, kLogin + "> empty\nC: STAT\nS: +OK 0 0\n> quit\nC: QUIT\n> lost\n").kind
        == FailureKind::none);
    const Outcome removed = run({}, kLogin + "> remove\nC: DELE 1\nS: +OK\n> quit\nC: QUIT\n> lost\n");
    CHECK(removed.kind == FailureKind::connectionLost); // whether the message is gone is not known
    CHECK(removed.verb == Pop3Verb::quit);
    CHECK_FALSE(removed.committed);
}

TEST_CASE("a POP3 server that speaks out of turn or nonsense ends the session as a protocol error")
{
    const std::string stat = kLogin + "> empty\nC: STAT\n";
    const std::string capa = "S: +OK\nC: CAPA\nS: +OK\n";
    for (const std::string& script :
        { std::string("S: * OK IMAP4rev1 ready\n"), kLogin + "> idle\nS: +OK by the way\n",
            kLogin + "> idle\nS: -ERR shutting down\n", stat + "S: +OK\n", stat + "S: +OK many\n",
            stat + "S: +OK -1 0\n", stat + "S: +OK 1000001 1\n", stat + "S: +OK 99999999999999999999 1\n",
            stat + "S: +OK 0 0\nS: +OK 0 0\n", "S: +OK " + std::string(Pop3Client::kMaxLine, 'x') + "\n" }) {
        const Outcome outcome = run({}, script);
        INFO(script.substr(0, 120));
        CHECK(outcome.closed);
        CHECK(outcome.kind == FailureKind::protocol);
        CHECK(run({}, script, { .bytewise = true }) == outcome);
    }
    std::string endless = capa;
    for (int i = 0; i < 30; ++i)
        endless += "S: X-" + std::string(3000, 'y') + "\n";
    const Outcome capabilities = run(pipelining(), endless);
    CHECK(capabilities.closed);
    CHECK(capabilities.kind == FailureKind::protocol);
}

TEST_CASE("an answer that comes before its command is no answer")
{
    const Pop3Options options;
    Pop3Client client(options, "tim", kPassword);
    client.open({}, false);
    client.received("+OK ready\r\n+OK user\r\n+OK in\r\n", {});
    CHECK(client.closed());
    CHECK(client.failure().kind == FailureKind::protocol);
}

TEST_CASE("nothing may come in the clear behind the answer to STLS")
{
    Pop3Options options;
    options.startTls = true;
    const std::string opening = "S: +OK ready\nC: STLS\nS: +OK go\n";
    const Outcome outcome =
        runEverySplit(options, opening + "> tls\nC: USER tim\nS: +OK\nC: PASS s3cret-Word\nS: +OK in\n");
    CHECK(outcome.ready);
    const Outcome injected = run(options, opening + "S: +OK injected\n");
    CHECK(injected.closed);
    CHECK(injected.kind == FailureKind::tls);
    CHECK(injected.verb == Pop3Verb::tlsHandshake);
    CHECK(injected.transcript.find("injected") == std::string::npos);
}

TEST_CASE("a listing that never ends is cut short")
{
    const Pop3Options options;
    Pop3Client client(options, "tim", kPassword);
    Collector collector;
    client.open({}, false);
    for (const char* reply : { "+OK\r\n", "+OK\r\n", "+OK\r\n" }) {
        client.received(reply, {});
        client.written({});
    }
    REQUIRE(client.ready());
    client.visit(Pop3Visit::read, collector);
    client.written({});
    client.received("+OK\r\n", {});
    std::string block;
    for (int i = 0; i < 10'000; ++i)
        block += "1 x\r\n";
    for (int i = 0; i < 101 && !client.closed(); ++i)
        client.received(block, {});
    CHECK(client.closed());
    CHECK(client.failure().kind == FailureKind::protocol);
}
