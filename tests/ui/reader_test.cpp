// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_feed.h"
#include "run/view/run_reader.h"
#include "run/view/usual_lines.h"
#include "run/view/whole_extents.h"
#include "run/view/window_bar.h"
#include "support/catch.h"
#include "support/demo_recording.h"
#include "support/program.h"

#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <tuple>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;

namespace {

constexpr int kWait = 10000; // ms; reached only when something is broken

/// Two mixes of 24 s each, with all their phases: 87 s in all.
test::DemoRecording smallDemo()
{
    test::DemoRecording demo;
    demo.mixes = 2;
    demo.measurementSeconds = 24;
    return demo;
}

/// The same finished recording for every case that only reads.
std::filesystem::path finishedDemo()
{
    static const test::ScratchFolder folder;
    static const auto id = smallDemo().write(folder.path());
    REQUIRE(id.has_value());
    return folder.path() / (id->text() + ".loadstone");
}

const LineKey kSent { Quantity::messagesSent };
const LineKey kSendP95 {
    { Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage), LatencyClock::response }, 95
};

std::shared_ptr<const RunView> viewOf(RunReader& reader, const RunQuery& query)
{
    const auto view = reader.read(query);
    REQUIRE(view);
    return *view;
}

} // namespace

TEST_CASE("the reader gives lines, tables and results of a whole run")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { kSent, kSendP95, { SeriesKey(Quantity::messagesSent, Subject::ofVolume("none")) } };
    query.commands = true;
    const auto view = viewOf(reader, query);
    CHECK(view->state == RunState::finished);
    CHECK_FALSE(view->growing());
    REQUIRE(view->lines.size() == 3);
    CHECK(view->lines[0].found);
    CHECK(view->lines[0].statistics.samples == static_cast<std::uint64_t>(view->length / Seconds(1)));
    CHECK(view->lines[0].statistics.maximum > 10);
    CHECK(view->lines[1].bands.size() > 5);
    CHECK(view->lines[1].bands.front().average > 10); // milliseconds
    CHECK_FALSE(view->lines[2].found);
    REQUIRE(view->results);
    CHECK(view->results->mixes.size() == 2);
    CHECK(view->latencies.size() > 8);
    CHECK_FALSE(view->errors.empty());
    CHECK(view->figures.errors > 0);
}

TEST_CASE("nothing new gives no view, another query gives one")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { kSent };
    CHECK(viewOf(reader, query) != nullptr);
    CHECK(viewOf(reader, query) == nullptr);
    query.until = Seconds(20);
    CHECK(viewOf(reader, query) != nullptr);
}

TEST_CASE("a reading that failed is made up for by the next one, though the recording has nothing new")
{
    const test::ScratchFolder folder;
    const auto id = smallDemo().write(folder.path());
    REQUIRE(id);
    const auto file = folder.path() / (id->text() + ".loadstone");
    RunReader reader;
    REQUIRE(reader.open(file));
    CHECK(viewOf(reader, {}) != nullptr);
    const std::filesystem::path journal = file.string() + "-journal";
    std::ofstream(journal) << "of a writer that was cut off"; // only who may write can take its changes back
    CHECK(reader.read({}).has_error());
    std::filesystem::remove(journal);
    CHECK(viewOf(reader, {}) != nullptr);
    CHECK(viewOf(reader, {}) == nullptr);
}

TEST_CASE("a percentile's curve stays as it is while the chart is panned")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { kSendP95 };
    std::map<Nanoseconds, double> values; // by the stretch's end
    for (const int begin : { 10, 11, 13 }) {
        query.visible = { Seconds(begin), Seconds(begin + 50) };
        const auto view = viewOf(reader, query);
        const auto& bands = view->lines[0].bands;
        REQUIRE(bands.size() > 5);
        CHECK(bands[0].end <= Seconds(begin)); // the line comes in from there
        CHECK(bands[1].end > Seconds(begin));
        for (std::size_t i = 0; i + 1 < bands.size(); ++i) { // the last stretch goes on
            CHECK(bands[i].end % Seconds(5) == Nanoseconds(0));
            CHECK(values.emplace(bands[i].end, bands[i].average).first->second == bands[i].average);
        }
    }
}

