// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/action_series.h"
#include "analysis/window/right_edge.h"
#include "engine/history/sample_run.h"
#include "history/recording_reader.h"
#include "support/catch.h"
#include "support/named_series.h"

#include <loadstone/histogram.h>
#include <loadstone/judgement.h>

#include <functional>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
title = "Edge"
[target]
password = "secret"
[target.smtp]
port = 2525
[workload]
steps = [ { action = "send message", size = "10 KB" } ]
[[mixes]]
clients = 20
mailboxes_per_client = 10
threads_per_client = 2
ramp_up = "0 s"
measurement = "10 s"
ramp_down = "5 s"
[criteria]
percentile = 95
response_time = "50 ms"
error_rate = "1 %"
)";

const SeriesKey kSend(Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage));

struct Second {
    int due = 100, begun = 100, good = 100, failed = 0;
    Nanoseconds response = 2ms;
    std::vector<Nanoseconds> ages {}; ///< at its end
};

/// Ten seconds of measurement and up to five of ramp-down, of which `length` in all are recorded.
void write(const std::filesystem::path& file, const std::function<Second(int)>& secondOf, int length = 15,
    bool ages = true)
{
    RunHeader header = sampleHeader();
    header.planText = kPlan;
    header.histograms.resize(2);
    if (ages)
        header.histograms.push_back(latencyNamed(2, LatencyScope::action, LatencyClock::age, "Send message"));
    for (const Quantity quantity :
        { Quantity::actionsDue, Quantity::actionsBegun, Quantity::actionsGivenUp }) {
        header.counters.push_back(counterOf({ quantity, Subject::ofAction(ActionKind::sendMessage) }));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
    }
    history::ResultSeries series = sampleSeries();
    series.mixes = { { "200 users", 200, 40, 3.0, 10s } };
    auto writer = history::RecordingWriter::create(file, header, series).value();
    for (int number = 0; number < length; ++number) {
        const bool measuring = number < 10;
        if (number == 0 || number == 10)
            writer
                .putPhase({ measuring ? 0U : 1U, 0, "200 users",
                    measuring ? PhaseKind::measurement : PhaseKind::rampDown, measuring ? 0s : 10s,
                    measuring ? 10s : std::chrono::seconds(length), false })
                .value();
        const Second second = secondOf(number);
        metrics::Tick tick = sampleTick(static_cast<std::uint64_t>(number), measuring ? 0 : 1);
        tick.errors.clear();
        tick.histograms.clear();
        const double ended = second.good + second.failed;
        tick.values = { static_cast<double>(second.good), 0, ended, static_cast<double>(second.failed), 0,
            static_cast<double>(second.due), static_cast<double>(second.begun),
            static_cast<double>(second.failed) };
        Histogram good, age;
        good.record(second.response, static_cast<std::uint64_t>(second.good));
        for (const Nanoseconds one : second.ages)
            age.record(one);
        for (std::uint32_t id = 0; id < 2 && !good.empty(); ++id)
            tick.histograms.emplace_back(id, good.encode());
        if (ages && !age.empty())
            tick.histograms.emplace_back(2, age.encode());
        writer.append(tick).value();
    }
    writer.finish({}).value();
}

/// A server that answers 77 sends and hangs; 80 a second are due.
Second hanging(int number)
{
    Second second;
    second.due = number < 10 ? 80 : 0;
    second.begun = number == 0 ? 80 : 0;
    second.good = number == 0 ? 77 : 0;
    for (int at = 0; at <= std::min(number, 9); ++at)
        for (int i = 0; i < (at == 0 ? 3 : 80); ++i)
            second.ages.push_back(1s * (number - at) + 12ms * i);
    return second;
}

const Criterion& find(const Judgement& judgement, Criterion::Kind kind)
{
    for (const Criterion& criterion : judgement.mixes.at(0).criteria)
        if (criterion.kind == kind)
            return criterion;
    throw std::runtime_error("no such criterion");
}

struct Assessed {
    MixResult mix;
    Judgement judgement;
};
Assessed assess(const std::function<Second(int)>& secondOf, int length = 15)
{
    const TemporaryFolder folder;
    write(folder.path("run"), secondOf, length);
    const Recording recording = Recording::open(folder.path("run")).value();
    return { computeResults(recording).value().mixes.at(0), judge(recording).value() };
}

} // namespace

