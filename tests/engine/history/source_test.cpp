// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/archive.h"
#include "sample_run.h"
#include "support/catch.h"

#include <loadstone/computer.h>
#include <loadstone/source.h>

#include <algorithm>
#include <cmath>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

const TimeWindow kAll { -1000h, 1000h };

/// \\EX\Database(Information Store)\Log Record Stalls/sec, which Loadstone has a counter like of, with values of 15 s.
SourceFacts stallsOfExchange(Nanoseconds offset = {})
{
    SourceFacts facts { "log /logs/ex.csv", "EX", WallTime(1'795'269'700s), offset, {}, {} };
    facts.counters = { counterOf(
        ForeignCounter { "EX", "Database", "Information Store", "Log Record Stalls/sec" }) };
    return facts;
}

std::vector<SourceTick> stalls(std::size_t count)
{
    std::vector<SourceTick> ticks;
    for (std::size_t i = 0; i < count; ++i)
        ticks.push_back({ 15s * i, 15s * (i + 1), { static_cast<double>(i % 7) + 0.25 } });
    return ticks;
}

template <class Result>
void says(const Result& result, const char* text)
{
    REQUIRE_FALSE(result);
    CAPTURE(result.error().message);
    CHECK(result.error().message.find(text) != std::string::npos);
}

} // namespace

TEST_CASE("a source lies on the run's axis at its offset, which can be moved", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 400);
    auto before = Recording::open(file).value();
    const RunHeader header = before.header();
    const auto own = before.counter(0, kAll).value();

    const std::uint32_t id = attachSource(file, stallsOfExchange(-30s), stalls(20)).value();
    CHECK(id == 1);
    REQUIRE(before.refresh().value());
    auto sources = sourcesOf(before).value();
    REQUIRE(sources.size() == 1);
    CHECK(sources[0].origin == "log /logs/ex.csv");
    CHECK(sources[0].computer == "EX");
    CHECK(sources[0].began == WallTime(1'795'269'700s));
    CHECK(sources[0].made > WallTime(1'795'269'785s - 24h * 3650));
    CHECK(sources[0].complete);
    CHECK(sources[0].ticks == 20);
    CHECK(sources[0].end == 300s);
    CHECK(sources[0].counters[0].path() == R"(\\EX\Database(Information Store)\Log Record Stalls/sec)");
    CHECK_FALSE(sources[0].counters[0].key.quantity);

    auto points = sourceCounter(before, 1, 0, kAll).value();
    REQUIRE(points.size() == 20);
    CHECK(points.front() == CounterPoint { -15s, 0.25 });
    CHECK(points.back() == CounterPoint { 270s, 5.25 });
    // A window is on the run's axis.
    points = sourceCounter(before, 1, 0, { 0s, 30s }).value();
    REQUIRE(points.size() == 2);
    CHECK(points[0] == CounterPoint { 15s, 2.25 });

    REQUIRE(moveSource(file, 1, 100s));
    REQUIRE(before.refresh().value());
    CHECK(sourceCounter(before, 1, 0, kAll).value().front() == CounterPoint { 115s, 0.25 });
    const auto bands = sourceBands(before, 1, 0, kAll, 4).value();
    REQUIRE(bands.size() <= 4);
    CHECK(bands.front().begin == 100s);
    CHECK(bands.back().end == 400s);
    const CounterStatistics statistics = sourceStatistics(before, 1, 0, { 100s, 205s }).value();
    CHECK(statistics.samples == 7);
    CHECK(statistics.average == 3.25);
    CHECK(statistics.maximum == 6.25);
    // Of a sample that lies across the window's end, the part within it.
    const CounterStatistics cut = sourceStatistics(before, 1, 0, { 100s, 210s }).value();
    CHECK(cut.samples == 8);
    CHECK(cut.duration == 110s);
    CHECK(cut.last == 6.25);
    CHECK(cut.average == Approx((7 * 15 * 3.25 + 5 * 0.25) / 110));
    const auto moves = movesOf(before, 1).value();
    REQUIRE(moves.size() == 2);
    CHECK(moves[0].offset == -30s);
    CHECK(moves[0].by == 0s);
    CHECK(moves[1].offset == 100s);
    CHECK(moves[1].by == 130s);

    // Nothing of the run itself is another.
    CHECK(before.header() == header);
    CHECK(before.counter(0, kAll).value() == own);
    CHECK(history::checkRecording(file));
}

TEST_CASE("a long source comes back as it was, however it was cut into calls", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    SourceFacts facts = stallsOfExchange();
    facts.histograms = { sampleHeader().histograms[1] };
    facts.histograms[0].id = 0;
    std::vector<SourceTick> ticks = stalls(3000);
    Histogram sum;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        Histogram some;
        some.record(1ms * (i % 50 + 1), i % 3);
        sum.merge(some);
        ticks[i].histograms = { { 0U, some } };
    }
    const std::size_t step = GENERATE(values<std::size_t>({ 1, 700, 1250, 3000 }));
    CAPTURE(step);
    auto writer = SourceWriter::create(file, facts).value();
    auto recording = Recording::open(file).value();
    for (std::size_t at = 0; at < ticks.size(); at += step)
        REQUIRE(writer.append(std::span(ticks).subspan(at, std::min(step, ticks.size() - at))));
    const auto check = [&](bool complete) {
        REQUIRE(recording.refresh());
        const auto sources = sourcesOf(recording).value();
        REQUIRE(sources.size() == 1);
        CHECK(sources[0].complete == complete);
        CHECK(sources[0].ticks == 3000);
        const auto points = sourceCounter(recording, 1, 0, kAll).value();
        REQUIRE(points.size() == 3000);
        for (std::size_t i = 0; i < points.size(); i += 97)
            CHECK(points[i] == CounterPoint { ticks[i].end, ticks[i].values[0] });
        CHECK(sourceHistogram(recording, 1, 0, kAll).value() == sum);
    };
    check(false);
    REQUIRE(writer.finish());
    check(true);
    CHECK_FALSE(writer.append(stalls(1)));
    CHECK(history::checkRecording(file));
}

TEST_CASE("a source is attached to a run that is being written, and to one that has others", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto run = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    run.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 2h, true }).value();
    for (std::uint64_t n = 0; n < 1300; ++n) {
        if (n % 500 == 100)
            REQUIRE(attachSource(file, stallsOfExchange(), stalls(n)));
        REQUIRE(run.append(sampleTick(n)));
    }
    REQUIRE(run.finish({}));
    const auto recording = Recording::open(file).value();
    CHECK(recording.ticks() == 1300);
    CHECK(recording.counter(4, { 1200s, 1300s }).value().back().value == 1299 / 4.0);
    const auto sources = sourcesOf(recording).value();
    REQUIRE(sources.size() == 3);
    for (const SourceInfo& source : sources)
        CHECK(sourceCounter(recording, source.id, 0, kAll).value().size() == source.ticks);
    CHECK(sources[2].ticks == 1100);
    CHECK(history::checkRecording(file));
}

TEST_CASE("what cannot be a source is refused, and nothing of it is kept", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    SourceFacts facts = stallsOfExchange();
    facts.counters[0].id = 3;
    says(attachSource(file, facts, stalls(1)), "count from 0");
    facts = stallsOfExchange(100'000h);
    says(attachSource(file, facts, stalls(1)), "ten years");
    facts = stallsOfExchange();
    facts.counters[0].key = SeriesKey();
    says(attachSource(file, facts, stalls(1)), "foreign");
    CHECK(sourcesOf(Recording::open(file).value()).value().empty());

    auto writer = SourceWriter::create(file, stallsOfExchange()).value();
    auto ticks = stalls(5);
    std::swap(ticks[3], ticks[4]);
    says(writer.append(ticks), "tick 4 of a source does not follow");
    ticks = stalls(1);
    ticks[0].values.push_back(1);
    says(writer.append(ticks), "more values");
    CHECK(writer.ticks() == 0);
    REQUIRE(writer.append(stalls(2)));
    CHECK(writer.ticks() == 2);

    says(moveSource(file, 2, 1s), "no source 2");
    says(moveSource(file, 1, -100'000h), "ten years");
    const auto recording = Recording::open(file).value();
    says(sourceCounter(recording, 2, 0, kAll), "no source 2");
    says(sourceCounter(recording, 1, 1, kAll), "no series 1");
    says(attachSource(folder.path("none"), stallsOfExchange(), stalls(1)), "none");
}

TEST_CASE("a log that was attached is removed, and the sources behind it keep their ids", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    SourceFacts wrong = stallsOfExchange();
    wrong.role = "directory";
    REQUIRE(attachSource(file, wrong, stalls(5)).value() == 1);
    SourceFacts host = stallsOfExchange();
    host.origin = "host EX2";
    host.computer = "EX2";
    REQUIRE(attachSource(file, host, stalls(3)).value() == 2);
    auto before = Recording::open(file).value(); // that was open meanwhile
    REQUIRE(sourcesOf(before).value().size() == 2);

    REQUIRE(removeSource(file, 1));
    REQUIRE(before.refresh().value());
    const auto fresh = Recording::open(file).value();
    for (const Recording* opened : std::initializer_list<const Recording*> { &before, &fresh }) {
        const Recording& run = *opened;
        const auto sources = sourcesOf(run).value();
        REQUIRE(sources.size() == 1);
        CHECK(sources[0].id == 2);
        CHECK(sourceCounter(run, 2, 0, kAll).value().size() == 3);
        says(sourceCounter(run, 1, 0, kAll), "no source 1");
        const auto computers = computersOf(run).value();
        CHECK(std::ranges::none_of(computers, [](const ComputerFacts& one) { return one.name == "EX"; }));
    }
    says(moveSource(file, 1, 1s), "no source 1");
    says(removeSource(file, 1), "no source 1");
    says(removeSource(file, 2), "measured during the run");
    CHECK(history::checkRecording(file));

    // Attached again it has another id, and the role that is given now.
    SourceFacts right = stallsOfExchange();
    right.role = "sut";
    CHECK(attachSource(file, right, stalls(5)).value() == 3);
    const auto sources = sourcesOf(Recording::open(file).value()).value();
    REQUIRE(sources.size() == 2);
    CHECK(sources[1].role == "sut");
}

TEST_CASE(
    "a role goes with the log that says it, and logs without a computer have each their own", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    SourceFacts facts = stallsOfExchange();
    REQUIRE(attachSource(file, facts, stalls(5)).value() == 1);
    facts.role = "sut";
    REQUIRE(attachSource(file, facts, stalls(5)).value() == 2);
    const auto roles = [&] {
        std::vector<std::string> all;
        for (const SourceInfo& one : sourcesOf(Recording::open(file).value()).value())
            all.push_back(one.role);
        return all;
    };
    CHECK(roles() == std::vector<std::string> { "sut", "sut" });
    REQUIRE(removeSource(file, 2));
    CHECK(roles() == std::vector<std::string> { "" });

    facts.computer.clear();
    facts.origin = "log vmstat of the server";
    REQUIRE(attachSource(file, facts, stalls(5)).value() == 3);
    facts.origin = "log vmstat of the directory";
    facts.role = "directory";
    REQUIRE(attachSource(file, facts, stalls(5)).value() == 4);
    CHECK(roles() == std::vector<std::string> { "", "sut", "directory" });
    CHECK(computersOf(Recording::open(file).value()).value().back().role == "directory");
    CHECK(history::checkRecording(file));
}

TEST_CASE("a log that names no computer is not taken for this machine", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    for (const char* origin : { "log one.csv", "log two.csv" }) {
        SourceFacts facts = stallsOfExchange();
        facts.origin = origin;
        facts.computer.clear();
        REQUIRE(attachSource(file, facts, stalls(5)));
    }
    const auto computers = computersOf(Recording::open(file).value()).value();
    REQUIRE(computers.size() == 3);
    CHECK(computers[1] == ComputerFacts { "log one.csv", "", { 1 } });
    CHECK(computers[2] == ComputerFacts { "log two.csv", "", { 2 } });
}

TEST_CASE("a log that is removed while it is attached stays removed", "[source]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 10);
    auto writer = SourceWriter::create(file, stallsOfExchange()).value();
    REQUIRE(writer.append(stalls(2)));
    REQUIRE(removeSource(file, 1));
    REQUIRE(writer.finish());
    CHECK(sourcesOf(Recording::open(file).value()).value().empty());
}
