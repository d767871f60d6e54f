// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/seal.h"

#include "history/counter_codec.h"
#include "history/histogram_codec.h"

#include <loadstone/histogram.h>

#include <algorithm>
#include <cmath>

namespace loadstone::history {

namespace {

float roundedDown(double value)
{
    const auto rounded = static_cast<float>(value);
    return static_cast<double>(rounded) <= value
        ? rounded
        : std::nextafter(rounded, -std::numeric_limits<float>::infinity());
}

float roundedUp(double value)
{
    return -roundedDown(-value);
}

// Extremes of what a chart shows: for counts that is events per second.
CounterBrick brickOf(CounterKind kind, std::span<const HotTick> ticks, std::span<const double> samples)
{
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -minimum;
    double sum = 0;
    double length = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double tick = seconds(ticks[i].time.end - ticks[i].time.begin);
        const double value = shown(kind, samples[i], tick);
        if (!std::isfinite(value))
            continue;
        minimum = std::min(minimum, value);
        maximum = std::max(maximum, value);
        sum += value * tick;
        length += tick;
    }
    // Beyond single precision there is nothing to draw.
    constexpr double kLargest = std::numeric_limits<float>::max();
    if (length <= 0 || minimum < -kLargest || maximum > kLargest || !std::isfinite(sum))
        return { kNone, kNone, kNone, 0 };
    return { roundedDown(minimum), roundedUp(maximum), static_cast<float>(sum / length),
        static_cast<float>(length) };
}

Result<void> sealCounter(Statement& chunk, Statement& brick, std::uint32_t series, std::uint32_t id,
    CounterKind kind, std::uint64_t first, std::span<const HotTick> ticks, std::vector<double>& samples)
{
    samples.clear();
    for (const HotTick& tick : ticks)
        samples.push_back(tick.samples[id]);
    std::vector<CounterBrick> bricks;
    for (std::size_t at = 0; at < ticks.size(); at += kBrickTicks) {
        const std::size_t n = std::min<std::size_t>(kBrickTicks, ticks.size() - at);
        bricks.push_back(brickOf(kind, ticks.subspan(at, n), std::span(samples).subspan(at, n)));
    }
    const std::string data = encodeCounter(samples);
    if (auto done = chunk.bind(1, chunkId(series, first)).bindBlob(2, data).run(); !done)
        return done;
    const std::string extremes = encodeBricks(bricks);
    return brick.bind(1, chunkId(series, first)).bindBlob(2, extremes).run();
}

Result<void> sealHistogram(Statement& chunk, Statement& sum, std::uint32_t series, std::uint32_t id,
    std::uint64_t first, std::span<const HotTick> ticks)
{
    std::vector<std::string> singles;
    Histogram merged;
    for (const HotTick& tick : ticks) {
        const auto found = std::lower_bound(tick.latencies.begin(), tick.latencies.end(), id,
            [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
        const bool present = found != tick.latencies.end() && found->first == id;
        singles.push_back(present ? found->second : std::string());
        if (!present)
            continue;
        if (auto added = merged.mergeEncoded(found->second); !added)
            return added.error();
    }
    const auto data = encodeHistograms(singles);
    if (!data)
        return data.error();
    if (auto done = chunk.bind(1, chunkId(series, first)).bindBlob(2, *data).run(); !done)
        return done;
    const std::string total = merged.encode();
    return sum.bind(1, chunkId(series, first)).bindBlob(2, total).run();
}

} // namespace

Result<void> insertHot(Statement& insert, std::int64_t id, const HotTick& tick)
{
    const std::string latencies = encodeSparse(tick.latencies);
    const std::string_view samples(
        reinterpret_cast<const char*>(tick.samples.data()), tick.samples.size() * sizeof(double));
    insert.bind(1, id)
        .bind(2, tick.time.begin.count())
        .bind(3, tick.time.end.count())
        .bind(4, tick.time.phase);
    return insert.bindBlob(5, samples).bindBlob(6, latencies).run();
}

Result<void> sealTicks(Database& database, const SourcePlace& place, std::uint64_t first,
    std::span<const HotTick> ticks, std::span<const CounterKind> counters,
    const std::function<Result<void>()>& pause)
{
    const auto prepare = [&](const char* table) {
        // An attempt that failed behind a pause has left pieces; without their times they are nothing yet.
        const char* how = pause ? "INSERT OR REPLACE INTO " : "INSERT INTO ";
        return database.prepare(std::string(how) + table + " VALUES (?1, ?2)");
    };
    auto counterChunk = prepare("counter_chunk");
    auto counterBrick = prepare("counter_brick");
    auto histogramChunk = prepare("histogram_chunk");
    auto histogramSum = prepare("histogram_sum");
    auto timeChunk = database.prepare("INSERT INTO tick_chunk VALUES (?1, ?2, ?3)");
    auto removal = database.prepare("DELETE FROM hot WHERE id >= ?1 AND id < ?2");
    for (const auto* statement :
        { &counterChunk, &counterBrick, &histogramChunk, &histogramSum, &timeChunk, &removal })
        if (!*statement)
            return statement->error();

    constexpr std::uint32_t kAtOnce = 256; // series between two pauses: some tens of milliseconds
    std::uint32_t done = 0;
    const auto paused = [&] { return pause && ++done % kAtOnce == 0 ? pause() : Result<void>(); };
    std::vector<double> samples;
    for (std::uint32_t id = 0; id < counters.size(); ++id) {
        if (auto sealed = sealCounter(
                *counterChunk, *counterBrick, place.seriesOf(id), id, counters[id], first, ticks, samples);
            !sealed)
            return sealed;
        if (auto good = paused(); !good)
            return good;
    }
    for (std::uint32_t id = 0; id < place.histograms; ++id) {
        for (std::size_t at = 0; at < ticks.size(); at += kHistogramTicks) {
            const auto part = ticks.subspan(at, std::min<std::size_t>(kHistogramTicks, ticks.size() - at));
            if (auto sealed = sealHistogram(
                    *histogramChunk, *histogramSum, place.firstHistogram + id, id, first + at, part);
                !sealed)
                return sealed;
        }
        if (auto good = paused(); !good)
            return good;
    }
    // Last: with their times the ticks count as sealed.
    std::vector<TickTime> times;
    for (const HotTick& tick : ticks)
        times.push_back(tick.time);
    const std::string timeData = encodeTimes(times);
    timeChunk->bind(1, tickId(place.source, first)).bind(2, static_cast<std::int64_t>(ticks.size()));
    if (auto written = timeChunk->bindBlob(3, timeData).run(); !written)
        return written;
    return removal->bind(1, tickId(place.source, 0))
        .bind(2, tickId(place.source, first + ticks.size()))
        .run();
}

} // namespace loadstone::history