TEST_CASE("a percentile's figures are of the whole statistics window, wherever the chart looks")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { kSendP95 };
    query.statistics = { Seconds(10), Seconds(30) };
    const auto figures = [&] {
        const auto s = viewOf(reader, query)->lines[0].statistics;
        CHECK(s.samples == 4); // of 5 s each
        return std::tuple(s.average, s.minimum, s.maximum);
    };
    const auto whole = figures();
    query.visible = { Seconds(40), Seconds(60) };
    CHECK(figures() == whole);
}

TEST_CASE("a percentile of a window is never below the run's smallest or above its largest")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { kSendP95 };
    const auto whole = viewOf(reader, query)->lines[0].statistics;
    for (int begin = 3; begin < 60; begin += 7) { // no window begins or ends with a stretch of 5 s
        query.statistics = { Seconds(begin), Seconds(begin + 18) };
        const auto part = viewOf(reader, query)->lines[0].statistics;
        CHECK(part.samples > 1);
        CHECK(part.minimum >= whole.minimum);
        CHECK(part.maximum <= whole.maximum);
    }
    query.statistics = { Seconds(7), Seconds(20) }; // points with half of their 5 s or more in it
    CHECK(viewOf(reader, query)->lines[0].statistics.samples == 3);
    query.statistics = { Seconds(11), Seconds(13) }; // none has: what there is
    CHECK(viewOf(reader, query)->lines[0].statistics.samples == 1);
}

TEST_CASE("what a percentile's line reaches at the end of a run is in its figures")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    for (const std::optional<Nanoseconds> until :
        { std::optional<Nanoseconds>(), std::optional<Nanoseconds>(Seconds(58)) }) {
        RunQuery query;
        query.lines = { kSendP95 };
        query.until = until;
        const auto view = viewOf(reader, query);
        REQUIRE(view->shown % Seconds(5) != Nanoseconds(0)); // its end cuts a stretch
        const auto& drawn = view->lines[0].bands;
        const auto& figures = view->lines[0].statistics;
        const auto byValue = [](const CounterBand& a, const CounterBand& b) { return a.average < b.average; };
        CHECK(figures.maximum == std::ranges::max_element(drawn, byValue)->average);
        CHECK(figures.minimum == std::ranges::min_element(drawn, byValue)->average);
        CHECK(figures.last == drawn.back().average);
    }
}

TEST_CASE("as planned is the test under load, also where a checksum comes after it")
{
    RunView view;
    view.shown = Seconds(100);
    const auto measured = [](std::int32_t mix, int begin, int end) {
        return Phase { 0, mix, "test", PhaseKind::measurement, Seconds(begin), Seconds(end), false };
    };
    view.phases = { measured(0, 10, 50), measured(1, 60, 90) };
    RunResults results;
    results.mixes.resize(2);
    results.mixes[1].mix = 1;
    results.mixes[0].storage.emplace();
    results.mixes[1].storage.emplace().kind = StorageResult::Kind::checksum;
    const auto windowOf = [&](WindowKind kind, const RunResults* of) {
        return windowWithin({ kind, {} }, view, of, { Seconds(0), Seconds(100) });
    };
    CHECK(windowOf(WindowKind::planned, &results) == TimeWindow { Seconds(10), Seconds(50) });
    CHECK(windowOf(WindowKind::lastMeasurement, &results) == TimeWindow { Seconds(60), Seconds(90) });
    CHECK(windowOf(WindowKind::planned, nullptr) == TimeWindow { Seconds(60), Seconds(90) });
    results.mixes.erase(results.mixes.begin()); // a checksum alone
    view.phases.erase(view.phases.begin());
    CHECK(windowOf(WindowKind::planned, &results) == TimeWindow { Seconds(60), Seconds(90) });
}

