// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_fixture.h"
#include "support/catch.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <fstream>
#include <map>

using namespace loadstone;
using namespace loadstone::test;

namespace {

struct Outcome {
    ScratchFolder folder;
    std::unique_ptr<Run> run;
    RunResults results;
    std::map<std::string, std::uint64_t> commands; ///< of the first mix, by name
};

/// Runs a plan against the embedded target: `target` tables, `workload` and `mix`.
std::unique_ptr<Outcome> play(const std::string& target, const std::string& workload, const std::string& mix)
{
    auto outcome = std::make_unique<Outcome>();
    const auto plan = outcome->folder / "imap.toml";
    std::ofstream(plan) << "format = 1\nkind = \"mail\"\ntitle = \"IMAP\"\ndelivery_limit = \"1 min\"\n"
                        << "[target]\npassword = \"secret\"\n"
                        << target << "[workload]\n"
                        << workload << "[[mixes]]\nname = \"mix\"\n"
                        << mix;
    RunOptions options;
    options.plan = plan;
    options.historyFolder = outcome->folder / "history";
    options.workers = 2;
    options.targetProgram = kProgram;
    auto started = Run::start(options);
    INFO((started ? std::string() : started.error().message));
    REQUIRE(started);
    outcome->run = std::move(*started);
    const auto results = outcome->run->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::finished);
    outcome->results = *results;
    for (const LatencyRow& row : results->mixes.at(0).commands)
        outcome->commands[row.name] = row.service.count;
    const auto recording = Recording::open(outcome->run->file());
    REQUIRE(recording);
    INFO(transcriptsOf(*recording));
    if (target.find("drop") == std::string::npos)
        CHECK(results->mixes[0].failures == 0);
    return outcome;
}

constexpr const char* kUsers =
    "pacing = \"users\"\nprofile = \"medium-5.5\"\nday = \"30 s\"\nlogon_over = \"1 s\"\n";
constexpr const char* kThirty =
    "users = 30\nramp_up = \"2 s\"\nmeasurement = \"5 s\"\nquiet_time = \"20 s\"\n";

} // namespace

TEST_CASE("users who idle need not ask for news, and miss none")
{
    const auto outcome = play("[target.embedded]\ndelivery_delay = \"300 ms\"\n[target.imap]\nidle = true\n"
                              "idle_renewal = \"1 s\"\n",
        kUsers, kThirty);
    CHECK(outcome->commands["IMAP IDLE"] > 50);
    CHECK(outcome->commands["IMAP NOOP"] == 0);
    const AuditTotals& audit = outcome->results.audit.value();
    CHECK(audit.accepted > 10);
    CHECK(audit.deliveredOnce == audit.expected);
    for (const LatencyRow& row : outcome->results.mixes[0].commands)
        if (row.name == "IMAP IDLE") // how long a user rests is no service time
            CHECK(row.service.maximum < std::chrono::seconds(1));
}

TEST_CASE("users with all extensions get all their mail, whatever becomes of their connections")
{
    const std::string all =
        "idle = true\nidle_renewal = \"1 s\"\ncompress = true\ncondstore = true\npipelining = true\n";
    const auto outcome =
        play("[target.embedded]\nfaults = [\"drop:0.01\", \"delay:0.1:1 s\"]\n[target.imap]\n" + all, kUsers,
            kThirty);
    CHECK(outcome->commands["IMAP COMPRESS"] > 0);
    CHECK(outcome->commands["IMAP ENABLE"] > 0);
    const AuditTotals& audit = outcome->results.audit.value();
    CHECK(audit.accepted > 10);
    CHECK(audit.lost + audit.twice + audit.damaged + audit.outstanding + audit.late + audit.unknown == 0);
}

TEST_CASE("users read compressed mail under TLS")
{
    const auto outcome =
        play("[target.embedded]\n[target.imap]\ntls = \"starttls\"\ncompress = true\n", kUsers, kThirty);
    CHECK(outcome->results.audit.value().deliveredOnce == outcome->results.audit.value().expected);
    CHECK(outcome->results.mixes[0].measured.received > 0);
}

TEST_CASE("an IMAP session of a script sends its commands as often as it says, and stays")
{
    const auto outcome = play("[target.embedded]\n[target.imap]\nidle = true\nidle_renewal = \"1 s\"\n",
        "pacing = \"closed\"\n[[workload.steps]]\naction = \"IMAP session\"\n"
        "commands = [\"NOOP\", \"UID FETCH 1:* (FLAGS)\"]\nrepeat = 10\nhold = \"50 ms\"\n",
        "clients = 2\nthreads_per_client = 4\nmailboxes_per_client = 8\nmeasurement = \"2 s\"\n");
    const auto recording = Recording::open(outcome->run->file());
    std::map<std::string, std::uint64_t> all; // of the whole run, for the mix cuts sessions in two
    for (const HistogramInfo& info : recording->header().histograms)
        if (info.clock == LatencyClock::service)
            all[info.name] = recording->latency(info.id, kAll)->count;
    CHECK(all["IMAP session"] > 8);
    CHECK(all["IMAP NOOP"] >= 10 * all["IMAP session"]);
    CHECK(all["IMAP NOOP"] <= 10 * (all["IMAP session"] + 8));
    CHECK(all["IMAP FETCH"] >= 10 * all["IMAP session"]);
    CHECK(all["IMAP IDLE"] >= all["IMAP session"]);
    CHECK(all["IMAP LOGOUT"] >= all["IMAP session"]);
}
