// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_storage.h"

#include "support/named_series.h"

#include <loadstone/histogram.h>

#include <limits>
#include <stdexcept>

namespace loadstone::test {

namespace {

using namespace std::chrono_literals;

const char* const kTests[] { "Performance", "Streaming backup", "Soft recovery", "Checksum" };
/// The classes that the sample has.
std::vector<IoClass> classes(StorageSample::Has has)
{
    using enum IoClass;
    if (has == StorageSample::Has::usual)
        return { databaseRead, databaseWrite, logWrite, checksum, backup };
    std::vector<IoClass> all;
    for (std::size_t i = 0; i < kIoClasses; ++i)
        all.push_back(static_cast<IoClass>(i));
    return all;
}

void require(const Result<void>& done)
{
    if (!done)
        throw std::runtime_error(done.error().message);
}

using enum Quantity;

std::vector<CounterInfo> counters(StorageSample::Has has)
{
    std::vector<CounterInfo> all;
    const auto add = [&](Quantity quantity, Subject subject = {}) {
        all.push_back(counterOf({ quantity, std::move(subject) }));
        all.back().id = static_cast<std::uint32_t>(all.size()) - 1;
    };
    for (const char* group : { "one", "two" })
        for (const Quantity quantity : { Quantity::transactions, pageFaultStalls, databaseReads,
                 databaseWrites, logWrites, logBytes, logFilesBegun, recordsInserted, recordsDeleted,
                 recordsReplaced, recordsRead, durableCommits, lazyCommits, wrongRecords, cacheSize,
                 databaseSize, sessionsInUse, logsReplayed, transactionsReplayed, pagesRestored, recoveryTime,
                 logFilesSeen, badLogFiles, logSegmentsSeen, badLogSegments, logBytesSeen, logCheckTime })
            add(quantity, Subject::ofGroup(group));
    for (const char* database : { "one-1", "one-2", "two-1" })
        for (const Quantity quantity :
            { pagesSeen, badPages, correctablePages, wrongPageNumbers, pageBytesSeen, pageCheckTime })
            add(quantity,
                keyNamed("Loadstone Verification", database, std::string(infoOf(quantity).counter)).subject);
    for (const IoClass ioClass : classes(has))
        for (const Quantity quantity : { transfers, transferBytes, failedTransfers })
            add(quantity, Subject::ofVolume("vda", ioClass));
    add(Quantity::transactions);
    if (has == StorageSample::Has::everything)
        for (const Quantity quantity : { transactionsDue, transactionsBegun, transactionsGivenUp })
            add(quantity);
    add(failedTransfers);
    add(processorTime);
    add(availableMemory);
    return all;
}

std::vector<HistogramInfo> histograms(StorageSample::Has has)
{
    std::vector<HistogramInfo> all;
    const auto add = [&](LatencyScope scope, SeriesKey key) {
        all.push_back(histogramOf(std::move(key), scope));
        all.back().id = static_cast<std::uint32_t>(all.size()) - 1;
    };
    add(LatencyScope::action, { transactionTime, {}, LatencyClock::response });
    add(LatencyScope::action, { transactionTime, {}, LatencyClock::service });
    for (const IoClass ioClass : classes(has)) {
        add(LatencyScope::command,
            { transferTime, Subject::ofVolume("vda", ioClass), LatencyClock::service });
        add(LatencyScope::generator, { transferTime, Subject::ofVolume("vda", ioClass), LatencyClock::slip });
    }
    return all;
}

} // namespace

std::string StorageSample::planText()
{
    return R"(format = 1
kind = "storage"
title = "A storage sample"
preset = "exchange-2007"
[database]
cache_minimum = "64 MB"
cache_maximum = "64 MB"
[load]
pacing = "threads"
threads = 8
target_iops = 300
[[groups]]
name = "one"
databases = ["/data1", "/data2"]
log = "/log1"
database_size = "1 GB"
[[groups]]
name = "two"
databases = ["/data3"]
log = "/log2"
database_size = "1 GB"
[[tests]]
kind = "performance"
duration = "30 s"
[[tests]]
kind = "backup"
[[tests]]
kind = "recovery"
logs = 100
[[tests]]
kind = "checksum"
)";
}

