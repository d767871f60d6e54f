// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/histogram.h>
#include <loadstone/judgement.h>
#include <loadstone/report.h>

#include <array>
#include <cmath>
#include <functional>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
title = "Judged"
[target]
password = "secret"
[target.smtp]
port = 2525
[target.pop3]
port = 2110
[workload]
steps = [ { action = "send message", size = "10 KB" }, { action = "empty mailbox" } ]
[[mixes]]
clients = 20
mailboxes_per_client = 10
threads_per_client = 2
ramp_up = "1 min"
measurement = "10 min"
quiet_time = "1 min"
)";

struct Second {
    double sent = 20, outstanding = 5, processor = 50, failed = 0;
    Nanoseconds response = 10ms;
    std::array<double, 4> oracle { NAN, NAN, NAN,
        NAN }; ///< users, checks, findings, compared; NaN: there is none
};

/// A minute of ramp-up and ten minutes of measurement, as `secondOf` makes each of them.
void writeRun(const std::filesystem::path& file, const std::string& criteria,
    const std::function<Second(double at, Random& random)>& secondOf, const history::RunEnd& end = {})
{
    RunHeader header = sampleHeader();
    header.planText = kPlan + criteria;
    header.counters.clear();
    using enum Quantity;
    for (const Quantity quantity :
        { messagesSent, messagesReceived, actionsEnded, actionsFailed, recipientsAccepted, copiesOutstanding,
            processorTime, oracleUsers, oracleChecks, oracleFindings, oracleCompared }) {
        header.counters.push_back(counterOf(quantity));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
    }
    history::ResultSeries series = sampleSeries();
    series.mixes = { { "200 users", 200, 40, 3.0, 10min } };
    auto writer = history::RecordingWriter::create(file, header, series).value();
    Random random(hashOf({ 5 }));
    for (std::uint64_t number = 0; number < 660; ++number) {
        const bool measuring = number >= 60;
        if (number == 0 || number == 60)
            writer
                .putPhase({ measuring ? 1U : 0U, 0, "200 users",
                    measuring ? PhaseKind::measurement : PhaseKind::rampUp, measuring ? 60s : 0s,
                    measuring ? 660s : 60s, false })
                .value();
        const Second second = secondOf(static_cast<double>(number) - 60, random);
        metrics::Tick tick = sampleTick(number, measuring ? 1 : 0);
        tick.errors.clear();
        tick.values = { second.sent, second.sent * 3, second.sent * 4 + second.failed, second.failed,
            second.sent * 3, second.outstanding, second.processor };
        tick.values.insert(tick.values.end(), second.oracle.begin(), second.oracle.end());
        Histogram histogram;
        for (int i = 0; i < static_cast<int>(second.sent); ++i)
            histogram.record(second.response);
        tick.histograms = { { 0, histogram.encode() } };
        writer.append(tick).value();
    }
    if (end.state
        != RunState::interrupted) // which nobody writes: it is what a program that dies leaves behind
        writer.finish(end).value();
}

const Criterion& find(const Judgement& judgement, Criterion::Kind kind, const std::string& subject = {})
{
    for (const MixJudgement& mix : judgement.mixes)
        for (const Criterion& criterion : mix.criteria)
            if (criterion.kind == kind && (subject.empty() || criterion.subject == subject))
                return criterion;
    for (const Criterion& criterion : judgement.wholeRun)
        if (criterion.kind == kind)
            return criterion;
    throw std::runtime_error("no such criterion");
}

Judgement judged(const std::string& criteria, const std::function<Second(double, Random&)>& secondOf,
    const history::RunEnd& end = {})
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"), criteria, secondOf, end);
    return judge(Recording::open(folder.path("run")).value()).value();
}

} // namespace

