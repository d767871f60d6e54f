// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counters that are computed from others.
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/derived.h>
#include <loadstone/merge.h>
#include <loadstone/report.h>
#include <loadstone/source.h>

#include <cmath>
#include <limits>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Subject device(const char* name)
{
    return Subject::ofDevice(name);
}

/// A minute: 20 s of ramp-up and 40 s of a mix with 400 users, and a log of the server with 5 s between its samples. Second n has n bytes on
/// eth0 and 1000 on eth1, of which second 30 is missing.
void writeRun(const std::filesystem::path& file)
{
    RunHeader header = sampleHeader();
    header.planText = "format = 1\nkind = \"mail\"\n[[derived]]\nname = \"Kbps\"\n";
    header.hostJson = R"({"logicalCpus": 4})";
    header.counters = { counterOf({ Quantity::networkBytes, device("eth0") }),
        counterOf({ Quantity::networkBytes, device("eth1") }), counterOf(Quantity::processorTime),
        counterOf(Quantity::messagesSent), counterOf({ Quantity::oneProcessorTime, device("0") }),
        counterOf({ Quantity::oneProcessorTime, device("1") }) };
    for (std::size_t i = 0; i < header.counters.size(); ++i)
        header.counters[i].id = static_cast<std::uint32_t>(i);
    header.histograms.clear();
    history::ResultSeries series;
    series.mixes = { { "400 users", 400, 40, 3, 40s } };
    auto writer = history::RecordingWriter::create(file, header, series).value();
    writer.putPhase({ 0, -1, "", PhaseKind::quiet, 0s, 20s, false }).value();
    writer.putPhase({ 1, 0, "400 users", PhaseKind::measurement, 20s, 60s, true }).value();
    for (std::uint64_t second = 1; second <= 60; ++second) {
        metrics::Tick tick;
        tick.number = second - 1;
        tick.begin = (second - 1) * 1'000'000'000ns;
        tick.end = tick.begin + 1s;
        tick.phase = second > 20 ? 1 : 0;
        tick.values = { static_cast<double>(second), second == 30 ? kMissing : 1000, 50, 5, 40, 60 };
        writer.append(tick).value();
    }
    writer.putPhase({ 1, 0, "400 users", PhaseKind::measurement, 20s, 60s, false }).value();
    writer.finish({}).value();
    SourceFacts log { "log ex.csv", "EX", {}, 500ms, {}, {} };
    for (const char* counter : { "Bytes Total/sec", "% Busy" })
        log.counters.push_back(counterOf(ForeignCounter { "EX", "Net", "a", counter }));
    log.counters[0].id = 0;
    log.counters[1].id = 1;
    log.counters[1].unit = "%";
    std::vector<SourceTick> ticks;
    for (int i = 0; i < 11; ++i)
        ticks.push_back({ i * 5s, (i + 1) * 5s, { 100.0, i == 4 ? kMissing : 10.0 * i } });
    attachSource(file, log, ticks).value();
}

struct Run {
    TemporaryFolder folder;
    std::optional<Recording> recording;
    Run()
    {
        writeRun(folder.path("run"));
        recording.emplace(Recording::open(folder.path("run")).value());
    }
    DerivedCounter counter(const char* definition) const
    {
        auto derived = derive(*recording, definition);
        INFO((derived ? std::string() : derived.error().message));
        REQUIRE(derived);
        return *std::move(derived);
    }
    /// At the end of each tick, by second.
    std::vector<CounterPoint> points(const char* definition) const
    {
        return derivedCounter(*recording, counter(definition), { 0s, 1h }).value();
    }
    std::string refusal(const char* definition) const
    {
        const auto derived = derive(*recording, definition);
        REQUIRE_FALSE(derived);
        return derived.error().message;
    }
};

} // namespace

