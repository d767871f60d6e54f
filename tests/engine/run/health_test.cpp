// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/health.h"
#include "support/catch.h"

#include <limits>

using namespace loadstone;
using namespace loadstone::run;
using namespace std::chrono_literals;

namespace {

Phase phase(std::uint32_t index, PhaseKind kind, const char* name = "mix")
{
    return { index, 0, name, kind, 0s, 1h, true };
}

metrics::Histogram slips(int count, Nanoseconds length, int others = 0)
{
    metrics::Histogram histogram;
    for (int i = 0; i < count; ++i)
        histogram.record(length);
    for (int i = 0; i < others; ++i)
        histogram.record(10us);
    return histogram;
}

} // namespace

TEST_CASE("a generator that keeps time on idle threads is not to blame")
{
    Health health({});
    for (int i = 0; i < 100; ++i)
        health.add(phase(1, PhaseKind::measurement), 1s, slips(50, 1ms), 89);
    CHECK(health.live().empty());
    CHECK(health.verdict().empty());
}

TEST_CASE("timer slip above the limit is told at once, and for good where it was measured")
{
    Health health({});
    health.add(phase(0, PhaseKind::rampUp), 1s, slips(100, 50ms), 10);
    CHECK_THAT(health.live(), ContainsSubstring("timer slip"));
    CHECK(health.verdict().empty()); // a ramp-up does not count
    health.add(phase(1, PhaseKind::measurement, "40 users"), 1s, slips(2, 50ms, 98), 10);
    health.add(phase(2, PhaseKind::measurement, "80 users"), 1s, slips(1, 50ms, 198), 10);
    for (int i = 0; i < 20; ++i)
        health.add(phase(3, PhaseKind::quiet), 1s, {}, 0);
    CHECK(health.live().empty()); // ten ticks later all is well
    REQUIRE(health.verdict().size() == 1);
    CHECK_THAT(health.verdict()[0], ContainsSubstring("\"40 users\"") && ContainsSubstring("50"));
}

TEST_CASE("a few late actions are no percentile")
{
    Health health({});
    health.add(phase(1, PhaseKind::measurement), 1s, slips(19, 1s), 10);
    CHECK(health.verdict().empty());
    health.add(phase(1, PhaseKind::measurement), 1s, slips(1, 1s), 10);
    CHECK(health.verdict().size() == 1);
}

TEST_CASE("a busy load thread is told by its mean over the measurement, weighted by the length of ticks")
{
    Health health({});
    health.add(phase(1, PhaseKind::measurement), 9s, {}, 95);
    health.add(phase(1, PhaseKind::measurement), 1s, {}, 10);
    CHECK(health.verdict().empty()); // 86.5 %
    health.add(phase(2, PhaseKind::measurement), 1s, {}, 100);
    health.add(phase(2, PhaseKind::measurement), 1s, {}, 85);
    REQUIRE(health.verdict().size() == 1); // 92.5 %
    CHECK_THAT(health.verdict()[0], ContainsSubstring("%"));
    Health unknown({});
    unknown.add(phase(1, PhaseKind::measurement), 1s, {}, std::numeric_limits<double>::quiet_NaN());
    CHECK(unknown.verdict().empty());
}

TEST_CASE("limits are the plan's, and ticks that the disk lengthened are told")
{
    Health health({ 100ms, 20 });
    health.add(phase(1, PhaseKind::measurement), 1s, slips(100, 50ms), 15);
    CHECK(health.verdict().empty());
    health.add(phase(1, PhaseKind::measurement), 1s, {}, 30);
    CHECK(health.verdict().size() == 1);
    health.storeOverrun();
    REQUIRE(health.verdict().size() == 2);
    CHECK_THAT(health.verdict()[1], ContainsSubstring("disk"));
}
