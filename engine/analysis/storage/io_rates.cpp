// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_reader.h"

#include <loadstone/results.h>

#include <cmath>

namespace loadstone {

Result<std::optional<IoRates>> ioRatesAt(const Recording& recording, Nanoseconds at)
{
    const history::TickReader& reader = history::readerOf(recording).ticks();
    const history::TickRange shown = reader.rangeOf({ Nanoseconds(0), at });
    std::optional<IoRates> rates;
    for (const CounterInfo& info : recording.header().counters) {
        using enum Quantity;
        const auto is = [&](Quantity quantity) { return info.key.quantity == quantity; };
        const bool ofFilling = is(fillWrites) || is(fillBytes);
        const bool ofClass = (is(transfers) || is(transferBytes)) && info.key.subject.isOwnIo();
        if (!ofClass && !ofFilling)
            continue;
        const IoDirection direction = ofFilling ? IoDirection::write : directionOf(*info.key.subject.ioClass);
        if (direction == IoDirection::neither)
            continue;
        if (!rates)
            rates.emplace();
        if (shown.empty())
            continue;
        const history::TickTime& tick = reader.times()[shown.last - 1];
        const auto samples = reader.samples(info.id, { shown.last - 1, shown.last });
        if (!samples)
            return samples.error();
        const double rate = history::shown(info.kind, samples->front(), seconds(tick.end - tick.begin));
        if (!std::isfinite(rate))
            continue;
        (is(transferBytes) || is(fillBytes)       ? rates->bytesPerSecond
                : direction == IoDirection::write ? rates->writesPerSecond
                                                  : rates->readsPerSecond) += rate;
    }
    return rates;
}

double MixResult::iosPerSecond(IoDirection direction) const
{
    double sum = 0;
    for (const IoRow& row : io)
        if (row.direction() == direction)
            sum += row.perSecond;
    return sum;
}

double MixResult::iosPerSecond() const
{
    return iosPerSecond(IoDirection::read) + iosPerSecond(IoDirection::write);
}

} // namespace loadstone
