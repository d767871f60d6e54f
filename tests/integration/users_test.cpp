// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/mail_servers.h"

#include <loadstone/recording.h>
#include <loadstone/rehearsal.h>
#include <loadstone/results.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace loadstone;
using loadstone::test::MailServers;
using loadstone::test::ProgramEnd;
using loadstone::test::runProgram;
using loadstone::test::ScratchFolder;
using loadstone::test::ServerCounts;

namespace {

/// Thirty users of the Medium profile whose day lasts a minute and a half, for half a minute after a warm-up.
std::string usersPlan(const MailServers& servers)
{
    return fmt::format(R"(format = 1
kind = "mail"
title = "Users"
seed = 5
delivery_limit = "5 min"

[target]
password = "secret"
[target.smtp]
port = {}
[target.imap]
port = {}

[workload]
pacing = "users"
profile = "medium-5.5"
day = "90 s"
logon_over = "8 s"

[health]                   # the servers are looked at here, not the generator
max_slip_p99 = "1 s"
max_worker_cpu = 100
max_run_queue_wait = 100
max_throttled = 100
max_steal = 100
max_loop_lag_p99 = "1 s"
max_standstill = "1 h"

[[mixes]]
name = "30 users"
users = 30
ramp_up = "12 s"
measurement = "30 s"
quiet_time = "20 s"
)",
        servers.smtpPort(), servers.imapPort());
}

/// Actions that ended well in the measurement, by name.
std::map<std::string, double> countsOf(const MixResult& mix)
{
    std::map<std::string, double> counts;
    for (const LatencyRow& row : mix.actions)
        counts[row.name] = static_cast<double>(row.response->count);
    return counts;
}

} // namespace

TEST_CASE(
    "users against real servers do what their rehearsal foretells, and the logs count what the audit counts",
    "[server]")
{
    if (const std::string reason = MailServers::whyNot(); !reason.empty()) {
        fmt::print("SKIPPED: {}\n", reason);
        return;
    }
    MailServers servers;
    const ScratchFolder folder;
    const auto plan = folder / "users.toml";
    std::ofstream(plan) << usersPlan(servers);

    const ProgramEnd run = runProgram({ LOADSTONE_BIN_DIR "/loadstone", "--history",
                                          (folder / "history").string(), "run", "--json", plan.string() },
        std::chrono::seconds(120));
    INFO(run.errors);
    if (run.exitCode != 0)
        servers.keepFolder();
    REQUIRE(run.exitCode == 0);
    std::istringstream lines(run.output);
    std::string first;
    std::getline(lines, first);
    const auto recording = Recording::open(nlohmann::json::parse(first).at("file").get<std::string>());
    REQUIRE(recording);
    const auto results = computeResults(*recording);
    REQUIRE(results);
    REQUIRE(results->mixes.size() == 1);
    const MixResult& mix = results->mixes[0];
    CHECK(mix.failures == 0);
    CHECK(mix.errors.empty());

    RehearsalOptions options;
    options.plan = plan;
    const auto rehearsal = rehearse(options);
    REQUIRE(rehearsal);
    const RehearsedPhase& expected = rehearsal->phases.at(1);
    REQUIRE(expected.kind == PhaseKind::measurement);
    std::map<std::string, double> counts = countsOf(mix), due;
    for (const LatencyRow& row : mix.actions) {
        REQUIRE(row.counts);
        due[row.name] = static_cast<double>(row.counts->due);
    }
    // The clock brings the same in both, however long the servers take, but for what lies at the edges of the window.
    for (const RehearsedAction& action : expected.actions)
        for (const ActionKind clocked : { ActionKind::sendMessage, ActionKind::checkInbox,
                 ActionKind::browseFolder, ActionKind::emptyDeletedItems })
            if (action.kind == clocked) {
                const double planned = static_cast<double>(action.count);
                const double came = due[toString(clocked)];
                CAPTURE(toString(clocked), planned, came, counts[toString(clocked)]);
                CHECK(std::abs(came - planned) <= std::max(3.0, 0.05 * planned));
            }
    // What follows from reading is chance from message to message, and mail breeds mail; but its shares are the profile's.
    const double reads = counts["Read message"];
    CHECK(reads > 150);
    const auto shareOf = [&](const char* action, double share) {
        CAPTURE(action, reads, counts[action]);
        CHECK(std::abs(counts[action] - share * reads) <= 4 * std::sqrt(share * reads) + 3);
    };
    shareOf("Delete message", 0.40);
    shareOf("Move message", 0.20);
    const double firstReads =
        reads - counts["Browse folder"]; // each browsing leads to one read, where the folder is not empty
    CHECK(counts["Reply"] + counts["Reply to all"] + counts["Forward"]
        <= 0.19 * firstReads + 4 * std::sqrt(0.19 * firstReads) + 3);

    const AuditTotals audit = results->audit.value();
    CHECK(audit.accepted > 50);
    CHECK(audit.deliveredOnce == audit.expected);
    CHECK(audit.late + audit.twice + audit.damaged + audit.lost + audit.outstanding + audit.unknown == 0);
    servers.stop();
    const ServerCounts logged = servers.counts();
    CHECK(logged.accepted == audit.accepted);
    CHECK(logged.delivered == audit.expected);
    CHECK(logged.saved == audit.expected);
    CHECK(logged.fetched >= audit.expected); // browsing and attachments come on top
    CHECK(logged.deferred + logged.bounced == 0);
}
