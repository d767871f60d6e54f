// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/stretches.h"

#include "history/recording_reader.h"

#include <loadstone/histogram.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace loadstone::analysis {

namespace {

history::TickRange rangeOf(const std::vector<Stretch>& stretches)
{
    return { stretches.front().ticks.first, stretches.back().ticks.last };
}

} // namespace

std::optional<double> LatencySum::mean() const
{
    if (count == 0)
        return std::nullopt;
    return total / static_cast<double>(count);
}

std::vector<Stretch> stretchesOf(const Recording& recording, TimeWindow window, Nanoseconds length, Rest rest)
{
    const history::TickReader& reader = history::readerOf(recording).ticks();
    const std::vector<history::TickTime>& times = reader.times();
    const history::TickRange range = reader.rangeOf(window);
    std::vector<Stretch> stretches;
    std::int64_t current = -1;
    for (std::uint64_t tick = range.first; tick < range.last; ++tick) {
        const Nanoseconds middle = times[tick].begin + (times[tick].end - times[tick].begin) / 2;
        const std::int64_t number = std::max<std::int64_t>(0, (middle - window.begin) / length);
        if (number != current) {
            const Nanoseconds begin = window.begin + number * length;
            stretches.push_back({ { begin, std::min(begin + length, window.end) }, { tick, tick } });
            current = number;
        }
        stretches.back().ticks.last = tick + 1;
    }
    if (stretches.empty())
        return stretches;
    // Whole, when the next tick would belong to another stretch.
    const history::TickTime& last = times[stretches.back().ticks.last - 1];
    const Nanoseconds begin = window.begin + current * length;
    if (last.end + (last.end - last.begin) / 2 >= begin + length)
        return stretches;
    const bool large = stretches.size() == 1 || (last.end - begin) * 2 >= length;
    if (rest == Rest::leaveOut || !large)
        stretches.pop_back();
    return stretches;
}

Result<std::vector<LatencySum>> latencySums(
    const Recording& recording, std::uint32_t histogram, const std::vector<Stretch>& stretches)
{
    std::vector<LatencySum> sums(stretches.size());
    if (stretches.empty())
        return sums;
    std::size_t at = 0;
    Histogram one;
    const auto put = [&] {
        sums[at].count = one.count();
        sums[at].total = one.sum();
        one.clear();
    };
    const auto read = history::readerOf(recording).ticks().each(
        histogram, rangeOf(stretches), [&](std::uint64_t tick, std::string_view bytes) {
            while (tick >= stretches[at].ticks.last) {
                put();
                ++at;
            }
            return one.mergeEncoded(bytes);
        });
    if (!read)
        return read.error();
    put();
    return sums;
}

Result<std::vector<AgeSum>> ageSums(
    const Recording& recording, std::optional<std::uint32_t> ages, const std::vector<Stretch>& stretches)
{
    std::vector<AgeSum> sums(stretches.size());
    if (!ages || stretches.empty())
        return sums;
    std::size_t at = 0;
    const auto read = history::readerOf(recording).ticks().each(
        *ages, rangeOf(stretches), [&](std::uint64_t tick, std::string_view bytes) -> Result<void> {
            while (tick >= stretches[at].ticks.last)
                ++at;
            if (tick + 1 < stretches[at].ticks.last)
                return {};
            const auto one = Histogram::decode(bytes);
            if (!one)
                return one.error();
            sums[at] = { one->count(), one->sum(), one->maximum() };
            return {};
        });
    if (!read)
        return read.error();
    return sums;
}

std::optional<double> leastMean(const LatencySum& ended, const AgeSum& unfinished)
{
    const std::uint64_t all = ended.count + unfinished.count;
    if (all == 0)
        return std::nullopt;
    const double together = (ended.total + unfinished.total) / static_cast<double>(all);
    return std::max(ended.mean().value_or(0), together);
}

bool isLowerBound(double leastMean, const LatencySum& ended)
{
    constexpr double kMoves = 1.1;
    return leastMean > kMoves * ended.mean().value_or(0);
}

Result<std::vector<double>> meanValues(const Recording& recording, const std::vector<std::uint32_t>& counters,
    const std::vector<Stretch>& stretches)
{
    std::vector<double> values(stretches.size(), std::numeric_limits<double>::quiet_NaN());
    if (stretches.empty())
        return values;
    const history::TickReader& reader = history::readerOf(recording).ticks();
    const std::vector<history::TickTime>& times = reader.times();
    const history::TickRange range = rangeOf(stretches);
    for (const std::uint32_t counter : counters) {
        const auto samples = reader.samples(counter, range);
        if (!samples)
            return samples.error();
        const bool level = recording.header().counters[counter].kind == CounterKind::level;
        for (std::size_t i = 0; i < stretches.size(); ++i) {
            double sum = 0, length = 0;
            for (std::uint64_t tick = stretches[i].ticks.first; tick < stretches[i].ticks.last; ++tick) {
                const double sample = (*samples)[tick - range.first];
                if (std::isnan(sample))
                    continue;
                const double lasted = seconds(times[tick].end - times[tick].begin);
                sum += level ? sample * lasted : sample;
                length += lasted;
            }
            if (length > 0)
                values[i] = (std::isnan(values[i]) ? 0.0 : values[i]) + sum / length;
        }
    }
    return values;
}

} // namespace loadstone::analysis
