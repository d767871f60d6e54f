// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "support/catch.h"

#include <loadstone/histogram.h>
#include <loadstone/time.h>

#include <algorithm>
#include <cmath>

using namespace loadstone;

TEST_CASE("every percentile is within one percent of the exact one, from nanoseconds to twelve hours")
{
    Random random(7);
    for (double scale : { 50.0, 1e4, 5e6, 2e9, 1e12, 1.5e13 }) {
        Histogram histogram;
        std::vector<std::int64_t> exact;
        for (int i = 0; i < 20000; ++i) {
            const auto ns =
                std::min<std::int64_t>(std::llround(scale * std::exp(random.normal())), 43'200'000'000'000);
            exact.push_back(ns);
            histogram.record(Nanoseconds(ns));
        }
        std::sort(exact.begin(), exact.end());
        for (double p : { 0.0, 1.0, 50.0, 95.0, 99.0, 99.9, 100.0 }) {
            const auto rank =
                std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(p * 20000.0 / 100 - 1e-6)));
            const auto want = static_cast<double>(exact[rank - 1]);
            const auto got = static_cast<double>(histogram.percentile(p).count());
            CHECK(std::abs(got - want) <= 0.01 * want + 0.5);
        }
        CHECK(histogram.minimum().count() == exact.front());
        CHECK(histogram.maximum().count() == exact.back());
    }
}

TEST_CASE("buckets join without gap or overlap")
{
    for (std::size_t i = 0; i + 1 < Histogram::kBuckets; ++i) {
        REQUIRE(Histogram::upperBound(i) == Histogram::lowerBound(i + 1));
        REQUIRE(Histogram::bucketOf(Histogram::lowerBound(i)) == i);
        REQUIRE(Histogram::bucketOf(Histogram::upperBound(i) - 1) == i);
    }
}

TEST_CASE("merging equals recording into one, and the encoded form gives the same back")
{
    Random random(11);
    Histogram a, b, both;
    for (int i = 0; i < 5000; ++i) {
        const Nanoseconds t(static_cast<std::int64_t>(random.exponential(3e6)));
        ((i % 3 != 0) ? a : b).record(t, i % 50 + 1);
        both.record(t, i % 50 + 1);
    }
    a.merge(b);
    CHECK(a.count() == both.count());
    CHECK(a.percentile(99) == both.percentile(99));
    CHECK(Histogram::decode(a.encode()).value() == a);
    CHECK(Histogram::decode("").value() == Histogram());
}

TEST_CASE("a damaged encoding is refused, whichever byte is cut off or changed")
{
    Histogram histogram;
    for (int i = 1; i < 400; ++i)
        histogram.record(Nanoseconds(i * 12345), i);
    const std::string good = histogram.encode();
    for (std::size_t n = 1; n < good.size(); ++n)
        CHECK_FALSE(Histogram::decode(good.substr(0, n)));
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x55);
        const auto read = Histogram::decode(bad);
        if (read) // only the sum and the extremes carry no redundancy
            CHECK(read->count() == histogram.count());
    }
}

TEST_CASE("delivery times of 100 minutes to 12 hours have percentiles of their own")
{
    Histogram histogram;
    for (int minutes = 100; minutes <= 720; minutes += 20)
        histogram.record(std::chrono::minutes(minutes));
    CHECK(std::abs(seconds(histogram.percentile(50)) - 400 * 60) < 240); // the 16th of 32
    CHECK(std::abs(seconds(histogram.percentile(95)) - 700 * 60) < 420);
    CHECK_FALSE(histogram.isBeyond(95));
    CHECK(histogram.summary().atLeast == AtLeast());
}

TEST_CASE("latencies past the range have the exact maximum, and a percentile among them is known as a lower bound")
{
    Histogram histogram;
    for (int i = 0; i < 6; ++i)
        histogram.record(std::chrono::hours(30));
    histogram.record(std::chrono::hours(40));
    histogram.record(Nanoseconds(-5));
    CHECK(histogram.minimum() == Nanoseconds(0));
    CHECK(histogram.maximum() == std::chrono::hours(40));
    CHECK(histogram.percentile(50) == Nanoseconds(1LL << 46));
    CHECK(histogram.isBeyond(50));
    CHECK_FALSE(histogram.isBeyond(10)); // the first one
    CHECK_FALSE(histogram.isBeyond(100)); // the last one is known
    CHECK(histogram.summary().atLeast.p50);
    CHECK_FALSE(histogram.summary().atLeast.maximum);
    CHECK(Histogram::decode(histogram.encode()).value() == histogram);
}

TEST_CASE("a percentile is the value of its nearest rank, also where the product is a whole number")
{
    Histogram histogram;
    for (int i = 0; i < 999; ++i)
        histogram.record(std::chrono::milliseconds(1));
    histogram.record(std::chrono::seconds(1));
    CHECK(histogram.percentile(99.9) < std::chrono::milliseconds(2)); // the 999th of 1,000
    CHECK(histogram.percentile(99.91) == std::chrono::seconds(1));
    CHECK(histogram.percentile(100) == std::chrono::seconds(1));
}
