// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage_series.h"

#include "analysis/action_series.h"
#include "analysis/database_series.h"
#include "analysis/io_series.h"
#include "storage/raw_series.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace loadstone::storage {
namespace {

struct Text {
    const char* object;
    const char* counter;
    const char* unit;
    const char* help;
};

using namespace analysis;

// In the order of StorageSeries::GroupCount.
constexpr std::array<Text, StorageSeries::kGroupCounts> kOfGroup { {
    { kDatabaseObject, kPageFaultStalls, "pages", "Pages that had to wait for memory in the cache" },
    { kDatabaseObject, kCacheRequests, "pages", "Pages asked for" },
    { kDatabaseObject, kCacheMisses, "pages", "Pages that were not in the cache and had to be read" },
    { kDatabaseObject, kPagesFlushed, "pages", "Changed pages written to the databases" },
    { kDatabaseObject, kCheckpoints, "moves", "How often the checkpoint moved on" },
    { kDatabaseObject, kDatabaseReads, "transfers", "Reads of the databases by transactions" },
    { kDatabaseObject, kDatabaseWrites, "transfers", "Writes to the databases" },
    { kDatabaseObject, kLogWrites, "transfers", "Writes to the log" },
    { kDatabaseObject, kLogBytes, "bytes", "Bytes written to the log" },
    { kDatabaseObject, kLogStalls, "transactions", "Transactions that found the log buffer full" },
    { kDatabaseObject, kLogFilesBegun, "files", "Log files begun" },
    { kDatabaseObject, kTransactions, "transactions", "Transactions that ended" },
    { kDatabaseObject, kRecordsInserted, "records", "Records inserted" },
    { kDatabaseObject, kRecordsDeleted, "records", "Records deleted" },
    { kDatabaseObject, kRecordsReplaced, "records", "Records replaced" },
    { kDatabaseObject, kRecordsRead, "records", "Records read without a change" },
    { kDatabaseObject, kDurableCommits, "commits", "Commits that waited for the log" },
    { kDatabaseObject, kLazyCommits, "commits", "Commits that did not" },
    { kDatabaseObject, kWrongRecords, "records",
        "Records read from pages with a right checksum that were not what had been written" },
    { kDatabaseObject, kMaintenancePages, "pages", "Pages that the background maintenance checked" },
    { kDatabaseObject, kLogCopies, "files", "Log files read for copies of the databases" },
    { kRecoveryObject, kLogsReplayed, "files", "Log files replayed" },
    { kRecoveryObject, kTransactionsReplayed, "transactions", "Transactions replayed" },
    { kRecoveryObject, kPagesRestored, "pages", "Torn pages put back from their copies" },
    { kRecoveryObject, kBusyTime, "ms", "Time that the recovery took" },
    { kVerificationObject, kLogFilesSeen, "files", "Log files checked" },
    { kVerificationObject, kBadLogFiles, "files", "Of these cut, missing, or with a damaged header" },
    { kVerificationObject, kLogSegmentsSeen, "segments", "Log segments checked" },
    { kVerificationObject, kBadLogSegments, "segments", "Of these damaged" },
    { kVerificationObject, kBytesRead, "bytes", "Bytes read to check them" },
    { kVerificationObject, kBusyTime, "ms", "Time that it took" },
} };
constexpr std::array<Text, StorageSeries::kDatabaseCounts> kOfDatabase { {
    { kVerificationObject, kPagesSeen, "pages", "Pages checked" },
    { kVerificationObject, kBadPages, "pages", "Of these with a wrong checksum" },
    { kVerificationObject, kCorrectablePages, "pages", "Of these with one wrong bit" },
    { kVerificationObject, kWrongPageNumbers, "pages", "Of these in the place of another page" },
    { kVerificationObject, kBytesRead, "bytes", "Bytes read to check them" },
    { kVerificationObject, kBusyTime, "ms", "Time that it took" },
} };
constexpr std::array<Text, StorageSeries::kGroupLevels> kLevels { {
    { kDatabaseObject, kCacheSize, "bytes", "Part of the cache that holds pages" },
    { kDatabaseObject, kDatabaseReadLatency, "s",
        "Mean time in the device of the tick's reads of the databases" },
    { kDatabaseObject, kDatabaseWriteLatency, "s",
        "Mean time in the device of the tick's writes to the databases" },
    { kDatabaseObject, kLogWriteLatency, "s", "Mean time in the device of the tick's writes to the log" },
    { kDatabaseObject, kCheckpointDepth, "bytes",
        "Log between the oldest change that is not on the disk and the end" },
    { kDatabaseObject, kDatabaseSize, "bytes", "Pages in use of all the group's databases" },
    { kDatabaseObject, kTransactionsWaiting, "transactions", "Transactions that are due and not begun" },
    { kDatabaseObject, kTransactionRate, "transactions/s", "Rate that the pacing goes by" },
    { kDatabaseObject, kSessionsInUse, "sessions",
        "Sessions open for transactions; of a paced load idle ones as well" },
} };

} // namespace

