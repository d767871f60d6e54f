// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/history/sample_run.h"
#include "server_run.h"
#include "support/catch.h"

#include <loadstone/event_rates.h>
#include <loadstone/judgement.h>
#include <loadstone/readings.h>
#include <loadstone/report.h>
#include <loadstone/window.h>

#include <cmath>
#include <limits>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

struct WindowRun {
    TemporaryFolder folder;
    std::filesystem::path file = folder.path("run");
    explicit WindowRun(const std::string& criteria = {})
    {
        writeServerRun(
            file, criteria, [](std::uint64_t second) { return static_cast<double>(second % 100); });
    }
    [[nodiscard]] Recording open() const { return Recording::open(file).value(); }
};

std::string whyNot(const Recording& recording, const WindowChoice& choice)
{
    const auto chosen = chooseWindow(recording, choice);
    return chosen ? "nothing is wrong" : chosen.error().message;
}

TimeWindow chosen(const Recording& recording, const WindowChoice& choice)
{
    return chooseWindow(recording, choice).value().value().window;
}

} // namespace

TEST_CASE("results of a window are those of its ticks alone, by mix", "[window]")
{
    const WindowRun run;
    const Recording recording = run.open();
    const RunResults results = computeResults(recording, TimeWindow { 120s, 240s }).value();
    CHECK(results.window == TimeWindow { 120s, 240s });
    REQUIRE(results.mixes.size() == 1);
    const MixResult& mix = results.mixes[0];
    CHECK(mix.name == "200 users");
    CHECK(mix.complete);
    CHECK(mix.measured.begin == 120s);
    CHECK(mix.measured.end == 240s);
    CHECK(mix.measured.sent == 1200);
    CHECK(mix.measured.sentPerSecond == Approx(10));
    CHECK(mix.response.count == 1200);
    CHECK(mix.attempts == 120 * 11);
    CHECK(mix.failures == 1); // at 150 s
    REQUIRE(mix.errors.size() == 1);
    CHECK(mix.errors[0].count == 1);
    CHECK(mix.finalWindow.end == mix.finalWindow.begin);
    CHECK_FALSE(results.audit);
    CHECK(findFigure(mix.figures, "mail.sent-rate")->window == TimeWindow { 120s, 240s });

    // Both measurements, without the ramp-up between them.
    const RunResults both = computeResults(recording, TimeWindow { 600s, 780s }).value();
    REQUIRE(both.mixes.size() == 2);
    CHECK(both.mixes[0].measured.sent == 60 * 10);
    CHECK(both.mixes[1].measured.begin == 720s);
    CHECK(both.mixes[1].measured.sent == 60 * 20);

    // A ramp-up alone is what was asked for.
    const RunResults rampUp = computeResults(recording, TimeWindow { 10s, 50s }).value();
    REQUIRE(rampUp.mixes.size() == 1);
    CHECK(rampUp.mixes[0].measured.sent == 400);
}

TEST_CASE("a window that is a whole measurement has its results, and asking does not change them", "[window]")
{
    const WindowRun run;
    const Recording recording = run.open();
    const RunResults whole = computeResults(recording).value();
    for (int i = 0; i < 2; ++i) {
        const RunResults window = computeResults(recording, TimeWindow { 60s, 660s }).value();
        REQUIRE(window.mixes.size() == 1);
        MixResult mine = window.mixes[0];
        mine.queues = whole.mixes[0].queues; // of whole mixes only
        mine.figures = whole.mixes[0].figures;
        CHECK(mine == whole.mixes[0]);
        CHECK(computeResults(recording, TimeWindow { 100s, 130s }).value().mixes[0].measured.sent == 300);
        CHECK(computeResults(recording).value() == whole);
    }
}

TEST_CASE("a window without length or ticks is an error", "[window]")
{
    const WindowRun run;
    const Recording recording = run.open();
    CHECK_THAT(computeResults(recording, TimeWindow { 60s, 60s }).error().message, Contains("no length"));
    CHECK_THAT(
        computeResults(recording, TimeWindow { 5000s, 5060s }).error().message, Contains("22:00 long"));
    CHECK_FALSE(judge(recording, TimeWindow { 5000s, 5060s }));
}

TEST_CASE("criteria of a window are judged over it", "[window]")
{
    const WindowRun run("[criteria]\nprocessor = { least = 40, most = 60 }\nresponse_time = \"15 ms\"\n");
    const Recording recording = run.open();
    CHECK_FALSE(judge(recording).value().met()); // the second mix takes 20 ms
    const Judgement first = judge(recording, TimeWindow { 100s, 300s }).value();
    CHECK(first.window == TimeWindow { 100s, 300s });
    REQUIRE(first.mixes.size() == 1);
    CHECK(first.mixes[0].window == TimeWindow { 100s, 300s });
    CHECK(first.mixes[0].met());
    const Judgement busy = judge(recording, TimeWindow { 180s, 200s }).value(); // 80 to 99 %
    CHECK_FALSE(busy.mixes[0].met());
}