TEST_CASE(
    "what a server left hanging is in the response times with its age, and no criterion is met", "[edge]")
{
    for (const int length : { 10, 15 }) { // with a ramp-down, in which it hangs on, and without
        const auto [mix, judgement] = assess(hanging, length);
        REQUIRE(mix.counts);
        CHECK(*mix.counts == ActionCounts { 800, 80, 77, 0, 723 });
        CHECK(mix.actions.at(0).counts == mix.counts);
        const LatencySummary& response = *mix.actions.at(0).response;
        CHECK(response.count == 77);
        CHECK(response.unfinished == 723);
        CHECK(response.p50 > 3s);
        CHECK(response.maximum > 9s);
        CHECK((response.atLeast.p50 && response.atLeast.p95 && response.atLeast.p99
            && response.atLeast.maximum));
        CHECK(response.minimum < 3ms);
        const Criterion& limit = find(judgement, Criterion::Kind::responseTime);
        CHECK_FALSE(limit.met);
        CHECK_FALSE(limit.cannotTell); // the ages alone are above it
        CHECK(limit.atLeast);
        CHECK(*limit.value > 8);
        const Criterion& errors = find(judgement, Criterion::Kind::errorRate);
        CHECK_FALSE(errors.met);
        CHECK(errors.cannotTell);
        CHECK(errors.reason == "not known: 723 of 800 actions had not ended");
        CHECK_FALSE(judgement.met());
    }
}

TEST_CASE(
    "actions that were under way at the end and were seen to end soon leave the verdict as it is", "[edge]")
{
    const auto healthy = [](int number) {
        Second second;
        second.due = second.begun = number < 10 ? 100 : 0;
        second.good = number == 0 ? 95 : number < 10 ? 100 : number == 10 ? 5 : 0;
        if (number < 10)
            second.ages = { 0ms, 0ms, 1ms, 1ms, 2ms };
        return second;
    };
    const auto [mix, judgement] = assess(healthy);
    CHECK(*mix.counts == ActionCounts { 1000, 1000, 995, 0, 5 });
    CHECK(mix.actions.at(0).response->atLeast == AtLeast());
    CHECK(mix.actions.at(0).response->mean == 2ms); // of those that ended: their ages would make it less
    CHECK(mix.actions.at(0).response->p50 >= 2ms);
    CHECK(find(judgement, Criterion::Kind::responseTime).met);
    CHECK(find(judgement, Criterion::Kind::errorRate).met);
    // The same, but the recording ends with the measurement: five of a thousand may take any time, or fail.
    const auto [cut, then] = assess(healthy, 10);
    CHECK(cut.actions.at(0).response->atLeast.p999);
    CHECK_FALSE(cut.actions.at(0).response->atLeast.p95);
    CHECK(find(then, Criterion::Kind::responseTime).met);
    CHECK(find(then, Criterion::Kind::errorRate).met);
}

TEST_CASE(
    "a criterion is judged by both bounds of a percentile, whichever side of the limit the printed one is",
    "[edge]")
{
    // With those that were under way the 95th percentile is 49 ms or 51 ms, without them 51 ms; the limit lies between.
    const auto [mix, judgement] = assess([](int number) {
        Second second;
        second.due = second.begun = number < 10 ? 100 : 0;
        second.good = number < 9 ? 100 : number == 9 || number == 10 ? 50 : 0;
        second.response = number < 9 ? 49ms : 51ms;
        if (number == 9)
            second.ages.assign(50, 0ms);
        return second;
    });
    CHECK_FALSE(mix.actions.at(0).response->atLeast.p95);
    CHECK(mix.actions.at(0).response->p95 > 50ms);
    const Criterion& limit = find(judgement, Criterion::Kind::responseTime);
    CHECK_FALSE(limit.met);
    CHECK(limit.cannotTell);
    CHECK(limit.reason == "not known: 50 of 1000 actions had not ended");
}

TEST_CASE("what is given up after the measurement has not ended, and keeps its lower bounds", "[edge]")
{
    // 400 wait at the end, for up to 8 s. In the next second some end, and the others are gone.
    const auto [mix, judgement] = assess([](int number) {
        Second second;
        second.due = number < 10 ? 100 : 0;
        second.good = number < 10 ? 60 : number == 10 ? 60 : 0;
        second.begun = second.good;
        second.response = number == 10 ? 8s : 2s;
        if (number == 9)
            for (int i = 0; i < 400; ++i)
                second.ages.push_back(20ms * i);
        return second;
    });
    const LatencySummary& response = *mix.actions.at(0).response;
    CHECK(response.unfinished == 400);
    CHECK((response.atLeast.mean && response.atLeast.p95 && response.atLeast.maximum));
    CHECK(response.maximum > 7s);
}

