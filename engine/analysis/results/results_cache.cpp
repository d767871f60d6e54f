// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/results_cache.h"

#include "analysis/window/action_series.h"
#include "plan/model/plan.h"

#include <algorithm>
#include <utility>

namespace loadstone::analysis {

namespace {

// Recordings come from others too, and a few bytes there are kilobytes here: when this much is kept, it is let go.
constexpr std::size_t kMostPhases = 500;
constexpr std::size_t kMostFilled = 20'000; // histograms, of 19 KB each at most
constexpr std::size_t kCountersOfHistogram = 64; // so many counters' sums take no more than one

Result<void> addTicks(const Recording& recording, history::TickRange added, MixSums& sums)
{
    const auto& impl = history::readerOf(recording);
    const history::TickReader& reader = impl.ticks();
    sums.histograms.resize(recording.header().histograms.size());
    for (const HistogramInfo& info : recording.header().histograms)
        if (!isAge(info.clock))
            if (auto done = reader.merge(info.id, added, sums.histograms[info.id]); !done)
                return done;
    for (const CounterInfo& info : recording.header().counters)
        if (countsActions(info)) {
            const auto events = eventsWithin(recording, info.id, added);
            if (!events)
                return events.error();
            sums.actions[info.id] += events->total;
        }
    const auto& counters = recording.header().counters;
    const Attempts attempts = attemptsIn(recording.header());
    for (const auto& [counter, total] :
        { std::pair { findSeries(counters, Quantity::messagesSent), &sums.sent },
            std::pair { findSeries(counters, Quantity::messagesReceived), &sums.received },
            std::pair { attempts.all, &sums.attempts }, std::pair { attempts.failed, &sums.failures } }) {
        if (!counter)
            continue;
        const auto events = eventsWithin(recording, *counter, added);
        if (!events)
            return events.error();
        *total += events->total;
    }
    auto errors = impl.errors(added);
    if (!errors)
        return errors.error();
    for (const ErrorRow& row : *errors)
        sums.errors[{ row.target, row.where, row.kind, row.code, row.text }] += row.count;
    if (hasStorageCounters(recording.header()))
        if (auto done = addStorage(recording, added, reader.times()[sums.taken.first].begin, sums.storage);
            !done)
            return done;
    sums.taken.last = added.last;
    return {};
}

/// Of a measurement; 0 where the plan does not say.
Nanoseconds plannedLength(const Recording& recording, std::uint32_t phase)
{
    const auto& mixes = history::readerOf(recording).series().mixes;
    for (const Phase& one : recording.phases())
        if (one.index == phase && one.mix >= 0 && static_cast<std::size_t>(one.mix) < mixes.size())
            return mixes[static_cast<std::size_t>(one.mix)].measurement;
    return {};
}

} // namespace

Result<const MixSums*> ResultsCache::sums(
    const Recording& recording, std::uint32_t phase, history::TickRange range, bool chosen)
{
    if (m_byPhase.size() >= kMostPhases || m_filled >= kMostFilled) {
        m_byPhase.clear();
        m_filled = 0;
    }
    auto [entry, isNew] = m_byPhase.try_emplace({ phase, chosen });
    MixSums& sums = entry->second;
    if (isNew || sums.taken.first != range.first || sums.taken.last > range.last) {
        sums = {};
        sums.taken = { range.first, range.first };
        sums.storage.sample = sampleLength(plannedLength(recording, phase));
    }
    if (sums.histograms.empty())
        sums.histograms.resize(recording.header().histograms.size());
    const history::TickRange added { sums.taken.last, range.last };
    if (!added.empty()) {
        auto done = addTicks(recording, added, sums);
        if (done)
            done = addEvidence(recording, added, sums.generator);
        if (!done) {
            m_byPhase.erase(entry); // half of it may have been added
            return done.error();
        }
    }
    if (!added.empty())
        m_filled += sums.storage.counters.size() / kCountersOfHistogram
            + static_cast<std::size_t>(std::count_if(sums.histograms.begin(), sums.histograms.end(),
                [](const Histogram& histogram) { return histogram.count() > 0; }));
    return &sums;
}

const plan::StorageTest* storageTestOf(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const plan::StoragePlan* storage = loaded.ok() ? loaded.plan.storage() : nullptr;
    return storage != nullptr && hasStorageCounters(recording.header()) ? &storage->test : nullptr;
}

const plan::HealthLimits& healthLimitsOf(const Recording& recording)
{
    static const plan::HealthLimits kDefault {};
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    return loaded.ok() ? loaded.plan.head().health : kDefault;
}

std::pair<plan::ScoreWeights, std::string> scoreWeightsOf(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const plan::Profile* profile = loaded.ok() ? loaded.plan.profile() : nullptr;
    return profile != nullptr ? std::pair { profile->weights, profile->title }
                              : std::pair<plan::ScoreWeights, std::string>();
}

ResultsCache& resultsCache(const Recording& recording)
{
    auto& place = history::readerOf(recording).derived();
    auto* cache = dynamic_cast<ResultsCache*>(place.get());
    if (cache == nullptr) {
        auto fresh = std::make_unique<ResultsCache>();
        cache = fresh.get();
        place = std::move(fresh);
    }
    return *cache;
}

} // namespace loadstone::analysis
