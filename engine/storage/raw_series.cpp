// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/raw_series.h"

#include "analysis/action_series.h"
#include "analysis/io_series.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace loadstone::storage {

const char* toString(IoClass ioClass) noexcept
{
    constexpr std::array<const char*, kIoClasses> kNames { "Database read", "Database write", "Log write",
        "Log read", "Checksum", "Backup", "Maintenance", "Backup write", "Other" };
    return kNames[static_cast<std::size_t>(ioClass)];
}

RawSeries::RawSeries(const plan::RawTest& test, std::string volume, unsigned workers)
    : m_writes(test.pattern == plan::RawPattern::append ? IoClass::logWrite : IoClass::databaseWrite)
{
    using enum CounterKind;
    const std::array<std::string, kSorts> instances { analysis::ioInstance(
                                                          volume, toString(IoClass::databaseRead)),
        analysis::ioInstance(volume, toString(m_writes)), analysis::ioInstance(volume, "Flush") };
    const auto add = [&](const char* object, std::string instance, const char* counter, const char* unit,
                         const char* help, CounterKind kind) {
        m_counters.push_back({ static_cast<std::uint32_t>(m_counters.size()), "", object, std::move(instance),
            counter, unit, "", help, kind });
    };
    const auto storage = [&](const std::string& instance, const char* counter, const char* unit,
                             const char* help, CounterKind kind = count) {
        add(analysis::kStorageObject, instance, counter, unit, help, kind);
    };
    for (const std::string& instance : instances) {
        storage(
            instance, analysis::kTransfers, "transfers", "Transfers that completed, with errors or without");
        storage(instance, analysis::kTransferBytes, "bytes", "Bytes of those that completed without");
        storage(instance, analysis::kFailedTransfers, "transfers", "Transfers that completed with an error");
    }
    storage(volume, "Scheduled/sec", "transfers", "Transfers that the plan's rate made due");
    storage(volume, "Issued/sec", "transfers", "Transfers handed to the device");
    storage(volume, analysis::kFillWrites, "transfers", "Writes that give a new file its contents");
    storage(volume, analysis::kFillBytes, "bytes", "Bytes of those");
    for (const Sort sort : { kRead, kWrite }) {
        const std::string& instance = instances[sort];
        add(analysis::kActionsObject, instance, analysis::kActionsDue, "transfers",
            "Transfers that became due; without a rate, that began", count);
        add(analysis::kActionsObject, instance, analysis::kActionsBegun, "transfers",
            "Transfers handed to the device", count);
        add(analysis::kActionsObject, instance, analysis::kActionsFailed, "transfers",
            "Transfers that ended in an error, or whose flush did", count);
    }
    storage(volume, "Transfers/sec", "transfers", "Reads, writes and flushes that completed");
    storage(volume, "Failed Transfers/sec", "transfers", "Those of them with an error");
    storage(volume, "Reads/sec", "transfers", "Reads that completed");
    storage(
        volume, "Writes/sec", "transfers", "Writes that completed, those that fill a new file among them");
    storage(volume, "Read Bytes/sec", "bytes", "Bytes that were read");
    storage(volume, "Write Bytes/sec", "bytes", "Bytes that were written");
    storage(volume, "Avg. sec/Read", "s", "Mean time in the device of the tick's reads", level);
    storage(volume, "Avg. sec/Write", "s", "Mean time in the device of the tick's writes", level);
    storage(volume, "Current Queue Length", "transfers", "Transfers under way at the end of the tick", level);
    add("Loadstone Generator", "_Busiest", "% Processor Time", "%",
        "CPU use of the load thread that used most", level);
    for (unsigned i = 0; i < workers; ++i)
        add("Loadstone Generator", fmt::format("worker {}", i), "% Processor Time", "%",
            "CPU use of one load thread", level);

    const auto histogram = [&](LatencyScope scope, LatencyClock clock, std::string name) {
        m_histograms.push_back(
            { static_cast<std::uint32_t>(m_histograms.size()), scope, clock, std::move(name) });
    };
    for (const std::string& instance : instances) {
        histogram(LatencyScope::action, LatencyClock::response, instance);
        histogram(LatencyScope::action, LatencyClock::service, instance);
        histogram(LatencyScope::generator, LatencyClock::slip, analysis::kQueuedPrefix + instance);
        histogram(LatencyScope::action, LatencyClock::age, instance);
        histogram(LatencyScope::command, LatencyClock::age, instance);
    }
    histogram(LatencyScope::generator, LatencyClock::slip, "Timer slip");
}

} // namespace loadstone::storage