TEST_CASE("the words of a window that is not all measured say what each table has of it")
{
    RunView view;
    view.shown = Seconds(100);
    view.phases = { { 0, 0, "10 clients", PhaseKind::rampUp, Seconds(0), Seconds(20), false },
        { 1, 0, "10 clients", PhaseKind::measurement, Seconds(20), Seconds(80), false } };
    view.window = { Seconds(0), Seconds(100) }; // the whole run is what a query asks for that says nothing
    CHECK(windowWords(view, TabScope::oneWindow) == QStringLiteral("whole run, 01:40, measured or not"));
    CHECK(windowWords(view, TabScope::measurements)
        == QStringLiteral(
            "each mix over its measurement: what was measured of the chosen window (whole run, 01:40)"));
    view.query.window = { WindowKind::given, view.window };
    CHECK(windowWords(view, TabScope::measurements)
        == QStringLiteral(
            "00:20 to 01:20, 01:00 of measurement 1 (10 clients): what was measured of the chosen "
            "window (whole run, 01:40)"));
    view.errorWindow = view.window = { Seconds(30), Seconds(40) };
    CHECK(windowWords(view, TabScope::errors).startsWith(QStringLiteral("00:30 to 00:40")));
    CHECK(windowWords(view, TabScope::wholeRun)
        == QStringLiteral("whole run, 01:40: this tab follows no window"));
    CHECK(windowWords(view, TabScope::oneWindow) == windowWords(view, TabScope::measurements));
    view.window = { std::chrono::milliseconds(25'600), std::chrono::milliseconds(32'700) };
    CHECK(
        windowWords(view, TabScope::oneWindow).startsWith(QStringLiteral("00:25.6 to 00:32.7, 00:07.1 of ")));
}

TEST_CASE("a replay shows the run as it was: nothing later than its time")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { kSent, kSendP95 };
    query.until = Seconds(50); // in the second mix; the first is over
    const auto view = viewOf(reader, query);
    CHECK(view->shown == Seconds(50));
    for (const LineData& line : view->lines) {
        REQUIRE_FALSE(line.bands.empty());
        CHECK(line.bands.back().end <= Seconds(50));
    }
    REQUIRE_FALSE(view->phases.empty());
    CHECK(view->phases.back().end == Seconds(50));
    CHECK(view->phases.back().open);
    REQUIRE(view->results);
    REQUIRE(view->results->mixes.size() == 2); // the second as far as it had come, as the live page showed it
    CHECK(view->results->mixes[0].complete);
    CHECK_FALSE(view->results->mixes[1].complete);
    CHECK_FALSE(view->results->audit.has_value());
    REQUIRE(view->figures.phase.has_value());
    CHECK(view->figures.phase->mix == 1);
    CHECK(view->figures.sentPerSecond > 0);
}

TEST_CASE("a replay reads no value at a cursor that stands later than its time")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { kSent };
    query.until = Seconds(50);
    query.moments = { Seconds(40), Seconds(60) };
    const auto view = viewOf(reader, query);
    const auto& read = view->lines[0].read;
    REQUIRE(read.size() == 2);
    CHECK(read[0].value.known());
    CHECK_FALSE(read[1].value.known());
}

TEST_CASE("a percentile has its value at a cursor that is out of sight")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { LineKey::ofLatency(reader.header()->histograms[0], 95) };
    query.visible = { Seconds(0), Seconds(87) };
    const auto whole = viewOf(reader, query);
    const CounterBand& band = whole->lines[0].bands[whole->lines[0].bands.size() / 2];
    query.visible = { band.end + Seconds(20), band.end + Seconds(30) };
    query.moments = { band.end, query.visible.begin + Seconds(1), Seconds(1000) };
    const auto view = viewOf(reader, query);
    const auto& read = view->lines[0].read;
    REQUIRE(read.size() == 2); // what is in sight is in its bands
    CHECK(read[0].at == band.end);
    CHECK(read[0].value.known());
    CHECK(read[0].value.value == band.average);
    CHECK_FALSE(read[1].value.known());
}

TEST_CASE("samples of a source that come late count for what its line reaches")
{
    const std::vector<CounterBand> early { { Seconds(0), Seconds(90), 1, 5, 3 } };
    const CounterBand late { Seconds(90), Seconds(95), 40, 40, 40 };
    const auto highest = [&](const LineKey& key) {
        WholeExtents extents;
        bool came = false;
        const auto read = [&](TimeWindow window) -> Result<std::vector<CounterBand>> {
            std::vector<CounterBand> bands = early;
            if (came)
                bands.push_back(late);
            std::erase_if(bands, [&](const CounterBand& b) { return b.end <= window.begin; });
            return bands;
        };
        REQUIRE(extents.of(key, Seconds(100), {}, read));
        came = true;
        return extents.of(key, Seconds(100), {}, read).value().value().maximum;
    };
    LineKey ofSource = kSent;
    ofSource.source = "log a.csv";
    CHECK(highest(ofSource) == 40);
    CHECK(highest(kSent) == 5); // the run's own samples are there in time
}

