// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "engine/history/sample_run.h"
#include "report/charts.h"
#include "server_run.h"
#include "support/catch.h"

#include <loadstone/judgement.h>
#include <loadstone/readings.h>
#include <loadstone/report.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kServer =
    "[criteria]\nprocessor = { of = \"sut\", least = \"78 %\", most = \"82 %\" }\n";

/// One run with its sources, judged.
struct JudgedRun {
    TemporaryFolder folder;
    std::filesystem::path file = folder.path("run");
    JudgedRun(const std::string& criteria, double own)
    {
        writeServerRun(file, criteria, [own](std::uint64_t) { return own; });
    }
    void attach(const SourceFacts& facts, const std::vector<SourceTick>& ticks) const
    {
        attachSource(file, facts, ticks).value();
    }
    [[nodiscard]] Judgement judgement() const { return judge(Recording::open(file).value()).value(); }
    /// The only criterion of a mix.
    [[nodiscard]] Criterion of(std::size_t mix) const
    {
        const Judgement all = judgement();
        REQUIRE(all.mixes.size() == 2);
        REQUIRE(all.mixes[mix].criteria.size() == 1);
        return all.mixes[mix].criteria[0];
    }
};

std::vector<SourceTick> steady(double value, Nanoseconds end = 1320s, Nanoseconds begin = 0s)
{
    return samplesEvery(5s, begin, end, [value](double) { return value; });
}

} // namespace

TEST_CASE(
    "a criterion on the server is judged by the server's counter, and not by the generator's", "[criteria]")
{
    const JudgedRun idleServer(kServer, 80);
    idleServer.attach(processorOf("ex1"), steady(10));
    CHECK_FALSE(idleServer.of(0).met);
    CHECK(*idleServer.of(0).value == Approx(10));
    CHECK(idleServer.of(0).computer == "ex1");
    CHECK(idleServer.of(0).failedSince);
    CHECK_FALSE(idleServer.judgement().met());

    const JudgedRun idleGenerator(kServer, 10);
    idleGenerator.attach(processorOf("ex1"), steady(80));
    CHECK(idleGenerator.of(0).met);
    CHECK(*idleGenerator.of(1).value == Approx(80));

    const JudgedRun unnamed("[criteria]\nprocessor = { least = \"78 %\", most = \"82 %\" }\n", 80);
    unnamed.attach(processorOf("ex1"), steady(10));
    CHECK(unnamed.of(0).met);
    CHECK(unnamed.of(0).computer.empty());

    const JudgedRun generator("[criteria]\nprocessor = { of = \"generator\", most = \"82 %\" }\n", 80);
    generator.attach(processorOf("ex1"), steady(99));
    CHECK(generator.of(0).met);
    CHECK(generator.of(0).computer == "bench1");
}

TEST_CASE(
    "the mean of a computer's counter weighs each sample by its length, at the source's offset", "[criteria]")
{
    const JudgedRun run(kServer, 0);
    // On the run's axis: 90 % until 4:20, then 70 % in samples of 20 s. The first measurement lasts from 1:00 to 11:00.
    SourceFacts facts = processorOf("ex1", "sut", 60s);
    std::vector<SourceTick> ticks = samplesEvery(5s, 0s, 200s, [](double) { return 90; });
    for (const SourceTick& tick : samplesEvery(20s, 200s, 1260s, [](double) { return 70; }))
        ticks.push_back(tick);
    run.attach(facts, ticks);
    CHECK(*run.of(0).value == Approx((200 * 90 + 400 * 70) / 600.0));
    CHECK(*run.of(1).value == Approx(70));
    moveSource(run.file, 1, -100s).value(); // 90 % until 1:40 only
    CHECK(*run.of(0).value == Approx((40 * 90 + 560 * 70) / 600.0));
}

