// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/action_series.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace loadstone::analysis {

namespace {

struct Family {
    Quantity time;
    std::array<Quantity, std::size(kActionCounts)> counts; // in the order of ActionCount
};
constexpr Family kFamilies[] {
    { Quantity::actionTime, { Quantity::actionsDue, Quantity::actionsBegun, Quantity::actionsGivenUp } },
    { Quantity::transactionTime,
        { Quantity::transactionsDue, Quantity::transactionsBegun, Quantity::transactionsGivenUp } },
    { Quantity::transferTime,
        { Quantity::transfersDue, Quantity::transfersBegun, Quantity::transfersGivenUp } },
};

const Family* familyOf(Quantity time)
{
    const auto* const found = std::ranges::find(kFamilies, time, &Family::time);
    return found == std::end(kFamilies) ? nullptr : found;
}

} // namespace

std::optional<std::uint32_t> actionLatency(const RunHeader& header, SeriesKey action, LatencyClock clock)
{
    if (!action.quantity || familyOf(*action.quantity) == nullptr)
        return std::nullopt;
    action.clock = clock;
    return findSeries(header.histograms, action);
}

std::optional<std::uint32_t> actionCounter(
    const RunHeader& header, const SeriesKey& action, ActionCount count)
{
    const Family* family = action.quantity ? familyOf(*action.quantity) : nullptr;
    if (family == nullptr)
        return std::nullopt;
    return findSeries(header.counters, { family->counts[static_cast<std::size_t>(count)], action.subject });
}

bool countsActions(const CounterInfo& info)
{
    return std::ranges::any_of(kFamilies, [&](const Family& family) {
        return info.key.quantity && std::ranges::count(family.counts, *info.key.quantity) > 0;
    });
}

} // namespace loadstone::analysis
