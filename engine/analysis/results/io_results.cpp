// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/result_parts.h"
#include "analysis/window/action_series.h"
#include "analysis/window/right_edge.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"

#include <algorithm>

namespace loadstone::analysis {

namespace {

/// The times in the device of a class of I/O, within `range` of this length.
Result<void> addDeviceTimes(const Recording& recording, history::TickRange range, const MixSums& sums,
    const Subject& subject, Nanoseconds length, IoRow& row)
{
    const RunHeader& header = recording.header();
    const auto timesBy = [&](LatencyClock clock) {
        return findSeries(header.histograms, { Quantity::transferTime, subject, clock });
    };
    if (const auto queued = timesBy(LatencyClock::slip))
        row.queued = sums.histograms[*queued].summary();
    const auto service = timesBy(LatencyClock::service);
    if (!service)
        return {};
    auto unfinished = unfinishedInDevice(recording, subject, range);
    if (!unfinished)
        return unfinished.error();
    row.unfinished = unfinished->count();
    row.device = CensoredLatency(sums.histograms[*service], *std::move(unfinished)).summary();
    const auto samples = sums.storage.latencies.find(*service);
    if (samples == sums.storage.latencies.end())
        return {};
    if (const auto longest = longestMean(samples->second, sums.storage.sample, length)) {
        row.longestSample = longest->mean;
        row.longestAtLeast = longest->atLeast;
    }
    return {};
}

} // namespace

Result<std::vector<IoRow>> ioRows(const Recording& recording, history::TickRange range, const MixSums& sums)
{
    std::vector<IoRow> rows;
    for (const CounterInfo& info : recording.header().counters) {
        using enum Quantity;
        const auto is = [&](Quantity quantity) { return info.key.quantity == quantity; };
        if (!info.key.subject.isOwnIo() || !(is(transfers) || is(transferBytes) || is(failedTransfers)))
            continue;
        const Subject& subject = info.key.subject;
        auto row = std::ranges::find_if(rows,
            [&](const IoRow& one) { return one.volume == subject.volume && one.ioClass == subject.ioClass; });
        const auto events = eventsWithin(recording, info.id, range);
        if (!events)
            return events.error();
        if (row == rows.end()) {
            IoRow fresh;
            fresh.volume = subject.volume;
            fresh.ioClass = subject.ioClass;
            if (const auto added =
                    addDeviceTimes(recording, range, sums, subject, events->end - events->begin, fresh);
                !added)
                return added.error();
            row = rows.insert(rows.end(), std::move(fresh));
        }
        const double length = seconds(events->end - events->begin);
        const double rate = length > 0 ? static_cast<double>(events->total) / length : 0;
        if (is(transfers)) {
            row->count = events->total;
            row->perSecond = rate;
        } else if (is(transferBytes)) {
            row->bytes = events->total;
            row->bytesPerSecond = rate;
        } else {
            row->failures = events->total;
        }
    }
    std::erase_if(rows, [](const IoRow& row) { return row.count + row.unfinished == 0; });
    return rows;
}

} // namespace loadstone::analysis
