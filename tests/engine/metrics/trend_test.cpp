// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "metrics/trend.h"
#include "support/catch.h"

#include <cmath>
#include <vector>

using namespace loadstone;
using namespace loadstone::metrics;

namespace {

/// A queue's memory: each value keeps `memory` of the one before, plus chance around zero.
std::vector<Sample> noise(std::uint64_t seed, std::size_t count, double memory, double slope)
{
    Random random(hashOf({ seed }));
    std::vector<Sample> samples;
    double value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        value = memory * value + (random.uniform() + random.uniform() + random.uniform() - 1.5);
        samples.push_back({ static_cast<double>(i), 100 + value + slope * static_cast<double>(i) });
    }
    return samples;
}

/// How many of 200 such series have a trend upwards that is certain to 1 %.
int growing(double memory, double slope)
{
    int found = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        found += growthOf(noise(seed, 900, memory, slope))->deviations > 2.326 ? 1 : 0;
    return found;
}

std::vector<double> valuesOf(const std::vector<Sample>& samples)
{
    std::vector<double> values;
    for (const Sample& sample : samples)
        values.push_back(sample.value);
    return values;
}

} // namespace

TEST_CASE("growth is told from chance, with and without a memory", "[trend]")
{
    CHECK(growing(0, 0) <= 8);
    CHECK(growing(0.97, 0)
        <= 16); // a memory of half a minute in 15 minutes: without the correction a third would grow
    CHECK(growing(0, 0.002) >= 195);
    CHECK(growing(0.97, 0.05) >= 195);
    CHECK(growing(0, -0.002) == 0);
}

TEST_CASE("growth of what never changes is none, and of too little unknown", "[trend]")
{
    const std::vector<Sample> still(100, Sample { 0, 7 });
    CHECK(growthOf(still)->deviations == 0);
    CHECK(growthOf(still)->slope == 0);
    CHECK(growthOf(still)->begin == still.front().value);
    std::vector<Sample> few;
    for (int i = 0; i < 9; ++i)
        few.push_back({ static_cast<double>(i), static_cast<double>(i) });
    CHECK_FALSE(growthOf(few));
    few.push_back({ 9, 9 });
    CHECK(growthOf(few)->slope == Approx(1.0));
    CHECK(growthOf(few)->begin == Approx(few.front().value));
    CHECK(growthOf(few)->deviations > 2.326);
}

TEST_CASE("a series settles where its beginning ends", "[trend]")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto values = valuesOf(noise(seed, 1000, 0.5, 0));
        for (std::size_t i = 0; i < 200; ++i)
            values[i] *= static_cast<double>(i) / 200; // users come in
        const auto from = settledFrom(values);
        REQUIRE(from);
        CHECK(*from >= 150);
        CHECK(*from <= 450);
    }
    CHECK(settledFrom(std::vector<double>(100, 3.0)) == std::size_t { 0 });
}

TEST_CASE("what changes to its end, or is short, never settled", "[trend]")
{
    std::vector<double> rising;
    for (int i = 0; i < 1000; ++i)
        rising.push_back(i);
    CHECK_FALSE(settledFrom(rising));
    CHECK_FALSE(settledFrom(std::vector<double>(49, 3.0)));
}
