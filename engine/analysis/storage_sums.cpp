// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage_sums.h"

#include "analysis/database_series.h"
#include "analysis/io_series.h"
#include "analysis/stretches.h"
#include "history/recording_reader.h"
#include "metrics/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace loadstone::analysis {

namespace {

struct HostCounter {
    const char* object;
    const char* instance;
    const char* counter;
};
constexpr HostCounter kHostCounters[] {
    { "Processor", "_Total", "% Processor Time" },
    { "Processor", "_Total", "% Privileged Time" },
    { "Processor", "_Total", "% I/O Wait Time" },
    { "System", "", "Processor Queue Length" },
    { "System", "", "Context Switches/sec" },
    { "Memory", "", "Available MBytes" },
    { "Memory", "", "Cache MBytes" },
    { "Memory", "", "Dirty MBytes" },
    { "Memory", "", "Pages/sec" },
};

bool isOfStorage(const CounterInfo& info)
{
    return info.computer.empty()
        && (info.object == kDatabaseObject || info.object == kVerificationObject
            || info.object == kRecoveryObject);
}

Error damaged(const Recording& recording, const CounterInfo& info, const char* what)
{
    return fail(recording.file().string() + ": damaged: counter " + info.path() + " counts " + what);
}

/// Adds one counter; `stalls`, one a tick, where it is of page fault stalls.
Result<void> addCounter(const Recording& recording, const CounterInfo& info, history::TickRange added,
    std::vector<double>& stalls, CounterSum& sum)
{
    const history::TickReader& reader = recording.impl().ticks();
    const auto samples = reader.samples(info.id, added);
    if (!samples)
        return samples.error();
    const bool isStalls = info.object == kDatabaseObject && info.counter == kPageFaultStalls;
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
    metrics::Histogram one;
    const auto read = recording.impl().ticks().each(
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
    const auto ages = sumsOfTicks(recording, ioAges(recording.header(), service.name), added);
    if (!ended || !ages)
        return ended ? ages.error() : ended.error();
    const std::vector<history::TickTime>& times = recording.impl().ticks().times();
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
    for (const HostCounter& wanted : kHostCounters)
        for (const CounterInfo& info : header.counters)
            if (info.computer.empty() && info.object == wanted.object && info.instance == wanted.instance
                && info.counter == wanted.counter)
                ids.push_back(info.id);
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
            sums.stalls.add(CounterKind::count, stalls[i], recording.impl().ticks().times()[added.first + i]);
    for (const HistogramInfo& info : header.histograms)
        if (info.clock == LatencyClock::service && !ioOf(info.name).second.empty())
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
