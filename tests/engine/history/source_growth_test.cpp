// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/archive.h"
#include "history/database.h"
#include "sample_run.h"
#include "support/catch.h"

#include <loadstone/computer.h>
#include <loadstone/source.h>

#include <cmath>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

const TimeWindow kAll { -1000h, 1000h };

CounterInfo queue(const std::string& computer, const std::string& name, std::uint32_t id)
{
    CounterInfo info = counterOf(ForeignCounter { computer, "Queue", "", name });
    info.id = id;
    return info;
}

SourceFacts factsOf(const std::string& computer, std::size_t counters, const std::string& role = {})
{
    SourceFacts facts { "command", computer, {}, {}, {}, {}, role };
    for (std::size_t i = 0; i < counters; ++i)
        facts.counters.push_back(
            queue(computer, "early " + std::to_string(i), static_cast<std::uint32_t>(i)));
    return facts;
}

std::vector<SourceTick> ticksFrom(std::size_t first, std::size_t count, std::vector<double> values)
{
    std::vector<SourceTick> ticks;
    for (std::size_t i = first; i < first + count; ++i)
        ticks.push_back({ 1s * i, 1s * (i + 1), values });
    return ticks;
}

} // namespace

TEST_CASE("counters that a source gets later begin with missing samples, whatever stands between", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    // As many as stay hot, and as many as are in chunks on the disk.
    const std::size_t before = GENERATE(values<std::size_t>({ 0, 5, 1300, 2600 }));
    const std::size_t early = GENERATE(values<std::size_t>({ 0, 2 }));
    CAPTURE(before, early);
    auto writer = SourceWriter::create(file, factsOf("ex1", early)).value();
    auto other = SourceWriter::create(file, factsOf("ex2", 3)).value(); // takes the next places
    auto watching = Recording::open(file).value();
    REQUIRE(writer.append(ticksFrom(0, before, std::vector<double>(early, 1.0))));
    REQUIRE(watching.refresh());
    CHECK(sourcesOf(watching).value().at(0).counters.size() == early);

    const std::vector<CounterInfo> late { queue("ex1", "late", static_cast<std::uint32_t>(early)),
        queue("ex1", "later", static_cast<std::uint32_t>(early + 1)) };
    REQUIRE(writer.addCounters(late));
    CHECK(writer.counters() == early + 2);
    CHECK_FALSE(writer.addCounters(late)); // their ids are taken
    std::vector<double> values(early, 1.0);
    values.insert(values.end(), { 7, 8 });
    REQUIRE(writer.append(ticksFrom(before, 100, values)));
    REQUIRE(other.append(ticksFrom(0, 2, { 1, 2, 3 })));

    const auto check = [&](Recording& recording) {
        const auto sources = sourcesOf(recording).value();
        REQUIRE(sources.at(0).counters.size() == early + 2);
        CHECK(sources[0].counters.back().key.foreign->counter == "later");
        CHECK(sources[0].counters.back().id == early + 1);
        const auto points = sourceCounter(recording, 1, static_cast<std::uint32_t>(early + 1), kAll).value();
        REQUIRE(points.size() == before + 100);
        for (std::size_t i = 0; i < before; ++i)
            CHECK(std::isnan(points[i].value));
        CHECK(points[before].value == 8);
        CHECK(points.back().value == 8);
        const auto statistics =
            sourceStatistics(recording, 1, static_cast<std::uint32_t>(early), kAll).value();
        CHECK(statistics.samples == 100);
        CHECK(statistics.minimum == 7);
        CHECK(sourceBands(recording, 1, static_cast<std::uint32_t>(early), kAll, 50));
        if (early > 0)
            CHECK(sourceStatistics(recording, 1, 0, kAll).value().samples == before + 100);
        CHECK(sourceCounter(recording, 2, 2, kAll).value().at(1).value == 3);
    };
    REQUIRE(watching.refresh());
    check(watching);
    REQUIRE(writer.finish());
    REQUIRE(watching.refresh());
    check(watching);
    auto opened = Recording::open(file).value();
    check(opened);
    CHECK(history::checkRecording(file));
}

TEST_CASE("what an attempt to write a chunk has left is replaced by the next attempt", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    auto writer = SourceWriter::create(file, factsOf("ex1", 2)).value();
    {
        auto database = history::Database::open(file, history::Database::Access::write).value();
        REQUIRE(database.execute(
            "INSERT INTO counter_chunk SELECT first_counter << 32, x'00' FROM source WHERE id = 1"));
    }
    REQUIRE(writer.append(ticksFrom(0, 2600, { 7, 8 })));
    REQUIRE(writer.finish());
    const auto recording = Recording::open(file).value();
    const auto points = sourceCounter(recording, 1, 0, kAll).value();
    REQUIRE(points.size() == 2600);
    CHECK(points.front().value == 7);
    CHECK(points.back().value == 7);
    CHECK(history::checkRecording(file));
}

TEST_CASE("a recording lists its computers, their roles and their sources", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    REQUIRE(attachSource(file, factsOf("ex1", 1, "sut"), {}));
    REQUIRE(attachSource(file, factsOf("ad1", 1), {}));
    REQUIRE(attachSource(file, factsOf("ex1", 1), {}));
    const auto recording = Recording::open(file).value();
    const auto computers = computersOf(recording).value();
    REQUIRE(computers.size() == 3);
    CHECK(computers[0] == ComputerFacts { recording.header().computer, "generator", { 0 } });
    CHECK(computers[1] == ComputerFacts { "ex1", "sut", { 1, 3 } });
    CHECK(computers[2] == ComputerFacts { "ad1", "", { 2 } });
    CHECK(sourcesOf(recording).value().at(2).role == "sut"); // that of the computer
}

TEST_CASE("a role that is said later is known of the sources that were there before", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    REQUIRE(attachSource(file, factsOf("ex1", 1), {}));
    auto watching = Recording::open(file).value();
    CHECK(sourcesOf(watching).value().at(0).role.empty());
    REQUIRE(attachSource(file, factsOf("ex1", 1, "sut"), {}));
    REQUIRE(watching.refresh());
    CHECK(sourcesOf(watching).value().at(0).role == "sut");
    CHECK(computersOf(watching).value().at(1) == ComputerFacts { "ex1", "sut", { 1, 2 } });
}
