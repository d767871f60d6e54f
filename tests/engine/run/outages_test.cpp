// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/outages.h"
#include "support/catch.h"

#include <cmath>
#include <initializer_list>

using namespace loadstone;
using namespace loadstone::run;
using namespace std::chrono_literals;

namespace {

CounterInfo counter(std::uint32_t id, Quantity quantity, const std::string& target = {})
{
    SeriesKey key { quantity };
    key.subject.target = target;
    CounterInfo info = counterOf(key);
    info.id = id;
    return info;
}

std::vector<CounterInfo> oneTarget()
{
    return { counter(0, Quantity::actionsEnded), counter(1, Quantity::actionsFailed) };
}

/// Actions that ended in a second, and those of them that failed, by target.
using Second = std::vector<double>;

/// The events of a load, second by second.
std::vector<RunEvent> eventsOf(Outages& outages, std::initializer_list<Second> load,
    PhaseKind phase = PhaseKind::measurement, Nanoseconds begin = {})
{
    std::vector<RunEvent> events;
    for (const Second& values : load) {
        metrics::Tick tick;
        tick.begin = begin;
        tick.end = begin += 1s;
        tick.values = values;
        tick.errors = { { "POP3 log on", FailureKind::errReply, 0, 1, "-ERR busy" },
            { "SMTP connect", FailureKind::refused, 0, 4, "Connection refused" } };
        for (RunEvent& event : outages.add(tick, phase))
            events.push_back(std::move(event));
    }
    return events;
}

} // namespace

TEST_CASE("a server that goes away for some seconds leaves two events, with its times and the cause")
{
    Outages outages(oneTarget());
    const auto events = eventsOf(outages,
        { { 9, 0 }, { 9, 1 }, { 4, 4 }, { 0, 0 }, { 4, 4 }, { 5, 5 }, { 4, 4 }, { 3, 1 }, { 9, 0 } });
    REQUIRE(events.size() == 2);
    CHECK(events[0].at == 5s);
    CHECK(events[0].severity == Severity::warning);
    CHECK(events[0].text == "every action has failed since 00:02: SMTP connect, Connection refused");
    CHECK(events[1].at == 8s);
    CHECK(events[1].severity == Severity::info);
    CHECK(events[1].text == "actions succeed again: every action failed from 00:02 to 00:07");
}

TEST_CASE("few failures, short stretches and seconds without an action are no outage")
{
    Outages outages(oneTarget());
    CHECK(eventsOf(outages, { { 1, 1 }, { 1, 1 }, { 0, 0 }, { 2, 2 } }).empty());
    CHECK(eventsOf(outages, { { 9, 0 }, { 9, 9 }, { 9, 9 }, { 9, 8 }, { 9, 9 }, { 9, 9 } }).empty());
    Outages idle(oneTarget());
    CHECK(eventsOf(idle, { { 0, 0 }, { 0, 0 }, { 0, 0 }, { NAN, NAN }, { 0, 0 } }).empty());
}

TEST_CASE("failures in the drain are not an outage, and an outage of the load continues after a quiet time")
{
    Outages outages(oneTarget());
    CHECK(eventsOf(outages, { { 9, 9 }, { 9, 9 }, { 9, 9 }, { 9, 9 } }, PhaseKind::drain).empty());
    CHECK(eventsOf(outages, { { 9, 9 }, { 9, 9 }, { 9, 9 } }).size() == 1);
    CHECK(eventsOf(outages, { { 9, 0 } }, PhaseKind::quiet, 3s).empty());
    CHECK(eventsOf(outages, { { 9, 0 } }, PhaseKind::rampUp, 4s).size() == 1);
}

TEST_CASE("each of several targets has its own outages")
{
    Outages outages({ counter(0, Quantity::actionsEnded), counter(1, Quantity::actionsFailed),
        counter(2, Quantity::actionsEnded, "East"), counter(3, Quantity::actionsFailed, "East"),
        counter(4, Quantity::actionsEnded, "West"), counter(5, Quantity::actionsFailed, "West") });
    const Second oneIsDown { 10, 5, 5, 0, 5, 5 };
    const auto events = eventsOf(outages, { oneIsDown, oneIsDown, oneIsDown });
    REQUIRE(events.size() == 1);
    CHECK(events[0].target == "West");
    CHECK(events[0].text == "every action has failed since 00:00");
}

TEST_CASE("a server that goes up and down all the time does not fill the log")
{
    Outages outages(oneTarget());
    std::size_t events = 0;
    for (int i = 0; i < 3 * Outages::kMostReported; ++i)
        events +=
            eventsOf(outages, { { 9, 9 }, { 9, 9 }, { 9, 9 }, { 9, 0 } }, PhaseKind::measurement, i * 4s)
                .size();
    CHECK(events == 2 * Outages::kMostReported);
}
