// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counters that are written for other programs, and read in again.
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/counter_choice.h>
#include <loadstone/counter_export.h>
#include <loadstone/counter_log.h>
#include <loadstone/event_rates.h>
#include <loadstone/source.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <tuple>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::string textOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// A run of forty minutes, more than is read at once, and a log with awkward names whose samples are every 7 s and some missing.
void writeRun(const std::filesystem::path& file)
{
    writeSample(file, 2400);
    SourceFacts log { "log ex.csv", "EX", {}, 250ms, {}, {} };
    const ForeignCounter names[] { { "EX", "Processor Information", "0,_Total", "% Processor Time" },
        { "EX", "Disk", "say \"C:\"", "Reads, all" }, { "EX", "Net\nwork", "tab\there", "Bytes" } };
    for (const ForeignCounter& name : names) {
        log.counters.push_back(counterOf(name));
        log.counters.back().id = static_cast<std::uint32_t>(log.counters.size()) - 1;
    }
    std::vector<SourceTick> ticks;
    for (int i = 0; i < 300; ++i)
        ticks.push_back({ i * 7s, (i + 1) * 7s, { i / 7.0, i % 3 == 0 ? kMissing : -1e-9 * i, 1e15 + i } });
    attachSource(file, log, ticks).value();
}

/// Whether a counter of an attached file has the samples of another, at the same milliseconds. Missing ones are missing in both.
void checkEqual(const Recording& recording, const CounterPlace& one, const CounterPlace& other)
{
    const TimeWindow all { -1h, 24h };
    const auto points = pointsOf(recording, one, all).value(),
               again = pointsOf(recording, other, all).value();
    REQUIRE(points.size() == again.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool same =
            points[i].value == again[i].value || (std::isnan(points[i].value) && std::isnan(again[i].value));
        if (!same || std::abs((points[i].at - again[i].at).count()) >= 1'000'000)
            FAIL("sample " << i << " is " << again[i].value << " and was " << points[i].value);
    }
}

} // namespace

TEST_CASE("the run's counters as PDH-CSV are read in again, equal sample by sample", "[export]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"));
    const CounterExport what { CounterFormat::pdh, { "*\\Loadstone*" }, {}, {} };
    auto recording = Recording::open(folder.path("run")).value();
    const auto written = exportCounters(recording, what, folder.path("out.csv")).value();
    CHECK(written.rows == 2400);
    const auto own = static_cast<std::uint32_t>(recording.header().counters.size());
    CHECK(written.counters == own + eventRatesOf(recording.header()).size()); // the rates stand behind
    const std::string text = textOf(folder.path("out.csv"));
    CHECK(text.starts_with("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\bench1\\"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 2401);
    CHECK(text.find("\r\n\"11/21/2026 14:03:06.000\",\"") != std::string::npos);

    const auto attached = attachLog(folder.path("run"), folder.path("out.csv")).value();
    CHECK(attached.samples == 2400);
    CHECK(attached.notes.empty());
    REQUIRE(recording.refresh());
    for (std::uint32_t counter = 0; counter < own; ++counter)
        checkEqual(recording, { 0, counter }, { attached.source, counter });
}

