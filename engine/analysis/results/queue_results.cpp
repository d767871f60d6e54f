// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Time until a queue builds up, of each queue of a mix.
#include "analysis/curves/build_up.h"
#include "analysis/results/result_parts.h"
#include "plan/model/plan.h"

#include <loadstone/counter_choice.h>

#include <algorithm>
#include <cmath>

namespace loadstone::analysis {

namespace {

constexpr std::size_t kMostQueues = 50;

/// Queues of mail that other programs count, by the beginning of their objects' names.
const std::vector<std::string>& knownQueues()
{
    static const std::vector<std::string> patterns { "*\\MSExchange*Queue*", "*\\SMTP*Queue*",
        "*\\Mail Queue*", "*\\Postfix*Queue*", "*\\Dovecot*Queue*" };
    return patterns;
}

plan::QueueLimits queueLimitsOf(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    return loaded.ok() ? loaded.plan.head().queues : plan::QueueLimits {};
}

bool isOwnQueue(const CounterInfo& info)
{
    return info.key == SeriesKey(Quantity::copiesOutstanding)
        || info.key.quantity == Quantity::mailQueueLength;
}

/// From the end of the ramp-up to the end of the ramp-down. `ended`: false while it goes on, and where it was cut short.
TimeWindow searchedOf(const Recording& recording, const Phase& measurement, bool& ended)
{
    TimeWindow window = windowOf(recording, measurement);
    const auto& phases = recording.phases();
    const Phase* last = &measurement;
    for (const Phase& phase : phases)
        if (phase.mix == measurement.mix && phase.kind == PhaseKind::rampDown
            && phase.begin >= measurement.begin)
            last = &phase;
    window.end = std::max(window.end, windowOf(recording, *last).end);
    const bool more = last->index + 1 < phases.size();
    ended = !last->open && (more || recording.state() == RunState::finished);
    return window;
}

} // namespace

std::vector<ChosenCounter> queuesOf(const Recording& recording)
{
    std::vector<ChosenCounter> queues;
    const RunHeader& header = recording.header();
    if (header.target.empty()) {
        const plan::QueueLimits limits = queueLimitsOf(recording);
        const auto asked = countersOf(recording, limits.counters.empty() ? knownQueues() : limits.counters);
        if (asked)
            queues =
                *asked; // else the list of sources says what is damaged: no result is made of them otherwise
    }
    for (const CounterInfo& info : header.counters)
        if (isOwnQueue(info)
            && std::ranges::find(queues, CounterPlace { 0, info.id }, &ChosenCounter::place) == queues.end())
            queues.push_back({ { 0, info.id }, info, info.path() });
    std::erase_if(queues, [](const ChosenCounter& one) { return one.info.kind != CounterKind::level; });
    std::ranges::stable_sort(queues, {}, [](const ChosenCounter& one) { return one.place; });
    if (queues.size() > kMostQueues)
        queues.resize(kMostQueues);
    return queues;
}

Result<std::vector<QueueRow>> queueRows(const Recording& recording, const std::vector<ChosenCounter>& queues,
    const Phase& measurement, bool complete)
{
    const plan::QueueLimits limits = queueLimitsOf(recording);
    bool ended = false;
    const TimeWindow searched = searchedOf(recording, measurement, ended);
    ended = ended && complete;
    std::vector<QueueRow> rows;
    for (const ChosenCounter& queue : queues) {
        QueueRow row;
        row.name = queue.place.source == 0 ? queue.info.path() : queue.path;
        row.source = queue.place.source;
        row.series = queue.info.key;
        row.normal = limits.normal;
        row.failing = limits.failing;
        row.searched = searched;
        row.aboveNormal.reason = row.aboveFailing.reason = "the mix has not ended";
        if (!ended) { // nothing is read while a run goes on
            rows.push_back(std::move(row));
            continue;
        }
        // A sample before the window says how the queue stands at its begin, even where the interval is an hour.
        const auto points =
            pointsOf(recording, queue.place, { searched.begin - std::chrono::hours(1), searched.end });
        if (!points)
            return points.error();
        row.samples =
            static_cast<std::uint64_t>(std::ranges::count_if(*points, [&](const CounterPoint& point) {
                return point.at > searched.begin && !std::isnan(point.value);
            }));
        const Nanoseconds longestGap = longestGapOf(*points, searched);
        row.aboveNormal = buildUpOf(*points, searched, row.normal, longestGap);
        row.aboveFailing = buildUpOf(*points, searched, row.failing, longestGap);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace loadstone::analysis