TEST_CASE("a burst in the drain does not make flat lines of the load")
{
    const auto highest = [](std::vector<CounterBand> bands) {
        Phase drain;
        drain.kind = PhaseKind::drain;
        drain.begin = drain.end = Seconds(40);
        drain.open = true; // as long as the run goes on
        WholeExtents extents;
        std::optional<double> last;
        for (const int length : { 40, 60 }) {
            const auto extent = extents.of(kSent, Seconds(length), { drain },
                [&](TimeWindow window) -> Result<std::vector<CounterBand>> {
                    std::vector<CounterBand> some = bands;
                    std::erase_if(some,
                        [&](const CounterBand& b) { return b.end <= window.begin || b.end > window.end; });
                    return some;
                });
            REQUIRE(extent);
            last = *extent ? std::optional((*extent)->maximum) : std::nullopt;
        }
        return last;
    };
    const CounterBand load { Seconds(0), Seconds(40), 1, 5, 3 },
        burst { Seconds(40), Seconds(45), 0, 900, 400 };
    CHECK(highest({ load, burst }) == 5.0);
    CHECK(highest({ burst }) == 900.0); // there is nothing else to see
}

TEST_CASE("missing samples are gaps, not zeros")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery query;
    query.lines = { { SeriesKey(Quantity::diskTransfers, Subject::ofDevice("sdb")) } };
    const auto view = viewOf(reader, query);
    const auto& bands = view->lines[0].bands;
    REQUIRE_FALSE(bands.empty());
    bool gap = false;
    for (std::size_t i = 1; i < bands.size(); ++i)
        gap = gap || bands[i].begin > bands[i - 1].end;
    CHECK(gap);
    CHECK(view->lines[0].statistics.minimum > 0);
}

TEST_CASE("the usual lines of a mail run are rates, sessions, processor and the actions that occur")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    const auto view = viewOf(reader, {});
    const auto keys = usualLines(*view->header, view->latencies);
    REQUIRE(keys.size() == 6);
    CHECK(keys[0] == kSent);
    CHECK(std::find(keys.begin(), keys.end(), kSendP95) != keys.end());
    CHECK(usualLines(*view->header, {}).size() == 4);
}

TEST_CASE("the usual lines of a storage run are those of its first group, once")
{
    RunHeader header;
    header.kind = RunKind::storage;
    const auto add = [&](Quantity quantity, Subject subject = {}) {
        header.counters.push_back(counterOf({ quantity, std::move(subject) }));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
    };
    for (const char* group : { "group-1", "group-2" })
        for (const Quantity quantity : { Quantity::databaseReads, Quantity::databaseWrites,
                 Quantity::logWrites, Quantity::logFilesBegun })
            add(quantity, Subject::ofGroup(group));
    add(Quantity::processorTime);
    const auto keys = usualLines(header, {});
    REQUIRE(keys.size() == 4);
    CHECK(keys[0] == LineKey::ofCounter(header.counters[0]));
    CHECK(keys[2] == LineKey::ofCounter(header.counters[2]));
    CHECK(keys[3] == LineKey::ofCounter(header.counters.back()));
}

TEST_CASE("stretches of a latency curve are at least five seconds and few enough")
{
    CHECK(latencyStretch({ Seconds(0), Seconds(180) }, 240) == Seconds(5));
    CHECK(latencyStretch({ Seconds(0), Seconds(7200) }, 240) == Seconds(30));
    CHECK(latencyStretch({ Seconds(0), Seconds(30 * 86400) }, 240) == std::chrono::hours(3));
}

TEST_CASE("a tick is read once: results that wait for their time do not make the rest be read again")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), smallDemo());
    REQUIRE(writer);
    REQUIRE(writer->tick());
    RunReader reader;
    REQUIRE(reader.open(writer->file()));
    RunQuery query;
    query.lines = { kSent };
    const auto first = viewOf(reader, query);
    REQUIRE(first != nullptr);
    REQUIRE(writer->tick());
    const auto second = viewOf(reader, query);
    REQUIRE(second != nullptr);
    CHECK(second->length == Seconds(2));
    CHECK(second->transcripts == first->transcripts); // not read, so not copied
    CHECK(viewOf(reader, query) == nullptr);
}