TEST_CASE("readings weigh samples by their length and say what is missing", "[window]")
{
    const WindowRun run;
    std::vector<SourceTick> ticks = samplesEvery(5s, 0s, 120s, [](double) { return 10; });
    for (const SourceTick& tick : samplesEvery(20s, 120s, 240s,
             [](double at) { return at > 200 ? std::numeric_limits<double>::quiet_NaN() : 40; }))
        ticks.push_back(tick);
    attachSource(run.file, processorOf("ex1"), ticks).value();
    const Recording recording = run.open();
    const auto readings = readingsWithin(recording, TimeWindow { 100s, 240s }).value();
    REQUIRE(readings.size() == 2);
    CHECK(readings[0].computer == "ex1");
    CHECK(readings[0].role == "sut");
    CHECK_FALSE(readings[0].own);
    REQUIRE(readings[0].counters.size() == 1);
    const CounterReading& server = readings[0].counters[0];
    CHECK(server.average == Approx((20 * 10 + 80 * 40) / 100.0));
    CHECK(server.minimum == 10);
    CHECK(server.maximum == 40);
    CHECK(server.samples == 4 + 4);
    CHECK(server.coverage == Approx(100 / 140.0));
    CHECK(server.unit() == "%");

    CHECK(readings[1].computer == "bench1");
    CHECK(readings[1].own);
    const CounterReading& sent = readings[1].counters[0];
    CHECK(sent.average == Approx(10));
    CHECK(sent.unit() == "messages/s");
    CHECK(sent.samples == 140);
    CHECK(sent.coverage == Approx(1));

    const auto measured = readingsOf(recording).value();
    REQUIRE(measured.size() == 2);
    CHECK(measured[0].name == "200 users");
    CHECK(measured[0].window == TimeWindow { 60s, 660s });
    CHECK(measured[1].computers[0].counters[0].samples == 0);
    CHECK(std::isnan(measured[1].computers[0].counters[0].average));
    CHECK(measured[1].computers[0].counters[0].coverage == 0);
}

TEST_CASE("a coarse sample counts with its part of the window, at both ends", "[window]")
{
    const WindowRun run;
    const auto value = [](double at) { return at < 150 ? 10 : 40; };
    attachSource(run.file, processorOf("ex1", "sut", 0s), samplesEvery(60s, 0s, 240s, value)).value();
    const Recording recording = run.open();
    const auto server = [&](TimeWindow window) {
        return readingsWithin(recording, window).value().at(0).counters.at(0);
    };
    const CounterReading both = server({ 110s, 150s }); // 10 s of one sample, 30 s of the next
    CHECK(both.average == Approx((10 * 10 + 30 * 40) / 40.0));
    CHECK(both.samples == 2);
    CHECK(both.coverage == Approx(1));
    const CounterReading within = server({ 130s, 140s }); // no sample ends in it
    CHECK(within.average == Approx(40));
    CHECK(within.samples == 1);
    CHECK(within.coverage == Approx(1));
    const CounterReading exact = server({ 60s, 120s });
    CHECK(exact.average == Approx(10));
    CHECK(exact.samples == 1);
}

TEST_CASE("a window that reaches a moment into another measurement does not touch it", "[window]")
{
    const WindowRun run;
    const Recording recording = run.open();
    const RunResults first = computeResults(recording, TimeWindow { 600s, 720s + 50ms }).value();
    REQUIRE(first.mixes.size() == 1);
    CHECK(first.mixes[0].name == "200 users");
    const RunResults rampUp = computeResults(recording, TimeWindow { 660s - 50ms, 700s }).value();
    REQUIRE(rampUp.mixes.size() == 1);
    CHECK(rampUp.mixes[0].name == "400 users");
    // Long enough, but no tick of the second measurement ends in it.
    CHECK(computeResults(recording, TimeWindow { 600s, 720s + 500ms }).value().mixes.size() == 1);
    CHECK(computeResults(recording, TimeWindow { 600s, 721s }).value().mixes.size() == 2);
}

TEST_CASE("a window without load of a mix does not meet a plan", "[window]")
{
    Judgement judgement;
    judgement.kind = RunKind::mail;
    judgement.stated = true;
    judgement.window = TimeWindow { 0s, 10s };
    CHECK_FALSE(judgement.met());
    CHECK_THAT(criteriaSentence(judgement), Contains("no load of a mix") && !Contains("are met"));
    judgement.mixes.push_back({ 0, "200 users", { 0s, 10s }, {} });
    CHECK(judgement.met());
}

