// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "storage/load/load_tuner.h"
#include "support/catch.h"

#include <algorithm>
#include <cmath>

using namespace loadstone;
using storage::LoadTuner;

namespace {

struct Outcome {
    std::optional<double> load;
    std::size_t samples = 0;
};

/// Tunes a storage that serves up to `capacity` with a mean latency of 4 ms / (1 - load / capacity), and above it builds a
/// queue that grows.
/// Never more than `given` transfers/s come to it.
Outcome tune(double capacity, double first, double least, double most, bool whole, double logFactor = 0.1,
    double given = 1e9)
{
    const LoadTuner::Limits limits { std::chrono::milliseconds(20), std::chrono::milliseconds(10) };
    LoadTuner tuner(limits, first, least, most, whole);
    Random random(7);
    double load = *tuner.load(), queue = 0, waited = 0;
    Outcome outcome;
    while (!tuner.done()) {
        const double offered = std::min(load, given);
        double target = 0;
        if (offered < capacity) {
            queue = 0;
            target = 4e-3 / (1 - offered / capacity);
        } else {
            queue += offered - capacity;
            target = 50e-3 + queue / capacity;
        }
        waited += (target - waited) * 0.2; // it takes some seconds until a change shows
        const double read = waited * (1 + 0.05 * random.normal());
        // A second volume has nothing but a little of the log.
        const LoadTuner::Sample sample { { Nanoseconds(std::llround(read * 1e9)), Nanoseconds(0) },
            { Nanoseconds(std::llround(read * logFactor * 1e9)), Nanoseconds(1000) }, std::min(load, given) };
        if (const auto next = tuner.add(sample)) {
            load = *next;
            queue = 0;
        }
        REQUIRE(++outcome.samples < 5000);
    }
    outcome.load = tuner.load();
    return outcome;
}

} // namespace

TEST_CASE("the tuner finds the highest load whose latencies stay within the limits")
{
    // 20 ms are reached at four fifths of what the storage can do.
    for (const double capacity : { 12.0, 100.0, 900.0 })
        for (const double first : { 1.0, 8.0, 64.0 }) {
            CAPTURE(capacity, first);
            const Outcome outcome = tune(capacity, first, 1, 4096, true);
            REQUIRE(outcome.load);
            CHECK(*outcome.load <= 0.82 * capacity);
            CHECK(*outcome.load >= 0.8 * capacity / 1.1 - 1);
            CHECK(outcome.samples < 3600 + 600);
        }
}

TEST_CASE("the tuner stays between its bounds, and says so when not even the least load is good")
{
    CHECK(tune(1e6, 10, 1, 64, true).load == 64.0);
    CHECK_FALSE(tune(1, 10, 2, 64, true).load);
    const Outcome rate = tune(1234, 100, 1, 1e6, false);
    REQUIRE(rate.load);
    CHECK(*rate.load > 0.8 * 1234 / 1.1);
    // The log's limit holds as well: here it is reached first, at 10 ms.
    const Outcome log = tune(100, 8, 1, 4096, true, 1);
    REQUIRE(log.load);
    CHECK(*log.load <= 0.62 * 100);
    CHECK(*log.load >= 0.6 * 100 / 1.1 - 1);
    // Nobody can give more than 300/s, so that latencies say nothing of higher rates.
    const Outcome given = tune(1e6, 100, 1, 1e5, false, 0.1, 300);
    REQUIRE(given.load);
    CHECK(*given.load <= 300 / 0.85);
    CHECK(*given.load > 250);
}

TEST_CASE("the slowest volume decides, and a latency that rises all the time is not steady")
{
    const LoadTuner::Limits limits { std::chrono::milliseconds(20), std::chrono::milliseconds(10) };
    const auto judged = [](const LoadTuner::Limits& within, const auto& sampleOf) {
        LoadTuner tuner(within, 8, 1, 64, true);
        for (int second = 0; second < 700 && tuner.verdict().empty(); ++second)
            tuner.add(sampleOf(second));
        return tuner.verdict();
    };
    const auto constant = [](int fast, int slow) {
        return [=](int) -> LoadTuner::Sample {
            return { { std::chrono::milliseconds(fast), std::chrono::milliseconds(slow) },
                { std::chrono::milliseconds(1), Nanoseconds(0) }, 100 };
        };
    };
    CHECK(judged(limits, constant(1, 19)).find("is within the limits") != std::string::npos);
    CHECK(judged(limits, constant(1, 21)).find("is too much") != std::string::npos); // and 11 on average
    // 0.8 ms more every second: 72 ms on average when it is first looked at, and on its way to more than 100.
    const auto rising = [](int second) -> LoadTuner::Sample {
        return { { std::chrono::microseconds(800 * second) }, { std::chrono::milliseconds(1) }, 100 };
    };
    const LoadTuner::Limits wide { std::chrono::milliseconds(100), std::chrono::milliseconds(10) };
    CHECK(judged(wide, rising).find("is too much") != std::string::npos);
}
