// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/secrets.h"
#include "run_fixture.h"
#include "support/catch.h"
#include "support/typed_cells.h"

#include <loadstone/history.h>
#include <loadstone/judgement.h>
#include <loadstone/recording.h>
#include <loadstone/report.h>
#include <loadstone/results.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

using namespace loadstone;
using namespace loadstone::test;
using Catch::Matchers::Contains;

namespace {

/// Two embedded targets: a good one with three quarters of the users, and a slower one that loses messages.
struct TwoTargets {
    TwoTargets();
    Recording open(const std::string& target = {}) const
    {
        return Recording::open(run->file(), target).value();
    }
    ScratchFolder folder;
    std::unique_ptr<Run> run;
    RunResults results;
};

TwoTargets::TwoTargets()
{
    const auto plan = folder / "two.toml";
    std::ofstream(plan) << R"(format = 1
kind = "mail"
title = "Two"
seed = 7
drain = "4 s"
delivery_limit = "1500 ms"

[target]
password = "secret"

[[targets]]
name = "Good"
share = 3
[targets.embedded]

[[targets]]
name = "Bad"
[targets.embedded]
service_time = "constant 20 ms"
faults = ["lose:0.2", "drop:0.02"]

[workload]
pacing = "closed"
initialise = true
initial = { inbox = 2 }
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 3

[criteria]
response_time = "20 ms"
audit = true

[[mixes]]
name = "mix"
clients = 4
threads_per_client = 2
mailboxes_per_client = 5
think_time = "20 ms"
ramp_up = "500 ms"
measurement = "3 s"
)";
    RunOptions options;
    options.plan = plan;
    options.historyFolder = folder / "history";
    options.workers = 2;
    options.targetProgram = kProgram;
    auto started = Run::start(options);
    INFO((started ? std::string() : started.error().message));
    REQUIRE(started);
    run = std::move(*started);
    results = run->wait().value();
}

std::uint64_t countOf(const std::vector<LatencyRow>& rows, const std::string& name)
{
    for (const LatencyRow& row : rows)
        if (row.name == name)
            return row.service.count;
    return 0;
}

std::string textOf(const std::filesystem::path& file)
{
    std::ifstream in(file);
    return { std::istreambuf_iterator<char>(in), {} };
}