TEST_CASE("limits are judged on unrounded values", "[judgement]")
{
    const auto steady = [](double, Random&) { return Second {}; };
    const Judgement good =
        judged("[criteria]\nresponse_time = \"10.1 ms\"\nprocessor = { least = 40, most = \"50 %\" }\n"
               "error_rate = \"0 %\"\n",
            steady);
    CHECK(good.stated);
    CHECK(good.met());
    CHECK(find(good, Criterion::Kind::responseTime).value == Approx(0.010).epsilon(0.01));
    CHECK(find(good, Criterion::Kind::responseTime).subject == "Send message");
    const Judgement bad =
        judged("[criteria]\nresponse_time = \"9.8 ms\"\nprocessor = { least = 50.001 }\n", steady);
    CHECK_FALSE(bad.met());
    CHECK_FALSE(find(bad, Criterion::Kind::responseTime).met);
    CHECK_FALSE(find(bad, Criterion::Kind::processor).met);
    CHECK(find(bad, Criterion::Kind::responseTime).failedSince == 70s); // the first of sixty looks
}

TEST_CASE("a queue that grows fails long before the response time does, and says since when", "[judgement]")
{
    const Judgement judgement =
        judged("[criteria]\nresponse_time = \"100 ms\"\nqueue_growth = 50\n", [](double at, Random& random) {
            Second second;
            second.outstanding = 20 + 10 * random.uniform() + std::max(0.0, at) * 2;
            second.response = at > 560 ? 5s : 10ms;
            return second;
        });
    const Criterion& queue = find(judgement, Criterion::Kind::queueGrowth);
    CHECK_FALSE(queue.met);
    CHECK(*queue.value == Approx(1200).epsilon(0.05));
    REQUIRE(queue.failedSince);
    CHECK(*queue.failedSince < 120s);
    const Criterion& response = find(judgement, Criterion::Kind::responseTime);
    CHECK_FALSE(response.met);
    CHECK(response.failedSince.value() > 600s);
}

TEST_CASE("the mean of a counter weighs ticks by their length, and counts are per second", "[judgement]")
{
    RunHeader header = sampleHeader();
    header.planText = std::string(kPlan)
        + "[criteria]\ncounters = [ { counter = '\\Loadstone Mail(_Total)\\Messages Sent/sec', most = 7 } ]\n"
          "processor = { least = 69, most = \"71 %\" }\n";
    header.counters[4] = counterOf(Quantity::processorTime);
    header.counters[4].id = 4;
    const TemporaryFolder folder;
    auto writer = history::RecordingWriter::create(folder.path("run"), header, sampleSeries()).value();
    writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 3s, false }).value();
    const Nanoseconds ends[] { 1s, 2750ms, 3s };
    const double sent[] { 10, 10, 0 }; // 20 in 3 s; the rates' own mean is 10/s
    const double busy[] { 90, 58, std::nan("") }; // for 1 s and 1.75 s; then it is missing
    for (std::uint64_t i = 0; i < 3; ++i) {
        metrics::Tick tick;
        tick.number = i;
        tick.begin = i == 0 ? 0s : ends[i - 1];
        tick.end = ends[i];
        tick.values = { sent[i], 0, 1, 0, busy[i] };
        writer.append(tick).value();
    }
    writer.finish({}).value();
    const Judgement judgement = judge(Recording::open(folder.path("run")).value()).value();
    const Criterion& rate = find(judgement, Criterion::Kind::counter);
    CHECK(*rate.value == Approx(20.0 / 3));
    CHECK(rate.unit.name == "messages/s");
    CHECK(rate.met);
    CHECK(*find(judgement, Criterion::Kind::processor).value == Approx((90 + 1.75 * 58) / 2.75));
}

TEST_CASE("a queue that only wavers does not grow", "[judgement]")
{
    double value = 0;
    const Judgement judgement = judged("[criteria]\nqueue_growth = 5\n", [&](double, Random& random) {
        value = 0.95 * value + 10 * (random.uniform() - 0.5);
        Second second;
        second.outstanding = 100 + value;
        return second;
    });
    CHECK(find(judgement, Criterion::Kind::queueGrowth).met);
}