TEST_CASE(
    "a source's sample stands in the row of the tick that it was taken for, not of the next one", "[export]")
{
    const TemporaryFolder folder;
    writeSample(folder.path("run"), 60);
    const auto attach = [&](const char* name, auto interval, Nanoseconds late, int count) {
        SourceFacts source { name, name, {}, late, {}, {} };
        source.counters.push_back(counterOf(ForeignCounter { name, "Disk", "", "Reads" }));
        std::vector<SourceTick> ticks;
        for (int i = 0; i < count; ++i)
            ticks.push_back({ i * Nanoseconds(interval), (i + 1) * Nanoseconds(interval), { i + 1.0 } });
        attachSource(folder.path("run"), source, ticks).value();
    };
    attach("fast", 1s, 2ms, 60); // as a timer beside the tick's has them
    attach("early", 1s, -2ms, 60);
    attach("slow", 5s, 2ms, 12);
    attach("dense", 250ms, 10ms, 240);
    const auto recording = Recording::open(folder.path("run")).value();
    const auto columnOf = [&](const CounterExport& what, const char* computer) {
        const auto written = exportCounters(recording, what, folder.path("out.csv")).value();
        const auto lines = linesOf(textOf(folder.path("out.csv")));
        std::vector<std::string> heads, values;
        const auto cells = [](const std::string& line) {
            std::vector<std::string> all;
            std::istringstream in(line);
            for (std::string cell; std::getline(in, cell, ',');)
                all.push_back(cell);
            return all;
        };
        heads = cells(lines[0]);
        const auto place = std::ranges::find_if(
            heads, [&](const std::string& head) { return head.find(computer) != std::string::npos; });
        REQUIRE(place != heads.end());
        for (std::size_t i = 1; i < lines.size(); ++i) {
            const auto row = cells(lines[i] + ",end");
            values.push_back(row[1] + "=" + row[static_cast<std::size_t>(place - heads.begin())]);
        }
        return std::pair(values, written.leftOut);
    };
    CounterExport what { CounterFormat::csv, { "\\\\fast\\*", "\\\\early\\*", "\\\\slow\\*" }, {}, {} };
    for (const char* name : { "fast", "early" }) {
        const auto [values, leftOut] = columnOf(what, name);
        REQUIRE(values.size() == 60);
        CHECK(values.front() == "1=1");
        CHECK(values[10] == "11=11");
        CHECK(values.back() == "60=60"); // the last one has a row, too
        CHECK(leftOut == 0);
    }
    const auto slow = columnOf(what, "slow").first;
    CHECK(slow[3] == "4=");
    CHECK(slow[4] == "5=1");
    CHECK(slow[5] == "6=");
    CHECK(slow[59] == "60=12");
    what.from = 10s;
    what.to = 20s;
    const auto part = columnOf(what, "slow").first;
    REQUIRE(part.size() == 10);
    CHECK(part[0] == "11="); // the sample of 5 to 10 s is not of this window
    CHECK(part[4] == "15=3");
    CHECK(part[9] == "20=4");
    const auto [dense, without] =
        columnOf({ CounterFormat::csv, { "\\\\fast\\*", "\\\\dense\\*" }, {}, {} }, "dense");
    CHECK(dense[10] == "11=44");
    CHECK(without == 180);
}

TEST_CASE(
    "a source as PDH-CSV has rows of its own; quotes, commas and control characters do no harm", "[export]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"));
    auto recording = Recording::open(folder.path("run")).value();
    const auto written =
        exportCounters(recording, { CounterFormat::pdh, { "\\\\EX\\*" }, {}, {} }, folder.path("out.csv"))
            .value();
    CHECK(written.counters == 3);
    CHECK(written.rows == 300);
    CHECK(linesOf(textOf(folder.path("out.csv"))).size() == 301);
    const auto attached = attachLog(folder.path("run"), folder.path("out.csv")).value();
    CHECK(attached.notes.empty());
    REQUIRE(recording.refresh());
    const auto sources = sourcesOf(recording).value();
    CHECK(sources[1].counters[0].key == sources[0].counters[0].key);
    CHECK(sources[1].counters[1].key == sources[0].counters[1].key);
    CHECK(sources[1].counters[2].key.foreign == ForeignCounter { "EX", "Net work", "tab here", "Bytes" });
    for (std::uint32_t counter = 0; counter < 3; ++counter)
        checkEqual(recording, { 1, counter }, { attached.source, counter });
    // Under another name it has that name wherever its counters are named.
    AttachOptions other;
    other.computer = "other";
    REQUIRE(attachLog(folder.path("run"), folder.path("out.csv"), other));
    REQUIRE(recording.refresh());
    CHECK(sourcesOf(recording).value().back().computer == "other");
    CHECK(exportCounters(
              recording, { CounterFormat::pdh, { "\\\\other\\*" }, {}, {} }, folder.path("other.csv"))
              .value()
              .counters
        == 3);
    // A computer has one role in a run.
    other.role = "sut";
    REQUIRE(attachLog(folder.path("run"), folder.path("out.csv"), other));
    other.role = "generator";
    const auto refused = attachLog(folder.path("run"), folder.path("out.csv"), other);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message,
        ContainsSubstring("out.csv: other is the system under test in this run, and not a generator"));
    other.computer = recording.header().computer;
    other.role = "sut";
    const auto own = attachLog(folder.path("run"), folder.path("out.csv"), other);
    REQUIRE_FALSE(own);
    CHECK_THAT(own.error().message, ContainsSubstring("is a generator in this run"));
    REQUIRE(recording.refresh());
    CHECK(sourcesOf(recording).value().size() == 4);
}

