// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "history/bytes.h"
#include "history/counter_codec.h"
#include "history/histogram_codec.h"
#include "history/tick_codec.h"
#include "support/catch.h"

#include <loadstone/histogram.h>

#include <cmath>
#include <limits>

using namespace loadstone;
using namespace loadstone::history;
using namespace std::chrono_literals;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

void checkSame(const std::vector<double>& got, const std::vector<double>& expected)
{
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(std::isnan(got[i]) && std::isnan(expected[i])))
            REQUIRE(got[i] == expected[i]);
}

std::vector<double> series(std::size_t n, const std::function<double(std::size_t)>& value)
{
    std::vector<double> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(value(i));
    return out;
}

} // namespace

TEST_CASE("every kind of counter comes back exactly", "[codec]")
{
    Random random(GENERATE(1, 2, 3));
    const std::size_t n = GENERATE(1, 7, 8, 60, 1200);
    const std::vector<std::vector<double>> all {
        series(n, [&](auto) { return kMissing; }),
        series(n, [&](auto) { return -17.25; }),
        series(n, [&](auto i) { return static_cast<double>(i) * 3 - 100; }),
        series(n, [&](auto) { return static_cast<double>(random.below(1000)) / 100; }),
        series(
            n, [&](auto) { return random.below(4) == 0 ? kMissing : static_cast<double>(random.below(50)); }),
        series(n, [&](auto) { return random.normal() * 1e-5; }),
        series(n, [&](auto) { return random.below(3) == 0 ? kMissing : random.normal() * 1e200; }),
        series(n, [&](auto i) { return i % 2 == 0 ? 9007199254740991.0 : -9007199254740991.0; }),
        series(n, [&](auto i) { return i % 2 == 0 ? 5e-324 : -1.7976931348623157e308; }),
    };
    for (const auto& samples : all)
        checkSame(decodeCounter(encodeCounter(samples), n).value(), samples);
}

TEST_CASE("an infinite sample is a missing one", "[codec]")
{
    const std::vector<double> samples { 1, std::numeric_limits<double>::infinity(), 2 };
    checkSame(decodeCounter(encodeCounter(samples), 3).value(), { 1, kMissing, 2 });
}

TEST_CASE("whole and decimal counters take about a byte a sample, rare events far less", "[codec]")
{
    Random random(5);
    const auto size = [](const std::vector<double>& samples) { return encodeCounter(samples).size(); };
    CHECK(size(series(1200, [&](auto) { return 100.0 + static_cast<double>(random.below(60)); })) < 1300);
    CHECK(
        size(series(1200, [&](auto) { return 12.0 + static_cast<double>(random.below(60)) / 100; })) < 1300);
    CHECK(size(series(1200, [&](auto i) { return i % 300 == 7 ? 1.0 : 0.0; })) < 60);
}

TEST_CASE("histograms come back byte for byte", "[codec]")
{
    Random random(11);
    std::vector<std::string> histograms;
    for (int i = 0; i < 300; ++i) {
        Histogram histogram;
        const auto samples = i % 5 == 0 ? 0 : random.below(200);
        for (std::uint64_t n = 0; n < samples; ++n)
            histogram.record(Nanoseconds(static_cast<std::int64_t>(std::exp(35 * random.uniform()))),
                1 + random.below(40));
        if (i == 7)
            histogram.record(-1ns); // counts as 0
        if (i == 8)
            histogram.record(Nanoseconds::max()); // the sum is not a whole number below 2^53
        histograms.push_back(histogram.encode());
    }
    const std::string bytes = encodeHistograms(histograms).value();
    CHECK(decodeHistograms(bytes, 300).value() == histograms);
    CHECK_FALSE(decodeHistograms(bytes, 299));
    CHECK_FALSE(decodeHistograms(bytes, 301));
    CHECK(encodeHistograms(std::vector<std::string>(300)).value().empty());
    CHECK(decodeHistograms("", 3).value() == std::vector<std::string>(3));
    CHECK_FALSE(encodeHistograms(std::vector<std::string> { "nonsense" }));
}

TEST_CASE("times of ticks come back exactly and must rise", "[codec]")
{
    Random random(3);
    std::vector<TickTime> times;
    Nanoseconds at = 5s;
    for (std::uint32_t i = 0; i < 1200; ++i) {
        const Nanoseconds begin = at + Nanoseconds(random.below(1000));
        at = begin + 1s + Nanoseconds(random.below(100'000));
        times.push_back({ begin, at, i / 400 });
    }
    const std::string bytes = encodeTimes(times);
    CHECK(bytes.size() < 6000);
    CHECK(decodeTimes(bytes, times.size(), 5s).value() == times);
    CHECK_FALSE(decodeTimes(bytes, times.size(), 6s));
    CHECK_FALSE(decodeTimes(bytes, times.size() - 1, 0s));
}

TEST_CASE("damaged chunks are Errors, never more than that", "[codec]")
{
    Random random(17);
    Histogram histogram;
    for (int i = 0; i < 50; ++i)
        histogram.record(1ms * i);
    const std::vector<std::string> histograms(20, histogram.encode());
    std::vector<double> decimals = series(100, [&](auto i) { return static_cast<double>(i % 7) / 10; });
    const auto noise = series(100, [&](auto) { return random.normal(); });
    const std::vector<std::string> seeds { encodeCounter(decimals), encodeCounter(noise),
        encodeHistograms(histograms).value(), encodeTimes(std::vector<TickTime>(100, { 1s, 1s, 0 })),
        encodeSparse({ { 1, histogram.encode() }, { 4, "x" } }) };
    for (const std::string& seed : seeds)
        for (int round = 0; round < 2000; ++round) {
            std::string bytes = seed;
            for (std::uint64_t n = 1 + random.below(4); n > 0; --n)
                bytes[random.below(bytes.size())] = static_cast<char>(random());
            if (random.below(3) == 0)
                bytes.resize(random.below(bytes.size() + 1));
            if (const auto samples = decodeCounter(bytes, 100))
                REQUIRE(samples->size() == 100);
            if (const auto pieces = decodeHistograms(bytes, 20))
                REQUIRE(pieces->size() == 20);
            if (const auto times = decodeTimes(bytes, 100, 0s))
                REQUIRE(times->back().end >= times->front().begin);
            if (const auto sparse = decodeSparse(bytes, 10))
                REQUIRE(sparse->size() <= 10);
        }
}

TEST_CASE("a frame that promises more than its place allows is not expanded", "[codec]")
{
    std::string bomb;
    putPacked(bomb, std::string(50'000'000, 'x'));
    REQUIRE(bomb.size() < 100'000);
    ByteReader in(bomb);
    std::string raw;
    CHECK_FALSE(takePacked(in, 1'000'000, raw));
    CHECK(raw.capacity() < 1'000'000);
}
