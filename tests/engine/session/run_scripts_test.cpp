// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of sessions of commands and of named workloads.
#include "run_fixture.h"
#include "support/catch.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace loadstone;
using namespace loadstone::test;

namespace {

constexpr const char* kCommands = R"([[workload.steps]]
action = "POP3 session"
commands = ["STAT", "RETR {n}", "DELE {n}"]
[[workload.steps]]
action = "SMTP session"
size = "2 KB"
recipients = 3
commands = ["MAIL FROM:<{sender}>", "RCPT TO:<{recipient}>", "DATA", "{message}"]
)";

/// How often each command and action ended well, over the whole run.
std::map<std::string, std::uint64_t> countsOf(const Recording& recording)
{
    std::map<std::string, std::uint64_t> counts;
    for (const HistogramInfo& info : recording.header().histograms)
        if (info.clock == LatencyClock::service)
            counts[info.name] = recording.latency(info.id, kAll)->count;
    return counts;
}

} // namespace

TEST_CASE("a script of SMTP and POP3 commands is audited like the steps that do the same")
{
    RunFixture fixture;
    PlanText text;
    text.steps = kCommands;
    const auto run = fixture.start(text);
    const auto results = run->wait();
    REQUIRE(results);
    const auto recording = Recording::open(run->file());
    REQUIRE(recording);
    INFO(transcriptsOf(*recording));
    CHECK(results->mixes.at(0).failures == 0);
    const AuditTotals& audit = results->audit.value();
    CHECK(audit.accepted > 20);
    CHECK(audit.expected == 3 * audit.accepted);
    CHECK(audit.deliveredOnce == audit.expected);
    CHECK(audit.unknown == 0);
    CHECK(audit.twice == 0);
    auto counts = countsOf(*recording);
    CHECK(counts["SMTP MAIL"] == audit.accepted);
    CHECK(counts["SMTP RCPT"] == 3 * audit.accepted);
    CHECK(counts["SMTP DATA"] == audit.accepted);
    CHECK(counts["SMTP end of data"] == audit.accepted);
    CHECK(counts["POP3 RETR"] == audit.expected); // those of the drain among them
    CHECK(counts["SMTP session"] == audit.accepted);
    CHECK(recording->phases().back().kind == PhaseKind::drain);
    CHECK(results->mixes[0].recipientsPerMessage == 3);
    CHECK(results->mixes[0].workload.empty());
}

TEST_CASE("messages that a script leaves in their mailboxes are one copy each, however often they are fetched")
{
    RunFixture fixture;
    PlanText text;
    text.steps = R"([[workload.steps]]
action = "POP3 session"
commands = ["UIDL", "RETR {n}", "RETR {n}"]
[[workload.steps]]
action = "SMTP session"
size = "2 KB"
commands = ["MAIL FROM:<{sender}>", "RCPT TO:<{recipient}>", "DATA", "{message}"]
)";
    text.measurement = "1 s";
    const auto results = fixture.start(text)->wait();
    REQUIRE(results);
    const AuditTotals& audit = results->audit.value();
    CHECK(audit.accepted > 10);
    CHECK(audit.twice == 0);
    CHECK(audit.deliveredOnce == audit.expected);
}

TEST_CASE("copies that a server delivers twice, and messages that it refuses, are told of scripts, too")
{
    RunFixture fixture;
    PlanText text;
    text.steps = kCommands;
    SECTION("twice")
    {
        text.target = "[target.embedded]\nfaults = [\"duplicate:0.1\"]\n[target.smtp]\n[target.pop3]\n";
        const auto results = fixture.start(text)->wait();
        REQUIRE(results);
        CHECK(results->audit->twice > 0);
        CHECK(addUp(*results->audit));
    }
    SECTION("refused")
    {
        text.target = "[target.embedded]\nfaults = [\"reject:0.1:450\"]\n[target.smtp]\n[target.pop3]\n";
        const auto run = fixture.start(text);
        const auto results = run->wait();
        REQUIRE(results);
        const AuditTotals& audit = results->audit.value();
        CHECK(results->mixes.at(0).failures > 0);
        CHECK(audit.accepted > 10);
        CHECK(audit.expected == 3 * audit.accepted); // a refused recipient ends the script before its message
        CHECK(audit.deliveredOnce == audit.expected);
        CHECK(countsOf(*Recording::open(run->file()))["SMTP session"] == audit.accepted);
    }
}

