// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window.h"

#include "history/recording_reader.h"

#include <cmath>

namespace loadstone::analysis {

Result<Events> eventsWithin(const Recording& recording, std::uint32_t counterId, history::TickRange range)
{
    const history::TickReader& reader = recording.impl().ticks();
    const auto samples = reader.samples(counterId, range);
    if (!samples)
        return samples.error();
    Events events;
    if (range.empty())
        return events;
    events.begin = reader.times()[range.first].begin;
    events.end = reader.times()[range.last - 1].end;
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

} // namespace loadstone::analysis