TEST_CASE("what was asked for and is not there is not met", "[judgement]")
{
    const Judgement judgement = judged("[criteria]\naudit = true\nactions = { read = \"1 s\" }\n"
                                       "counters = [ { counter = '\\Nothing\\There', most = 1 } ]\n",
        [](double, Random&) { return Second {}; });
    CHECK_FALSE(find(judgement, Criterion::Kind::responseTime, "Read message").met);
    CHECK_FALSE(find(judgement, Criterion::Kind::counter).met);
    CHECK_FALSE(find(judgement, Criterion::Kind::audit).met);
    CHECK(find(judgement, Criterion::Kind::generator).met);
}

TEST_CASE("audit and generator are judged over the whole run, criteria or none", "[judgement]")
{
    history::RunEnd end { RunState::finished, "", AuditTotals {}, true, {},
        { history::InvalidReason { "the generator was late" } } };
    end.audit.expected = 10;
    end.audit.twice = 1;
    const Judgement judgement = judged(
        "", [](double, Random&) { return Second {}; }, end);
    CHECK_FALSE(judgement.stated);
    CHECK_FALSE(find(judgement, Criterion::Kind::audit).met);
    CHECK(find(judgement, Criterion::Kind::generator).reason == "the generator was late");
    CHECK_FALSE(judgement.met());
}

TEST_CASE("of a run that was killed it is not known whether its generator kept up", "[judgement]")
{
    const auto steady = [](double, Random&) { return Second {}; };
    const Judgement killed = judged(
        "[criteria]\nresponse_time = \"1 s\"\n", steady, { RunState::interrupted, "", {}, true, {}, {} });
    const Criterion& unknown = find(killed, Criterion::Kind::generator);
    CHECK_FALSE(unknown.met);
    CHECK(unknown.cannotTell);
    CHECK(describe(unknown).value == Cell("-"));
    CHECK(describe(unknown).explanation == "the run's end was never written");
    CHECK_FALSE(killed.met());
}

TEST_CASE("copies that have not arrived are neither good nor lost, and the run is not met", "[judgement]")
{
    history::RunEnd end { RunState::finished, "", AuditTotals {}, true, {}, {} };
    end.audit.expected = 9;
    end.audit.outstanding = 3;
    const Judgement judgement = judged(
        "[criteria]\naudit = true\n", [](double, Random&) { return Second {}; }, end);
    const Criterion& audit = find(judgement, Criterion::Kind::audit);
    CHECK_FALSE(audit.met);
    CHECK(audit.cannotTell);
    CHECK(audit.reason.find("3 of 9 copies were not retrieved") != std::string::npos);
    CHECK_FALSE(judgement.met());
    CHECK(criteriaSentence(judgement) == "1 of the plan's 2 criteria cannot be judged: the plan is NOT met.");
    Judgement both = judgement;
    both.wholeRun.push_back({});
    CHECK(criteriaSentence(both) == "1 of the plan's 3 criteria is NOT met, and 1 cannot be judged.");
    // While the run goes on none of this is the end of it.
    Judgement early = judgement;
    early.running = true;
    CHECK(criteriaSentence(early) == "1 of 2 criteria cannot be judged yet; the run goes on.");
    both.running = true;
    CHECK(criteriaSentence(both)
        == "1 of 3 criteria is NOT met so far, and 1 cannot be judged yet; the run goes on.");
}

