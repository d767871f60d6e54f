// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/outages.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::run {

namespace {

bool isLoad(PhaseKind kind)
{
    return kind == PhaseKind::rampUp || kind == PhaseKind::measurement || kind == PhaseKind::rampDown;
}

/// What most failures of a tick were: ": SMTP connect, Connection refused".
std::string cause(const metrics::Tick& tick, const std::string& target)
{
    const metrics::ErrorCount* most = nullptr;
    for (const metrics::ErrorCount& error : tick.errors)
        if (error.target == target && (most == nullptr || error.count > most->count))
            most = &error;
    if (most == nullptr)
        return {};
    return fmt::format(
        ": {}, {}", most->where, most->text.empty() ? textOf(most->kind, most->code) : most->text);
}

}

Outages::Outages(const std::vector<CounterInfo>& counters)
{
    for (const CounterInfo& info : counters) {
        if (info.key.quantity != Quantity::actionsEnded)
            continue;
        SeriesKey failed = info.key;
        failed.quantity = Quantity::actionsFailed;
        if (const auto id = findSeries(counters, failed))
            m_targets.push_back({ info.key.subject.target, info.id, *id });
    }
    // Beside its targets, what several have in all is not looked at.
    if (m_targets.size() > 1)
        std::erase_if(m_targets, [](const Target& target) { return target.name.empty(); });
}

std::vector<RunEvent> Outages::add(const metrics::Tick& tick, PhaseKind phase)
{
    std::vector<RunEvent> events;
    if (!isLoad(phase))
        return events;
    for (Target& target : m_targets) {
        const double ended = tick.values.at(target.ended), failed = tick.values.at(target.failed);
        if (ended > failed) { // false for a NaN
            if (target.reported)
                events.push_back({ tick.end, Severity::info,
                    fmt::format("actions succeed again: every action failed from {} to {}",
                        formatClock(target.since), formatClock(tick.begin)),
                    target.name });
            target.failures = 0;
            target.reported = false;
            continue;
        }
        if (!(failed > 0))
            continue; // nothing ended: a stretch goes on
        if (target.failures == 0)
            target.since = tick.begin;
        target.failures += failed;
        if (target.reported || target.failures < kLeastFailures || tick.end - target.since < kLeastLength
            || target.stretches == kMostReported)
            continue;
        target.reported = true;
        ++target.stretches;
        events.push_back({ tick.end, Severity::warning,
            fmt::format(
                "every action has failed since {}{}", formatClock(target.since), cause(tick, target.name)),
            target.name });
    }
    return events;
}

} // namespace loadstone::run
