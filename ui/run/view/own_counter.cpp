// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/own_counter.h"

#include "run/view/line_key.h"

#include <loadstone/event_rates.h>

namespace loadstone::ui {

CounterInfo derivedInfo(const DerivedCounter& counter)
{
    CounterInfo info = counterOf(ForeignCounter { {}, "Derived", {}, counter.name });
    info.unit = counter.unit;
    info.help = counter.definition;
    return info;
}

std::optional<OwnCounter> findOwnCounter(
    const RunHeader& header, const ComputedCounters& computed, const SeriesKey& key)
{
    if (const auto id = findSeries(header.counters, key))
        return OwnCounter { OwnCounter::Kind::stored, *id, shownFactor(header.counters[*id]) };
    if (const auto id = findSeries(computed.rates, key))
        return OwnCounter { OwnCounter::Kind::rate, *id };
    for (const DerivedCounter& counter : computed.derived)
        if (derivedInfo(counter).key == key)
            return OwnCounter { OwnCounter::Kind::derived, 0, 1, &counter };
    return std::nullopt;
}

Result<std::vector<CounterPoint>> ownPoints(
    const Recording& recording, const OwnCounter& counter, TimeWindow window)
{
    if (counter.kind == OwnCounter::Kind::derived)
        return derivedCounter(recording, *counter.derived, window);
    if (counter.kind == OwnCounter::Kind::rate)
        return eventRate(recording, counter.id, window);
    auto points = recording.counter(counter.id, window);
    if (points)
        for (CounterPoint& p : *points)
            p.value *= counter.factor;
    return points;
}

Result<std::vector<CounterBand>> ownBands(
    const Recording& recording, const OwnCounter& counter, TimeWindow window, std::size_t bands)
{
    if (counter.kind == OwnCounter::Kind::derived)
        return derivedBands(recording, *counter.derived, window, bands);
    if (counter.kind == OwnCounter::Kind::rate)
        return eventRateBands(recording, counter.id, window, bands);
    auto curve = recording.counterBands(counter.id, window, bands);
    if (curve)
        multiply(*curve, counter.factor);
    return curve;
}

Result<CounterStatistics> ownStatistics(
    const Recording& recording, const OwnCounter& counter, TimeWindow window)
{
    if (counter.kind == OwnCounter::Kind::derived)
        return derivedStatistics(recording, *counter.derived, window);
    if (counter.kind == OwnCounter::Kind::rate)
        return eventRateStatistics(recording, counter.id, window);
    auto values = recording.counterStatistics(counter.id, window);
    if (values)
        multiply(*values, counter.factor);
    return values;
}

void multiply(std::vector<CounterBand>& bands, double factor)
{
    for (CounterBand& b : bands) {
        b.minimum *= factor;
        b.maximum *= factor;
        b.average *= factor;
    }
}

void multiply(CounterStatistics& statistics, double factor)
{
    for (double* value : { &statistics.last, &statistics.average, &statistics.minimum, &statistics.maximum })
        *value *= factor;
}

} // namespace loadstone::ui
