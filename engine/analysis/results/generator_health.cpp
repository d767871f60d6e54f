// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/generator_health.h"

#include "analysis/results/measured_parts.h"
#include "analysis/window/window.h"
#include "base/joined.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::analysis {

namespace {

constexpr double kNoLimit = 100; // %

/// Work that goes as fast as it can leaves no processor idle, and need not.
bool isOfLoad(const Recording& recording, const Phase& phase)
{
    const plan::StorageTest* test = storageTestOf(recording);
    return test == nullptr || phase.mix < 0 || static_cast<std::size_t>(phase.mix) >= test->tests.size()
        || test->tests[static_cast<std::size_t>(phase.mix)].isLoad();
}

Result<void> judge(const Recording& recording, const MeasuredPart& part, const GeneratorSeries& series,
    std::vector<std::string>& reasons)
{
    const Phase& phase = part.phase;
    const auto sums = sumsOf(recording, part);
    if (!sums)
        return sums.error();
    GeneratorEvidence evidence = (*sums)->generator;
    if (series.slipTimes)
        evidence.addSlip((*sums)->histograms[*series.slipTimes]);
    if (series.lagTimes)
        evidence.addLag((*sums)->histograms[*series.lagTimes]);
    const plan::HealthLimits& limits = healthLimitsOf(recording);
    const bool mail = recording.header().kind == RunKind::mail;
    const std::string where = fmt::format("{} \"{}\"", mail ? "mix" : "test", phase.mixName);
    if (const auto why = evidence.exceeded(limits); !why.empty())
        reasons.push_back(
            fmt::format("the generator was the bottleneck in {}: {}", where, joined(why, "; ")));
    if (const auto what = evidence.unknown(series, limits, isOfLoad(recording, phase)); !what.empty())
        reasons.push_back(fmt::format(
            "whether the generator kept up in {} cannot be judged: this machine does not report {}", where,
            joined(what, ", ")));
    return {};
}

/// Ticks that had to be lengthened.
Result<std::uint64_t> overrunsOf(
    const Recording& recording, const GeneratorSeries& series, const TimeWindow& window)
{
    if (!series.storeOverruns)
        return std::uint64_t { 0 };
    const auto all = history::readerOf(recording).ticks().rangeOf(window);
    const auto overruns = eventsWithin(recording, *series.storeOverruns, all);
    if (!overruns)
        return overruns.error();
    return overruns->total;
}

} // namespace

Result<void> addEvidence(const Recording& recording, history::TickRange range, GeneratorEvidence& evidence)
{
    const GeneratorSeries series =
        generatorSeries(recording.header().counters, recording.header().histograms);
    const history::TickReader& reader = history::readerOf(recording).ticks();
    GeneratorSeries mine; // the same, numbered by column
    std::vector<std::vector<double>> columns;
    for (const auto of :
        { &GeneratorSeries::workerCpu, &GeneratorSeries::runQueueWait, &GeneratorSeries::throttled,
            &GeneratorSeries::steal, &GeneratorSeries::loopLag, &GeneratorSeries::controlLag }) {
        if (!(series.*of))
            continue;
        auto samples = reader.samples(*(series.*of), range);
        if (!samples)
            return samples.error();
        mine.*of = static_cast<std::uint32_t>(columns.size());
        columns.push_back(*std::move(samples));
    }
    std::vector<double> values(columns.size());
    for (std::size_t i = 0; i < range.last - range.first; ++i) {
        for (std::size_t column = 0; column < columns.size(); ++column)
            values[column] = columns[column].at(i);
        const history::TickTime& time = reader.times()[range.first + i];
        evidence.add(mine, values, time.end - time.begin);
    }
    return {};
}

GeneratorSeries generatorSeries(
    const std::vector<CounterInfo>& counters, const std::vector<HistogramInfo>& histograms)
{
    GeneratorSeries series;
    using enum Quantity;
    series.workerCpu = findSeries(counters, busiestWorker);
    series.runQueueWait = findSeries(counters, longestRunQueueWait);
    series.throttled = findSeries(counters, throttledTime);
    series.steal = findSeries(counters, stealTime);
    series.loopLag = findSeries(counters, loopLag);
    series.controlLag = findSeries(counters, controlLag);
    series.storeOverruns = findSeries(counters, storeOverruns);
    series.slipTimes = findSeries(histograms, { timerSlip, {}, LatencyClock::slip });
    series.lagTimes = findSeries(histograms, { loopLagTime, {}, LatencyClock::slip });
    return series;
}

void GeneratorEvidence::Mean::add(double value, double length)
{
    if (!(value >= 0) || std::isinf(value))
        return;
    sum += value * length;
    seconds += length;
}

