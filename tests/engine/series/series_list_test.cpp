// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/series_list.h"
#include "support/catch.h"

#include <array>
#include <type_traits>

using namespace loadstone;
using namespace loadstone::series;

// A handle comes from a list, and one for a counter does not pass for one of a histogram.
static_assert(!std::is_default_constructible_v<
                  CounterHandle> && !std::is_constructible_v<CounterHandle, std::uint32_t>);
static_assert(!std::is_convertible_v<CounterHandle,
                  CountHandle> && !std::is_convertible_v<CountHandle, HistogramHandle>);

TEST_CASE("a list has its series in the order in which they were declared")
{
    SeriesList list;
    const CounterHandle level = list.addCounter(Quantity::sessions);
    const HistogramHandle times =
        list.addHistogram({ Quantity::actionTime, {}, LatencyClock::response }, LatencyScope::action);
    list.addCount(Quantity::messagesSent);
    const CounterHandle last = list.addCounter({ Quantity::sessions, Subject::ofWorker(1) });
    REQUIRE(list.counters().size() == 3);
    for (std::uint32_t i = 0; i < 3; ++i)
        CHECK(list.counters()[i].id == i);
    CHECK(list.infoOf(level).key == SeriesKey(Quantity::sessions));
    CHECK(list.infoOf(last).key == SeriesKey(Quantity::sessions, Subject::ofWorker(1)));
    CHECK(last.id() == 2);
    REQUIRE(list.histograms().size() == 1);
    CHECK(list.infoOf(times).key.clock == LatencyClock::response);
    CHECK(list.infoOf(times).scope == LatencyScope::action);
}

TEST_CASE("counts are shown by their own counters, wherever these stand, and sums by none")
{
    SeriesList list;
    const CounterHandle level = list.addCounter(Quantity::sessions);
    const CountHandle sum = list.addSum();
    const CountHandle sent = list.addCount(Quantity::messagesSent);
    list.addCounter(Quantity::users);
    const CountHandle received = list.addCount(Quantity::messagesReceived);
    REQUIRE(list.counts() == 3);
    std::array<std::uint64_t, 3> counts {};
    counts[sum.id()] = 7;
    counts[sent.id()] = 11;
    counts[received.id()] = 13;
    std::array<double, 4> values { -1, -1, -1, -1 };
    values[level.id()] = 5;
    list.showCounts(counts, values);
    CHECK(values == std::array<double, 4> { 5, 11, -1, 13 });
}

TEST_CASE("a key is declared once")
{
    SeriesList list;
    list.addCount(Quantity::messagesSent);
    CHECK_THROWS_AS(list.addCounter(Quantity::messagesSent), std::logic_error);
    list.addHistogram({ Quantity::actionTime, {}, LatencyClock::response }, LatencyScope::action);
    CHECK_NOTHROW(
        list.addHistogram({ Quantity::actionTime, {}, LatencyClock::service }, LatencyScope::action));
    CHECK_THROWS_AS(
        list.addHistogram({ Quantity::actionTime, {}, LatencyClock::service }, LatencyScope::command),
        std::logic_error);
    CHECK(list.counters().size() == 1);
    CHECK(list.histograms().size() == 2);
}