TEST_CASE("a sum over interfaces in Kbit/s is missing where a part is missing", "[derived]")
{
    const Run run;
    const DerivedCounter traffic =
        run.counter(R"(Traffic [Kbit/s] = sum("\Network Interface(*)\Bytes Total/sec") * 8 / 1000)");
    CHECK(traffic.unit == "Kbit/s");
    CHECK(traffic.parts.size() == 2);
    const auto points = derivedCounter(*run.recording, traffic, { 0s, 60s }).value();
    REQUIRE(points.size() == 60);
    CHECK(points[9].at == 10s);
    CHECK(points[9].value == Approx((10 + 1000) * 8 / 1000.0));
    CHECK(std::isnan(points[29].value));
    const auto statistics = derivedStatistics(*run.recording, traffic, { 20s, 60s }).value();
    CHECK(statistics.samples == 39);
    CHECK(statistics.minimum == Approx(1021 * 8 / 1000.0));
    CHECK(statistics.maximum == Approx(1060 * 8 / 1000.0));
    const auto bands = derivedBands(*run.recording, traffic, { 20s, 60s }, 10).value();
    REQUIRE(bands.size() == 10);
    CHECK(bands[0].begin == 20s);
    CHECK(bands[0].end == 24s);
    CHECK(bands[0].average == Approx((1021 + 1024) / 2.0 * 8 / 1000));
}

TEST_CASE("a chosen window has its own averages of derived counters", "[derived]")
{
    const Run run;
    const std::vector<std::string> definitions { R"(In = "\Network Interface(eth0)\Bytes Total/sec")" };
    const std::string whole = formatDerived(*run.recording, definitions).value();
    CHECK_THAT(whole, Contains("over each measurement") && Contains("40.500")); // seconds 21 to 60
    const std::string window =
        formatDerived(*run.recording, definitions, 100, TimeWindow { 20s, 30s }).value();
    CHECK_THAT(window, Contains("over the window") && Contains("25.500") && !Contains("40.500"));
}

TEST_CASE("the average of a derived counter says for how much of the time it has values", "[derived]")
{
    const Run run;
    // The counter of eth1 is missing in second 30, the log's % Busy, in ticks of 5 s that begin at 0.5 s, from 20.5 to 25.5 s.
    const auto readingOf = [&](const char* definition, TimeWindow window) {
        return derivedReading(*run.recording, run.counter(definition), window).value();
    };
    const char* traffic = R"(Sum = sum("\Network Interface(*)\Bytes Total/sec"))";
    CHECK(readingOf(traffic, { 20s, 60s }).coverage == Approx(39 / 40.0));
    CHECK(readingOf(traffic, { 20s, 60s }).samples == 39);
    CHECK(readingOf(R"(In = "\Network Interface(eth0)\Bytes Total/sec")", { 20s, 60s }).coverage == 1);
    const DerivedReading busy = readingOf(R"(Busy = "\\EX\Net(a)\% Busy")", { 20s, 30s });
    CHECK(busy.coverage == Approx(0.5)); // half a second of one tick, 4.5 s of another
    CHECK(busy.samples == 2);
    CHECK(busy.average == Approx((0.5 * 30 + 4.5 * 50) / 5));
    CHECK(readingOf(traffic, { 100s, 200s }).coverage == 0);
    CHECK(std::isnan(readingOf(traffic, { 100s, 200s }).average));

    CHECK_THAT(formatDerived(*run.recording, { traffic }).value(), Contains("Covered") && Contains("97.5 %"));
    CHECK_THAT(
        formatDerived(*run.recording, { R"(In = "\Network Interface(eth0)\Bytes Total/sec")" }).value(),
        !Contains("Covered"));
}

TEST_CASE("a sum over a merged run has the generators' combined series once", "[derived]")
{
    const TemporaryFolder folder;
    std::vector<std::filesystem::path> generators;
    for (const char* name : { "gen1", "gen2" }) {
        RunHeader header =
            sampleHeader(RunId::parse("20261121-140305-000" + std::string(1, name[3])).value());
        header.computer = name;
        header.counters = { counterOf(Quantity::messagesSent) };
        header.histograms.clear();
        generators.push_back(folder.path(name));
        auto writer = history::RecordingWriter::create(generators.back(), header, sampleSeries()).value();
        writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1s, false }).value();
        metrics::Tick tick;
        tick.end = 1s;
        tick.values = { 5 };
        writer.append(tick).value();
        writer.finish({}).value();
    }
    mergeRecordings(generators, folder.path("merged")).value();
    const Recording merged = Recording::open(folder.path("merged")).value();
    const DerivedCounter sum = derive(merged, R"(Sent = sum("Messages Sent/sec"))").value();
    REQUIRE(sum.parts.size() == 1);
    CHECK(sum.parts[0].place == CounterPlace { 0, 0 });
    CHECK(derivedCounter(merged, sum, { 0s, 1s }).value().at(0).value == 10);
}

