// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "history/archive.h"
#include "history/database.h"
#include "history/recording_reader.h"
#include "sample_run.h"
#include "support/catch.h"

#include <loadstone/computer.h>
#include <loadstone/merge.h>
#include <loadstone/source.h>

#include <array>
#include <cmath>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

const TimeWindow kAll { 0s, 1000h };
constexpr std::uint64_t kTicks = 1500; // a chunk and hot ones, of which the last 60 are of the drain
constexpr std::uint64_t kMeasured = 1440;

RunHeader headerOf(const char* id, const char* computer)
{
    RunHeader header = sampleHeader(RunId::parse(id).value());
    header.computer = computer;
    header.counters.clear();
    using enum Quantity;
    for (const Quantity quantity :
        { messagesSent, actionsEnded, sessions, busiestWorker, reads, secondsPerRead, availableMemory }) {
        header.counters.push_back(counterOf(quantity));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
    }
    return header;
}

/// What happens in one tick, at one generator.
struct Samples {
    double sent = 0, sessions = 0, busiest = 0;
    std::vector<Nanoseconds> reads, latencies;
};

Samples samplesOf(Random& random)
{
    Samples s;
    s.sent = static_cast<double>(random.below(50));
    s.sessions = static_cast<double>(random.below(100));
    s.busiest = static_cast<double>(random.below(1000)) / 8;
    for (std::uint64_t n = random.below(9); n > 0; --n)
        s.reads.push_back(1024us * random.below(64)); // their mean in seconds is exact enough to be compared
    for (std::uint64_t n = random.below(30); n > 0; --n)
        s.latencies.emplace_back(static_cast<std::int64_t>(random.below(4'000'000'000)));
    return s;
}

metrics::Tick tickOf(std::uint64_t number, const std::vector<Samples>& all)
{
    metrics::Tick tick;
    tick.number = number;
    tick.begin = number * 1'000'000'000ns;
    tick.end = tick.begin + 1s;
    tick.phase = number < kMeasured ? 0 : 1;
    double sent = 0, sessions = 0, busiest = 0, reads = 0, readSeconds = 0;
    Histogram latencies;
    for (const Samples& s : all) {
        sent += s.sent;
        sessions += s.sessions;
        busiest = std::max(busiest, s.busiest);
        reads += static_cast<double>(s.reads.size());
        for (const Nanoseconds read : s.reads)
            readSeconds += seconds(read);
        for (const Nanoseconds latency : s.latencies)
            latencies.record(latency);
    }
    tick.values = { sent, 2 * sent, sessions, busiest, reads, reads > 0 ? readSeconds / reads : std::nan(""),
        7e9 };
    if (!latencies.empty())
        tick.histograms = { { 0, latencies.encode() }, { 3, latencies.encode() } };
    if (number % 7 == 3)
        tick.errors = { { "Send message", FailureKind::permanentReply, 550, all.size(), "no such mailbox" } };
    return tick;
}

class Generator {
public:
    Generator(const std::filesystem::path& file, RunHeader header)
        : m_writer(history::RecordingWriter::create(file, header, sampleSeries()).value())
    {
        m_writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1s * kMeasured, false }).value();
        m_writer.putPhase({ 1, -1, "", PhaseKind::drain, 1s * kMeasured, 1s * kTicks, false }).value();
    }
    history::RecordingWriter& writer() { return m_writer; }
    void finish(std::uint64_t lost = 0)
    {
        history::RunEnd end;
        end.audited = true;
        end.audit.accepted = 10;
        end.audit.lost = lost;
        m_writer.finish(end).value();
    }

private:
    history::RecordingWriter m_writer;
};

bool same(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || a == b;
}

std::string refusal(const std::vector<std::filesystem::path>& files, const std::filesystem::path& to)
{
    const auto merged = mergeRecordings(files, to);
    REQUIRE_FALSE(merged);
    CHECK_FALSE(std::filesystem::exists(to));
    return merged.error().message;
}

} // namespace