TEST_CASE("a latency curve made from what was known is the curve that the recording gives")
{
    auto recording = Recording::open(finishedDemo());
    REQUIRE(recording);
    CurveCache cache;
    const auto& histograms = recording->header().histograms;
    const auto series = std::find_if(histograms.begin(), histograms.end(),
        [](const HistogramInfo& h) { return h.name == "Send message" && h.clock == LatencyClock::response; });
    REQUIRE(series != histograms.end());
    // Growing, scrubbed back, zoomed, and once more.
    const TimeWindow windows[] = { { Seconds(0), Seconds(3) }, { Seconds(0), Seconds(7) },
        { Seconds(0), Seconds(40) }, { Seconds(0), Seconds(41) }, { Seconds(0), Seconds(12) },
        { Seconds(0), Seconds(80) }, { Seconds(13), Seconds(60) }, { Seconds(13), Seconds(61) },
        { Seconds(0), Seconds(87) }, // panned to and fro, and far away
        { Seconds(40), Seconds(70) }, { Seconds(30), Seconds(60) }, { Seconds(50), Seconds(83) },
        { Seconds(0), Seconds(20) }, { Seconds(10), Seconds(32) }, { Seconds(20), Seconds(24) } };
    for (const Nanoseconds stretch : { Seconds(5), Seconds(10) })
        for (const TimeWindow window : windows) {
            INFO(seconds(window.begin) << " to " << seconds(window.end) << " by " << seconds(stretch));
            const auto expected = recording->latencyCurve(series->id, 95, window, stretch);
            const auto found = cache.read(*recording, series->id, 95, window, stretch);
            REQUIRE(expected);
            REQUIRE(found);
            REQUIRE(found->size() == expected->size());
            for (std::size_t i = 0; i < found->size(); ++i) {
                CHECK((*found)[i].at == (*expected)[i].at);
                const double a = (*found)[i].value, b = (*expected)[i].value;
                CHECK((a == b || (std::isnan(a) && std::isnan(b))));
            }
        }
}

TEST_CASE("a feed follows a recording while it grows, to its end")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), smallDemo());
    REQUIRE(writer);
    REQUIRE(writer->tick());
    RunFeed feed;
    std::shared_ptr<const RunView> last;
    QObject::connect(&feed, &RunFeed::changed, [&](auto view) { last = view; });
    QSignalSpy changes(&feed, &RunFeed::changed);
    feed.open(writer->file());
    REQUIRE(changes.wait(kWait));
    CHECK(last->growing());
    CHECK(last->length == Seconds(1));
    for (bool more = true; more;) {
        const auto tick = writer->tick();
        REQUIRE(tick);
        more = *tick;
    }
    REQUIRE(writer->finish());
    for (int i = 0; i < 20 && last->growing(); ++i)
        REQUIRE(changes.wait(kWait));
    CHECK(last->state == RunState::finished);
    CHECK(last->length > Seconds(60));
}

TEST_CASE("a feed answers the latest question when several come at once")
{
    RunFeed feed;
    std::shared_ptr<const RunView> last;
    QObject::connect(&feed, &RunFeed::changed, [&](auto view) { last = view; });
    QSignalSpy changes(&feed, &RunFeed::changed);
    feed.open(finishedDemo());
    REQUIRE(changes.wait(kWait));
    const auto before = changes.count();
    for (int t = 10; t <= 40; ++t) {
        RunQuery query;
        query.until = Seconds(t);
        feed.setQuery(query);
    }
    for (int i = 0; i < 5 && last->shown != Seconds(40); ++i)
        REQUIRE(changes.wait(kWait));
    CHECK(last->shown == Seconds(40));
    CHECK(changes.count() - before <= 3); // the one under way and the last; never thirty
}

