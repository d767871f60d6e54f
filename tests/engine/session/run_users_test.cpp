// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_fixture.h"
#include "support/catch.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>
#include <loadstone/score.h>

#include <fstream>

using namespace loadstone;
using namespace loadstone::test;

namespace {

struct UsersRun {
    UsersRun(const std::string& profile, const std::string& faults);
    ScratchFolder folder;
    std::unique_ptr<Run> run;
};

/// Users against the embedded target, which drops and delays as told; two mixes, the second one smaller.
UsersRun::UsersRun(const std::string& profile, const std::string& faults)
{
    const auto plan = folder / "users.toml";
    std::ofstream(plan)
        << "format = 1\nkind = \"mail\"\ntitle = \"Users\"\ndelivery_limit = \"1 min\"\n"
        << "[target]\npassword = \"secret\"\n[target.embedded]\ndelivery_delay = \"300 ms\"\nfaults = ["
        << faults << "]\n[workload]\npacing = \"users\"\nprofile = \"" << profile
        << "\"\nday = \"30 s\"\nlogon_over = \"1 s\"\n"
        << "[[mixes]]\nname = \"many\"\nusers = 30\nramp_up = \"2 s\"\nmeasurement = \"4 s\"\n"
        << "[[mixes]]\nname = \"few\"\nusers = 10\nramp_up = \"1 s\"\nmeasurement = \"3 s\"\nquiet_time = "
           "\"20 s\"\n";
    RunOptions options;
    options.plan = plan;
    options.historyFolder = folder / "history";
    options.workers = 2;
    options.targetProgram = kProgram;
    auto started = Run::start(options);
    REQUIRE(started);
    run = std::move(*started);
}

} // namespace

TEST_CASE("users get all their mail, whatever becomes of their connections")
{
    for (const char* profile : { "medium-5.5", "cached-2003" }) {
        INFO(profile);
        const UsersRun users(profile, "\"drop:0.02\", \"delay:0.1:1 s\"");
        const auto results = users.run->wait();
        REQUIRE(results);
        CHECK(results->state == RunState::finished);
        REQUIRE(results->audit);
        const AuditTotals& audit = *results->audit;
        CHECK(audit.accepted > 10);
        INFO("lost " << audit.lost << ", twice " << audit.twice << ", damaged " << audit.damaged
                     << ", outstanding " << audit.outstanding << ", late " << audit.late << ", unknown "
                     << audit.unknown);
        CHECK(audit.lost + audit.twice + audit.damaged + audit.outstanding + audit.late + audit.unknown == 0);
        CHECK(audit.deliveredOnce <= audit.expected);
        std::uint64_t failures = 0;
        for (const MixResult& mix : results->mixes)
            failures += mix.failures;
        CHECK(failures > 0);
    }
}

TEST_CASE("a server whose searches find nothing loses no mail, and is accused of its searches alone")
{
    const auto oracle = GENERATE(50, 0); // %, of the users whom it follows
    const ScratchFolder folder;
    const auto plan = folder / "search.toml";
    std::ofstream(plan)
        << "format = 1\nkind = \"mail\"\ntitle = \"Search\"\nseed = 3\ndelivery_limit = \"5 s\"\ndrain = \"9 "
           "s\"\n"
        << "[target]\npassword = \"secret\"\n[target.embedded]\nfaults = [\"search:0.6\"]\n"
        << "[workload]\npacing = \"users\"\nprofile = \"medium-5.5\"\nday = \"60 s\"\nlogon_over = \"4 s\"\n"
        << "oracle = " << oracle
        << "\n[[mixes]]\nname = \"m\"\nusers = 20\nramp_up = \"5 s\"\nmeasurement = \"4 s\"\n";
    RunOptions options;
    options.plan = plan;
    options.historyFolder = folder / "history";
    options.workers = 2;
    options.targetProgram = kProgram;
    auto run = Run::start(options);
    REQUIRE(run);
    const auto results = (*run)->wait();
    REQUIRE(results);
    REQUIRE(results->audit);
    const AuditTotals& audit = *results->audit; // of a target that loses nothing
    CHECK(audit.expected > 20);
    CHECK(audit.lost == 0);
    CHECK(audit.outstanding == 0);
    CHECK(audit.twice + audit.damaged + audit.unknown == 0);
    std::size_t searches = 0;
    for (const AuditException& exception : results->exceptions) {
        if (exception.kind != AuditFinding::wrong)
            continue;
        CHECK_THAT(exception.detail, Catch::Matchers::Contains("SEARCH UNSEEN leaves out"));
        ++searches;
    }
    CHECK(searches > 0);
    REQUIRE(results->oracle);
    CHECK(results->oracle->findings == searches);
}

TEST_CASE("a run of users keeps its profile, and can be scored by it")
{
    const UsersRun users("medium-5.5", "");
    const auto results = users.run->wait();
    REQUIRE(results);
    for (const MixResult& mix : results->mixes) {
        CHECK(mix.failures == 0);
        CHECK(mix.attempts > 50);
    }
    const auto recording = Recording::open(users.run->file());
    REQUIRE(recording);
    CHECK_THAT(recording->header().planText,
        Catch::Matchers::Contains("attentive = ") && !Catch::Matchers::Contains("\"secret\""));
    const auto score = computeScore(*recording, {});
    REQUIRE(score);
    CHECK(score->value);
    CHECK(score->window.end - score->window.begin <= std::chrono::seconds(4));
    bool read = false;
    for (const ScoreRow& row : score->rows)
        read = read || (row.key == "read" && row.hits > 0 && row.weight == 10);
    CHECK(read);
}
