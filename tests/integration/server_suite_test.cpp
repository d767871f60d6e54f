// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/mail_servers.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

using namespace loadstone;
using loadstone::test::MailServers;
using loadstone::test::ProgramEnd;
using loadstone::test::runProgram;
using loadstone::test::ScratchFolder;
using loadstone::test::ServerCounts;

namespace {

/// The servers, or none after having said why not; ctest knows the line by its first word.
std::unique_ptr<MailServers> serversOrSkip()
{
    const std::string reason = MailServers::whyNot();
    if (reason.empty())
        return std::make_unique<MailServers>();
    fmt::print("SKIPPED: {}\n", reason);
    return nullptr;
}

/// The suite of resources/plans/pop-smtp-suite-small.toml in half a minute: two load points of one and two
/// clients.
std::string smallSuite(const MailServers& servers, const std::string& smtpOptions)
{
    return fmt::format(R"(format = 1
kind = "mail"
title = "Integration"
seed = 7
final_window = "8 s"
drain = "20 s"

[target]
domain = "load.test"
user = "u{{n:5}}"
password = "secret"

[target.smtp]
host = "127.0.0.1"
port = {}
auth = "none"
{}

[target.pop3]
host = "127.0.0.1"
port = {}
auth = "user/pass"

[workload]
pacing = "closed"

[[workload.steps]]
action = "empty mailbox"

[[workload.steps]]
action = "send message"
size = "10 KB"
recipients = 3

[health]                   # the servers are looked at here, not the generator
max_slip_p99 = "1 s"
max_worker_cpu = 100
max_run_queue_wait = 100
max_throttled = 100
max_steal = 100
max_loop_lag_p99 = "1 s"
max_standstill = "1 h"

[mix]
threads_per_client = 5
mailboxes_per_client = 10
think_time = "400 ms"
ramp_up = "4 s"
measurement = "10 s"
ramp_down = "2 s"
quiet_time = "1 s"

[[mixes]]
name = "10 users"
clients = 1

[[mixes]]
name = "20 users"
clients = 2
)",
        servers.smtpPort(), smtpOptions, servers.pop3Port());
}

/// Reads the logs until they count so many deliveries and retrievals, at most ten seconds long: daemons log a
/// moment after a client has its answer. What they never come to shows in the comparison that follows.
ServerCounts settledCounts(const MailServers& servers, std::uint64_t delivered, std::uint64_t retrieved)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    ServerCounts counts = servers.counts();
    while ((counts.delivered < delivered || counts.saved < delivered || counts.retrieved < retrieved)
        && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        counts = servers.counts();
    }
    return counts;
}

/// The recording's file, as the first line of `run --json` names it.
std::string recordingOf(const ProgramEnd& run)
{
    std::istringstream lines(run.output);
    std::string first;
    std::getline(lines, first);
    return nlohmann::json::parse(first).at("file").get<std::string>();
}

/// Runs the suite and compares its recording with itself and with the servers' logs.
void runSuite(MailServers& servers, const std::string& smtpOptions)
{
    const ScratchFolder folder;
    const auto plan = folder.path() / "suite.toml";
    std::ofstream(plan) << smallSuite(servers, smtpOptions);

    const ProgramEnd run =
        runProgram({ LOADSTONE_BIN_DIR "/loadstone", "--history", (folder.path() / "history").string(), "run",
                       "--json", plan.string() },
            std::chrono::seconds(120));
    INFO(run.errors);
    if (run.exitCode != 0) {
        servers.keepFolder();
        UNSCOPED_INFO(
            "the servers' logs: " << servers.postfixLog().string() << ", " << servers.dovecotLog().string());
        const auto audit = run.output.rfind("\"audit\":");
        UNSCOPED_INFO((audit == std::string::npos ? run.output : run.output.substr(audit, 2000)));
    }
    REQUIRE(run.exitCode == 0);

    const auto recording = Recording::open(recordingOf(run));
    REQUIRE(recording);
    const auto results = computeResults(*recording);
    REQUIRE(results);
    CHECK(results->state == RunState::finished);
    REQUIRE(results->mixes.size() == 2);
    for (const MixResult& mix : results->mixes) {
        CAPTURE(mix.name);
        CHECK(mix.complete);
        CHECK(mix.failures == 0);
        CHECK(mix.errors.empty());
        // A thread's iteration takes little longer than its think time of 400 ms: 5 threads, 10 s, 125
        // messages.
        CHECK(mix.measured.sent > 40 * mix.threads / 5);
        CHECK(mix.finalWindow.receivedToSent.value() == Approx(3.0).epsilon(0.2));
    }

    REQUIRE(results->audit);
    const AuditTotals& audit = *results->audit;
    CHECK(audit.accepted > 0);
    CHECK(audit.expected == 3 * audit.accepted);
    CHECK(audit.deliveredOnce == audit.expected);
    CHECK(audit.late + audit.twice + audit.damaged + audit.lost + audit.outstanding + audit.unknown == 0);
    CHECK(results->exceptions.empty());

    const ServerCounts counts = settledCounts(servers, audit.expected, audit.deliveredOnce);
    CHECK(counts.accepted == audit.accepted);
    CHECK(counts.delivered == audit.expected);
    CHECK(counts.saved == audit.expected);
    // A session that was cut before its QUIT has retrieved what the next one retrieves again, and deletes.
    CHECK(counts.retrieved >= audit.deliveredOnce);
    CHECK(counts.deleted == audit.deliveredOnce);
    CHECK(counts.deferred == 0);
    CHECK(counts.bounced == 0);
}

} // namespace

TEST_CASE("the private servers deliver what another program sends them", "[server]")
{
    const auto servers = serversOrSkip();
    if (!servers)
        return;
    const ProgramEnd sent =
        runProgram({ "smtp-source", "-m", "20", "-s", "4", "-l", "10240", "-f", "a@load.test", "-t",
                       "u00001@load.test", "127.0.0.1:" + std::to_string(servers->smtpPort()) },
            std::chrono::seconds(30), { { "PATH", "/usr/sbin:/usr/bin:/bin" } });
    INFO(sent.errors);
    REQUIRE(sent.exitCode == 0);
    const ServerCounts counts = settledCounts(*servers, 20, 0);
    CHECK(counts.accepted == 20);
    CHECK(counts.delivered == 20);
    CHECK(counts.saved == 20);
    CHECK(counts.retrieved == 0);
    CHECK(counts.bounced + counts.deferred == 0);
}

TEST_CASE("a suite against real servers has no error, and their logs count what the audit counts", "[server]")
{
    const auto servers = serversOrSkip();
    if (servers)
        runSuite(*servers, "");
}

TEST_CASE("so it is with pipelining and a reused connection", "[server]")
{
    const auto servers = serversOrSkip();
    if (servers)
        runSuite(*servers, "pipelining = true\nreuse_connection = true");
}