TEST_CASE("a sample at the edge of a window weighs with its part of it", "[criteria]")
{
    const JudgedRun run("[criteria]\nprocessor = { of = \"sut\", most = \"33 %\" }\n", 0);
    run.attach(processorOf("ex1", "sut", 0s),
        samplesEvery(60s, 0s, 1320s, [](double at) { return at < 150 ? 10 : 40; }));
    const Recording recording = Recording::open(run.file).value();
    const auto of = [&](TimeWindow window) {
        return judge(recording, window).value().mixes.at(0).criteria.at(0);
    };
    CHECK(*of({ 110s, 150s }).value == Approx((10 * 10 + 30 * 40) / 40.0));
    CHECK(of({ 110s, 150s }).met);
    CHECK(*of({ 130s, 140s }).value == Approx(40)); // no sample ends in it
    CHECK_FALSE(of({ 130s, 140s }).met);
}

TEST_CASE(
    "a computer of the role without the counter is named by the criterion that leaves it out", "[criteria]")
{
    const JudgedRun run("[criteria]\nprocessor = { of = \"sut\", most = \"33 %\" }\n", 0);
    run.attach(processorOf("ex1", "sut"), steady(10, 1320s));
    SourceFacts other = processorOf("lin2", "sut");
    other.counters[0].key.quantity = Quantity::availableMemory;
    run.attach(other, steady(100, 1320s));
    CHECK(run.of(0).computer == "ex1");
    CHECK(run.of(0).met);
    CHECK(run.of(0).reason == "without lin2: no such counter there");
}

TEST_CASE("a criterion says which of several sources of a computer it is judged by", "[criteria]")
{
    const JudgedRun run("[criteria]\nprocessor = { of = \"sut\", most = \"33 %\" }\n", 0);
    run.attach(processorOf("ex1", "sut"), steady(10, 1320s));
    CHECK(run.of(0).reason.empty());
    run.attach(processorOf("ex1", "sut"), steady(99, 1320s));
    CHECK(run.of(0).met);
    CHECK(run.of(0).reason == "2 sources of ex1 have it; judged: host ex1");
    const JudgedRun busy("[criteria]\nprocessor = { of = \"sut\", most = \"33 %\" }\n", 0);
    busy.attach(processorOf("ex1", "sut"), steady(99, 1320s));
    busy.attach(processorOf("ex1", "sut"), steady(10, 1320s));
    CHECK_FALSE(busy.of(0).met); // then, too
    CHECK(busy.of(0).reason == "2 sources of ex1 have it; judged: host ex1");
}

TEST_CASE("of several sources of a computer the chart takes the one with most of the time", "[criteria]")
{
    const JudgedRun run(kServer, 0);
    run.attach(processorOf("ex1"), steady(5, 900s)); // all of the first measurement, a part of the second
    run.attach(processorOf("ex1"), steady(80, 1320s, 300s)); // a part of the first, all of the second
    run.attach(processorOf("ex2"), steady(50, 300s)); // too little of any
    const Recording recording = Recording::open(run.file).value();
    const report::Chart chart =
        report::processorByUsersChart(computeResults(recording).value(), readingsOf(recording).value());
    REQUIRE(chart.curves.size() == 1);
    CHECK(chart.curves[0].name == "ex1");
    REQUIRE(chart.curves[0].points.size() == 2);
    CHECK(chart.curves[0].points[0].y == Approx(5));
    CHECK(chart.curves[0].points[1].y == Approx(80));
}