void GeneratorEvidence::Mean::add(const Mean& other)
{
    sum += other.sum;
    seconds += other.seconds;
}

void GeneratorEvidence::add(const GeneratorSeries& series, std::span<const double> values, Nanoseconds length)
{
    const double passed = loadstone::seconds(length);
    m_seconds += passed;
    for (const auto& [id, mean] :
        { std::pair(series.workerCpu, &m_workerCpu), std::pair(series.runQueueWait, &m_runQueueWait),
            std::pair(series.throttled, &m_throttled), std::pair(series.steal, &m_steal) })
        if (id && *id < values.size())
            mean->add(values[*id], passed);
    for (const auto& id : { series.loopLag, series.controlLag })
        if (id && *id < values.size() && values[*id] > m_standstill) // not where it is missing
            m_standstill = values[*id];
}

void GeneratorEvidence::add(const GeneratorEvidence& other)
{
    m_slip.merge(other.m_slip);
    m_lag.merge(other.m_lag);
    m_workerCpu.add(other.m_workerCpu);
    m_runQueueWait.add(other.m_runQueueWait);
    m_throttled.add(other.m_throttled);
    m_steal.add(other.m_steal);
    m_standstill = std::max(m_standstill, other.m_standstill);
    m_seconds += other.m_seconds;
}

std::vector<std::string> GeneratorEvidence::exceeded(const plan::HealthLimits& limits) const
{
    std::vector<std::string> all;
    const auto p99 = [&](const char* what, const Histogram& times, Nanoseconds limit) {
        if (times.count() >= kEnoughSamples && times.percentile(99) > limit)
            all.push_back(fmt::format(
                "{} p99 {} (limit {})", what, formatLatency(times.percentile(99)), formatDuration(limit)));
    };
    const auto share = [&](const Mean& mean, double limit, const char* sentence) {
        if (limit < kNoLimit && mean.value() > limit)
            all.push_back(fmt::format(fmt::runtime(sentence), formatNumber(mean.value()))
                + fmt::format(" (limit {:g} %)", limit));
    };
    share(
        m_throttled, limits.throttled, "control groups kept this process from running for {} % of the time");
    share(m_runQueueWait, limits.runQueueWait,
        "a load thread was ready and had no processor for {} % of the time");
    share(m_steal, limits.steal, "the hypervisor took away {} % of the processors' time");
    p99("timer slip", m_slip, limits.slipP99);
    p99("event loop lag", m_lag, limits.loopLagP99);
    share(m_workerCpu, limits.workerCpu, "a load thread used {} % of a CPU");
    if (m_standstill > loadstone::seconds(limits.standstill))
        all.push_back(fmt::format("it stood still for {} (limit {})",
            formatLatency(Nanoseconds(static_cast<std::int64_t>(std::min(m_standstill, 1e9) * 1e9))),
            formatDuration(limits.standstill)));
    return all;
}

std::vector<std::string> GeneratorEvidence::unknown(
    const GeneratorSeries& series, const plan::HealthLimits& limits, bool ofLoad) const
{
    std::vector<std::string> all;
    const auto isUnknown = [&](const std::optional<std::uint32_t>& id, const Mean& mean, double limit) {
        return id && limit < kNoLimit && m_seconds > 0 && mean.seconds < m_seconds / 2;
    };
    if (ofLoad && isUnknown(series.workerCpu, m_workerCpu, limits.workerCpu))
        all.emplace_back("how busy the load threads were");
    const bool waitUnknown = isUnknown(series.runQueueWait, m_runQueueWait, limits.runQueueWait);
    if (waitUnknown)
        all.emplace_back("how long load threads waited for a processor");
    // Who is throttled waits, and is seen to.
    if ((waitUnknown || !series.runQueueWait) && isUnknown(series.throttled, m_throttled, limits.throttled))
        all.emplace_back("whether control groups throttled this process");
    if (isUnknown(series.steal, m_steal, limits.steal))
        all.emplace_back("what the hypervisor took away");
    return all;
}

Result<std::vector<std::string>> generatorReasons(
    const Recording& recording, const std::optional<TimeWindow>& window)
{
    const GeneratorSeries series =
        generatorSeries(recording.header().counters, recording.header().histograms);
    std::vector<std::string> reasons;
    for (const MeasuredPart& part : measuredParts(recording, window))
        if (const auto done = judge(recording, part, series, reasons); !done)
            return done.error();
    const TimeWindow whole { Nanoseconds(0), recording.length() };
    const auto overruns = overrunsOf(recording, series, window.value_or(whole));
    if (!overruns)
        return overruns.error();
    if (*overruns > 0)
        reasons.push_back(fmt::format(
            "{} ticks lasted longer than planned because the history's disk did not keep up", *overruns));
    return reasons;
}

} // namespace loadstone::analysis