std::string databaseName(const plan::StorageGroupPlan& group, std::size_t index)
{
    return fmt::format("{}-{}", group.name, index + 1);
}

StorageSeries::StorageSeries(
    const plan::StorageTest& test, const std::vector<std::string>& volumes, bool paced)
    : m_volumes(volumes.size())
    , m_groups(test.groups.size())
    , m_groupBase(3 * kKinds * volumes.size())
    , m_databaseBase(m_groupBase + test.groups.size() * kGroupCounts)
    , m_countersCounted(m_databaseBase + test.databases() * kDatabaseCounts)
{
    addCounters(test, volumes, paced);
    addHistograms(volumes);
}

void StorageSeries::addCounters(
    const plan::StorageTest& test, const std::vector<std::string>& volumes, bool paced)
{
    using enum CounterKind;
    const auto add = [&](const char* object, std::string instance, const char* counter, const char* unit,
                         const char* help, CounterKind kind) {
        m_counters.push_back(
            { id(m_counters.size()), "", object, std::move(instance), counter, unit, "", help, kind });
    };
    for (const std::string& volume : volumes)
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const std::string instance =
                ioInstance(volume, kind == kFlush ? "Flush" : toString(static_cast<IoClass>(kind)));
            add(kStorageObject, instance, kTransfers, "transfers",
                "Transfers that completed, with errors or without", count);
            add(kStorageObject, instance, kTransferBytes, "bytes", "Bytes of those that completed without",
                count);
            add(kStorageObject, instance, kFailedTransfers, "transfers",
                "Transfers that completed with an error", count);
        }
    for (const plan::StorageGroupPlan& group : test.groups)
        for (const Text& text : kOfGroup)
            add(text.object,
                std::string_view(text.object) == kVerificationObject ? group.name + " log" : group.name,
                text.counter, text.unit, text.help, count);
    for (const plan::StorageGroupPlan& group : test.groups)
        for (std::size_t i = 0; i < group.databases.size(); ++i)
            for (const Text& text : kOfDatabase)
                add(text.object, databaseName(group, i), text.counter, text.unit, text.help, count);
    add(kDatabaseObject, "_Total", analysis::kTransactions, "transactions",
        "Transactions that ended, of all groups", count);
    add(kStorageObject, "_Total", kFailedTransfers, "transfers", "Transfers that completed with an error",
        count);
    add(kActionsObject, kTransaction, kActionsDue, "transactions",
        "Transactions that became due; where nothing paces them, that began", count);
    add(kActionsObject, kTransaction, kActionsBegun, "transactions", "Transactions that began", count);
    add(kActionsObject, kTransaction, kActionsFailed, "transactions",
        "Transactions that did not end before the load did, or were left out as too many waited", count);
    add("Loadstone Generator", "_Busiest", "% Processor Time", "%",
        "CPU use of the load thread that used most", level);
    for (const plan::StorageGroupPlan& group : test.groups)
        for (std::size_t i = 0; i < kGroupLevels; ++i)
            // Of a test that is not paced they would stay empty; ids go by place all the same.
            add(kLevels[i].object, group.name, kLevels[i].counter, kLevels[i].unit,
                i == kRate && !paced ? "Rate that the pacing goes by; this test is not paced"
                                     : kLevels[i].help,
                level);
    for (const plan::StorageGroupPlan& group : test.groups)
        add("Loadstone Generator", group.name, "% Processor Time", "%", "CPU use of the group's load thread",
            level);
}

void StorageSeries::addHistograms(const std::vector<std::string>& volumes)
{
    const auto add = [&](LatencyScope scope, LatencyClock clock, std::string name) {
        m_histograms.push_back({ id(m_histograms.size()), scope, clock, std::move(name) });
    };
    for (const std::string& volume : volumes)
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const std::string instance =
                ioInstance(volume, kind == kFlush ? "Flush" : toString(static_cast<IoClass>(kind)));
            add(LatencyScope::command, LatencyClock::service, instance);
            add(LatencyScope::generator, LatencyClock::slip, kQueuedPrefix + instance);
            add(LatencyScope::command, LatencyClock::age, instance);
        }
    add(LatencyScope::action, LatencyClock::response, kTransaction);
    add(LatencyScope::action, LatencyClock::service, kTransaction);
    add(LatencyScope::action, LatencyClock::age, kTransaction);
    add(LatencyScope::generator, LatencyClock::slip, "Timer slip");
}

} // namespace loadstone::storage
