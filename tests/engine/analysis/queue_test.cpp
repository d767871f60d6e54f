// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The time until a queue builds up.
#include "analysis/curves/build_up.h"
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/results.h>
#include <loadstone/source.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr TimeWindow kSearched { 1h, 3h };

/// A sample a minute, of which each is what `valueAt` gives for minutes since the ramp-up's end.
template <class ValueAt>
BuildUp after(ValueAt valueAt, double limit = 50)
{
    std::vector<CounterPoint> points;
    for (int minute = -5; minute <= 120; ++minute)
        points.push_back({ kSearched.begin + minute * 1min, valueAt(minute) });
    return analysis::buildUpOf(points, kSearched, limit, 2min);
}

/// Hours after the ramp-up at which the queue of each mix begins to grow; 0: it does not. Those of Exchange 5.5 in "Microsoft Exchange:
/// Scalability Testing" (eTesting Labs), figure 10, and one that bears its load.
constexpr std::array<double, 5> kGrows { 4.25, 3.25, 2.60, 1.75, 0 };
constexpr Nanoseconds kRampUp = 1h, kMeasurement = 5h + 30min, kRampDown = 30min, kTick = 10s;

/// A queue that is noisy all the time and has passing peaks, and grows by ten messages a second from some time on.
class NoisyQueue {
public:
    double at(double hours, double grows)
    {
        const double mean = 18 + (grows > 0 && hours > grows ? (hours - grows) * 3600 * 10 : 0);
        const bool peak = std::fmod(hours + 10, 0.9) < 0.02; // a minute and more above both limits
        return std::max(0.0, std::round(mean + (6 + 0.1 * mean) * m_normal(m_random) + (peak ? 3000 : 0)));
    }

private:
    std::mt19937_64 m_random { 5 };
    std::normal_distribution<double> m_normal;
};

/// Five mixes one after the other, and a log of the same queue on the server's clock, which is an hour and some seconds ahead.
void writeQueues(const std::filesystem::path& file)
{
    RunHeader header = sampleHeader();
    header.counters = { counterOf(Quantity::copiesOutstanding) };
    header.histograms.clear();
    history::ResultSeries series;
    for (std::size_t i = 0; i < kGrows.size(); ++i)
        series.mixes.push_back({ "mix " + std::to_string(i + 1), 100, 10, 3, kMeasurement });
    auto writer = history::RecordingWriter::create(file, header, series).value();
    SourceFacts log { "log ex55.csv", "EX55", {}, -1h - 7s, {}, {} };
    log.counters = { counterOf(ForeignCounter { "EX55", "MSExchangeIMC", "", "Queued Inbound" }) };
    std::vector<SourceTick> samples;
    NoisyQueue queue;
    Nanoseconds now {};
    std::uint32_t phase = 0;
    std::uint64_t number = 0;
    for (std::size_t mix = 0; mix < kGrows.size(); ++mix) {
        const Nanoseconds begin = now + kRampUp;
        for (const auto& [kind, length] :
            { std::pair { PhaseKind::rampUp, kRampUp }, std::pair { PhaseKind::measurement, kMeasurement },
                std::pair { PhaseKind::rampDown, kRampDown } }) {
            Phase one { phase, static_cast<std::int32_t>(mix), series.mixes[mix].name, kind, now,
                now + length, true };
            writer.putPhase(one).value();
            for (const Nanoseconds end = now + length; now < end;) {
                metrics::Tick tick;
                tick.number = number++;
                tick.phase = phase;
                tick.begin = now;
                tick.end = now += kTick;
                tick.values = { queue.at(seconds(now - begin) / 3600, kGrows.at(mix)) };
                if (number % 3 == 0) { // every 30 s
                    const Nanoseconds at = now - log.offset;
                    samples.push_back(
                        { at - 3 * kTick, at, { queue.at(seconds(now - begin) / 3600, kGrows.at(mix)) } });
                }
                writer.append(tick).value();
            }
            one.open = false;
            writer.putPhase(one).value();
            ++phase;
        }
    }
    writer.finish({}).value();
    attachSource(file, log, samples).value();
}

} // namespace

TEST_CASE("a queue is built up when it is above the limit and not at or below it again", "[queue]")
{
    using State = BuildUp::State;
    const BuildUp grows = after([](int minute) { return minute < 30 ? 20.0 : 51.0 + minute; });
    CHECK(grows.state == State::builtUp);
    CHECK(grows.after == 30min);
    CHECK(after([](int) { return 50.0; }).state == State::notWithinTest); // at the limit is not above it
    CHECK(after([](int) { return 50.0; }).after == 2h);

    const BuildUp recovers = after([](int minute) { return minute > 40 && minute < 60 ? 9000.0 : 20.0; });
    CHECK(recovers.state == State::notWithinTest);
    const BuildUp twice =
        after([](int minute) { return (minute > 40 && minute < 60) || minute >= 90 ? 9000.0 : 20.0; });
    CHECK(twice.after == 90min);
    const BuildUp dips = after([](int minute) { return minute == 119 ? 50.0 : 9000.0; });
    CHECK(dips.after == 2h);

    // What was above the limit when the ramp-up ended was built up by then.
    CHECK(after([](int) { return 70.0; }).after == 0s);
    CHECK(after([](int minute) { return minute <= 0 ? 20.0 : 70.0; }).after == 1min);
    CHECK(after([](int minute) { return 10.0 * minute; }, 1000).after == 101min);
}