TEST_CASE("two recordings of one plan give the sums and percentiles of one of all samples", "[merge]")
{
    const TemporaryFolder folder;
    const auto wholeFile = folder.path("whole"), east = folder.path("east"), west = folder.path("west");
    Random random(42);
    {
        RunHeader late = headerOf("20261121-140305-0002", "gen2");
        late.started += 300ms;
        Generator whole(wholeFile, headerOf("20261121-140305-0000", "gen0"));
        Generator one(east, headerOf("20261121-140305-0001", "gen1"));
        Generator two(west, late);
        one.writer().addEvent({ 5s, Severity::warning, "one" }).value();
        two.writer().addEvent({ 2s, Severity::info, "two" }).value();
        for (std::uint64_t n = 0; n < kTicks; ++n) {
            const Samples a = samplesOf(random), b = samplesOf(random);
            whole.writer().append(tickOf(n, { a, b })).value();
            one.writer().append(tickOf(n, { a })).value();
            two.writer().append(tickOf(n, { b })).value();
        }
        whole.finish(3);
        one.finish(1);
        two.finish(2);
    }
    const auto file = folder.path("merged");
    const std::vector<std::filesystem::path> parts { west, east };
    const RunId id = mergeRecordings(parts, file).value();
    REQUIRE(history::checkRecording(file));
    const auto merged = Recording::open(file).value();
    const auto whole = Recording::open(wholeFile).value();
    CHECK(merged.header().id == id);
    CHECK(merged.header().origin == RunOrigin::merged);
    CHECK(merged.header().kind == RunKind::mail);
    CHECK(merged.header().computer == "gen1"); // it began first
    CHECK(merged.header().counters == whole.header().counters);
    CHECK(merged.header().histograms == whole.header().histograms);
    CHECK(merged.state() == RunState::finished);
    CHECK(merged.phases() == whole.phases());
    REQUIRE(merged.ticks() == kTicks);

    for (const CounterInfo& info : whole.header().counters) {
        if (info.key.quantity == Quantity::availableMemory)
            continue; // of two computers, below
        CAPTURE(info.path());
        const auto expected = whole.counter(info.id, kAll).value();
        const auto found = merged.counter(info.id, kAll).value();
        REQUIRE(found.size() == expected.size());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            // A mean of means is rounded once more than the mean of all.
            const bool good = info.key.quantity == Quantity::secondsPerRead && !std::isnan(expected[i].value)
                ? std::abs(found[i].value - expected[i].value) <= 1e-15
                : same(found[i].value, expected[i].value);
            wrong += good && found[i].at == expected[i].at ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
    CHECK(merged.counter(6, { 0s, 1s }).value().front().value == 14e9);

    for (const std::uint32_t histogram : { 0U, 1U, 3U })
        for (const TimeWindow window : { kAll, TimeWindow { 17s, 1234s }, TimeWindow { 1300s, 1301s } }) {
            const Histogram expected = whole.histogram(histogram, window).value();
            const Histogram found = merged.histogram(histogram, window).value();
            CHECK(found == expected);
            for (const double p : { 0.0, 1.0, 50.0, 95.0, 99.0, 99.9, 100.0 })
                CHECK(found.percentile(p) == expected.percentile(p));
            CHECK(merged.latency(histogram, window).value() == whole.latency(histogram, window).value());
        }
    CHECK(merged.latencyCurve(0, 95, kAll, 10s).value().size()
        == whole.latencyCurve(0, 95, kAll, 10s).value().size());
    CHECK(merged.errors(kAll).value() == whole.errors(kAll).value());
    const auto events = merged.events().value();
    REQUIRE(events.size() == 2);
    CHECK(events[0] == RunEvent { 2300ms, Severity::info, "gen2: two" });
    CHECK(events[1].text == "gen1: one");

    // Each generator's own are sources of it.
    const auto sources = sourcesOf(merged).value();
    REQUIRE(sources.size() == 2);
    CHECK(sources[0].origin == "run 20261121-140305-0001");
    CHECK(sources[0].offset == 0s);
    CHECK(sources[1].computer == "gen2");
    CHECK(sources[1].offset == 300ms);
    CHECK(sources[1].counters[0].key.subject.generator == "gen2");
    const std::vector<ComputerFacts> computers { { "all generators", "", { 0 } },
        { "gen1", "generator", { 1 } }, { "gen2", "generator", { 2 } } };
    CHECK(computersOf(merged).value() == computers);
    const auto second = Recording::open(west).value();
    CHECK(sourceHistogram(merged, 2, 0, kAll).value() == second.histogram(0, kAll).value());
    CHECK(sourceStatistics(merged, 2, 2, kAll).value().average
        == second.counterStatistics(2, kAll).value().average);
}

TEST_CASE("what is about a target stays about it when recordings are merged", "[merge]")
{
    const TemporaryFolder folder;
    history::ResultSeries series = sampleSeries();
    series.targets = { { "East", series.mixes }, { "West", series.mixes } };
    std::vector<std::filesystem::path> parts;
    for (const char* generator : { "gen1", "gen2" }) {
        parts.push_back(folder.path(generator));
        auto writer = history::RecordingWriter::create(parts.back(),
            headerOf(("20261121-140305-000" + std::string(1, generator[3])).c_str(), generator), series)
                          .value();
        writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1s, false }).value();
        writer.addEvent({ 1s, Severity::warning, "is slow", "East" }).value();
        writer.addTranscript({ 1s, 0, "SMTP DATA", FailureKind::timeout, "C: DATA", "West" }).value();
        metrics::Tick tick;
        tick.end = 1s;
        tick.values.assign(7, 1);
        tick.errors = { { "Send message", FailureKind::timeout, 0, 2, "late", "East" },
            { "Send message", FailureKind::timeout, 0, 1, "late", "West" } };
        writer.append(tick).value();
        history::RunEnd end;
        end.targetAudits.resize(2);
        end.exceptions = { { AuditFinding::lost, "abc", "u7", 1s, "gone", "West" } };
        end.invalidReasons = { { "the server ended", "East" } };
        writer.finish(end).value();
    }
    const auto file = folder.path("merged");
    mergeRecordings(parts, file).value();
    REQUIRE(history::checkRecording(file));
    const auto merged = Recording::open(file).value();
    CHECK(merged.errors(kAll).value()
        == std::vector<ErrorRow> { { "Send message", FailureKind::timeout, 0, 4, "late", "East" },
            { "Send message", FailureKind::timeout, 0, 2, "late", "West" } });
    CHECK(merged.events().value().at(1) == RunEvent { 1s, Severity::warning, "gen2: is slow", "East" });
    const auto east = Recording::open(file, "East").value(), west = Recording::open(file, "West").value();
    CHECK(east.events().value().size() == 2);
    CHECK(west.events().value().empty());
    CHECK(east.transcripts().value().empty());
    CHECK(west.transcripts().value().size() == 2);
    CHECK(history::readerOf(west).end().value().exceptions.size() == 2);
    const auto reasons = history::readerOf(east).end().value().invalidReasons;
    CHECK(reasons
        == std::vector<history::InvalidReason> {
            { "gen1: the server ended" }, { "gen2: the server ended" } });
    CHECK(history::readerOf(west).end().value().invalidReasons.empty());
}

