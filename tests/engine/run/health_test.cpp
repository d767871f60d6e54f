// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/health.h"
#include "support/catch.h"
#include "support/named_series.h"

#include <cmath>

using namespace loadstone;
using namespace loadstone::run;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

enum Counter : std::uint32_t { kCpu, kWait, kThrottled, kSteal, kLoopLag, kControlLag, kCounters };
enum Times : std::uint32_t { kSlip, kLag, kHistograms };

std::vector<CounterInfo> counters()
{
    std::vector<CounterInfo> all;
    using enum Quantity;
    for (const Quantity quantity :
        { busiestWorker, longestRunQueueWait, throttledTime, stealTime, loopLag, controlLag }) {
        all.push_back(counterOf(quantity));
        all.back().id = static_cast<std::uint32_t>(all.size()) - 1;
    }
    return all;
}

const std::vector<HistogramInfo> kTimes {
    latencyNamed(kSlip, LatencyScope::generator, LatencyClock::slip, "Timer slip"),
    latencyNamed(kLag, LatencyScope::generator, LatencyClock::slip, "Event loop lag"),
};

Histogram times(int count, Nanoseconds length, int others = 0)
{
    Histogram histogram;
    histogram.record(length, static_cast<std::uint64_t>(count));
    histogram.record(10us, static_cast<std::uint64_t>(others));
    return histogram;
}

std::vector<double> good()
{
    return { 50, 5, 0, 1, 0.001, 0.001 };
}

std::vector<double> with(std::uint32_t counter, double value)
{
    std::vector<double> values = good();
    values[counter] = value;
    return values;
}

/// What is said after some ticks of one second that are all alike.
std::string after(int ticks, const std::vector<double>& values, const Histogram& slip = {},
    const Histogram& lag = {}, const plan::HealthLimits& limits = {})
{
    Health health(limits, counters(), kTimes);
    for (int i = 0; i < ticks; ++i)
        health.add(1s, values, { slip, lag });
    return health.live();
}

} // namespace

TEST_CASE("a generator that keeps time on idle threads is not to blame")
{
    CHECK(after(100, good(), times(50, 1ms), times(10, 1ms)).empty());
}

TEST_CASE("whatever keeps load threads from running is told, with its limit")
{
    CHECK_THAT(after(5, with(kCpu, 95)), ContainsSubstring("95.0 % of a CPU (limit 90 %)"));
    CHECK_THAT(after(5, with(kWait, 60)), ContainsSubstring("no processor for 60.0 %") && ContainsSubstring("(limit 25 %)"));
    CHECK_THAT(after(5, with(kThrottled, 93)), ContainsSubstring("control groups") && ContainsSubstring("(limit 1 %)"));
    CHECK_THAT(after(5, with(kSteal, 30)), ContainsSubstring("hypervisor"));
    CHECK_THAT(after(5, with(kControlLag, 5)), ContainsSubstring("stood still for 5.00 s (limit 1 s)"));
    CHECK_THAT(after(5, with(kLoopLag, 5)), ContainsSubstring("stood still"));
    CHECK_THAT(after(5, good(), times(10, 50ms)), ContainsSubstring("timer slip p99"));
    CHECK_THAT(after(5, good(), {}, times(10, 90ms)), ContainsSubstring("event loop lag p99"));
}

TEST_CASE("ten ticks later all is well again")
{
    Health health({}, counters(), kTimes);
    health.add(1s, with(kWait, 100), { times(100, 50ms), {} });
    CHECK_THAT(health.live(), ContainsSubstring("timer slip"));
    for (int i = 0; i < 10; ++i)
        health.add(1s, good(), { {}, {} });
    CHECK(health.live().empty());
}

TEST_CASE("a few late actions are no percentile")
{
    CHECK(after(1, good(), times(19, 1s)).empty());
    CHECK_FALSE(after(1, good(), times(20, 1s)).empty());
}

TEST_CASE("shares are means, weighted by the length of ticks; what is missing adds nothing")
{
    Health health({}, counters(), kTimes);
    health.add(9s, with(kCpu, 95), { {}, {} });
    health.add(1s, with(kCpu, 10), { {}, {} });
    CHECK(health.live().empty()); // 86.5 %
    Health gap({}, counters(), kTimes);
    gap.add(1s, with(kCpu, 95), { {}, {} });
    gap.add(9s, with(kCpu, std::nan("")), { {}, {} });
    CHECK_THAT(gap.live(), ContainsSubstring("95.0 %"));
}

TEST_CASE("limits are the plan's, and one of 100 % is none")
{
    plan::HealthLimits limits;
    limits.workerCpu = 100;
    limits.slipP99 = 100ms;
    CHECK(after(5, with(kCpu, 101), times(100, 50ms), {}, limits).empty());
    limits.workerCpu = 20;
    CHECK_FALSE(after(5, with(kCpu, 30), {}, {}, limits).empty());
}

TEST_CASE("what is missing for most of a measurement cannot be judged, unless something else tells of it")
{
    const auto series = analysis::generatorSeries(counters(), kTimes);
    const auto unknown = [&](std::vector<std::uint32_t> missing, bool ofLoad = true) {
        std::vector<double> values = good();
        for (const std::uint32_t counter : missing)
            values[counter] = std::nan("");
        analysis::GeneratorEvidence evidence;
        evidence.add(series, values, 10s);
        evidence.add(series, good(), 1s);
        return evidence.unknown(series, {}, ofLoad).size();
    };
    CHECK(unknown({}) == 0);
    CHECK(unknown({ kWait }) == 1);
    CHECK(unknown({ kThrottled }) == 0); // who is throttled waits
    CHECK(unknown({ kWait, kThrottled }) == 2);
    CHECK(unknown({ kSteal }) == 1);
    CHECK(unknown({ kCpu }) == 1);
    CHECK(unknown({ kCpu }, false) == 0);
}