TEST_CASE("where missing samples decide, nothing is told about a queue", "[queue]")
{
    using State = BuildUp::State;
    const auto missing = [](int from, int to, double before, double behind) {
        return after([=](int minute) {
            return minute >= from && minute <= to ? kMissing : minute < from ? before : behind;
        });
    };
    // It may have been below the limit meanwhile, or have grown then, or at the end.
    CHECK(missing(50, 60, 9000, 9000).state == State::cannotTell);
    CHECK_THAT(missing(50, 60, 9000, 9000).reason, Contains("no samples from 49:00 to 1:01:00"));
    CHECK(missing(50, 60, 20, 9000).state == State::cannotTell);
    CHECK(missing(100, 120, 20, 20).state == State::cannotTell);
    CHECK(missing(100, 120, 9000, 9000).state == State::cannotTell);
    CHECK(missing(-5, 120, 20, 20).state == State::cannotTell);
    CHECK(missing(-5, 10, 20, 9000).state == State::cannotTell);
    // What it was later says that these do not decide.
    CHECK(missing(50, 60, 20, 20).state == State::notWithinTest);
    CHECK(missing(50, 60, 9000, 20).state == State::notWithinTest);
    CHECK(missing(50, 50, 9000, 9000).after == 0s); // no longer than two minutes
    const std::vector<CounterPoint> none;
    CHECK(analysis::buildUpOf(none, kSearched, 50, 2min).state == State::cannotTell);
    // An interval of five minutes is no gap.
    std::vector<CounterPoint> coarse;
    for (int i = 0; i <= 36; ++i)
        coarse.push_back({ i * 5min, i < 20 ? 20.0 : 90.0 });
    CHECK(analysis::longestGapOf(coarse, kSearched) == 10min);
    CHECK(
        analysis::buildUpOf(coarse, kSearched, 50, analysis::longestGapOf(coarse, kSearched)).after == 40min);
}

TEST_CASE("a long time between few samples of a queue is a gap, and not their interval", "[queue]")
{
    const auto stateOf = [](std::initializer_list<Nanoseconds> times) {
        std::vector<CounterPoint> points;
        for (const Nanoseconds at : times)
            points.push_back({ at, 9000 });
        return analysis::buildUpOf(points, kSearched, 50, analysis::longestGapOf(points, kSearched)).state;
    };
    using State = BuildUp::State;
    CHECK(stateOf({ 3h }) == State::cannotTell);
    CHECK(stateOf({ 1h, 3h }) == State::cannotTell);
    CHECK(stateOf({ 1h, 2h, 3h }) == State::cannotTell);
    CHECK(stateOf({ 0h, 1h, 2h, 3h }) == State::builtUp); // one an hour
    // A source that was silent for nearly all of the time has no longer interval for that.
    CHECK(stateOf({ 1h, 1h + 5s, 1h + 10s, 1h + 15s, 3h - 10s, 3h - 5s, 3h }) == State::cannotTell);
}

TEST_CASE("of a short test a log that ends early does not say how its queue stood at the end", "[queue]")
{
    const TimeWindow minute { 10s, 70s };
    std::vector<CounterPoint> ends;
    for (int second = 10; second <= 30; second += 2)
        ends.push_back({ std::chrono::seconds(second), 20 });
    const Nanoseconds gap = analysis::longestGapOf(ends, minute);
    CHECK(gap == 4s); // two of its intervals
    CHECK(analysis::buildUpOf(ends, minute, 50, gap).state == BuildUp::State::cannotTell);
    for (int second = 32; second <= 68; second += 2)
        ends.push_back({ std::chrono::seconds(second), 20 });
    CHECK(analysis::buildUpOf(ends, minute, 50, gap).state == BuildUp::State::notWithinTest);
}

TEST_CASE("noisy queues are read back within two minutes, of the run and of a log, and one never builds up",
    "[queue]")
{
    const TemporaryFolder folder;
    writeQueues(folder.path("queues"));
    const auto recording = Recording::open(folder.path("queues")).value();
    const RunResults results = computeResults(recording).value();
    REQUIRE(results.mixes.size() == kGrows.size());
    for (std::size_t mix = 0; mix < kGrows.size(); ++mix) {
        const auto& queues = results.mixes[mix].queues;
        REQUIRE(queues.size() == 2);
        CHECK(queues[0].series == SeriesKey(Quantity::copiesOutstanding));
        CHECK(queues[1].name == R"(\\EX55\MSExchangeIMC\Queued Inbound)");
        for (const QueueRow& queue : queues)
            for (const BuildUp* time : { &queue.aboveNormal, &queue.aboveFailing }) {
                INFO(queue.name << " of mix " << mix + 1 << ": " << time->reason);
                if (kGrows.at(mix) == 0) {
                    CHECK(time->state == BuildUp::State::notWithinTest);
                    CHECK(time->after == kMeasurement + kRampDown);
                    continue;
                }
                CHECK(time->state == BuildUp::State::builtUp);
                // Above 1,000 it is 100 s later than when it begins to grow; the noise moves both times.
                const double planned = kGrows.at(mix) * 3600 + (time == &queue.aboveFailing ? 100 : 0);
                CHECK(seconds(time->after) == Approx(planned).margin(120));
            }
        const auto figure = findFigure("queue.above-normal").value();
        const auto found = std::ranges::find_if(results.mixes[mix].figures,
            [&](const Figure& one) { return one.id == figure && one.path == queues[1].name; });
        REQUIRE(found != results.mixes[mix].figures.end());
        CHECK(found->value == seconds(queues[1].aboveNormal.after));
        CHECK(found->flags.lowerBound == (kGrows.at(mix) == 0));
    }
}