TEST_CASE("what was under way and ended at once makes no percentile lower than that of what ended", "[edge]")
{
    // 94 of 100 take 2 ms and the others 80 ms: the 95th percentile. With 50 more that end within a millisecond it would be 2 ms.
    const auto [mix, judgement] = assess([](int number) {
        Second second;
        second.good = number == 0 ? 14 : number < 9 ? 10 : number == 9 ? 6 : number == 10 ? 50 : 0;
        second.due = second.begun = number < 9 ? second.good : number == 9 ? 56 : 0;
        second.response = number == 9 ? 80ms : 2ms;
        if (number == 9)
            second.ages.assign(50, 0ms);
        return second;
    });
    CHECK(mix.actions.at(0).response->count == 100);
    CHECK_FALSE(mix.actions.at(0).response->atLeast.p95);
    CHECK(mix.actions.at(0).response->p95 > 75ms);
    CHECK_FALSE(find(judgement, Criterion::Kind::responseTime).met);
}

TEST_CASE("what may have taken too long, or failed, after the measurement is not counted as good", "[edge]")
{
    // A tenth is under way at the end; it ends two seconds later, well or not.
    const auto late = [](int failed) {
        return [failed](int number) {
            Second second;
            second.due = second.begun = number < 10 ? 10 : 0;
            second.good = number < 9 ? 10 : number == 11 ? 10 - failed : 0;
            second.failed = number == 11 ? failed : 0;
            second.response = number == 11 ? 2s : 2ms;
            if (number == 9 || number == 10)
                for (int i = 0; i < 10; ++i)
                    second.ages.push_back(1s * (number - 9) + 1ms);
            return second;
        };
    };
    const auto [mix, judgement] = assess(late(0));
    CHECK(mix.counts->unfinished == 10);
    const Criterion& limit = find(judgement, Criterion::Kind::responseTime);
    CHECK_FALSE(limit.met);
    CHECK(*limit.value < 0.05); // what is known of it is within the limit
    CHECK(limit.cannotTell);
    CHECK(limit.reason == "not known: 10 of 100 actions had not ended");
    CHECK(mix.actions.at(0).response->atLeast.p95);
    CHECK_FALSE(mix.actions.at(0).response->atLeast.p50);
    CHECK(find(judgement, Criterion::Kind::errorRate).met); // all of them were seen to end well
    const auto [failedMix, failed] = assess(late(5));
    CHECK(failedMix.failures == 0);
    CHECK_FALSE(find(failed, Criterion::Kind::errorRate).met);
    CHECK_THAT(find(failed, Criterion::Kind::errorRate).reason, Contains("10 of 100 actions had not ended"));
}

TEST_CASE("a limit that nothing has succeeded under is not met", "[edge]")
{
    const auto [mix, judgement] = assess([](int) {
        Second second;
        second.good = 0;
        second.failed = 100;
        return second;
    });
    const Criterion& limit = find(judgement, Criterion::Kind::responseTime);
    CHECK_FALSE(limit.met);
    CHECK_FALSE(limit.value);
    CHECK(limit.reason == "none of 1000 actions ended well");
    CHECK(mix.counts->failed == 1000);
}

TEST_CASE("each window has the snapshot of its own end", "[edge]")
{
    const TemporaryFolder folder;
    write(folder.path("run"), hanging);
    const Recording recording = Recording::open(folder.path("run")).value();
    CHECK(responseWithin(recording, kSend, { 0s, 3s }).value().unfinished == 3 + 80 + 80);
    CHECK(responseWithin(recording, kSend, { 2s, 3s }).value().count == 0);
    CHECK(recording.latency(2, { 0s, 3s }).value().count == 3 + 80 + 80);
    const auto ofRun = analysis::countsWithin(recording, kSend, { 0, 3 }).value();
    CHECK(*ofRun == ActionCounts { 240, 80, 77, 0, 163 });
    CHECK(responseWithin(
              recording, { Quantity::actionTime, Subject::ofAction(ActionKind::readMessage) }, { 0s, 3s })
              .value()
        == LatencySummary());
}

TEST_CASE("a recording that knows no ages has results without them", "[edge]")
{
    const TemporaryFolder folder;
    write(folder.path("run"), hanging, 15, false);
    const Recording recording = Recording::open(folder.path("run")).value();
    const MixResult mix = computeResults(recording).value().mixes.at(0);
    CHECK(mix.actions.at(0).response->count == 77);
    CHECK(mix.actions.at(0).response->atLeast == AtLeast());
}

TEST_CASE("the age of an action that has just begun is not the shortest response time", "[edge]")
{
    Histogram good;
    good.record(60us);
    good.record(80us);
    analysis::Unfinished justBegun;
    justBegun.ages.record(0us);
    const LatencySummary summary = analysis::CensoredLatency(good, justBegun).summary();
    CHECK(summary.minimum == 60us);
    CHECK(summary.unfinished == 1);
}
