// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/path_pattern.h"

#include <loadstone/counter_choice.h>
#include <loadstone/event_rates.h>
#include <loadstone/source.h>

#include <algorithm>

namespace loadstone {

Result<std::vector<ChosenCounter>> countersOf(
    const Recording& recording, const std::vector<std::string>& patterns)
{
    std::vector<ChosenCounter> chosen;
    const auto take = [&](CounterPlace place, const CounterInfo& info, const std::string& computer) {
        ChosenCounter one { place, info, info.path() };
        if (info.computer.empty() && !computer.empty())
            one.path.insert(0, "\\\\" + computer);
        const auto fits = [&](const std::string& pattern) { return series::fitsPattern(pattern, one.path); };
        if (patterns.empty() || std::ranges::any_of(patterns, fits))
            chosen.push_back(std::move(one));
    };
    for (const CounterInfo& info : recording.header().counters)
        take({ 0, info.id }, info, recording.header().computer);
    for (const CounterInfo& info : eventRatesOf(recording.header()))
        take({ 0, info.id, true }, info, recording.header().computer);
    const auto sources = sourcesOf(recording);
    if (!sources)
        return sources.error();
    for (const SourceInfo& source : *sources)
        for (const CounterInfo& info : source.counters)
            take({ source.id, info.id }, info, source.computer);
    return chosen;
}

Result<std::vector<CounterPoint>> pointsOf(
    const Recording& recording, const CounterPlace& place, TimeWindow window)
{
    if (place.eventRate)
        return eventRate(recording, place.counter, window);
    return place.source == 0 ? recording.counter(place.counter, window)
                             : sourceCounter(recording, place.source, place.counter, window);
}

} // namespace loadstone