TEST_CASE("actions and commands have rates, by their keys", "[window]")
{
    const WindowRun run;
    const Recording recording = run.open();
    const auto rates = eventRatesOf(recording.header());
    const auto actions =
        findSeries(rates, { Quantity::actionsCompleted, Subject::ofAction(ActionKind::sendMessage) });
    const auto commands = findSeries(rates, { Quantity::commandsAnswered, Subject::ofCommand("SMTP RCPT") });
    REQUIRE(actions);
    REQUIRE(commands);
    CHECK(rates.size() == 2);
    CHECK(rates[*commands].path() == "\\Loadstone Commands(SMTP RCPT)\\Answered/sec");
    const auto points = eventRate(recording, *actions, { 650s, 670s }).value();
    REQUIRE(points.size() == 20);
    CHECK(points[0] == CounterPoint { 651s, 10 });
    CHECK(points[19] == CounterPoint { 670s, 20 });
    const CounterStatistics statistics = eventRateStatistics(recording, *commands, { 60s, 660s }).value();
    CHECK(statistics.average == Approx(2.5));
    CHECK(statistics.minimum == 2);
    CHECK(statistics.maximum == 3);
    const auto bands = eventRateBands(recording, *actions, { 0s, 1320s }, 2).value();
    REQUIRE(bands.size() == 2);
    CHECK(bands[0].average == Approx(10));
    CHECK(bands[1].average == Approx(20));
    CHECK_FALSE(eventRate(recording, 2, { 0s, 10s }));
    const auto all = eventRateStatistics(recording, { 60s, 660s }).value();
    REQUIRE(all.size() == rates.size());
    CHECK(all[*commands].average == Approx(2.5));
    CHECK(all[*actions].average == Approx(10));
}

TEST_CASE("times of a run are read as people write them", "[window]")
{
    const RunHeader header = sampleHeader(); // begins at 14:03:05 UTC
    CHECK(formatIso8601(header.started) == "2026-11-21T14:03:05.000Z");
    CHECK(parseRunTime(header, 22min, "1:51:03").value() == 1h + 51min + 3s);
    CHECK(parseRunTime(header, 22min, "1:51:03.5").value() == 1h + 51min + 3500ms);
    CHECK(parseRunTime(header, 22min, "02:10.8").value() == 2min + 10800ms); // as readouts write it
    CHECK_FALSE(parseRunTime(header, 22min, "02:10.x"));
    CHECK(parseRunTime(header, 22min, "+90 s").value() == 90s);
    CHECK(parseRunTime(header, 22min, "2 h").value() == 2h);
    CHECK(parseRunTime(header, 22min, "14:05").value() == 115s);
    CHECK(parseRunTime(header, 22min, "0:20").value() == 20s); // as charts write it, where no clock time fits
    CHECK(parseRunTime(header, 22min, "14:02").value() == 14min + 2s);
    CHECK(parseRunTime(header, 2h, "59:30").value() == 59min + 30s);
    CHECK(parseRunTime(header, 10min, "14:02").value() == 24h - 65s); // neither fits: on the next day
    CHECK(parseRunTime(header, 22min, "2026-11-21T14:05:00.5Z").value() == 115s + 500ms);
    for (const char* wrong : { "", "noon", "1:2", "25:00", "1:61:00", "1:2:3:4", ":05",
             "2026-11-21T14:02:00Z", "2026-13-21T14:05:00Z", "2262-01-01T00:00:00Z", "9999-12-31T14:05:00Z",
             "1969-12-31T14:05:00Z", "-5 s", "1::3" }) {
        INFO(wrong);
        CHECK(parseRunTime(header, 22min, wrong).has_value() == (std::string(wrong) == "1:2"));
    }
}

TEST_CASE("windows are chosen by times, phases and the steady state", "[window]")
{
    const WindowRun run;
    const Recording recording = run.open();
    CHECK_FALSE(chooseWindow(recording, {}).value());
    CHECK(chosen(recording, { "0:02:00", "+60 s", {}, false }) == TimeWindow { 120s, 180s });
    CHECK(chosen(recording, { {}, "0:02:00", {}, false }) == TimeWindow { 0s, 120s });
    CHECK(chosen(recording, { "20 min", "9 h", {}, false }) == TimeWindow { 1200s, 1320s });
    CHECK(chosen(recording, { {}, {}, "measurement 2", false }) == TimeWindow { 720s, 1320s });
    CHECK(chosen(recording, { {}, {}, "400 users", false }) == TimeWindow { 720s, 1320s });
    CHECK(chosen(recording, { {}, {}, "ramp-up 1", false }) == TimeWindow { 0s, 60s });
    const auto steady = chooseWindow(recording, { {}, {}, {}, true }).value().value();
    CHECK(steady.window.end == 1320s);
    CHECK(steady.name == "steady state of 400 users");
    CHECK(chosen(recording, { {}, {}, "200 users", true }).end == 660s);
    CHECK_THAT(describe(chooseWindow(recording, { {}, {}, "measurement 2", false }).value().value()),
        Contains("measurement 2, 400 users"));

    CHECK_THAT(whyNot(recording, { {}, {}, "measurement", false }),
        Contains("more than one") && Contains("measurement 2"));
    CHECK_THAT(whyNot(recording, { {}, {}, "drain", false }), Contains("ramp-up 1, measurement 1"));
    CHECK_THAT(whyNot(recording, { "30 min", {}, {}, false }), Contains("the run is 22:00 long"));
    CHECK_THAT(whyNot(recording, { "3 min", "2 min", {}, false }), Contains("not after its begin"));
    CHECK_THAT(whyNot(recording, { "3 min", {}, {}, true }), Contains("not by both"));
    CHECK_THAT(whyNot(recording, { {}, "soon", {}, false }), Contains("14:05"));
}