TEST_CASE("a window of run and log stands in the run's rows, blank where the log has no sample", "[export]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"));
    const auto recording = Recording::open(folder.path("run")).value();
    const auto write = [&](CounterFormat format, std::vector<std::string> patterns) {
        const auto written =
            exportCounters(recording, { format, std::move(patterns), 20s, 30s }, folder.path("out")).value();
        return std::pair { written, textOf(folder.path("out")) };
    };
    const auto [pdh, text] = write(CounterFormat::pdh, { "Sessions", "0,_Total" });
    CHECK(pdh.rows == 10);
    const auto lines = linesOf(text);
    REQUIRE(lines.size() == 11);
    CHECK_THAT(lines[1], Contains("14:03:26.000\",\"5\",\"0.2857142857142857\"")); // the sample of 21.25 s
    CHECK_THAT(lines[2], Contains("14:03:27.000\",\"5.25\",\" \""));

    const auto [csv, plain] = write(CounterFormat::csv, { "Sessions" });
    CHECK(csv.rows == 10);
    CHECK_THAT(linesOf(plain).at(0), Contains("Time (UTC),Seconds,Length,Phase,Mix,\"\\\\bench1\\"));
    CHECK_THAT(linesOf(plain).at(1), Contains("Z,21,1,measurement,\"500 users\",5"));

    const auto [metrics, open] = write(CounterFormat::openMetrics, { "Sessions", "Disk", "Messages Sent" });
    const auto rows = linesOf(open);
    CHECK(rows.back() == "# EOF");
    CHECK(std::ranges::count(rows, "# TYPE loadstone_disk_reads_all gauge") == 1);
    CHECK_THAT(open, Contains("instance=\"say \\\"C:\\\"\",source=\"1\"} "));
    CHECK_THAT(open, Contains(" 5 1795269806.000\n"));
    CHECK(metrics.rows == static_cast<std::uint64_t>(std::ranges::count_if(rows, [](const std::string& row) {
        return !row.starts_with('#');
    })));
    CHECK(metrics.rows == 10 + 10 + 1);
}

TEST_CASE("an export without counters or samples is refused, and leaves no file", "[export]")
{
    const TemporaryFolder folder;
    writeSample(folder.path("run"), 20);
    const auto recording = Recording::open(folder.path("run")).value();
    const auto refusal = [&](const CounterExport& what) {
        const auto written = exportCounters(recording, what, folder.path("out"));
        REQUIRE_FALSE(written);
        CHECK_FALSE(std::filesystem::exists(folder.path("out")));
        return written.error().message;
    };
    CHECK_THAT(
        refusal({ CounterFormat::pdh, { "no such" }, {}, {} }), Contains("no counter has a name that fits"));
    for (const CounterFormat format : { CounterFormat::csv, CounterFormat::pdh, CounterFormat::openMetrics })
        CHECK_THAT(
            refusal({ format, {}, 1h, 2h }), Contains("no sample of these counters lies within the window"));
    CHECK_THAT(refusal({ CounterFormat::pdh, {}, 2s, 1s }), Contains("ends before it begins"));
    CHECK_FALSE(exportCounters(recording, {}, folder.path("none") / "out"));
}

