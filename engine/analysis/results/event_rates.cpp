// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/event_counts.h"
#include "history/recording_reader.h"
#include "history/tick_curves.h"

#include <loadstone/event_rates.h>

#include <set>

namespace loadstone {

namespace {

/// A rate, and the latencies of its events.
struct RateOfEvents {
    SeriesKey key;
    std::uint32_t latencies = 0; ///< id of their histogram
};

/// In the order of the histograms; latencies of something else, or whose events another series counts, have none.
std::vector<RateOfEvents> ratesIn(const RunHeader& header)
{
    std::set<SeriesKey> responses;
    for (const HistogramInfo& info : header.histograms)
        if (info.key.clock == LatencyClock::response)
            responses.insert(info.key);
    std::vector<RateOfEvents> rates;
    for (const HistogramInfo& info : header.histograms) {
        if (info.key.quantity == Quantity::commandTime && info.key.clock == LatencyClock::service)
            rates.push_back({ SeriesKey(Quantity::commandsAnswered, info.key.subject), info.id });
        if (info.key.quantity != Quantity::actionTime)
            continue;
        SeriesKey response = info.key;
        response.clock = LatencyClock::response;
        const bool counts = info.key.clock == LatencyClock::response
            || (info.key.clock == LatencyClock::service && !responses.contains(response));
        if (counts)
            rates.push_back({ SeriesKey(Quantity::actionsCompleted, info.key.subject), info.id });
    }
    return rates;
}

/// The latencies of series `id` of eventRatesOf().
Result<std::uint32_t> latenciesOf(const Recording& recording, std::uint32_t id)
{
    const std::vector<RateOfEvents> rates = ratesIn(recording.header());
    if (id >= rates.size())
        return fail(recording.file().string() + ": no rate of events " + std::to_string(id));
    return rates[id].latencies;
}

/// How many latencies each tick of a range has.
Result<std::vector<double>> latenciesEach(
    const Recording& recording, std::uint32_t latencies, const history::TickRange& range)
{
    std::vector<double> counts(range.empty() ? 0 : range.last - range.first, 0);
    const auto read = history::readerOf(recording).ticks().each(
        latencies, range, [&](std::uint64_t tick, std::string_view bytes) -> Result<void> {
            const auto one = Histogram::decode(bytes);
            if (!one)
                return one.error();
            counts[tick - range.first] = static_cast<double>(one->count());
            return {};
        });
    if (!read)
        return read.error();
    return counts;
}

} // namespace

Result<std::vector<double>> analysis::eventCounts(
    const Recording& recording, std::uint32_t id, const history::TickRange& range)
{
    const auto latencies = latenciesOf(recording, id);
    if (!latencies)
        return latencies.error();
    return latenciesEach(recording, *latencies, range);
}

std::vector<CounterInfo> eventRatesOf(const RunHeader& header)
{
    std::vector<CounterInfo> rates;
    for (const RateOfEvents& rate : ratesIn(header)) {
        rates.push_back(counterOf(rate.key));
        rates.back().id = static_cast<std::uint32_t>(rates.size()) - 1;
    }
    return rates;
}

Result<std::vector<CounterPoint>> eventRate(const Recording& recording, std::uint32_t id, TimeWindow window)
{
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    const history::TickRange range = ticks.rangeOf(window);
    const auto counts = analysis::eventCounts(recording, id, range);
    if (!counts)
        return counts.error();
    return history::pointsOf({ ticks.times(), range, CounterKind::count, *counts });
}

Result<std::vector<CounterBand>> eventRateBands(
    const Recording& recording, std::uint32_t id, TimeWindow window, std::size_t bands)
{
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    const history::TickRange range = ticks.rangeOf(window);
    const auto counts = analysis::eventCounts(recording, id, range);
    if (!counts)
        return counts.error();
    return history::bandsOf({ ticks.times(), range, CounterKind::count, *counts }, bands);
}

Result<CounterStatistics> eventRateStatistics(const Recording& recording, std::uint32_t id, TimeWindow window)
{
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    const history::TickRange range = ticks.rangeOf(window);
    const auto counts = analysis::eventCounts(recording, id, range);
    if (!counts)
        return counts.error();
    return history::statisticsOf({ ticks.times(), range, CounterKind::count, *counts });
}

Result<std::vector<CounterStatistics>> eventRateStatistics(const Recording& recording, TimeWindow window)
{
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    const history::TickRange range = ticks.rangeOf(window);
    std::vector<CounterStatistics> all;
    for (const RateOfEvents& rate : ratesIn(recording.header())) {
        const auto counts = latenciesEach(recording, rate.latencies, range);
        if (!counts)
            return counts.error();
        all.push_back(history::statisticsOf({ ticks.times(), range, CounterKind::count, *counts }));
    }
    return all;
}

} // namespace loadstone