TEST_CASE("values are divided by the users of the mix and by the processors of the computer", "[derived]")
{
    const Run run;
    const auto perUser = run.points(R"(Sent per user = "\Messages Sent/sec" / users)");
    CHECK(std::isnan(perUser[10].value)); // no mix, no users
    CHECK(perUser[40].value == Approx(5 / 400.0));
    CHECK(run.counter(R"(Sent per user = "\Messages Sent/sec" / users)").unit == "messages/s per user");
    // The name says that it is per user; another unit is none.
    CHECK(run.counter(R"(Sent per user [messages/s] = "\Messages Sent/sec" / users)").unit == "messages/s");
    CHECK_THAT(run.refusal(R"(Sent per user [%] = "\Messages Sent/sec" / users)"), Contains("not in \"%\""));
    // It has counters of two processors; their number counts, and not that of the facts.
    CHECK(run.points(R"(a = "(_Total)\% Processor Time" / processors)")[40].value == 25);
    CHECK(run.points(
                 R"(Mean [%] = mean("\Processor(0)\% Processor Time", "\Processor(1)\% Processor Time"))")[40]
              .value
        == 50);
    CHECK_THAT(run.refusal(R"(a = "Net(a)\% Busy" / processors)"), Contains("how many processors"));
}

TEST_CASE(
    "of parts with different ticks the coarser ones count, and the others are averaged by time", "[derived]")
{
    const Run run;
    // The log's samples are 5 s long, and begin half a second after the run's ticks.
    const auto points =
        run.points(R"(a = "\Network Interface(eth0)\Bytes Total/sec" / "Net(a)\Bytes Total/sec")");
    REQUIRE(points.size() == 11);
    CHECK(points[0].at == 5s + 500ms);
    // Half of second 1, seconds 2 to 5, half of second 6.
    CHECK(points[0].value == Approx((0.5 * 1 + 2 + 3 + 4 + 5 + 0.5 * 6) / 5 / 100));
    const auto busy = run.points(R"(a = "\Network Interface(eth0)\Bytes Total/sec" / "Net(a)\% Busy")");
    CHECK(std::isnan(busy[0].value)); // divided by 0
    CHECK(std::isnan(busy[4].value)); // missing in the log
    CHECK(busy[1].value == Approx((0.5 * 6 + 7 + 8 + 9 + 10 + 0.5 * 11) / 5 / 10));
    // One of five seconds is missing: the mean of the others.
    const auto gap =
        run.points(R"(a = "\Network Interface(eth1)\Bytes Total/sec" / "Net(a)\Bytes Total/sec")");
    CHECK(gap[5].value == 10);
}

TEST_CASE("units are checked: sums have one, and another one needs a factor", "[derived]")
{
    const Run run;
    CHECK_THAT(
        run.refusal(
            R"(a = sum("\Network Interface(eth0)\Bytes Total/sec", "\Processor(0)\% Processor Time"))"),
        Contains("have one unit"));
    CHECK_THAT(run.refusal(R"(a [MB/s] = "\Network Interface(eth0)\Bytes Total/sec")"),
        Contains("is in \"bytes/s\", not in \"MB/s\""));
    CHECK(run.counter(R"(a [MB/s] = "\Network Interface(eth0)\Bytes Total/sec" * 1e-6)").unit == "MB/s");
    CHECK(
        run.counter(
               R"(a = "\Network Interface(eth0)\Bytes Total/sec" / "\Network Interface(eth1)\Bytes Total/sec")")
            .unit.empty());
    CHECK(run.counter(R"(a = "\Network Interface(eth0)\Bytes Total/sec" / "\Messages Sent/sec")").unit
        == "bytes/s per messages/s");
}

TEST_CASE("a path fits one counter, and a definition that finds none says so", "[derived]")
{
    const Run run;
    CHECK_THAT(run.refusal(R"(a = "Bytes Total/sec")"), Contains("fits 3 counters"));
    CHECK_THAT(run.refusal(R"(a = sum("no such"))"), Contains("a: \"no such\" fits no counter"));
    CHECK_THAT(run.refusal("a = sum("), Contains("column"));
}
