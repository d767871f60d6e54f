// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/database.h"
#include "metrics/histogram.h"
#include "sample_run.h"
#include "support/catch.h"

#include <cmath>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

constexpr TimeWindow kAll { 0s, 100h };

} // namespace

TEST_CASE("a recording gives back what was written, hot or sealed", "[recording]")
{
    const auto ticks = GENERATE(std::uint64_t { 0 }, 1, 59, 300, 1201, 1260, 1261, 2700);
    const bool finished = GENERATE(false, true);
    CAPTURE(ticks, finished);
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    for (std::uint64_t number = 0; number < ticks; ++number)
        writer.append(sampleTick(number)).value();
    if (finished)
        writer.finish({}).value();

    const auto recording = Recording::open(file).value();
    CHECK(recording.header() == sampleHeader());
    REQUIRE(recording.ticks() == ticks);
    CHECK(recording.length() == ticks * 1'000'000'000ns);
    for (std::uint32_t id = 0; id < 5; ++id) {
        const auto points = recording.counter(id, kAll).value();
        REQUIRE(points.size() == ticks);
        for (std::uint64_t number = 0; number < ticks; ++number)
            REQUIRE(points[number].value == sampleTick(number).values[id]);
    }
    for (std::uint32_t id = 0; id < 4; ++id) {
        metrics::Histogram expected;
        for (std::uint64_t number = 0; number < ticks; ++number)
            for (const auto& [histogram, bytes] : sampleTick(number).histograms)
                if (histogram == id)
                    expected.mergeEncoded(bytes).value();
        CHECK(recording.latency(id, kAll).value() == expected.summary());
    }
}