StorageSample::StorageSample(const std::filesystem::path& file, const std::string& plan, Has has)
{
    m_header.id = RunId::parse("20261121-140305-7f3a").value();
    m_header.title = "A storage sample";
    m_header.started = WallTime(1'795'269'785s);
    m_header.planName = "storage.toml";
    m_header.planText = plan;
    m_header.seed = 7;
    m_header.kind = RunKind::storage;
    m_header.versionsJson = "{}";
    m_header.hostJson = "{}";
    m_header.computer = "bench1";
    m_header.counters = counters(has);
    m_header.histograms = histograms(has);
    history::ResultSeries series;
    for (const char* name : kTests) {
        history::MixFacts facts;
        facts.name = name;
        if (series.mixes.empty())
            facts.measurement = 30s;
        series.mixes.push_back(facts);
    }
    auto writer = history::RecordingWriter::create(file, m_header, series);
    if (!writer)
        throw std::runtime_error(writer.error().message);
    m_writer.push_back(*std::move(writer));
}

void StorageSample::closePhase()
{
    if (m_phases.empty())
        return;
    m_phases.back().open = false;
    m_phases.back().end = m_now;
    require(m_writer.front().putPhase(m_phases.back()));
}

void StorageSample::phase(PhaseKind kind, std::int32_t mix)
{
    closePhase();
    Phase begun;
    begun.index = static_cast<std::uint32_t>(m_phases.size());
    begun.mix = mix;
    begun.mixName = mix < 0 ? "" : kTests[mix];
    begun.kind = kind;
    begun.begin = m_now;
    begun.end = m_now + 1h;
    begun.open = true;
    require(m_writer.front().putPhase(begun));
    m_phases.push_back(begun);
}

void StorageSample::set(Quantity quantity, const std::string& instance, double value)
{
    const QuantityInfo& info = infoOf(quantity);
    m_values[keyNamed(std::string(info.object), instance, std::string(info.counter))] = value;
}

void StorageSample::clear()
{
    m_values.clear();
    m_latencies.clear();
}

std::uint32_t StorageSample::histogram(const SeriesKey& key) const
{
    if (const auto id = findSeries(m_header.histograms, key))
        return *id;
    throw std::runtime_error("no latencies of " + latencyNameOf(key));
}

void StorageSample::io(IoClass ioClass, std::uint64_t count, std::uint64_t bytes, Nanoseconds device)
{
    const Subject subject = Subject::ofVolume("vda", ioClass);
    m_values[{ transfers, subject }] = static_cast<double>(count);
    m_values[{ transferBytes, subject }] = static_cast<double>(bytes);
    m_values[{ failedTransfers, subject }] = 0;
    Histogram service, queued;
    service.record(device, count);
    queued.record(10us, count);
    m_latencies[histogram({ transferTime, subject, LatencyClock::service })] = service.encode();
    m_latencies[histogram({ transferTime, subject, LatencyClock::slip })] = queued.encode();
}

void StorageSample::transactions(std::uint64_t count, Nanoseconds time)
{
    Histogram times;
    times.record(time, count);
    for (const LatencyClock clock : { LatencyClock::response, LatencyClock::service })
        m_latencies[histogram({ transactionTime, {}, clock })] = times.encode();
}

void StorageSample::ticks(int number, Nanoseconds length)
{
    for (int i = 0; i < number; ++i) {
        metrics::Tick tick;
        tick.number = m_tick++;
        tick.begin = m_now;
        tick.end = m_now += length;
        tick.phase = m_phases.back().index;
        for (const CounterInfo& info : m_header.counters) {
            const auto value = m_values.find(info.key);
            tick.values.push_back(
                value == m_values.end() ? std::numeric_limits<double>::quiet_NaN() : value->second);
        }
        for (const auto& [id, bytes] : m_latencies)
            if (!bytes.empty())
                tick.histograms.emplace_back(id, bytes);
        require(m_writer.front().append(tick));
    }
}

void StorageSample::event(const std::string& text)
{
    require(m_writer.front().addEvent({ m_now, Severity::info, text }));
}

void StorageSample::finish(RunState state)
{
    closePhase();
    history::RunEnd end;
    end.state = state;
    require(m_writer.front().finish(end));
}

} // namespace loadstone::test