TEST_CASE("the first sample of a source, and the first after a gap, have rows with their levels", "[export]")
{
    const TemporaryFolder folder;
    writeSample(folder.path("run"), 60);
    SourceFacts log { "log", "EX", {}, {}, {}, {} };
    log.counters = { counterOf(ForeignCounter { "EX", "Memory", "", "Available MBytes" }),
        counterOf(ForeignCounter { "EX", "System", "", "Context Switches/sec" }) };
    log.counters[1].id = 1;
    // Of no length: a rate is not known there.
    const std::vector<SourceTick> ticks { { 300ms, 300ms, { 766, kMissing } }, { 300ms, 5s, { 767, 380 } },
        { 5s, 10s, { 768, 381 } }, { 50s, 50s, { 770, kMissing } }, { 50s, 55s, { 771, 382 } } };
    attachSource(folder.path("run"), log, ticks).value();
    const auto recording = Recording::open(folder.path("run")).value();
    const auto written =
        exportCounters(recording, { CounterFormat::csv, { "\\\\EX\\*" }, {}, {} }, folder.path("out"))
            .value();
    CHECK(written.leftOut == 0);
    const auto lines = linesOf(textOf(folder.path("out")));
    REQUIRE(lines.size() == 6);
    for (const auto& [row, end] :
        { std::pair { 1, ",766," }, { 2, ",767,380" }, { 3, ",768,381" }, { 4, ",770," }, { 5, ",771,382" } })
        CHECK(lines[static_cast<std::size_t>(row)].ends_with(end));
}

TEST_CASE("samples of a source that are far from the run are exported, and those without a row are counted",
    "[export]")
{
    const TemporaryFolder folder;
    writeSample(folder.path("run"), 20);
    // A log of another month, and one with several samples in each tick of the run.
    for (const auto& [name, offset, every] : { std::tuple { "FAR", Nanoseconds(24h * 40), Nanoseconds(1s) },
             std::tuple { "NEAR", Nanoseconds(0), Nanoseconds(250ms) } }) {
        SourceFacts log { "log", name, {}, offset, {}, {} };
        log.counters = { counterOf(ForeignCounter { name, "Memory", "", "Available MBytes" }) };
        std::vector<SourceTick> ticks;
        for (int i = 0; i < 40; ++i)
            ticks.push_back({ i * every, (i + 1) * every, { i == 3 ? kMissing : 1.0 * i } });
        attachSource(folder.path("run"), log, ticks).value();
    }
    const auto recording = Recording::open(folder.path("run")).value();
    const auto write = [&](CounterFormat format, std::vector<std::string> patterns) {
        return exportCounters(recording, { format, std::move(patterns), {}, {} }, folder.path("out"));
    };
    const auto metrics = write(CounterFormat::openMetrics, { "Available MBytes" }).value();
    CHECK(metrics.rows == 39 + 39);
    CHECK(metrics.leftOut == 0);
    CHECK(linesOf(textOf(folder.path("out"))).size() == 39 + 39 + 2);
    const auto rows = write(CounterFormat::csv, { "Sessions", "Available MBytes" }).value();
    CHECK(rows.rows == 20);
    CHECK(rows.leftOut
        == 39 + (39 - 9)); // of the 10 s of the near one each tick has its last sample; one is missing
    CHECK(write(CounterFormat::csv, { "\\\\NEAR\\*" }).value().leftOut == 0);
}

TEST_CASE("a mix whose name begins like a formula is none in a spreadsheet", "[export]")
{
    const TemporaryFolder folder;
    {
        auto writer =
            history::RecordingWriter::create(folder.path("run"), sampleHeader(), sampleSeries()).value();
        writer.putPhase({ 0, 0, "=1+1", PhaseKind::measurement, 0s, 1s, false }).value();
        writer.append(sampleTick(0)).value();
        writer.finish({}).value();
    }
    const auto recording = Recording::open(folder.path("run")).value();
    exportCounters(recording, { CounterFormat::csv, { "Sent" }, {}, {} }, folder.path("out.csv")).value();
    CHECK_THAT(linesOf(textOf(folder.path("out.csv"))).at(1), Contains(",measurement,\"'=1+1\","));
}