TEST_CASE("a criterion cannot tell where a computer's counters are late, end, or never came", "[criteria]")
{
    const auto isUnknown = [](const Criterion& criterion, const std::string& why) {
        INFO(criterion.reason);
        CHECK_FALSE(criterion.met);
        CHECK_FALSE(criterion.value);
        CHECK(criterion.computer == "ex1");
        CHECK(criterion.reason == why);
        CHECK(describe(criterion).value == "-");
        CHECK(describe(criterion).explanation == why);
    };
    const JudgedRun never(kServer, 80);
    isUnknown(never.of(0), "cannot tell: no counters of ex1 in this run");

    const JudgedRun ended(kServer, 80);
    ended.attach(processorOf("ex1"), steady(80, 750s)); // 30 s into the second measurement
    CHECK(ended.of(0).met);
    isUnknown(ended.of(1), "cannot tell: no counters of ex1 since 12:30 (5 % of the time covered)");
    CHECK_FALSE(ended.judgement().met());

    const JudgedRun endedEarly(kServer, 80);
    endedEarly.attach(processorOf("ex1"), steady(80, 700s));
    isUnknown(endedEarly.of(1), "cannot tell: no counters of ex1 since 11:40 (0 % of the time covered)");

    const JudgedRun late(kServer, 80);
    late.attach(processorOf("ex1"), steady(80, 1320s, 200s));
    isUnknown(late.of(0), "cannot tell: no counters of ex1 before 03:20 (76.7 % of the time covered)");
    CHECK(late.of(1).met);

    const JudgedRun gaps(kServer, 80);
    gaps.attach(processorOf("ex1"), samplesEvery(5s, 0s, 1320s, [](double at) {
        return std::fmod(at, 20) < 5 ? std::numeric_limits<double>::quiet_NaN() : 80;
    }));
    isUnknown(gaps.of(0), "cannot tell: counters of ex1 for 75 % of the time only");

    const JudgedRun enough(kServer, 80); // more than 9 of 10 minutes
    enough.attach(processorOf("ex1"), samplesEvery(5s, 0s, 1320s, [](double at) {
        return at > 605 && at <= 660 ? std::numeric_limits<double>::quiet_NaN() : 80;
    }));
    CHECK(enough.of(0).met);
}

TEST_CASE(
    "a criterion on a counter of this machine needs samples for nine tenths of the time, too", "[criteria]")
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto reasonOf = [](const std::string& criteria, const std::function<double(std::uint64_t)>& own) {
        const TemporaryFolder folder;
        writeServerRun(folder.path("run"), criteria, own);
        const Criterion criterion =
            judge(Recording::open(folder.path("run")).value()).value().mixes.at(0).criteria.at(0);
        CHECK(criterion.met == criterion.value.has_value());
        return criterion.reason;
    };
    const std::string level = "[criteria]\nprocessor = { most = \"82 %\" }\n";
    // The first measurement lasts from 1:00 to 11:00, its ticks a second each.
    CHECK(reasonOf(level, [](std::uint64_t second) { return second == 300 ? 10 : none; })
        == "cannot tell: no samples of this counter since 05:01 (0.2 % of the time covered)");
    CHECK(reasonOf(level, [](std::uint64_t second) { return second < 590 ? 10 : none; })
        == "cannot tell: no samples of this counter since 09:50 (88.3 % of the time covered)");
    CHECK(reasonOf(level, [](std::uint64_t second) { return second < 600 ? 10 : none; }).empty());
    CHECK(reasonOf(level, [](std::uint64_t) { return none; })
        == "cannot tell: no samples of this counter by then");
    CHECK(reasonOf("[criteria]\n[[criteria.counters]]\ncounter = '\\Processor(_Total)\\% Processor Time'\n"
                   "may_grow = false\n",
              [](std::uint64_t second) { return second < 300 ? 10 : none; })
        == "cannot tell: no samples of this counter since 05:00 (40 % of the time covered)");
}

TEST_CASE("a mean is not missing while there is nothing that it could be of", "[criteria]")
{
    Subject disk;
    disk.host = "ex1";
    disk.device = "sda";
    SourceFacts facts = processorOf("ex1");
    facts.counters = { counterOf(SeriesKey(Quantity::diskSecondsPerRead, disk)),
        counterOf(SeriesKey(Quantity::diskReads, disk)) };
    facts.counters[1].id = 1;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto judged = [&](double readsOfIdle) {
        const JudgedRun run("[criteria]\n[[criteria.counters]]\ncounter = '\\LogicalDisk(sda)\\Avg. Disk "
                            "sec/Read'\nof = \"sut\"\nmost = 0.02\n",
            0);
        std::vector<SourceTick> ticks = steady(0.008);
        for (std::size_t i = 0; i < ticks.size(); ++i) // reads in every sixth sample
            ticks[i].values =
                i % 6 == 0 ? std::vector<double> { 0.008, 12 } : std::vector<double> { none, readsOfIdle };
        run.attach(facts, ticks);
        return run.of(0);
    };
    CHECK(judged(0).met);
    REQUIRE(judged(0).value);
    CHECK(*judged(0).value == Approx(0.008));
    CHECK(judged(none).reason.starts_with("cannot tell: "));
}

