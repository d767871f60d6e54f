// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/target_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace loadstone::history {

namespace {

bool isTarget(const RunHeader& header, const std::string& name)
{
    return std::find(header.targets.begin(), header.targets.end(), name) != header.targets.end();
}

/// A counter that targets have a part of: of the load, and not of the machine that makes it.
bool isPart(const RunHeader& header, const CounterInfo& info)
{
    return info.object.starts_with("Loadstone ") && info.object != "Loadstone Generator"
        && isTarget(header, info.instance);
}

/// Counters by what they count, whosever they are.
using Key = std::pair<std::string_view, std::string_view>;
Key keyOf(const CounterInfo& info)
{
    return { info.object, info.counter };
}

} // namespace

std::string ofTarget(const std::string& target, std::string_view name)
{
    return (target.empty() ? "" : target + ": ").append(name);
}

bool takeMark(std::string& name, const std::string& target)
{
    const std::string mark = ofTarget(target, {});
    if (!name.starts_with(mark))
        return false;
    name.erase(0, mark.size());
    return true;
}

bool isMarked(const std::string& name, const std::vector<std::string>& targets)
{
    return std::any_of(targets.begin(), targets.end(),
        [&](const std::string& target) { return name.starts_with(ofTarget(target, {})); });
}

TargetView viewOf(const RunHeader& header, const ResultSeries& series, const std::string& target)
{
    TargetView view;
    view.series = series;
    std::map<Key, const CounterInfo*> together; // of which targets have their part
    std::set<Key> own; // what this target has a part of
    for (const CounterInfo& info : header.counters)
        if (!isPart(header, info))
            together.try_emplace(keyOf(info), &info);
        else if (info.instance == target)
            own.insert(keyOf(info));
    for (const CounterInfo& info : header.counters) {
        if (info.object == kActionsObject) {
            CounterInfo mine = info;
            const bool shown =
                target.empty() ? !isMarked(info.instance, header.targets) : takeMark(mine.instance, target);
            if (!shown)
                continue;
            mine.id = static_cast<std::uint32_t>(view.counters.size());
            view.counters.push_back(std::move(mine));
            view.counterIds.push_back(info.id);
            continue;
        }
        const auto whole = together.find(keyOf(info));
        const bool part = isPart(header, info) && whole != together.end();
        const bool shown = target.empty()
            || (part ? info.instance == target
                     : whole == together.end() || whole->second != &info || !own.contains(keyOf(info)));
        if (!shown)
            continue;
        CounterInfo mine = info;
        mine.id = static_cast<std::uint32_t>(view.counters.size());
        if (part && !target.empty())
            mine.instance = whole->second->instance;
        for (auto of : { &ResultSeries::sent, &ResultSeries::received, &ResultSeries::attempts,
                 &ResultSeries::failures })
            if (series.*of == (part && !target.empty() ? whole->second->id : info.id))
                view.series.*of = mine.id;
        view.counters.push_back(std::move(mine));
        view.counterIds.push_back(info.id);
    }
    for (const HistogramInfo& info : header.histograms) {
        HistogramInfo mine = info;
        const bool shown =
            target.empty() ? !isMarked(info.name, header.targets) : takeMark(mine.name, target);
        if (!shown)
            continue;
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
