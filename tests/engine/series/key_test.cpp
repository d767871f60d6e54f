// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/series.h>

#include <set>

using namespace loadstone;

namespace {

std::vector<Quantity> allQuantities()
{
    std::vector<Quantity> all;
    for (std::size_t i = 0; i < kQuantities; ++i)
        all.push_back(static_cast<Quantity>(i));
    return all;
}

Subject database(const char* group, std::uint32_t index)
{
    Subject subject = Subject::ofGroup(group);
    subject.database = index;
    return subject;
}

Subject atTarget(const char* target, Subject subject = {})
{
    subject.target = target;
    return subject;
}

} // namespace

TEST_CASE("each quantity has a key of its own, by which it is found again")
{
    std::set<std::string_view> keys;
    for (const Quantity quantity : allQuantities()) {
        const QuantityInfo& info = infoOf(quantity);
        INFO(info.key);
        CHECK(keys.insert(info.key).second);
        CHECK(quantityOf(info.key) == quantity);
        CHECK(info.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz-.") == std::string_view::npos);
        CHECK(info.key.find('.') != std::string_view::npos);
        CHECK_FALSE(info.object.empty());
        CHECK_FALSE(info.counter.empty());
        CHECK_FALSE(info.unit.empty());
        CHECK_FALSE(info.help.empty());
        CHECK((info.kind == SeriesKind::latency) == (info.combination == Combination::merge));
    }
    CHECK_FALSE(quantityOf("mail.magic"));
    CHECK_FALSE(quantityOf(""));
}

TEST_CASE("a counter of events per second has a name that says so, and a level has not its unit")
{
    for (const Quantity quantity : allQuantities()) {
        const QuantityInfo& info = infoOf(quantity);
        INFO(info.key);
        if (info.kind == SeriesKind::count && quantity != Quantity::storeOverruns)
            CHECK(info.counter.ends_with("/sec"));
        if (info.kind == SeriesKind::count) // shown with "/s" behind it
            CHECK_FALSE(info.unit.ends_with("/s"));
    }
}

TEST_CASE("keys read as PerfMon would name them")
{
    using enum Quantity;
    CHECK(pathOf(messagesSent) == "\\Loadstone Mail(_Total)\\Messages Sent/sec");
    CHECK(pathOf({ messagesSent, atTarget("East") }) == "\\Loadstone Mail(East)\\Messages Sent/sec");
    CHECK(pathOf(copiesLost) == "\\Loadstone Audit\\Lost");
    CHECK(pathOf({ actionsDue, Subject::ofAction(ActionKind::sendMessage) })
        == "\\Loadstone Actions(Send message)\\Due/sec");
    CHECK(pathOf({ actionsDue, atTarget("East", Subject::ofAction(ActionKind::sendMessage)) })
        == "\\Loadstone Actions(East: Send message)\\Due/sec");
    CHECK(pathOf(transactionsDue) == "\\Loadstone Actions(Transaction)\\Due/sec");
    CHECK(pathOf({ transfers, Subject::ofVolume("sda", IoClass::logWrite) })
        == "\\Loadstone Storage(sda: Log write)\\Transfers/sec");
    CHECK(pathOf({ transfers, Subject::ofVolume("sda") }) == "\\Loadstone Storage(sda)\\Transfers/sec");
    CHECK(pathOf({ databaseReads, Subject::ofGroup("g") }) == "\\Database(g)\\I/O Database Reads/sec");
    CHECK(pathOf({ pagesSeen, database("g", 1) }) == "\\Loadstone Verification(g-2)\\Pages Seen/sec");
    CHECK(pathOf({ logFilesSeen, Subject::ofGroup("g") })
        == "\\Loadstone Verification(g log)\\Log Files Seen/sec");
    CHECK(pathOf({ workerProcessorTime, Subject::ofWorker(3) })
        == "\\Loadstone Generator(worker 3)\\% Processor Time");
    CHECK(pathOf(busiestWorker) == "\\Loadstone Generator(_Busiest)\\% Processor Time");
    CHECK(pathOf({ oneProcessorTime, Subject::ofDevice("0") }) == "\\Processor(0)\\% Processor Time");
    CHECK(pathOf(someIoStall) == "\\Pressure(io)\\% Some Stalled Time");
    Subject there;
    there.host = "ex1";
    CHECK(pathOf({ availableMemory, there }) == "\\\\ex1\\Memory\\Available MBytes");
}

TEST_CASE("latencies read as their actions and commands are called")
{
    using enum Quantity;
    const Subject send = Subject::ofAction(ActionKind::sendMessage);
    CHECK(latencyNameOf({ actionTime, send, LatencyClock::response }) == "Send message");
    CHECK(latencyNameOf({ actionTime, atTarget("East", send), LatencyClock::age }) == "East: Send message");
    CHECK(latencyNameOf({ commandTime, Subject::ofCommand("SMTP DATA"), LatencyClock::service })
        == "SMTP DATA");
    CHECK(latencyNameOf({ deliveryTime, {}, LatencyClock::delivery }) == "Delivery");
    CHECK(latencyNameOf({ deliveryTime, atTarget("East"), LatencyClock::delivery }) == "East: Delivery");
    const Subject readsOfDisk = Subject::ofVolume("sda", IoClass::databaseRead);
    CHECK(latencyNameOf({ transferTime, readsOfDisk, LatencyClock::service }) == "sda: Database read");
    CHECK(latencyNameOf({ transferTime, readsOfDisk, LatencyClock::slip }) == "Queued: sda: Database read");
    CHECK(latencyNameOf({ timerSlip, {}, LatencyClock::slip }) == "Timer slip");
}

TEST_CASE("somebody else's counter is none of ours, whatever it is called")
{
    const SeriesKey ours(Quantity::logStalls, Subject::ofGroup("Information Store"));
    const QuantityInfo& info = infoOf(Quantity::logStalls);
    const SeriesKey theirs(
        ForeignCounter { "", std::string(info.object), "Information Store", std::string(info.counter) });
    CHECK(pathOf(ours) == pathOf(theirs));
    CHECK(ours != theirs);
    std::vector<CounterInfo> counters { counterOf(*theirs.foreign) };
    CHECK_FALSE(findSeries(counters, ours));
    counters.push_back(counterOf(ours));
    counters.back().id = 1;
    CHECK(findSeries(counters, ours) == 1U);
    CHECK(findSeries(counters, theirs) == 0U);
}

TEST_CASE("classes of I/O, actions and clocks are found by their names, and nothing else is")
{
    for (std::size_t i = 0; i < kIoClasses; ++i)
        CHECK(ioClassOf(toString(static_cast<IoClass>(i))) == static_cast<IoClass>(i));
    for (std::size_t i = 0; i < kActionKinds; ++i)
        CHECK(actionKindOf(toString(static_cast<ActionKind>(i))) == static_cast<ActionKind>(i));
    for (const LatencyClock clock : { LatencyClock::response, LatencyClock::service, LatencyClock::delivery,
             LatencyClock::slip, LatencyClock::age, LatencyClock::serviceAge })
        CHECK(latencyClockOf(toString(clock)) == clock);
    CHECK_FALSE(ioClassOf("database read"));
    CHECK_FALSE(actionKindOf(""));
    CHECK_FALSE(latencyClockOf("cuckoo"));
}

TEST_CASE("a key comes back from the text that settings keep")
{
    SeriesKey everything { Quantity::actionTime, {}, LatencyClock::service };
    everything.subject = { "h", "g", "East; 100 % = all\n", "v", IoClass::logWrite, "group-1", 3U, 7U, "p",
        "d", "s", "t", ActionKind::sendMessage, "SMTP DATA" };
    for (const SeriesKey& key :
        { SeriesKey(Quantity::messagesSent), SeriesKey(Quantity::processorTime, Subject::ofDevice("0")),
            everything, SeriesKey(ForeignCounter { "EX", "Database", "a;b", "I/O % = x" }),
            SeriesKey(ForeignCounter {}) }) {
        CAPTURE(keptText(key));
        CHECK(seriesKeyOf(keptText(key)) == key);
    }
    CHECK(
        keptText({ Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage), LatencyClock::response })
        == "actions.time;action=Send message;clock=response");
    for (const char* bad :
        { "", "mail.magic", "mail.messages-sent;planet=Mars", "mail.messages-sent;worker=x",
            "mail.messages-sent;target=%4", "mail.messages-sent;clock=response",
            "actions.time;action=Fly;clock=response", "actions.time", "\\Memory\\Available MBytes" }) {
        CAPTURE(bad);
        CHECK_FALSE(seriesKeyOf(bad));
    }
}

TEST_CASE("a text about one of several targets begins with its name")
{
    CHECK(withTarget("East", "Send message") == "East: Send message");
    CHECK(withTarget("", "Send message") == "Send message");
}