TEST_CASE("a generator that drains for longer goes on alone", "[merge]")
{
    const TemporaryFolder folder;
    const auto east = folder.path("east"), west = folder.path("west"), file = folder.path("merged");
    {
        Generator one(east, headerOf("20261121-140305-0001", "gen1"));
        Generator two(west, headerOf("20261121-140305-0002", "gen1")); // both on one computer
        Samples s;
        s.sent = 5;
        s.sessions = 3;
        for (std::uint64_t n = 0; n < kTicks; ++n) {
            if (n < kTicks - 10)
                one.writer().append(tickOf(n, { s })).value();
            two.writer().append(tickOf(n, { s })).value();
        }
        one.finish();
        two.finish();
    }
    const std::vector<std::filesystem::path> parts { east, west };
    REQUIRE(mergeRecordings(parts, file));
    const auto merged = Recording::open(file).value();
    REQUIRE(merged.ticks() == kTicks);
    const auto sent = merged.counter(0, kAll).value();
    CHECK(sent[kTicks - 11].value == 10);
    CHECK(sent[kTicks - 10].value == 5); // a count of one that has ended is 0
    CHECK(merged.counter(2, kAll).value().back().value == 6); // a level stays
    CHECK(merged.counter(6, kAll).value().back().value == 7e9); // of one host once
}

