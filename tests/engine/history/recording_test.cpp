// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/archive.h"
#include "history/recording_reader.h"
#include "sample_run.h"
#include "support/catch.h"

#include <loadstone/histogram.h>

#include <cmath>
#include <limits>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

constexpr TimeWindow kAll { 0s, 100h };
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

history::RecordingWriter newSample(const std::filesystem::path& file)
{
    return history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
}

Histogram expectedLatencies(std::uint32_t id, std::uint64_t first, std::uint64_t last)
{
    Histogram expected;
    for (std::uint64_t number = first; number < last; ++number)
        for (const auto& [histogram, bytes] : sampleTick(number).histograms)
            if (histogram == id)
                expected.mergeEncoded(bytes).value();
    return expected;
}

} // namespace

TEST_CASE("a recording gives back what was written, hot or sealed", "[recording]")
{
    const auto ticks = GENERATE(std::uint64_t { 0 }, 1, 299, 1261, 2461);
    const bool finished = GENERATE(false, true);
    CAPTURE(ticks, finished);
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    for (std::uint64_t number = 0; number < ticks; ++number)
        writer.append(sampleTick(number)).value();
    if (finished)
        writer.finish({}).value();

    const auto recording = Recording::open(file).value();
    CHECK(recording.header() == sampleHeader());
    REQUIRE(recording.ticks() == ticks);
    CHECK(recording.length() == ticks * 1'000'000'000ns);
    std::vector<std::vector<CounterPoint>> points;
    for (std::uint32_t id = 0; id < 5; ++id) {
        points.push_back(recording.counter(id, kAll).value());
        REQUIRE(points[id].size() == ticks);
    }
    for (std::uint64_t number = 0; number < ticks; ++number) {
        const metrics::Tick tick = sampleTick(number);
        for (std::uint32_t id = 0; id < 5; ++id)
            REQUIRE(points[id][number] == CounterPoint { tick.end, tick.values[id] });
    }
    for (std::uint32_t id = 0; id < 4; ++id)
        CHECK(recording.latency(id, kAll).value() == expectedLatencies(id, 0, ticks).summary());
}

TEST_CASE("any window's latencies are those of the ticks that end in it", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    for (std::uint64_t number = 0; number < 1500; ++number)
        writer.append(sampleTick(number)).value();
    const auto recording = Recording::open(file).value();
    // Within a chunk, over several, over the sealed ones' end, in the hot tail, and empty ones.
    const std::pair<std::uint64_t, std::uint64_t> windows[] = { { 0, 300 }, { 10, 20 }, { 299, 301 },
        { 100, 1000 }, { 600, 1250 }, { 1199, 1201 }, { 1300, 1400 }, { 250, 1500 }, { 7, 7 },
        { 5000, 6000 } };
    for (const auto& [first, last] : windows) {
        CAPTURE(first, last);
        const TimeWindow window { first * 1'000'000'000ns, last * 1'000'000'000ns };
        for (const std::uint32_t id : { 0U, 2U })
            CHECK(recording.latency(id, window).value()
                == expectedLatencies(id, first, std::min<std::uint64_t>(last, 1500)).summary());
        // A tick belongs to the window that its end lies in.
        const TimeWindow shifted { window.begin - 1ns, window.end - 1ns };
        if (first > 0 && last <= 1500)
            CHECK(
                recording.latency(0, shifted).value() == expectedLatencies(0, first - 1, last - 1).summary());
    }
}

TEST_CASE("a missing value stays missing, and counts are shown per second of their tick", "[recording]")
{
    const bool sealed = GENERATE(false, true);
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    metrics::Tick tick = sampleTick(0);
    tick.end = 500ms;
    tick.values = { 10, kMissing, 0, 0, 4 };
    writer.append(tick).value();
    tick = sampleTick(1);
    tick.begin = 500ms;
    tick.values = { 30 }; // all others are missing
    writer.append(tick).value();
    if (sealed)
        writer.finish({}).value();
    const auto recording = Recording::open(file).value();
    CHECK(recording.counter(0, kAll).value() == std::vector<CounterPoint> { { 500ms, 20.0 }, { 2s, 20.0 } });
    CHECK(std::isnan(recording.counter(1, kAll).value()[0].value));
    CHECK(std::isnan(recording.counter(4, kAll).value()[1].value));
    const auto rates = recording.counterStatistics(0, kAll).value();
    CHECK(rates.average == 20.0);
    CHECK(rates.duration == 2s);
    const auto levels = recording.counterStatistics(4, kAll).value();
    CHECK(levels.samples == 1);
    CHECK(levels.last == 4.0);
    CHECK(levels.average == 4.0);
    const auto none = recording.counterStatistics(1, kAll).value();
    CHECK(none.samples == 0);
    CHECK(std::isnan(none.average));
    CHECK(std::isnan(none.last));
}

TEST_CASE("a thinned curve keeps the extremes and the average", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    constexpr std::uint64_t kTicks = 3000; // two chunks and a hot tail
    for (std::uint64_t number = 0; number < kTicks; ++number) {
        metrics::Tick tick = sampleTick(number);
        tick.histograms.clear();
        tick.values[4] = number == 777 ? 1e6 / 3
            : number == 2900           ? -5.5
                                       : 100.0 + static_cast<double>(number % 7);
        writer.append(tick).value();
    }
    const auto recording = Recording::open(file).value();
    const auto check = [&](TimeWindow window, std::size_t most) {
        CAPTURE(most, window.begin, window.end);
        const auto bands = recording.counterBands(4, window, most).value();
        const auto statistics = recording.counterStatistics(4, window).value();
        REQUIRE_FALSE(bands.empty());
        CHECK(bands.size() <= most);
        double minimum = bands[0].minimum;
        double maximum = bands[0].maximum;
        double sum = 0;
        for (std::size_t i = 0; i < bands.size(); ++i) {
            if (i > 0)
                CHECK(bands[i].begin == bands[i - 1].end);
            minimum = std::min(minimum, bands[i].minimum);
            maximum = std::max(maximum, bands[i].maximum);
            sum += bands[i].average * seconds(bands[i].end - bands[i].begin);
        }
        // Extremes come from single precision, rounded outward.
        CHECK(minimum == Approx(statistics.minimum).epsilon(1e-6));
        CHECK(minimum <= statistics.minimum);
        CHECK(maximum == Approx(statistics.maximum).epsilon(1e-6));
        CHECK(maximum >= statistics.maximum);
        CHECK(sum / seconds(statistics.duration) == Approx(statistics.average).epsilon(1e-6));
        CHECK(bands.back().end - bands.front().begin == statistics.duration);
    };
    for (const std::size_t most : { 1U, 2U, 10U, 25U, 100U, 3000U, 5000U })
        for (const TimeWindow window : { kAll, { 100s, 2950s }, { 770s, 780s }, { 2850s, 2901s } })
            check(window, most);
}

TEST_CASE("a latency curve has one percentile per stretch and gaps where nothing was measured", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    for (std::uint64_t number = 0; number < 2000; ++number) {
        metrics::Tick tick = sampleTick(number);
        if (number >= 20 && number < 30)
            tick.histograms.clear();
        writer.append(tick).value();
    }
    const auto recording = Recording::open(file).value();
    const auto curve = recording.latencyCurve(0, 95, { 0s, 60s }, 10s).value();
    REQUIRE(curve.size() == 6);
    CHECK(curve[0].at == 10s);
    CHECK(curve[0].value == seconds(expectedLatencies(0, 0, 10).percentile(95)));
    CHECK(std::isnan(curve[2].value));
    CHECK(curve[5].value == seconds(expectedLatencies(0, 50, 60).percentile(95)));
    CHECK(recording.latencyCurve(2, 50, { 0s, 4s }, 1s).value().size() == 4);
    // Long stretches are made from sums and come to the same.
    const auto coarse = recording.latencyCurve(1, 99, { 100s, 2000s }, 950s).value();
    REQUIRE(coarse.size() == 2);
    CHECK(coarse[0].value == seconds(expectedLatencies(1, 100, 1050).percentile(99)));
    CHECK(coarse[1].value == seconds(expectedLatencies(1, 1050, 2000).percentile(99)));
}

TEST_CASE(
    "a latency curve rises with the wait where a server stands still, and is that of what ended elsewhere",
    "[recording]")
{
    const TemporaryFolder folder;
    RunHeader header = sampleHeader();
    const auto series = [](LatencyClock clock) {
        return histogramOf({ Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage), clock },
            LatencyScope::action);
    };
    header.histograms = { series(LatencyClock::response), series(LatencyClock::age) };
    header.histograms[1].id = 1;
    auto writer = history::RecordingWriter::create(folder.path("run"), header, sampleSeries()).value();
    // 40 end in each second after 100 ms, 4 are under way at its end. From 20 s on nothing ends until 32 s; at 40 s all is over but one
    // action that began a moment ago.
    for (std::uint64_t number = 0; number < 50; ++number) {
        metrics::Tick tick = sampleTick(number);
        tick.histograms.clear();
        Histogram ended, ages;
        const bool stands = number >= 20 && number < 32;
        if (stands) {
            for (std::uint64_t wait = 0; wait <= number - 20; ++wait)
                ages.record(1s * wait + 500ms, 40);
        } else if (number < 40) {
            ended.record(100ms, 40);
            ages.record(50ms, 4);
        } else {
            ages.record(20ms);
        }
        if (!ended.empty())
            tick.histograms.emplace_back(0, ended.encode());
        tick.histograms.emplace_back(1, ages.encode());
        writer.append(tick).value();
    }
    const auto recording = Recording::open(folder.path("run")).value();
    const auto valueOf = [&](double percentile, Nanoseconds stretch, std::size_t at) {
        return recording.latencyCurve(0, percentile, { 0s, 50s }, stretch).value().at(at).value;
    };
    CHECK(valueOf(50, 1s, 10) == Approx(0.1).epsilon(0.01)); // younger ones do not make it smaller
    CHECK(valueOf(95, 1s, 10) == Approx(0.1).epsilon(0.01));
    CHECK(std::isnan(valueOf(95, 1s, 20))); // what began in this second says nothing yet
    CHECK(valueOf(95, 1s, 25) == Approx(5.5).epsilon(0.01));
    CHECK(valueOf(50, 1s, 31) == Approx(5.5).epsilon(0.1));
    CHECK(valueOf(95, 1s, 35) == Approx(0.1).epsilon(0.01));
    CHECK(std::isnan(valueOf(95, 1s, 45)));
    // A stretch in which some ended before the standstill.
    CHECK(valueOf(95, 10s, 1) == Approx(0.1).epsilon(0.01));
    CHECK(valueOf(95, 15s, 1) == Approx(9.5).epsilon(0.1));
    // The ages themselves are a series like any other.
    CHECK(recording.latencyCurve(1, 95, { 0s, 50s }, 1s).value().at(25).value == Approx(5.5).epsilon(0.01));
}

