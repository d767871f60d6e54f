// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/result_parts.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "metrics/preparation_counters.h"

namespace loadstone::analysis {

Result<PreparationResult> preparationOf(const Recording& recording, const Phase& phase)
{
    PreparationResult result;
    result.kind = phase.kind;
    result.begin = phase.begin;
    const history::TickRange range = ticksOf(recording, phase);
    const history::TickReader& reader = history::readerOf(recording).ticks();
    result.end = range.empty() ? phase.begin : reader.times()[range.last - 1].end;
    std::uint64_t toDo = 0;
    for (const CounterInfo& info : recording.header().counters) {
        if (!info.key.subject.empty()) // such as a target's own part
            continue;
        for (const metrics::PreparationCounter& counter : metrics::kPreparationCounters)
            if (info.key.quantity == counter.quantity) {
                const auto events = eventsWithin(recording, info.id, range);
                if (!events)
                    return events.error();
                result.totals.*counter.total = events->total;
            }
        if (info.key.quantity == Quantity::mailboxesToDo) {
            const auto samples = reader.samples(info.id, range);
            if (!samples)
                return samples.error();
            const double last = samples->empty() ? 0 : samples->back();
            toDo = last >= 0 && last < 0x1p63 ? static_cast<std::uint64_t>(last) : 0;
        }
    }
    result.totals.mailboxes = result.totals.done + result.totals.failed + toDo;
    result.complete = !phase.open && !range.empty() && toDo + result.totals.failed == 0;
    const auto sums = resultsCache(recording).sums(recording, phase.index, range);
    if (!sums)
        return sums.error();
    result.commands = latencyRows(recording.header(), **sums, LatencyScope::command);
    leaveOutIdle(result.commands);
    result.errors = errorRows(**sums);
    result.figures = figuresOf(result);
    return result;
}

} // namespace loadstone::analysis