TEST_CASE("each mix plays the workloads that it names, and its results say which")
{
    RunFixture fixture;
    PlanText text;
    text.steps = R"([[workloads]]
name = "readers"
think_time = "5 ms"
[[workloads.steps]]
action = "empty mailbox"
[[workloads]]
name = "senders"
[[workloads.steps]]
action = "send message"
size = "2 KB"
recipients = 2
)";
    text.measurement = "1 s";
    text.mixes = R"([[mixes]]
name = "both"
clients = 2
threads_per_client = 4
[[mixes.workloads]]
name = "readers"
share = 3
[[mixes.workloads]]
name = "senders"
[[mixes]]
name = "reading"
workload = "readers"
clients = 1
threads_per_client = 2
)";
    const auto run = fixture.start(text);
    const auto results = run->wait();
    REQUIRE(results);
    REQUIRE(results->mixes.size() == 2);
    CHECK(results->mixes[0].workload == "readers (3 of 4 threads), senders (1 of 4 threads)");
    CHECK(results->mixes[1].workload == "readers");
    CHECK(results->mixes[0].measured.sent > 5);
    CHECK(results->mixes[0].recipientsPerMessage == 2);
    CHECK(results->mixes[1].measured.sent == 0);
    CHECK(results->mixes[1].nothingSucceeded.empty()); // it has nothing to send
    CHECK(results->mixes[1].recipientsPerMessage == 0);
    CHECK(results->audit->deliveredOnce == results->audit->expected);
}

TEST_CASE("a script that sends no message is not one whose messages were refused")
{
    RunFixture fixture;
    PlanText text;
    text.steps = "[[workload.steps]]\naction = \"SMTP session\"\ncommands = [\"NOOP\", \"VRFY {user} -> any\"]\n";
    text.measurement = "1 s";
    const auto run = fixture.start(text);
    const auto results = run->wait();
    REQUIRE(results);
    CHECK(results->mixes.at(0).nothingSucceeded.empty());
    CHECK(results->mixes[0].measured.sent == 0);
    auto counts = countsOf(*Recording::open(run->file()));
    // Each session has both; those that the end of the mix cut off have their commands alone.
    CHECK(counts["SMTP session"] > 10);
    constexpr std::uint64_t kThreads = 2 * 4; // of the fixture's mix
    for (const char* command : { "SMTP NOOP", "SMTP VRFY" })
        CHECK(counts[command] - counts["SMTP session"] <= kThreads);
}

TEST_CASE("the published mix in a smaller form: threads, think time and recipients give its rates")
{
    RunFixture fixture;
    PlanText text; // of one client's 10 threads with 21.6 s, a 100th of the time: 46.3 messages a second
    text.target = "[target.embedded]\n[target.smtp]\n[target.pop3]\n";
    text.steps = kCommands;
    text.measurement = "4 s";
    text.mixes = "[[mixes]]\nname = \"client\"\nclients = 1\nthreads_per_client = 10\nmailboxes_per_client = 16\n"
                 "think_time = \"216 ms\"\nramp_up = \"1 s\"\n";
    const auto run = fixture.start(text);
    const auto results = run->wait();
    REQUIRE(results);
    const MixResult& mix = results->mixes.at(0);
    INFO(mix.measured.sentPerSecond << " sent/s, " << mix.measured.receivedPerSecond << " received/s");
    CHECK(mix.measured.sentPerSecond <= 46.3 * 1.06); // a busy machine may be slower, never faster
    CHECK(results->audit->expected == 3 * results->audit->accepted);
    CHECK(results->audit->deliveredOnce == results->audit->expected);
}
