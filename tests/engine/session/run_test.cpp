// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_fixture.h"
#include "support/catch.h"

#include <loadstone/preflight.h>
#include <loadstone/rehearsal.h>

#include <fstream>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

TEST_CASE("a run against a good server ends clean, and its results are what its ticks say")
{
    RunFixture fixture;
    const auto run = fixture.start({});
    const auto results = run->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::finished);
    CHECK(run->status().state == RunState::finished);
    REQUIRE(results->mixes.size() == 1);
    const MixResult& mix = results->mixes[0];
    CHECK(mix.complete);
    CHECK(mix.failures == 0);
    CHECK(mix.errors.empty());
    CHECK(mix.measured.sent > 20);
    REQUIRE(results->audit);
    const AuditTotals& audit = *results->audit;
    CHECK(addUp(audit));
    CHECK(audit.expected == 3 * audit.accepted);
    CHECK(audit.deliveredOnce == audit.expected);
    CHECK(audit.unknown == 0);
    CHECK(results->exceptions.empty());

    const auto recording = Recording::open(run->file());
    REQUIRE(recording);
    CHECK(recording->ticks() == *run->status().lastTick + 1);
    Nanoseconds begin {};
    for (const Phase& phase : recording->phases()) {
        CHECK(phase.begin == begin);
        CHECK_FALSE(phase.open);
        begin = phase.end;
    }
    CHECK(begin == recording->length());
    for (const HistogramInfo& info : recording->header().histograms)
        if (info.name == "Send message" && info.clock == LatencyClock::response)
            CHECK(recording->latency(info.id, kAll)->count == audit.accepted);
        else if (info.scope == LatencyScope::delivery)
            CHECK(recording->latency(info.id, kAll)->count == audit.expected);
        else if (info.name == "SMTP RCPT")
            CHECK(recording->latency(info.id, kAll)->count == audit.expected);
    CHECK(recording->errors(kAll)->empty());
    CHECK(transcriptsOf(*recording) == "");
    CHECK(recording->header().planText.find("secret") == std::string::npos);
}

TEST_CASE("a run that is stopped ends at once, keeps its results and calls nothing lost")
{
    RunFixture fixture;
    PlanText text;
    text.measurement = "30 min";
    text.target = "[target.embedded]\nservice_time = \"constant 1 ms\"\ndelivery_delay = \"2 "
                  "s\"\n[target.smtp]\n[target.pop3]\n";
    const auto run = fixture.start(text);
    while (!run->status().lastTick || *run->status().lastTick < 2)
        REQUIRE_FALSE(run->waitFor(50ms));
    run->stop();
    REQUIRE(run->waitFor(60s));
    const auto results = run->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::stopped);
    CHECK(results->mixes.at(0).measured.sent > 0);
    CHECK_FALSE(results->mixes.at(0).complete);
    CHECK(results->mixes.at(0).failures == 0); // what was cut off is no failure of the server's
    REQUIRE(results->audit);
    CHECK(addUp(*results->audit));
    CHECK(results->audit->lost == 0); // it may still be on its way
    CHECK(results->audit->outstanding > 0);
}

TEST_CASE("an action that succeeds at a further attempt is no failure, though its errors are counted")
{
    RunFixture fixture;
    PlanText text;
    text.target = "[target.embedded]\nfaults = [\"refuse:0.1\"]\n[target.smtp]\n[target.pop3]\n";
    text.retries = "retry = { attempts = 50, pause = \"10 ms\" }";
    const auto results = fixture.start(text)->wait();
    REQUIRE(results);
    const MixResult& mix = results->mixes.at(0);
    CHECK_FALSE(mix.errors.empty());
    CHECK(mix.failures == 0);
    CHECK(mix.attempts > 20);
    CHECK(results->audit->lost + results->audit->outstanding == 0);
}

TEST_CASE("a server outside the laboratory is refused before anything is sent")
{
    RunFixture fixture;
    const auto plan = fixture.folder.path() / "plan.toml";
    std::ofstream(plan) << "format = 1\nkind = \"mail\"\ntitle = \"x\"\n[target]\nuser = \"u{n}\"\npassword "
                           "= \"x\"\n[target.smtp]\nhost = \"203.0.113.5\"\n"
                           "[workload]\npacing = \"closed\"\n[[workload.steps]]\naction = \"send "
                           "message\"\n[[mixes]]\nname = \"m\"\nclients = 1\n"
                           "mailboxes_per_client = 4\nmeasurement = \"1 s\"\n";
    RunOptions options;
    options.plan = plan;
    options.historyFolder = fixture.folder.path() / "history";
    const auto started = Run::start(options);
    REQUIRE_FALSE(started);
    CHECK_THAT(started.error().message, ContainsSubstring("203.0.113.5"));
    CHECK(isUnusablePlan(started.error()));
    CHECK(History::open(options.historyFolder)->list()->empty());
}

TEST_CASE("a document that was never saved is rehearsed, checked before its run, and run")
{
    const ScratchFolder folder;
    auto document = Document::read(LOADSTONE_SOURCE_DIR "/resources/plans/first-run.toml").value();
    while (document.size("mixes") > 1)
        REQUIRE(document.remove("mixes", 1));
    for (const auto& [key, value] : { std::pair("measurement", "1 s"), std::pair("ramp_up", "100 ms"),
             std::pair("ramp_down", "100 ms"), std::pair("quiet_time", "0 s") })
        REQUIRE(document.setText(std::string("mix.") + key, value));
    REQUIRE(document.setText("final_window", "1 s"));
    REQUIRE(document.setText("title", "Edited"));
    const Document unsaved(document.text(), "unsaved");

    RehearsalOptions rehearsal;
    rehearsal.plan = unsaved;
    const auto rehearsed = rehearse(rehearsal);
    REQUIRE(rehearsed);
    CHECK(rehearsed->title == "Edited");
    PreflightOptions before;
    before.plan = unsaved;
    REQUIRE(preflight(before));

    RunOptions options;
    options.plan = unsaved;
    options.historyFolder = folder / "history";
    options.targetProgram = kProgram;
    const auto run = Run::start(options);
    REQUIRE(run);
    REQUIRE((*run)->wait());
    const auto recording = Recording::open((*run)->file());
    REQUIRE(recording);
    CHECK(recording->header().title == "Edited");
    CHECK(recording->header().planName == "unsaved");
}

TEST_CASE("a server has no databases to verify or recover")
{
    RunFixture fixture;
    RunOptions options;
    options.plan = LOADSTONE_SOURCE_DIR "/resources/plans/first-run.toml";
    options.historyFolder = fixture.folder.path() / "history";
    options.purpose = GENERATE(RunPurpose::verify, RunPurpose::recover);
    const auto started = Run::start(options);
    REQUIRE_FALSE(started);
    CHECK(isUnusablePlan(started.error()));
    CHECK_THAT(started.error().message, ContainsSubstring("first-run.toml: has no databases"));
}
