// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/matched_mixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace loadstone::compare {

namespace {

/// What mixes are matched by. The last number tells several of one load, or name, of a run apart.
using Key = std::tuple<double, std::string, std::size_t>;

std::vector<Key> keysOf(const ComparedRun& run, MixMatch match)
{
    std::vector<Key> keys;
    std::map<std::pair<double, std::string>, std::size_t> seen;
    for (std::size_t i = 0; i < run.mixes.size(); ++i) {
        const ComparedMix& mix = run.mixes[i];
        std::pair<double, std::string> what(-1, mix.name);
        if (match == MixMatch::phase)
            what = { static_cast<double>(i), "" };
        else if (match == MixMatch::users && mix.load)
            what = { *mix.load, mix.loadUnit };
        keys.emplace_back(what.first, what.second, seen[what]++);
    }
    return keys;
}

std::string nameOf(const ComparedMix& mix, MixMatch match, std::size_t index)
{
    if (match == MixMatch::phase)
        return fmt::format("{}: {}", index + 1, mix.name);
    if (match == MixMatch::users && mix.load)
        return loadText(mix);
    return mix.name;
}

} // namespace

std::string loadText(const ComparedMix& mix)
{
    constexpr double kExact = 1e15; // whole numbers below are whole in a double
    const double load = mix.load.value_or(0);
    std::string text = fmt::format("{:.15g}", load);
    if (load == std::floor(load) && std::abs(load) < kExact)
        for (std::size_t at = text.size(); at > 3 + (load < 0 ? 1 : 0); at -= 3)
            text.insert(at - 3, ",");
    return mix.loadUnit.empty() ? text : text + " " + mix.loadUnit;
}

std::size_t MatchedMix::columns() const
{
    return static_cast<std::size_t>(std::ranges::count_if(mixes, [](const auto& runs) {
        return std::ranges::any_of(runs, [](const auto& mix) { return mix.has_value(); });
    }));
}

std::vector<MatchedMix> matchMixes(
    std::span<const ComparedColumn> columns, std::size_t baseline, MixMatch match)
{
    std::vector<MatchedMix> matched;
    std::map<Key, std::size_t> places;
    std::map<std::size_t, std::set<std::string>> names; // of the mixes that are matched by their order
    const auto addColumn = [&](std::size_t column) {
        for (std::size_t run = 0; run < columns[column].runs.size(); ++run) {
            const ComparedRun& of = columns[column].runs[run];
            const auto keys = keysOf(of, match);
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const auto [at, isNew] = places.try_emplace(keys[i], matched.size());
                const ComparedMix& mix = of.mixes[i];
                if (isNew) {
                    MatchedMix& one = matched.emplace_back();
                    one.name = nameOf(mix, match, i);
                    const std::string title = one.name;
                    if (std::get<2>(keys[i]) > 0 && !mix.name.empty() && title != std::string_view(mix.name))
                        one.name += ", " + mix.name; // one more of the same load
                    one.load = mix.load;
                    one.loadUnit = mix.loadUnit;
                    one.mixes.resize(columns.size());
                    for (std::size_t c = 0; c < columns.size(); ++c)
                        one.mixes[c].resize(columns[c].runs.size());
                }
                // "1: 40 users / 20 users": what stands in one row is not the same.
                if (match == MixMatch::phase && names[at->second].insert(mix.name).second && !isNew)
                    matched[at->second].name += " / " + mix.name;
                matched[at->second].mixes[column][run] = i;
            }
        }
    };
    addColumn(baseline);
    for (std::size_t column = 0; column < columns.size(); ++column)
        if (column != baseline)
            addColumn(column);
    return matched;
}

} // namespace loadstone::compare
