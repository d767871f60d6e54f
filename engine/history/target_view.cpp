// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/target_view.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace loadstone::history {

namespace {

/// What a view shows of a series: nothing, or its key there.
std::optional<SeriesKey> shownAs(
    const SeriesKey& key, const std::string& target, const std::set<SeriesKey>& parts)
{
    SeriesKey mine = key;
    if (target.empty()) // of actions and latencies those of all together alone: there are many
        return key.subject.target.empty() || (!key.subject.action && !key.clock) ? std::optional(mine)
                                                                                 : std::nullopt;
    if (key.subject.target == target) {
        mine.subject.target.clear();
        return mine;
    }
    return key.subject.target.empty() && !parts.contains(key) ? std::optional(mine) : std::nullopt;
}

template <class Info>
std::set<SeriesKey> partsOf(const std::vector<Info>& all, const std::string& target)
{
    std::set<SeriesKey> parts;
    for (const Info& info : all)
        if (SeriesKey key = info.key; key.subject.target == target) {
            key.subject.target.clear();
            parts.insert(std::move(key));
        }
    return parts;
}

} // namespace

TargetView viewOf(const RunHeader& header, const ResultSeries& series, const std::string& target)
{
    TargetView view;
    view.series = series;
    const std::set<SeriesKey> counters =
        target.empty() ? std::set<SeriesKey>() : partsOf(header.counters, target);
    for (const CounterInfo& info : header.counters) {
        const auto key = shownAs(info.key, target, counters);
        if (!key)
            continue;
        CounterInfo mine = key->quantity ? counterOf(*key) : info;
        mine.id = static_cast<std::uint32_t>(view.counters.size());
        view.counters.push_back(std::move(mine));
        view.counterIds.push_back(info.id);
    }
    const std::set<SeriesKey> histograms =
        target.empty() ? std::set<SeriesKey>() : partsOf(header.histograms, target);
    for (const HistogramInfo& info : header.histograms) {
        // Of all together a target has none but its own.
        if (!target.empty() && info.key.subject.target != target)
            continue;
        const auto key = shownAs(info.key, target, histograms);
        if (!key)
            continue;
        HistogramInfo mine = histogramOf(*key, info.scope);
        mine.id = static_cast<std::uint32_t>(view.histograms.size());
        view.histograms.push_back(std::move(mine));
        view.histogramIds.push_back(info.id);
    }
    for (const TargetFacts& facts : series.targets)
        if (facts.name == target)
            view.series.mixes = facts.mixes;
    return view;
}

} // namespace loadstone::history