TEST_CASE(
    "each stretch has the merged latencies of its ticks, and an empty histogram where nothing was measured",
    "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    for (std::uint64_t number = 0; number < 2000; ++number) {
        metrics::Tick tick = sampleTick(number);
        if (number >= 20 && number < 30)
            tick.histograms.clear();
        writer.append(tick).value();
    }
    const auto recording = Recording::open(file).value();
    std::vector<TimeWindow> windows;
    std::vector<Histogram> found;
    const auto keep = [&](TimeWindow window, const Histogram& latencies) {
        windows.push_back(window);
        found.push_back(latencies);
    };
    recording.eachStretch(0, { 0s, 60s }, 10s, keep).value();
    REQUIRE(found.size() == 6);
    CHECK(windows[5] == TimeWindow { 50s, 60s });
    CHECK(found[0] == expectedLatencies(0, 0, 10));
    CHECK(found[2].empty());
    found.clear();
    recording.eachStretch(1, { 100s, 2000s }, 950s, keep).value(); // from sums
    REQUIRE(found.size() == 2);
    CHECK(found[1] == expectedLatencies(1, 1050, 2000));
    CHECK_FALSE(recording.eachStretch(999, { 0s, 60s }, 10s, keep));
}

TEST_CASE("a reader follows a recording while it grows", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    auto recording = Recording::open(file).value();
    CHECK(recording.state() == RunState::preparing);
    CHECK_FALSE(recording.refresh().value());
    writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1h, true }).value();
    CHECK(recording.refresh().value());
    CHECK(recording.state() == RunState::running);
    REQUIRE(recording.phases().size() == 1);
    CHECK(recording.phases()[0].open);
    // One reader looks at every tick, the other seldom: ticks get sealed between two looks.
    auto seldom = Recording::open(file).value();
    for (std::uint64_t number = 0; number < 2600; ++number) {
        writer.append(sampleTick(number)).value();
        REQUIRE(recording.refresh().value());
        REQUIRE(recording.ticks() == number + 1);
        if (number % 1259 == 1258) {
            REQUIRE(seldom.refresh().value());
            REQUIRE(seldom.counter(4, kAll).value() == recording.counter(4, kAll).value());
            REQUIRE(seldom.latency(3, kAll).value() == expectedLatencies(3, 0, number + 1).summary());
        }
    }
    CHECK_FALSE(recording.refresh().value());
    writer.finish({}).value();
    CHECK(recording.refresh().value());
    CHECK(recording.state() == RunState::finished);
    CHECK(recording.latency(3, kAll).value() == expectedLatencies(3, 0, 2600).summary());
}

