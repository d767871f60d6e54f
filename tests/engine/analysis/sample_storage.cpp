// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_storage.h"

#include "analysis/database_series.h"
#include "analysis/io_series.h"
#include "metrics/histogram.h"

#include <limits>
#include <stdexcept>

namespace loadstone::test {

namespace {

using namespace analysis;
using namespace std::chrono_literals;

const char* const kTests[] { "Performance", "Streaming backup", "Soft recovery", "Checksum" };
const char* const kClasses[] { "Database read", "Database write", "Log write", "Checksum", "Backup" };

void require(const Result<void>& done)
{
    if (!done)
        throw std::runtime_error(done.error().message);
}

std::string pathOf(const std::string& object, const std::string& instance, const std::string& counter)
{
    CounterInfo info;
    info.object = object;
    info.instance = instance;
    info.counter = counter;
    return info.path();
}

void add(std::vector<CounterInfo>& counters, const char* object, const std::string& instance,
    const char* counter, CounterKind kind)
{
    CounterInfo info;
    info.id = static_cast<std::uint32_t>(counters.size());
    info.object = object;
    info.instance = instance;
    info.counter = counter;
    info.kind = kind;
    counters.push_back(info);
}

std::vector<CounterInfo> counters()
{
    std::vector<CounterInfo> all;
    const auto level = CounterKind::level, events = CounterKind::count;
    for (const char* group : { "one", "two" }) {
        for (const char* counter : { kTransactions, kPageFaultStalls, kDatabaseReads, kDatabaseWrites,
                 kLogWrites, kLogBytes, kLogFilesBegun, kRecordsInserted, kRecordsDeleted, kRecordsReplaced,
                 kRecordsRead, kDurableCommits, kLazyCommits, kWrongRecords })
            add(all, kDatabaseObject, group, counter, events);
        for (const char* counter : { kCacheSize, kDatabaseSize, kSessionsInUse })
            add(all, kDatabaseObject, group, counter, level);
        for (const char* counter : { kLogsReplayed, kTransactionsReplayed, kPagesRestored, kBusyTime })
            add(all, kRecoveryObject, group, counter, events);
    }
    for (const char* read : { "one-1", "one-2", "two-1", "one log", "two log" })
        for (const char* counter : { kPagesSeen, kBadPages, kCorrectablePages, kWrongPageNumbers,
                 kLogFilesSeen, kBadLogFiles, kLogSegmentsSeen, kBadLogSegments, kBytesRead, kBusyTime })
            add(all, kVerificationObject, read, counter, events);
    for (const char* name : kClasses)
        for (const char* counter : { kTransfers, kTransferBytes, kFailedTransfers })
            add(all, kStorageObject, ioInstance("vda", name), counter, events);
    add(all, "Processor", "_Total", "% Processor Time", level);
    add(all, "Memory", "", "Available MBytes", level);
    return all;
}

std::vector<HistogramInfo> histograms()
{
    std::vector<HistogramInfo> all;
    const auto series = [&](LatencyScope scope, LatencyClock clock, const std::string& name) {
        all.push_back({ static_cast<std::uint32_t>(all.size()), scope, clock, name });
    };
    series(LatencyScope::action, LatencyClock::response, "Transaction");
    series(LatencyScope::action, LatencyClock::service, "Transaction");
    for (const char* name : kClasses) {
        series(LatencyScope::command, LatencyClock::service, ioInstance("vda", name));
        series(LatencyScope::generator, LatencyClock::slip, kQueuedPrefix + ioInstance("vda", name));
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

StorageSample::StorageSample(const std::filesystem::path& file, const std::string& plan)
{
    m_header.id = RunId::parse("20261121-140305-7f3a").value();
    m_header.title = "A storage sample";
    m_header.started = WallTime(1'795'269'785s);
    m_header.planName = "storage.toml";
    m_header.planText = plan;
    m_header.seed = 7;
    m_header.versionsJson = "{}";
    m_header.hostJson = "{}";
    m_header.computer = "bench1";
    m_header.counters = counters();
    m_header.histograms = histograms();
    history::ResultSeries series;
    series.sent = series.received = history::kNoCounter;
    for (const CounterInfo& info : m_header.counters) { // what stands for actions
        if (info.path() == pathOf(kDatabaseObject, "one", kTransactions))
            series.attempts = info.id;
        if (info.path() == pathOf(kDatabaseObject, "one", kWrongRecords))
            series.failures = info.id;
    }
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

void StorageSample::set(
    const std::string& object, const std::string& instance, const std::string& counter, double value)
{
    m_values[pathOf(object, instance, counter)] = value;
}

void StorageSample::clear()
{
    m_values.clear();
    m_latencies.clear();
}

std::uint32_t StorageSample::histogram(const std::string& name, LatencyClock clock) const
{
    for (const HistogramInfo& info : m_header.histograms)
        if (info.name == name && info.clock == clock)
            return info.id;
    throw std::runtime_error("no latencies of " + name);
}

void StorageSample::io(const std::string& name, std::uint64_t count, std::uint64_t bytes, Nanoseconds device)
{
    const std::string instance = ioInstance("vda", name);
    set(kStorageObject, instance, kTransfers, static_cast<double>(count));
    set(kStorageObject, instance, kTransferBytes, static_cast<double>(bytes));
    set(kStorageObject, instance, kFailedTransfers, 0);
    metrics::Histogram service, queued;
    service.record(device, count);
    queued.record(10us, count);
    m_latencies[histogram(instance, LatencyClock::service)] = service.encode();
    m_latencies[histogram(kQueuedPrefix + instance, LatencyClock::slip)] = queued.encode();
}

void StorageSample::transactions(std::uint64_t count, Nanoseconds time)
{
    metrics::Histogram times;
    times.record(time, count);
    m_latencies[histogram("Transaction", LatencyClock::response)] = times.encode();
    m_latencies[histogram("Transaction", LatencyClock::service)] = times.encode();
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
            const auto value = m_values.find(info.path());
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
