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

/// The ages of a target's messages under way.
HistogramInfo ages(std::uint32_t id, const std::string& target = {})
{
    Subject subject = Subject::ofAction(ActionKind::sendMessage);
    subject.target = target;
    HistogramInfo info =
        histogramOf({ Quantity::actionTime, subject, LatencyClock::age }, LatencyScope::action);
    info.id = id;
    return info;
}

Outages outagesOf(const std::vector<CounterInfo>& counters)
{
    return { counters, {} };
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
        for (RunEvent& event : outages.add(tick, {}, phase))
            events.push_back(std::move(event));
    }
    return events;
}

} // namespace

TEST_CASE("a server that goes away for some seconds leaves two events, with its times and the cause")
{
    Outages outages = outagesOf(oneTarget());
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
    Outages outages = outagesOf(oneTarget());
    CHECK(eventsOf(outages, { { 1, 1 }, { 1, 1 }, { 0, 0 }, { 2, 2 } }).empty());
    CHECK(eventsOf(outages, { { 9, 0 }, { 9, 9 }, { 9, 9 }, { 9, 8 }, { 9, 9 }, { 9, 9 } }).empty());
    Outages idle = outagesOf(oneTarget());
    CHECK(eventsOf(idle, { { 0, 0 }, { 0, 0 }, { 0, 0 }, { NAN, NAN }, { 0, 0 } }).empty());
}

TEST_CASE("failures in the drain are not an outage, and an outage of the load continues after a quiet time")
{
    Outages outages = outagesOf(oneTarget());
    CHECK(eventsOf(outages, { { 9, 9 }, { 9, 9 }, { 9, 9 }, { 9, 9 } }, PhaseKind::drain).empty());
    CHECK(eventsOf(outages, { { 9, 9 }, { 9, 9 }, { 9, 9 } }).size() == 1);
    CHECK(eventsOf(outages, { { 9, 0 } }, PhaseKind::quiet, 3s).empty());
    CHECK(eventsOf(outages, { { 9, 0 } }, PhaseKind::rampUp, 4s).size() == 1);
}

TEST_CASE("each of several targets has its own outages")
{
    Outages outages = outagesOf({ counter(0, Quantity::actionsEnded), counter(1, Quantity::actionsFailed),
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
    Outages outages = outagesOf(oneTarget());
    std::size_t events = 0;
    for (int i = 0; i < 3 * Outages::kMostReported; ++i)
        events +=
            eventsOf(outages, { { 9, 9 }, { 9, 9 }, { 9, 9 }, { 9, 0 } }, PhaseKind::measurement, i * 4s)
                .size();
    CHECK(events == 2 * Outages::kMostReported);
}

namespace {

/// The events of seconds in which `ended` actions of each target ended while one of each was under way, first since the beginning.
std::vector<RunEvent> eventsOfWaiting(Outages& outages, const std::vector<Second>& load, Nanoseconds age = {})
{
    std::vector<RunEvent> events;
    Nanoseconds begin {};
    for (const Second& ended : load) {
        metrics::Tick tick;
        tick.begin = begin;
        tick.end = begin += 1s;
        std::vector<Histogram> waiting;
        for (const double count : ended) {
            tick.values.insert(tick.values.end(), { count, 0 });
            age = count > 0 ? Nanoseconds() : age + 1s;
            waiting.emplace_back().record(age, 3);
        }
        for (RunEvent& event : outages.add(tick, waiting, PhaseKind::measurement))
            events.push_back(std::move(event));
    }
    return events;
}

} // namespace

TEST_CASE("a server that falls silent leaves two events")
{
    Outages outages(oneTarget(), { ages(0) });
    std::vector<Second> load(15, Second { 0 });
    load.insert(load.begin(), 5, Second { 9 });
    load.insert(load.end(), 2, Second { 9 });
    const auto events = eventsOfWaiting(outages, load);
    REQUIRE(events.size() == 2);
    CHECK(events[0].at == 15s);
    CHECK(events[0].severity == Severity::warning);
    CHECK(events[0].text == "no action has ended since 00:05: 3 under way");
    CHECK(events[1].at == 21s);
    CHECK(events[1].severity == Severity::info);
    CHECK(events[1].text == "actions end again: none ended from 00:05 to 00:20");
}

TEST_CASE("seconds in which no action waits, or none for long, are not a silence")
{
    Outages idle(oneTarget(), {});
    CHECK(eventsOfWaiting(idle, std::vector<Second>(60, Second { 0 })).empty());
    Outages begun(oneTarget(), { ages(0) });
    CHECK(eventsOfWaiting(begun, std::vector<Second>(12, Second { 0 }), -5s).empty());
    CHECK(eventsOfWaiting(begun, std::vector<Second>(11, Second { 0 })).size() == 1); // the silence goes on
}

TEST_CASE("several targets are silent when all are")
{
    const std::vector<CounterInfo> counters { counter(0, Quantity::actionsEnded),
        counter(1, Quantity::actionsFailed), counter(2, Quantity::actionsEnded, "East"),
        counter(3, Quantity::actionsFailed, "East") };
    Outages one(counters, { ages(0) });
    CHECK(eventsOfWaiting(one, std::vector<Second>(12, Second { 4, 0 })).empty());
    Outages all(counters, { ages(0) });
    const auto events = eventsOfWaiting(all, std::vector<Second>(12, Second { 0, 0 }));
    REQUIRE(events.size() == 1);
    CHECK(events[0].target.empty());
}