TEST_CASE("the oracle's criterion is not met by mailboxes that it did not compare", "[judgement]")
{
    const auto oracleIn = [](std::array<double, 4> oracle, RunState state = RunState::finished) {
        Second second;
        second.oracle = oracle;
        history::RunEnd end;
        end.state = state;
        const Judgement judgement = judged(
            "[criteria]\naudit = true\n", [&](double, Random&) { return second; }, end);
        return find(judgement, Criterion::Kind::oracle);
    };
    const Criterion all = oracleIn({ 3, 100, 0, 3 });
    CHECK(all.met);
    CHECK_FALSE(all.cannotTell);
    const Criterion missing = oracleIn({ 3, 100, 0, 2 });
    CHECK_FALSE(missing.met);
    CHECK(missing.cannotTell);
    CHECK(missing.reason == "1 of 3 mailboxes were not compared at the end");
    CHECK(oracleIn({ 1, 0, 0, 1 }).reason == "nothing was checked");
    const Criterion found = oracleIn({ 3, 100, 1, 2 });
    CHECK_FALSE(found.met);
    CHECK_FALSE(found.cannotTell); // it is known to be missed
    CHECK(oracleIn({ 3, 100, 0, 0 }, RunState::interrupted).cannotTell);
    CHECK(oracleIn({ 0, 0, 0, 0 }).met); // it follows nobody
}

TEST_CASE("limit and value of failed actions are in one unit, which a workbook compares", "[judgement]")
{
    Criterion failed;
    failed.kind = Criterion::Kind::errorRate;
    failed.most = 0.0025;
    failed.value = 0.314;
    const CriterionText shown = describe(failed);
    REQUIRE(shown.limit.number());
    REQUIRE(shown.value.number());
    CHECK(shown.limit.number()->value == 0.0025);
    CHECK(shown.value.number()->value == 0.314);
    CHECK(shown.limit.text() == "<= 0.25 %");
    failed.most = 0.05;
    CHECK(describe(failed).limit.text() == "<= 5 %");
    failed.most = 0;
    CHECK(describe(failed).limit.text() == "<= 0 %");
}

TEST_CASE("the steady state begins when the last series has settled", "[judgement]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"), "", [](double at, Random& random) {
        Second second;
        second.sent =
            std::floor(20 * std::min(1.0, (at + 61) / 60) + 4 * random.uniform()); // sixty seconds of ramp-up
        second.outstanding = 400 * (1 - std::exp(-(at + 60) / 60)) + 20 * random.uniform(); // settles later
        return second;
    });
    const auto recording = Recording::open(folder.path("run")).value();
    const auto states = findSteadyStates(recording).value();
    REQUIRE(states.size() == 1);
    REQUIRE(states[0].window);
    CHECK(states[0].window->begin > 100s);
    CHECK(states[0].window->begin < 330s);
    CHECK(states[0].window->end == 660s);
    CHECK(states[0].measurement == TimeWindow { 60s, 660s });
}

TEST_CASE("a run whose queue grows to its end has no steady state", "[judgement]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"), "", [](double at, Random& random) {
        Second second;
        second.outstanding = at + 60 + 10 * random.uniform();
        return second;
    });
    const auto states = findSteadyStates(Recording::open(folder.path("run")).value()).value();
    REQUIRE(states.size() == 1);
    CHECK_FALSE(states[0].window);
}

TEST_CASE("the load is counted over the measurement, or over a part of it", "[judgement]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"), "", [](double at, Random&) {
        Second second;
        second.sent = at < 0 ? 1000 : 20;
        return second;
    });
    const auto recording = Recording::open(folder.path("run")).value();
    const auto whole = computeLoads(recording).value();
    REQUIRE(whole.size() == 1);
    CHECK(whole[0].submitted == 600 * 20);
    CHECK(whole[0].recipients == 600 * 60);
    CHECK(whole[0].window == TimeWindow { 60s, 660s });
    CHECK(whole[0].perUserDay.empty());
    const auto part = computeLoads(recording, TimeWindow { 0s, 160s }).value();
    REQUIRE(part.size() == 1);
    CHECK(part[0].submitted == 100 * 20);
    CHECK(computeLoads(recording, TimeWindow { 0s, 60s }).value().empty());
}