TEST_CASE("a recording reads as interrupted as soon as its writer is gone", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto recording = [&] {
        auto writer = newSample(file);
        writer.append(sampleTick(0)).value();
        auto open = Recording::open(file).value();
        CHECK(open.state() == RunState::preparing);
        return open;
    }();
    CHECK(recording.refresh().value());
    CHECK(recording.state() == RunState::interrupted);
    CHECK_FALSE(recording.refresh().value());
    CHECK(Recording::open(file).value().state() == RunState::interrupted);
}

TEST_CASE("remarks are appended while the run goes on and afterwards", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    writer.append(sampleTick(0)).value();
    auto recording = Recording::open(file).value();
    const Annotation mark { WallTime(1'795'269'999s), AnnotationKind::mark, "switched the cache off", 500ms };
    history::addAnnotation(file, mark).value();
    CHECK(recording.refresh().value());
    writer.append(sampleTick(1)).value();
    writer.finish({}).value();
    const Annotation note { WallTime(1'795'270'000s), AnnotationKind::note, "seen", 0s };
    history::addAnnotation(file, note).value();
    CHECK(recording.annotations().value() == std::vector<Annotation> { mark, note });
    CHECK(Recording::open(file).value().ticks() == 2);
}

TEST_CASE("events, transcripts and errors come back, errors by window", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    const RunEvent event { 3s, Severity::error, "the target went away" };
    const Transcript transcript { 2s, 0, "SMTP RCPT", FailureKind::permanentReply,
        "C: RCPT TO:<a@b>\r\nS: 550 no\r\n" };
    writer.addEvent(event).value();
    writer.addTranscript(transcript).value();
    for (std::uint64_t number = 0; number < 40; ++number)
        writer.append(sampleTick(number)).value();
    const auto recording = Recording::open(file).value();
    CHECK(recording.events().value() == std::vector<RunEvent> { event });
    CHECK(recording.transcripts().value() == std::vector<Transcript> { transcript });
    CHECK(recording.errors({ 10s, 30s }).value()
        == std::vector<ErrorRow> { { "Send message", FailureKind::permanentReply, 550, 6, "no such mailbox" },
            { "POP3 PASS", FailureKind::timeout, 0, 4, "" } });
    CHECK(recording.errors({ 6s, 15s }).value().empty());
}

TEST_CASE(
    "what is about one of several targets is shown for it alone and for all, and is never taken apart by "
    "its text",
    "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    history::ResultSeries series = sampleSeries();
    series.targets = { { "East", series.mixes }, { "West", series.mixes } };
    auto writer = history::RecordingWriter::create(file, sampleHeader(), series).value();
    // Texts that look as if they were of a target are texts.
    const RunEvent ofAll { 1s, Severity::info, "West: begins", "" };
    const RunEvent ofEast { 2s, Severity::error, "West: is away", "East" };
    const Transcript transcript { 2s, 0, "West: SMTP", FailureKind::timeout, "C: EHLO", "East" };
    writer.addEvent(ofAll).value();
    writer.addEvent(ofEast).value();
    writer.addTranscript(transcript).value();
    metrics::Tick tick = sampleTick(0);
    tick.errors = { { "Send message", FailureKind::timeout, 0, 2, "late", "East" },
        { "Send message", FailureKind::timeout, 0, 3, "late", "West" } };
    writer.append(tick).value();
    history::RunEnd end;
    end.audited = true;
    end.targetAudits.resize(2);
    end.exceptions = { { AuditFinding::lost, "abc", "u7", 1s, "gone", "East" } };
    end.invalidReasons = { { "East: the program was slow" }, { "the server ended", "West" } };
    writer.finish(end).value();

    const auto endOf = [](const Recording& recording) { return history::readerOf(recording).end().value(); };
    const auto whole = Recording::open(file).value();
    CHECK(whole.events().value() == std::vector<RunEvent> { ofAll, ofEast });
    CHECK(whole.transcripts().value() == std::vector<Transcript> { transcript });
    CHECK(whole.errors(kAll).value()
        == std::vector<ErrorRow> { { "Send message", FailureKind::timeout, 0, 2, "late", "East" },
            { "Send message", FailureKind::timeout, 0, 3, "late", "West" } });
    CHECK(endOf(whole).exceptions == end.exceptions);
    CHECK(endOf(whole).invalidReasons == end.invalidReasons);

    // Of one target, what is about it reads as in a run on it alone.
    const auto east = Recording::open(file, "East").value();
    const auto unnamed = [](auto row) {
        row.target.clear();
        return row;
    };
    CHECK(east.events().value() == std::vector<RunEvent> { ofAll, unnamed(ofEast) });
    CHECK(east.transcripts().value() == std::vector<Transcript> { unnamed(transcript) });
    CHECK(east.errors(kAll).value()
        == std::vector<ErrorRow> { { "Send message", FailureKind::timeout, 0, 2, "late" } });
    CHECK(endOf(east).exceptions == std::vector<AuditException> { unnamed(end.exceptions[0]) });
    CHECK(endOf(east).invalidReasons == std::vector<history::InvalidReason> { end.invalidReasons[0] });

    const auto west = Recording::open(file, "West").value();
    CHECK(west.events().value() == std::vector<RunEvent> { ofAll });
    CHECK(west.transcripts().value().empty());
    CHECK(west.errors(kAll).value()
        == std::vector<ErrorRow> { { "Send message", FailureKind::timeout, 0, 3, "late" } });
    CHECK(endOf(west).exceptions.empty());
    CHECK(endOf(west).invalidReasons
        == std::vector<history::InvalidReason> { end.invalidReasons[0], { "the server ended" } });

    const auto copy = folder.path("copy.loadstone");
    history::copyRecording(file, copy, false).value();
    CHECK(Recording::open(copy, "East").value().errors(kAll).value() == east.errors(kAll).value());
    CHECK(history::checkRecording(copy));
}

TEST_CASE("a writer refuses what would not read back", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = newSample(file);
    writer.append(sampleTick(0)).value();
    CHECK_FALSE(writer.append(sampleTick(0)));
    CHECK_FALSE(writer.append(sampleTick(2)));
    metrics::Tick tick = sampleTick(1);
    SECTION("time that goes back")
    {
        tick.begin = 0s;
    }
    SECTION("a negative length")
    {
        tick.end = 1s - 1ns;
    }
    SECTION("too many values")
    {
        tick.values.resize(6);
    }
    SECTION("an unknown histogram")
    {
        tick.histograms.back().first = 4;
    }
    SECTION("histograms out of order")
    {
        std::swap(tick.histograms[0], tick.histograms[1]);
    }
    SECTION("a damaged histogram")
    {
        tick.histograms[0].second = "\1\2\3";
    }
    CHECK_FALSE(writer.append(tick));
    writer.append(sampleTick(1)).value(); // no harm was done
    writer.finish({}).value();
    CHECK_FALSE(writer.append(sampleTick(2)));
    CHECK(Recording::open(file).value().ticks() == 2);
}

TEST_CASE("no two writers share a recording", "[recording]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    {
        const auto writer = newSample(file);
        const auto second = history::RecordingWriter::create(file, sampleHeader(), sampleSeries());
        REQUIRE_FALSE(second);
        CHECK(second.error().message.find("another program") != std::string::npos);
    }
    CHECK_FALSE(history::RecordingWriter::create(file, sampleHeader(), sampleSeries())); // the file is there
}
