// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/window.h"

#include "history/recording_reader.h"
#include "history/recording_writer.h"

#include <algorithm>
#include <cmath>

namespace loadstone::analysis {

Result<Events> eventsWithin(const Recording& recording, std::uint32_t counterId, history::TickRange range)
{
    const history::TickReader& reader = history::readerOf(recording).ticks();
    Events events;
    if (!range.empty()) {
        events.begin = reader.times()[range.first].begin;
        events.end = reader.times()[range.last - 1].end;
    }
    if (range.empty())
        return events;
    const auto samples = reader.samples(counterId, range);
    if (!samples)
        return samples.error();
    double total = 0; // exact: counts are whole numbers far below 2^53
    for (const double sample : *samples) {
        if (std::isnan(sample))
            continue;
        if (sample < 0)
            return fail(recording.file().string() + ": damaged: counter "
                + recording.header().counters[counterId].path() + " counts less than nothing");
        total += sample;
    }
    if (total >= 0x1p63)
        return fail(recording.file().string() + ": damaged: counter "
            + recording.header().counters[counterId].path() + " counts too much");
    events.total = static_cast<std::uint64_t>(total);
    return events;
}

Result<Events> eventsOf(const Recording& recording, Quantity quantity, history::TickRange range)
{
    const auto counter = findSeries(recording.header().counters, quantity);
    return counter ? eventsWithin(recording, *counter, range) : Result<Events>(Events());
}

Attempts attemptsIn(const RunHeader& header)
{
    using enum Quantity;
    const auto of = [&](Quantity quantity) { return findSeries(header.counters, quantity); };
    const auto ofVolume = [&](Quantity quantity) { // a raw test has one
        const auto found = std::ranges::find_if(header.counters, [&](const CounterInfo& info) {
            return info.key.quantity == quantity && !info.key.subject.ioClass;
        });
        return found == header.counters.end() ? std::nullopt : std::optional(found->id);
    };
    switch (header.kind) {
    case RunKind::mail:
        return { of(actionsEnded), of(actionsFailed) };
    case RunKind::storage:
        return { of(transactions), of(failedTransfers) };
    case RunKind::raw:
        break;
    }
    return { ofVolume(transfers), ofVolume(failedTransfers) };
}

TimeWindow windowOf(const Recording& recording, const Phase& phase)
{
    return { phase.begin, phase.open ? std::max(phase.begin, recording.length()) : phase.end };
}

Result<std::vector<metrics::Sample>> samplesOf(
    const Recording& recording, std::uint32_t counterId, TimeWindow window)
{
    const auto points = recording.counter(counterId, window);
    if (!points)
        return points.error();
    std::vector<metrics::Sample> samples;
    samples.reserve(points->size());
    for (const CounterPoint& point : *points)
        if (!std::isnan(point.value))
            samples.push_back({ seconds(point.at), point.value });
    return samples;
}

} // namespace loadstone::analysis
