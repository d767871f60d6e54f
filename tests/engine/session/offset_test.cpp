// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where a log belongs in a run, by the traffic that both measured.
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/counter_log.h>
#include <loadstone/offset.h>
#include <loadstone/source.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <random>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

using Load = std::function<double(double)>; ///< bytes per second, by seconds since the run's start

/// A load that wanders, as that of many users does: an hour and a half of it.
class Wandering {
public:
    Wandering()
    {
        std::mt19937_64 random { 11 };
        std::normal_distribution<double> step;
        double value = 0;
        for (double& one : m_values)
            one = 1e6 * (2 + (value = 0.97 * value + 0.2 * step(random)));
    }
    double operator()(double seconds) const
    {
        return m_values.at(static_cast<std::size_t>(std::clamp(seconds + 600, 0.0, 7199.0)));
    }

private:
    std::array<double, 7200> m_values {}; // from ten minutes before the run
};

constexpr int kRunSeconds = 5400;

void writeRun(const std::filesystem::path& file, const Load& load)
{
    std::filesystem::remove(file); // that of a case before
    RunHeader header = sampleHeader();
    header.counters = { counterOf({ Quantity::networkBytes, Subject::ofDevice("eth0") }) };
    header.histograms.clear();
    auto writer = history::RecordingWriter::create(file, header, sampleSeries()).value();
    writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 90min, true }).value();
    for (int second = 0; second < kRunSeconds; ++second) {
        metrics::Tick tick;
        tick.number = static_cast<std::uint64_t>(second);
        tick.begin = second * 1s;
        tick.end = tick.begin + 1s;
        tick.values = { load(second + 0.5) };
        writer.append(tick).value();
    }
    writer.finish({}).value();
}

/// A log of the server: its samples are means of what the run has, from `begin` to `end` of the run, with noise of its own. Its clock shows
/// `ahead` more than the run's. `backup`: what another computer of the log moves.
void writeLog(const std::filesystem::path& file, const Load& load, int interval,
    std::chrono::milliseconds ahead, int begin = 300, int end = 5000, const Load& backup = {})
{
    std::ofstream out(file);
    out << "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\Network Interface(eth0)\\Bytes "
           "Total/sec\",\"\\\\EX1\\Memory\\Pages/sec\""
        << (backup ? ",\"\\\\BACKUP\\Network Interface(eth0)\\Bytes Total/sec\"\r\n" : "\r\n");
    std::mt19937_64 random { 3 };
    std::normal_distribution<double> noise(1, 0.02);
    const WallTime started = sampleHeader().started;
    for (int at = begin; at < end; at += interval) {
        double sum = 0;
        for (int second = at; second < at + interval; ++second)
            sum += load(second + 0.5);
        const auto time = std::chrono::floor<std::chrono::milliseconds>(
            started + std::chrono::seconds(at + interval) + ahead);
        out << fmt::format("\"{:%m/%d/%Y %H:%M:}{:06.3f}\",\"{}\",\"3\"{}\r\n",
            std::chrono::floor<std::chrono::seconds>(time),
            static_cast<double>(time.time_since_epoch().count() % 60'000) / 1000,
            1.05 * noise(random) * sum / interval, backup ? fmt::format(",\"{}\"", backup(at)) : "");
    }
}

struct Files {
    TemporaryFolder folder;
    [[nodiscard]] std::filesystem::path run() const { return folder.path("run"); }
    [[nodiscard]] std::filesystem::path log() const { return folder.path("log.csv"); }
    [[nodiscard]] OffsetProposal propose(const OffsetOptions& options = {}) const
    {
        auto found = proposeOffset(Recording::open(run()).value(), log(), options);
        INFO((found ? std::string() : found.error().message));
        REQUIRE(found);
        return *std::move(found);
    }
};

} // namespace

TEST_CASE("a clock that is 37 minutes ahead is found out within one sample, whatever the log's interval",
    "[offset]")
{
    const int interval = GENERATE(1, 5, 15);
    const auto ahead = std::chrono::milliseconds(GENERATE(37 * 60'000, -37 * 60'000 - 400));
    INFO(interval << " s, " << ahead.count() << " ms ahead");
    const Files files;
    const Wandering load;
    writeRun(files.run(), load);
    writeLog(files.log(), load, interval, ahead);
    const OffsetProposal found = files.propose();
    INFO(found.reason);
    REQUIRE(found.offset);
    CHECK(std::abs(seconds(*found.offset - 300s)) <= interval); // the log begins 300 s after the run
    CHECK(std::abs(seconds(found.byClocks - ahead - 300s)) <= interval);
    CHECK(found.best.correlation > 0.95);
    CHECK(found.width < 5min);
    CHECK(found.curve.size() == 2 * 3600 + 1);
    CHECK(found.curve.front().offset >= found.byClocks - 1h - 1s);
    CHECK((!found.second || found.second->correlation < 0.6));

    // Attached there, it shows the run's own traffic.
    AttachOptions options;
    options.offset = found.offset;
    const auto attached = attachLog(files.run(), files.log(), options).value();
    CHECK(attached.offset == *found.offset);
    // An attached source is found in the same way, around where it lies.
    moveSource(files.run(), attached.source, 20min).value();
    const auto again = proposeOffset(Recording::open(files.run()).value(), attached.source).value();
    CHECK(again.byClocks == 20min);
    REQUIRE(again.offset);
    CHECK(std::abs(seconds(*again.offset - *found.offset)) <= interval);
}

