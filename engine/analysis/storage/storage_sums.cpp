// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/storage_sums.h"

#include "analysis/window/stretches.h"
#include "history/recording_reader.h"

#include <loadstone/histogram.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace loadstone::analysis {

namespace {

/// What is reported of this machine beside a measurement.
constexpr Quantity kHostCounters[] { Quantity::processorTime, Quantity::privilegedTime, Quantity::ioWaitTime,
    Quantity::processorQueue, Quantity::contextSwitches, Quantity::availableMemory, Quantity::cacheMemory,
    Quantity::dirtyMemory, Quantity::pagesSwapped };

/// Of a storage group or one of its databases, but for the load thread that serves it.
bool isOfStorage(const CounterInfo& info)
{
    return !info.key.subject.group.empty() && info.key.quantity != Quantity::workerProcessorTime
        && info.key.quantity != Quantity::runQueueWait;
}

Error damaged(const Recording& recording, const CounterInfo& info, const char* what)
{
    return fail(recording.file().string() + ": damaged: counter " + info.path() + " counts " + what);
}

/// Adds one counter; `stalls`, one a tick, where it is of page fault stalls.
Result<void> addCounter(const Recording& recording, const CounterInfo& info, history::TickRange added,
    std::vector<double>& stalls, CounterSum& sum)
{
    const history::TickReader& reader = history::readerOf(recording).ticks();
    const auto samples = reader.samples(info.id, added);
    if (!samples)
        return samples.error();
    const bool isStalls = info.key.quantity == Quantity::pageFaultStalls;
    for (std::size_t i = 0; i < samples->size(); ++i) {
        const double sample = (*samples)[i];
        if (std::isnan(sample))
            continue;
        if (info.kind == CounterKind::count && sample < 0)
            return damaged(recording, info, "less than nothing");
        sum.add(info.kind, sample, reader.times()[added.first + i]);
        if (isStalls)
            stalls[i] = (std::isnan(stalls[i]) ? 0.0 : stalls[i]) + sample;
    }
    if (info.kind == CounterKind::count && !(sum.total < 0x1p63))
        return damaged(recording, info, "too much");
    return {};
}

/// Sums of one series of latencies in each of some ticks.
Result<std::vector<LatencySum>> sumsOfTicks(
    const Recording& recording, std::optional<std::uint32_t> histogram, history::TickRange added)
{
    std::vector<LatencySum> sums(added.last - added.first);
    if (!histogram)
        return sums;
    Histogram one;
    const auto read = history::readerOf(recording).ticks().each(
        *histogram, added, [&](std::uint64_t number, std::string_view bytes) -> Result<void> {
            one.clear();
            if (auto merged = one.mergeEncoded(bytes); !merged)
                return merged;
            sums[number - added.first] = { one.count(), one.sum() };
            return {};
        });
    if (!read)
        return read.error();
    return sums;
}

Result<void> addLatencies(const Recording& recording, const HistogramInfo& service, history::TickRange added,
    Nanoseconds origin, Nanoseconds length, std::vector<SampleMean>& samples)
{
    const auto ended = sumsOfTicks(recording, service.id, added);
    const auto ages = sumsOfTicks(recording,
        findSeries(recording.header().histograms,
            { Quantity::transferTime, service.key.subject, LatencyClock::serviceAge }),
        added);
    if (!ended || !ages)
        return ended ? ages.error() : ended.error();
    const std::vector<history::TickTime>& times = history::readerOf(recording).ticks().times();
    for (std::uint64_t number = added.first; number < added.last; ++number) {
        const LatencySum& one = (*ended)[number - added.first];
        const LatencySum& left = (*ages)[number - added.first];
        const Nanoseconds middle = times[number].begin + (times[number].end - times[number].begin) / 2;
        const std::int64_t sample = std::max<std::int64_t>(0, (middle - origin) / length);
        const bool begins = samples.empty() || samples.back().sample != sample;
        if (begins && one.count + left.count == 0)
            continue;
        if (begins) {
            samples.emplace_back();
            samples.back().sample = sample;
        }
        SampleMean& into = samples.back();
        into.count += one.count;
        into.total += one.total;
        into.unfinished = left.count;
        into.ages = left.total;
    }
    return {};
}

} // namespace

void CounterSum::add(CounterKind kind, double sample, const history::TickTime& tick)
{
    total += sample;
    last = sample;
    if (sample > 0) {
        if (!active) {
            firstTick = tick;
            first = sample;
        }
        active = true;
        lastTick = tick;
        latest = sample;
    }
    const double lasted = seconds(tick.end - tick.begin);
    const double value = history::shown(kind, sample, lasted);
    if (!std::isfinite(value)) // a tick without length has no rate
        return;
    least = samples == 0 ? value : std::min(least, value);
    most = samples == 0 ? value : std::max(most, value);
    weighted += value * lasted;
    length += lasted;
    ++samples;
}

Nanoseconds sampleLength(Nanoseconds planned)
{
    return planned < std::chrono::minutes(10) ? std::chrono::seconds(5) : std::chrono::seconds(15);
}

bool hasStorageCounters(const RunHeader& header)
{
    return std::any_of(header.counters.begin(), header.counters.end(), isOfStorage);
}

std::vector<std::uint32_t> hostCounters(const RunHeader& header)
{
    std::vector<std::uint32_t> ids;
    for (const Quantity quantity : kHostCounters)
        if (const auto id = findSeries(header.counters, quantity))
            ids.push_back(*id);
    return ids;
}

Result<void> addStorage(
    const Recording& recording, history::TickRange added, Nanoseconds origin, StorageSums& sums)
{
    const RunHeader& header = recording.header();
    std::vector<std::uint32_t> ids = hostCounters(header);
    for (const CounterInfo& info : header.counters)
        if (isOfStorage(info))
            ids.push_back(info.id);
    std::vector<double> stalls(added.last - added.first, std::numeric_limits<double>::quiet_NaN());
    for (const std::uint32_t id : ids)
        if (auto done = addCounter(recording, header.counters[id], added, stalls, sums.counters[id]); !done)
            return done;
    for (std::size_t i = 0; i < stalls.size(); ++i)
        if (!std::isnan(stalls[i]))
            sums.stalls.add(
                CounterKind::count, stalls[i], history::readerOf(recording).ticks().times()[added.first + i]);
    for (const HistogramInfo& info : header.histograms)
        if (isTransferTime(info.key, LatencyClock::service))
            if (auto done =
                    addLatencies(recording, info, added, origin, sums.sample, sums.latencies[info.id]);
                !done)
                return done;
    return {};
}

std::optional<LongestMean> longestMean(
    const std::vector<SampleMean>& samples, Nanoseconds sample, Nanoseconds length)
{
    std::optional<LongestMean> longest;
    for (const SampleMean& one : samples) {
        const bool isRest = (length - one.sample * sample) * 2 < sample;
        const LatencySum ended { one.count, one.total };
        const auto mean = leastMean(ended, { one.unfinished, one.ages, {} });
        if (!mean || (isRest && samples.size() > 1))
            continue;
        const Nanoseconds rounded(std::llround(std::clamp(*mean, 0.0, 0x1p62)));
        if (!longest || rounded > longest->mean)
            longest = { rounded, isLowerBound(*mean, ended) };
    }
    return longest;
}

} // namespace loadstone::analysis
