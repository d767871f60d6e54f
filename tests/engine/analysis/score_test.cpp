// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "engine/history/sample_run.h"
#include "metrics/trend.h"
#include "support/catch.h"

#include <loadstone/histogram.h>
#include <loadstone/score.h>

#include <cmath>
#include <fstream>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

/// One second of a run in which sending and replying take ever longer, with some chance.
metrics::Tick secondOf(std::uint64_t number, std::uint64_t asNumber)
{
    metrics::Tick tick = sampleTick(asNumber);
    tick.histograms.clear();
    Random random(hashOf({ 77, number }));
    for (const std::uint32_t id : { 0U, 2U }) {
        Histogram histogram;
        for (int i = 0; i < 20; ++i)
            histogram.record(
                Nanoseconds(std::llround(1e6 * (static_cast<double>(number) + 100 * random.uniform()))));
        tick.histograms.emplace_back(id, histogram.encode());
    }
    return tick;
}

/// Seconds `first` to `last` of that run, as a run of its own that measured nothing else.
void writeRun(const std::filesystem::path& file, std::uint64_t first, std::uint64_t last)
{
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    Phase phase { 0, 0, "500 users", PhaseKind::measurement, 0s, std::chrono::seconds(last - first), true };
    writer.putPhase(phase).value();
    for (std::uint64_t number = first; number < last; ++number)
        writer.append(secondOf(number, number - first)).value();
    phase.open = false;
    writer.putPhase(phase).value();
    writer.finish({}).value();
}

std::filesystem::path writeWeights(const TemporaryFolder& folder, const std::string& text)
{
    auto file = folder.path("weights.toml");
    std::ofstream(file) << text;
    return file;
}

} // namespace

TEST_CASE("the score over a window is that of a run that measured nothing else", "[score]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("whole"), 0, 1500); // sealed chunks and open ticks
    writeRun(folder.path("part"), 333, 1111);
    ScoreOptions options;
    options.weights = writeWeights(folder, "[score]\nsend = 2\nsubmit = 1\nread = 5\n");
    options.from = 333s;
    options.to = 1111s;
    for (const double percentile : { 50.0, 95.0, 99.9, 100.0 }) {
        options.percentile = percentile;
        const Score window = computeScore(Recording::open(folder.path("whole")).value(), options).value();
        ScoreOptions all = options;
        all.from.reset();
        all.to.reset();
        const Score own = computeScore(Recording::open(folder.path("part")).value(), all).value();
        CHECK(window.window == TimeWindow { 333s, 1111s });
        REQUIRE(window.rows.size() == 3);
        REQUIRE(window.value);
        CHECK(window.value == own.value);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(window.rows[i].hits == own.rows[i].hits);
            CHECK(window.rows[i].percentile == own.rows[i].percentile);
            CHECK(window.rows[i].mean == own.rows[i].mean);
            CHECK(window.rows[i].standardDeviation == own.rows[i].standardDeviation);
        }
        const auto row = [&](const std::string& key) {
            return *std::find_if(
                window.rows.begin(), window.rows.end(), [&](const ScoreRow& r) { return r.key == key; });
        };
        CHECK(row("send").hits == 778 * 20);
        CHECK(row("submit").hits == 0); // the sample has no such command
        CHECK(window.value == row("send").percentile); // alone in having happened
    }
}

TEST_CASE("a score is the weighted mean of percentiles that somebody prints", "[score]")
{
    const TemporaryFolder folder;
    ScoreOptions options;
    options.weights = writeWeights(folder,
        "[score]\nread = 10\nsend = 1\nreply = 1\nreply_all = 1\nforward = 1\nmove = 1\n"
        "delete = 2\nload_attachment = 1\nsubmit = 1\n");
    const auto score = scoreOf("read=340 ms, send=711 ms,delete=651 ms, move=771 ms, submit=601 ms", options);
    REQUIRE(score);
    // (10 x 340 + 711 + 2 x 651 + 771 + 601) / 15: those without a percentile weigh nothing.
    CHECK(score->value == Nanoseconds(452'333'333));
    CHECK_FALSE(scoreOf("red=340 ms", options));
    CHECK_FALSE(scoreOf("read=340", options));
    CHECK_FALSE(scoreOf("read", options));
}

TEST_CASE("what a score cannot be computed from is told", "[score]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("run"), 0, 20);
    const auto recording = Recording::open(folder.path("run")).value();
    const auto messageOf = [&](const std::string& weights, std::optional<Nanoseconds> from = {},
                               std::optional<Nanoseconds> to = {}, double percentile = 95) -> std::string {
        ScoreOptions options;
        options.from = from;
        options.to = to;
        options.percentile = percentile;
        if (!weights.empty())
            options.weights = writeWeights(folder, weights);
        const auto score = computeScore(recording, options);
        return score ? "" : score.error().message;
    };
    using Catch::Matchers::Contains;
    CHECK_THAT(messageOf(""), Contains("has no profile to take weights from"));
    CHECK_THAT(messageOf("[score]\nreed = 10\n"),
        Contains("line 2, score.reed: this key is unknown; did you mean read?"));
    CHECK_THAT(messageOf("[score]\nread = -1\n"), Contains("score.read: -1 is out of range"));
    CHECK_THAT(messageOf("[scores]\nread = 1\n"), Contains("no action has a weight"));
    CHECK_THAT(messageOf("[score\n"), Contains("line 1"));
    CHECK_THAT(messageOf("[score]\nsend = 1\n", 10s, 5s), Contains("has no length"));
    CHECK_THAT(messageOf("[score]\nsend = 1\n", 1h, 2h), Contains("no tick ends between 1 h and 2 h"));
    CHECK_THAT(messageOf("[score]\nsend = 1\n", {}, {}, 0), Contains("not a percentile"));
    CHECK(messageOf("[score]\nsend = 1\n").empty());
}

TEST_CASE("a robust slope is that of the bulk, whatever a few samples say", "[trend]")
{
    std::vector<metrics::Sample> samples;
    for (int i = 0; i < 1200; ++i)
        samples.push_back({ i * 2.0, 7 + 0.25 * i });
    CHECK(metrics::robustSlope(samples) == Approx(0.125));
    for (std::size_t i = 3; i < samples.size(); i += 5) // a fifth of them
        samples[i].value = 1e6;
    CHECK(metrics::robustSlope(samples) == Approx(0.125).epsilon(0.05));
    CHECK(metrics::robustSlope(std::span(samples).first(1)) == 0);
    CHECK(metrics::robustSlope({}) == 0);
}