TEST_CASE(
    "loads that repeat themselves, do not vary or have little in common give no proposal, with the reason",
    "[offset]")
{
    const Files files;
    const Wandering wandering;
    const auto reasonFor = [&](const Load& ofRun, const Load& ofLog, int begin = 300, int end = 5000) {
        writeRun(files.run(), ofRun);
        writeLog(files.log(), ofLog, 5, 37min, begin, end);
        const OffsetProposal found = files.propose();
        CHECK_FALSE(found.offset);
        return found.reason;
    };
    const Load wave = [](double t) { return 1e6 * (2 + std::sin(t / 300 * 6.283185307)); };
    CHECK_THAT(reasonFor(wave, wave), Contains("two offsets fit alike"));
    const Load flat = [](double) { return 5e5; };
    CHECK_THAT(reasonFor(flat, wandering), Contains("the run's values do not vary"));
    const Load other = [&](double t) { return wandering(5400 - t) * (t < 2700 ? 1 : 0.9); };
    CHECK_THAT(reasonFor(wandering, other), Contains("below 0.6"));
    CHECK_THAT(reasonFor(wandering, wandering, 300, 400), Contains("too little"));
    const Load slope = [](double t) { return 1e6 + 100 * t; };
    CHECK_THAT(reasonFor(slope, slope), Contains("too slowly") || Contains("edge"));
}

TEST_CASE("a burst that only the run has does not move a log by a step of the load", "[offset]")
{
    const Files files;
    const Load steps = [](double t) {
        return 1e6 * std::exp2(std::floor(t / 1800));
    }; // doubled every half an hour
    const Load withBackup = [&](double t) { return steps(t) * (5390 < t && t <= 5398 ? 20 : 1); };
    writeRun(files.run(), withBackup);
    writeLog(files.log(), steps, 5, 0min, 0, 5400);
    const OffsetProposal found = files.propose();
    INFO(found.reason);
    CHECK(std::abs(seconds(found.best.offset)) <= 5);
    CHECK((!found.offset || std::abs(seconds(*found.offset)) <= 5)); // two steps may be too much alike
}

TEST_CASE("of a log of several computers only those are compared that are to be attached", "[offset]")
{
    const Files files;
    const Wandering load;
    writeRun(files.run(), load);
    const Load backup = [&](double t) { return 50 * load(t + 240); }; // would place all four minutes away
    writeLog(files.log(), load, 5, 0min, 300, 5000, backup);
    OffsetOptions options;
    options.attached = { R"(\\EX1\*)" };
    const OffsetProposal found = files.propose(options);
    CHECK(found.ofLog == R"(\\EX1\Network Interface(eth0)\Bytes Total/sec)");
    REQUIRE(found.offset);
    CHECK(std::abs(seconds(*found.offset - 300s)) <= 5);
    options.attached = { R"(\\EX1\Memory\*)" }; // its bytes tell where it lies all the same
    CHECK(files.propose(options).offset == found.offset);
}

TEST_CASE("a log that is farther away than the search reaches gives no proposal, and a wider search finds it",
    "[offset]")
{
    const Files files;
    const Wandering load;
    writeRun(files.run(), load);
    writeLog(files.log(), load, 5, 150min);
    CHECK_FALSE(files.propose().offset);
    OffsetOptions wide;
    wide.reach = 3h;
    const OffsetProposal found = files.propose(wide);
    REQUIRE(found.offset);
    CHECK(std::abs(seconds(*found.offset - 300s)) <= 5);
    OffsetOptions around; // of what the user says, not of the clocks
    around.around = 20min;
    CHECK(files.propose(around).offset == found.offset);
}

TEST_CASE("what cannot be compared is refused", "[offset]")
{
    const Files files;
    const Wandering load;
    writeRun(files.run(), load);
    writeLog(files.log(), load, 5, 0min);
    const auto refusal = [&](const OffsetOptions& options) {
        const auto found = proposeOffset(Recording::open(files.run()).value(), files.log(), options);
        REQUIRE_FALSE(found);
        return found.error().message;
    };
    OffsetOptions options;
    options.ofLog = { "no such" };
    CHECK_THAT(refusal(options), Contains("none of its 2 counters"));
    options.ofLog = { "Pages" };
    CHECK(files.propose(options).reason == "the log's values do not vary where it can lie on the run");
    options.ofRun = { "no such" };
    CHECK_THAT(refusal(options), Contains("no counter of the run"));
    options = {};
    options.reach = 25h;
    CHECK_THAT(refusal(options), Contains("24 h"));
    std::ofstream(files.log())
        << "\"(PDH-CSV 4.0)\",\"\\\\A\\Memory\\Pages/sec\"\r\n\"11/21/2026 14:03:06.000\",\"1\"\r\n";
    CHECK_THAT(refusal({}), Contains("does not say its time zone"));
}