TEST_CASE("a feed says what is wrong with a file that is no recording, and forgets a closed one")
{
    const test::ScratchFolder folder;
    RunFeed feed;
    QSignalSpy failures(&feed, &RunFeed::failed), changes(&feed, &RunFeed::changed);
    feed.open(folder.path() / "nothing.loadstone");
    REQUIRE(failures.wait(kWait));
    CHECK_FALSE(failures.first().first().toString().isEmpty());
    feed.open(finishedDemo());
    feed.close(); // before the answer
    feed.open(folder.path() / "nothing.loadstone");
    REQUIRE(failures.wait(kWait));
    CHECK(changes.count() == 0);
}

namespace {

/// What everybody who judges the finished run says of it, without its header.
struct Told {
    RunResults results;
    RunVerdict verdict;
    bool met = false;
    std::size_t criteria = 0;
    bool operator==(const Told&) const = default;
};

Told toldOf(const std::filesystem::path& file)
{
    const auto recording = Recording::open(file).value();
    const Judgement judgement = judge(recording).value();
    std::size_t criteria = judgement.wholeRun.size();
    for (const MixJudgement& mix : judgement.mixes)
        criteria += mix.criteria.size();
    return { computeResults(recording).value(), verdictOf(recording).value(), judgement.met(), criteria };
}

} // namespace

TEST_CASE("a log that is attached after the run is drawn at its offset, and nothing that is said of the run "
          "changes")
{
    const test::ScratchFolder folder;
    const auto id = smallDemo().write(folder.path()).value();
    const auto file = folder.path() / (id.text() + ".loadstone");
    const Told before = toldOf(file);
    RunReader reader;
    REQUIRE(reader.open(file));
    RunQuery query;
    query.lines = { kSent };
    const auto own = viewOf(reader, query);
    const auto ownLines = linesOf(*own->header, *own->sources);

    // Exchange's object is called as one of ours.
    SourceFacts facts { "log /logs/ex:1.csv", "EX", {}, Seconds(0), {}, {} };
    facts.counters = { counterOf(
        ForeignCounter { "EX", "Database", "Information Store", "Log Record Stalls/sec" }) };
    std::vector<SourceTick> ticks;
    for (int i = 0; i < 4; ++i)
        ticks.push_back({ Seconds(15 * i), Seconds(15 * (i + 1)), { 10.0 * (i + 1) } });
    REQUIRE(attachSource(file, facts, ticks));
    REQUIRE(moveSource(file, 1, Seconds(20)));

    auto view = viewOf(reader, query);
    const auto lines = linesOf(*view->header, *view->sources);
    REQUIRE(lines.size() == ownLines.size() + 1);
    const LineInfo& offered = lines.back();
    CHECK(offered.computer == "EX");
    CHECK(offered.object == "Database (log /logs/ex:1.csv)");
    CHECK(offered.source == "log /logs/ex:1.csv");
    CHECK(offered.key.name() == R"(\\EX\Database(Information Store)\Log Record Stalls/sec)");
    CHECK(LineKey::parse(offered.key.text()) == offered.key);
    // As a counter of the run there is no such one, and what the run has is drawn as before.
    query.lines = { offered.key, kSent, { offered.key.series } };
    view = viewOf(reader, query);
    REQUIRE(view->lines[0].bands.size() == 4);
    CHECK(view->lines[0].bands[0] == CounterBand { Seconds(20), Seconds(35), 10, 10, 10 });
    CHECK(view->lines[0].bands[3] == CounterBand { Seconds(65), Seconds(80), 40, 40, 40 });
    CHECK(view->lines[0].statistics.average == Approx(25));
    CHECK(view->lines[1].bands == own->lines[0].bands);
    CHECK_FALSE(view->lines[2].found);
    CHECK(usualLines(*view->header, view->latencies) == usualLines(*own->header, own->latencies));

    REQUIRE(moveSource(file, 1, Seconds(40))); // the run ends within the last sample
    query.overview = offered.key;
    view = viewOf(reader, query);
    CHECK(view->lines[0].bands.back().end == Seconds(100));
    CHECK(view->overview.back().end == Seconds(85));
    REQUIRE(moveSource(file, 1, Seconds(-15)));
    view = viewOf(reader, query);
    REQUIRE(view->lines[0].bands.size() == 3); // the first one was before the run began
    CHECK(view->lines[0].bands[0] == CounterBand { Seconds(0), Seconds(15), 20, 20, 20 });
    CHECK(toldOf(file) == before);
    CHECK(*view->results == *own->results);
}