std::vector<std::string> namesOf(const std::vector<HistogramInfo>& infos)
{
    std::vector<std::string> names;
    for (const HistogramInfo& info : infos)
        names.push_back(info.name);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

TEST_CASE("results of several targets are given for each and together")
{
    const TwoTargets two;
    const Recording whole = two.open();
    CHECK(whole.header().targets == std::vector<std::string> { "Good", "Bad" });
    const Recording good = two.open("Good"), bad = two.open("Bad");
    const RunResults ofGood = computeResults(good).value(), ofBad = computeResults(bad).value();

    REQUIRE(two.results.mixes.size() == 1);
    REQUIRE(ofGood.mixes.size() == 1);
    const MixResult &all = two.results.mixes[0], &g = ofGood.mixes[0], &b = ofBad.mixes[0];
    CHECK(all.mailboxes == 20);
    CHECK(g.mailboxes == 15);
    CHECK(b.mailboxes == 5);
    CHECK(g.measured.sent > 0);
    CHECK(b.measured.sent > 0);
    CHECK(all.measured.sent == g.measured.sent + b.measured.sent);
    CHECK(all.measured.received == g.measured.received + b.measured.received);
    CHECK(all.attempts == g.attempts + b.attempts);
    CHECK(all.failures == g.failures + b.failures);
    CHECK(all.delivery.count == g.delivery.count + b.delivery.count);
    for (const char* action : { "Send message", "Empty mailbox" })
        CHECK(countOf(all.actions, action) == countOf(g.actions, action) + countOf(b.actions, action));

    REQUIRE(two.results.preparations.size() == 1);
    const PreparationTotals& filled = two.results.preparations[0].totals;
    CHECK(filled.mailboxes == 20);
    CHECK(ofGood.preparations.at(0).totals.appended == 30);
    CHECK(filled.appended == 30 + ofBad.preparations.at(0).totals.appended);

    REQUIRE(two.results.audit);
    REQUIRE(ofGood.audit);
    REQUIRE(ofBad.audit);
    CHECK(ofGood.audit->lost == 0);
    CHECK(ofGood.exceptions.empty());
    CHECK(ofBad.audit->lost > 0);
    CHECK(two.results.audit->lost == ofBad.audit->lost);
    CHECK(two.results.audit->accepted == ofGood.audit->accepted + ofBad.audit->accepted);
    REQUIRE_FALSE(ofBad.exceptions.empty());
    CHECK(two.results.exceptions.front().target == "Bad");
    CHECK_THAT(two.results.exceptions.front().mailbox, Catch::Matchers::StartsWith("u"));
    AuditException own = two.results.exceptions.front();
    own.target.clear();
    CHECK(ofBad.exceptions.front() == own);

    CHECK(g.errors.empty()); // only the bad one drops connections
    CHECK_FALSE(b.errors.empty());
    for (const ErrorRow& error : all.errors)
        CHECK(error.target == "Bad");
    for (const ErrorRow& error : b.errors)
        CHECK(error.target.empty());
    REQUIRE_FALSE(whole.transcripts().value().empty());
    CHECK(whole.transcripts().value().front().target == "Bad");
    CHECK(bad.transcripts().value().size() == whole.transcripts().value().size());
    CHECK(good.transcripts().value().empty());

    CHECK_FALSE(judge(bad).value().met());
    CHECK_FALSE(judge(whole).value().met());
    CHECK_FALSE(Recording::open(two.run->file(), "Ugly"));
}

TEST_CASE("one of several targets reads like a run on it alone")
{
    const TwoTargets two;
    const Recording whole = two.open(), good = two.open("Good");
    CHECK(namesOf(good.header().histograms) == namesOf(whole.header().histograms));
    const auto samplesOf = [](const Recording& recording, const std::string& path) {
        for (const CounterInfo& info : recording.header().counters)
            if (info.path() == path)
                return recording.counter(info.id, kAll).value();
        return std::vector<CounterPoint>();
    };
    const std::string sent = "Messages Sent/sec";
    const auto own = samplesOf(good, "\\Loadstone Mail(_Total)\\" + sent);
    CHECK_FALSE(own.empty());
    CHECK(own == samplesOf(whole, "\\Loadstone Mail(Good)\\" + sent));
    CHECK(own != samplesOf(whole, "\\Loadstone Mail(_Total)\\" + sent));
    CHECK(samplesOf(good, "\\Loadstone Mail(Bad)\\" + sent).empty());
    // What is of the machine is there for everybody.
    CHECK_FALSE(samplesOf(good, "\\Processor(_Total)\\% Processor Time").empty());
    CHECK_FALSE(samplesOf(good, "\\Loadstone Generator(worker 1)\\% Processor Time").empty());
}

TEST_CASE("reports of several targets name each")
{
    const TwoTargets two;
    const Recording whole = two.open();
    const std::string text = formatTargets(whole).value();
    CHECK_THAT(text, Contains("Target Good") && Contains("Target Bad"));
    CHECK(formatTargets(two.open("Good")).value().empty());
    const auto json = nlohmann::json::parse(formatTargetsJson(whole).value());
    REQUIRE(json.size() == 2);
    CHECK(json[1]["name"] == "Bad");
    CHECK(json[0]["results"]["audit"]["lost"] == 0);
    const auto results = nlohmann::json::parse(formatResultsJson(two.results));
    CHECK(results["exceptions"][0]["target"] == "Bad");
    CHECK_THAT(results["exceptions"][0]["mailbox"].get<std::string>(), Contains("Bad: u"));
    CHECK(results["mixes"][0]["errors"][0]["target"] == "Bad");
    CHECK_THAT(results["mixes"][0]["errors"][0]["where"].get<std::string>(), Contains("Bad: "));
    CHECK(json[1]["results"]["mixes"][0]["errors"][0]["target"].is_null());
    REQUIRE(writeHtmlReport(whole, two.folder / "report.html"));
    const std::string html = textOf(two.folder / "report.html");
    CHECK_THAT(html, Contains("Target Good") && Contains("Target Bad") && Contains("Bad: u"));
    CHECK(textsLikeNumbers(report::buildReport(whole).value()) == std::vector<std::string>());
    REQUIRE(writeCsv(whole, two.folder / "two.csv"));
    CHECK_THAT(textOf(two.folder / "two-results.csv"),
        Contains("Good: mix") && Contains("audit,Bad,lost,count,copies,") && Contains(",audit.lost\n"));

    auto history = History::open(two.folder / "history").value();
    REQUIRE(history.exportArchive(two.run->id(), two.folder / "two.loadstone"));
    auto other = History::open(two.folder / "other").value();
    const auto imported = other.importArchive(two.folder / "two.loadstone");
    REQUIRE(imported);
    CHECK(computeResults(other.openRun(two.run->id(), "Bad").value()).value()
        == computeResults(two.open("Bad")).value());
}

TEST_CASE("the plan of a run is parsed once for each time that its recording is opened")
{
    const TwoTargets two;
    const std::uint64_t before = plan::plansParsed();
    const Recording whole = two.open();
    REQUIRE(computeResults(whole));
    REQUIRE(judge(whole));
    REQUIRE(findSteadyStates(whole));
    REQUIRE(formatTargetsJson(whole));
    REQUIRE(writeHtmlReport(whole, two.folder / "report.html"));
    CHECK(plan::plansParsed() == before + 1);
}