TEST_CASE("what cannot be merged is refused with a reason", "[merge]")
{
    const TemporaryFolder folder;
    const auto east = folder.path("east"), west = folder.path("west"), file = folder.path("merged");
    writeSample(east, 30, RunId::parse("20261121-140305-0001").value());
    const auto other = [&](const std::function<void(RunHeader&, history::ResultSeries&)>& change,
                           std::uint64_t ticks = 30, Nanoseconds late = {}) {
        RunHeader header = sampleHeader(RunId::parse("20261121-140305-0002").value());
        history::ResultSeries series = sampleSeries();
        change(header, series);
        auto writer = history::RecordingWriter::create(west, header, series).value();
        writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1s * ticks, false }).value();
        for (std::uint64_t n = 0; n < ticks; ++n) {
            metrics::Tick tick = sampleTick(n);
            tick.values.resize(header.counters.size());
            if (n > 20) {
                tick.begin += late;
                tick.end += late;
            }
            writer.append(tick).value();
        }
        writer.finish({}).value();
    };
    const auto nothing = [](RunHeader&, history::ResultSeries&) {};
    SECTION("the plan")
    {
        other([](RunHeader& h, auto&) { h.planText += "# "; });
        CHECK_THAT(refusal({ east, west }, file), ContainsSubstring("plans"));
    }
    SECTION("the kind")
    {
        other([](RunHeader& h, auto&) { h.kind = RunKind::raw; });
        CHECK_THAT(
            refusal({ east, west }, file), ContainsSubstring("one is a run of mail, the other of raw"));
    }
    SECTION("the mixes")
    {
        other([](auto&, history::ResultSeries& s) { s.mixes[0].mailboxes = 499; });
        CHECK_THAT(refusal({ east, west }, file), ContainsSubstring("mixes"));
    }
    SECTION("the time")
    {
        other([](RunHeader& h, auto&) { h.started += 2s; });
        CHECK_THAT(refusal({ east, west }, file),
            ContainsSubstring("tick 0 differs in time") && ContainsSubstring("1000 ms"));
    }
    SECTION("the length of ticks")
    {
        other(nothing, 30, 1500ms);
        CHECK_THAT(refusal({ east, west }, file), ContainsSubstring("tick 21 differs in time"));
    }
    SECTION("the length of the measurement")
    {
        other(nothing, 29);
        CHECK_THAT(
            refusal({ east, west }, file), ContainsSubstring("tick 29 is missing in the other recording"));
    }
    SECTION("itself")
    {
        CHECK_THAT(refusal({ east, east }, file), ContainsSubstring("given twice"));
    }
    SECTION("alone")
    {
        CHECK_THAT(refusal({ east }, file), ContainsSubstring("at least two"));
    }
    SECTION("another definition of a quantity")
    {
        other(nothing);
        history::Database::open(west, history::Database::Access::write)
            .value()
            .execute("UPDATE counter SET version = 2 WHERE id = 1")
            .value();
        CHECK_THAT(refusal({ east, west }, file), ContainsSubstring("in another version"));
    }
    SECTION("a run that has not ended")
    {
        auto writer = history::RecordingWriter::create(
            west, sampleHeader(RunId::parse("20261121-140305-0002").value()), sampleSeries())
                          .value();
        CHECK_THAT(refusal({ east, west }, file), ContainsSubstring("has not ended"));
    }
    SECTION("a file that is there stays")
    {
        other(nothing);
        writeSample(file, 3);
        const std::vector<std::filesystem::path> parts { east, west };
        CHECK_FALSE(mergeRecordings(parts, file));
        CHECK(history::checkRecording(file));
    }
}
