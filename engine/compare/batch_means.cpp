// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/batch_means.h"

#include <loadstone/event_rates.h>
#include <loadstone/source.h>

#include <array>
#include <cmath>
#include <vector>

namespace loadstone::compare {

namespace {

std::vector<double> averagesOf(const std::vector<CounterBand>& bands)
{
    std::vector<double> averages;
    for (const CounterBand& band : bands)
        averages.push_back(band.average);
    return averages;
}

RowKey keyOf(std::string_view figure, const Subject& subject = {})
{
    RowKey key;
    key.figure = figure;
    key.subject = subject;
    return key;
}

ComparedValue* find(ComparedMix& mix, const RowKey& key)
{
    for (ComparedValue& value : mix.values)
        if (value.key == key)
            return &value;
    return nullptr;
}

/// Sums and counts of the latencies of each stretch.
struct Batches {
    std::vector<double> sums, counts;
    [[nodiscard]] std::vector<double> means() const
    {
        std::vector<double> all;
        for (std::size_t i = 0; i < sums.size(); ++i)
            if (counts[i] > 0)
                all.push_back(sums[i] / counts[i] * 1e-9);
        return all;
    }
    void add(const Batches& other)
    {
        sums.resize(std::max(sums.size(), other.sums.size()));
        counts.resize(sums.size());
        for (std::size_t i = 0; i < other.sums.size(); ++i) {
            sums[i] += other.sums[i];
            counts[i] += other.counts[i];
        }
    }
};

Result<Batches> batchesOf(const Recording& recording, std::uint32_t histogram, const TimeWindow& window)
{
    Batches batches;
    const Nanoseconds stretch = std::max<Nanoseconds>(std::chrono::milliseconds(100),
        (window.end - window.begin) / static_cast<Nanoseconds::rep>(kBatches));
    const auto done = recording.eachStretch(histogram, window, stretch, [&](TimeWindow, const Histogram& of) {
        batches.sums.push_back(of.sum());
        batches.counts.push_back(static_cast<double>(of.count()));
    });
    if (!done)
        return done.error();
    return batches;
}

} // namespace

std::optional<double> standardError(std::span<const double> means)
{
    constexpr std::size_t kLeast = 10;
    double sum = 0, n = 0;
    for (const double mean : means)
        if (std::isfinite(mean)) {
            sum += mean;
            ++n;
        }
    if (n < kLeast)
        return std::nullopt;
    double squares = 0;
    for (const double mean : means)
        if (std::isfinite(mean))
            squares += (mean - sum / n) * (mean - sum / n);
    const double error = std::sqrt(squares / (n - 1) / n);
    return std::isfinite(error) ? std::optional(error) : std::nullopt;
}

Result<std::optional<double>> errorOfCounter(
    const Recording& recording, const CounterReading& counter, const TimeWindow& window)
{
    if (window.end <= window.begin)
        return std::optional<double>();
    const std::uint32_t id = counter.counter.id;
    const auto bands = counter.eventRate ? eventRateBands(recording, id, window, kBatches)
        : counter.source == 0            ? recording.counterBands(id, window, kBatches)
                                         : sourceBands(recording, counter.source, id, window, kBatches);
    if (!bands)
        return bands.error();
    return standardError(averagesOf(*bands));
}

Result<void> addWithinErrors(const Recording& recording, ComparedMix& mix)
{
    if (mix.window.end <= mix.window.begin)
        return {};
    struct Rate {
        const char* figure;
        Quantity quantity;
    };
    static constexpr std::array kRates { Rate { "mail.sent-rate", Quantity::messagesSent },
        Rate { "mail.received-rate", Quantity::messagesReceived } };
    for (const Rate& rate : kRates) {
        ComparedValue* value = find(mix, keyOf(rate.figure));
        const auto id = findSeries(recording.header().counters, SeriesKey(rate.quantity));
        if (value == nullptr || !id)
            continue;
        const auto bands = recording.counterBands(*id, mix.window, kBatches);
        if (!bands)
            return bands.error();
        value->withinError = standardError(averagesOf(*bands));
    }
    Batches all;
    for (const HistogramInfo& info : recording.header().histograms) {
        if (info.scope != LatencyScope::action || info.clock != LatencyClock::response)
            continue;
        ComparedValue* value = find(mix, keyOf("response.average", info.key.subject));
        const auto batches = batchesOf(recording, info.id, mix.window);
        if (!batches)
            return batches.error();
        all.add(*batches);
        if (value != nullptr && !info.key.subject.empty())
            value->withinError = standardError(batches->means());
    }
    if (ComparedValue* value = find(mix, keyOf("response.average")))
        value->withinError = standardError(all.means());
    return {};
}

} // namespace loadstone::compare
