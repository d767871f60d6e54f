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

Outages::Outages(const std::vector<CounterInfo>& counters, const std::vector<HistogramInfo>& histograms)
{
    for (const CounterInfo& info : counters) {
        if (info.key.quantity != Quantity::actionsEnded)
            continue;
        SeriesKey failed = info.key;
        failed.quantity = Quantity::actionsFailed;
        const auto id = findSeries(counters, failed);
        if (!id)
            continue;
        Target target;
        target.name = info.key.subject.target;
        target.ended = info.id;
        target.failed = *id;
        for (const HistogramInfo& histogram : histograms)
            if (histogram.scope == LatencyScope::action && histogram.key.clock == LatencyClock::age
                && histogram.key.subject.target == info.key.subject.target)
                target.ages.push_back(histogram.id);
        m_targets.push_back(std::move(target));
    }
}

std::vector<RunEvent> Outages::add(
    const metrics::Tick& tick, const std::vector<Histogram>& histograms, PhaseKind phase)
{
    std::vector<RunEvent> events;
    if (!isLoad(phase))
        return events;
    for (Target& target : m_targets) {
        if (m_targets.size() == 1 || !target.name.empty()) // of several targets each fails for itself
            addFailures(target, tick, events);
        addSilence(target, tick, histograms, events);
    }
    return events;
}

void Outages::addFailures(Target& target, const metrics::Tick& tick, std::vector<RunEvent>& events) const
{
    const double ended = tick.values.at(target.ended), failed = tick.values.at(target.failed);
    if (ended > failed) { // false for a NaN
        if (target.failing.reported)
            events.push_back({ tick.end, Severity::info,
                fmt::format("actions succeed again: every action failed from {} to {}",
                    formatClock(*target.failing.since), formatClock(tick.begin)),
                target.name });
        target.failing = {};
        target.failures = 0;
        return;
    }
    if (!(failed > 0))
        return; // nothing ended: a stretch goes on
    if (!target.failing.since)
        target.failing.since = tick.begin;
    target.failures += failed;
    if (target.failing.reported || target.failures < kLeastFailures
        || tick.end - *target.failing.since < kLeastLength || target.reported == kMostReported)
        return;
    target.failing.reported = true;
    ++target.reported;
    events.push_back({ tick.end, Severity::warning,
        fmt::format("every action has failed since {}{}", formatClock(*target.failing.since),
            cause(tick, target.name)),
        target.name });
}

void Outages::addSilence(Target& target, const metrics::Tick& tick, const std::vector<Histogram>& histograms,
    std::vector<RunEvent>& events) const
{
    const double ended = tick.values.at(target.ended);
    if (ended > 0) { // false for a NaN
        if (target.silent.reported)
            events.push_back({ tick.end, Severity::info,
                fmt::format("actions end again: none ended from {} to {}", formatClock(*target.silent.since),
                    formatClock(tick.begin)),
                target.name });
        target.silent = {};
        return;
    }
    if (!target.silent.since)
        target.silent.since = tick.begin;
    if (target.silent.reported || tick.end - *target.silent.since < kLeastSilence
        || target.reported == kMostReported)
        return;
    std::uint64_t waiting = 0;
    Nanoseconds longest {};
    for (const std::uint32_t id : target.ages) {
        waiting += histograms.at(id).count();
        longest = std::max(longest, histograms.at(id).maximum());
    }
    if (longest < kLeastSilence) // no action waits, or not for long
        return;
    target.silent.reported = true;
    ++target.reported;
    events.push_back({ tick.end, Severity::warning,
        fmt::format("no action has ended since {}: {} under way", formatClock(*target.silent.since), waiting),
        target.name });
}

} // namespace loadstone::run