TEST_CASE("a role means every computer that has it", "[criteria]")
{
    const JudgedRun run(kServer, 0);
    run.attach(processorOf("ex1"), steady(80));
    run.attach(processorOf("ex2"), steady(50));
    SourceFacts queues = processorOf("ex1 Postfix");
    queues.counters = { counterOf(ForeignCounter { "ex1 Postfix", "Mail Queue", "active", "Messages" }) };
    run.attach(queues, steady(3)); // has no processor, and does not count
    const MixJudgement mix = run.judgement().mixes[0];
    REQUIRE(mix.criteria.size() == 2);
    CHECK(mix.criteria[0].computer == "ex1");
    CHECK(mix.criteria[0].met);
    CHECK(mix.criteria[1].computer == "ex2");
    CHECK_FALSE(mix.criteria[1].met);

    const JudgedRun none(
        "[criteria]\ncounters = [ { counter = '\\Memory\\Available MBytes', of = \"sut\", least = 1 } ]\n",
        0);
    none.attach(processorOf("ex1"), steady(80));
    CHECK(none.of(0).reason == "cannot tell: ex1 has no such counter");
}

TEST_CASE("a log that is attached later stands for the computer that it is said to be of", "[criteria]")
{
    const JudgedRun run(
        "[criteria]\ncounters = [ { counter = '\\Processor(_Total)\\% Processor Time', of = \"ex1\", most = "
        "50, may_grow = false } ]\n",
        0);
    SourceFacts log = processorOf("ex1");
    log.counters = { counterOf(ForeignCounter { "EX1-PROD", "Processor", "_Total", "% Processor Time" }) };
    run.attach(log, samplesEvery(15s, 0s, 1320s, [](double at) { return at / 20; }));
    const Judgement judgement = run.judgement();
    REQUIRE(judgement.mixes[0].criteria.size() == 2);
    CHECK(judgement.mixes[0].criteria[0].met);
    const Criterion& growth = judgement.mixes[0].criteria[1];
    CHECK(growth.kind == Criterion::Kind::counterGrowth);
    CHECK_FALSE(growth.met);
    CHECK(*growth.value == Approx(29.25).epsilon(0.02)); // from the first sample to the last one
    CHECK_FALSE(judgement.mixes[1].criteria[0].met);
}

TEST_CASE("tables of criteria name the computer", "[criteria]")
{
    const JudgedRun run(kServer
            + std::string(
                "counters = [ { counter = '\\Memory\\Available MBytes', of = \"ex1\", least = 1 } ]\n"),
        0);
    run.attach(processorOf("ex1"), steady(80));
    const Recording recording = Recording::open(run.file).value();
    const std::string text = formatJudgement(recording).value();
    CHECK_THAT(text, Contains("Processor time of ex1"));
    CHECK_THAT(text, Contains("ex1: \\Memory\\"));
    CHECK_THAT(formatJudgementJson(recording).value(), Contains("\"computer\":\"ex1\""));
    writeHtmlReport(recording, run.folder.path("report.html")).value();
    const std::string html = readFile(run.folder.path("report.html")).value();
    CHECK_THAT(html,
        Contains("Processor time of ex1") && Contains("Mean processor time of servers by users")
            && Contains("Counters of ex1, the system under test: 400 users")
            && Contains("<summary>Counters of bench1, the load generator: 200 users"));
}
