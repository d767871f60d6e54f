// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/storage_test.h"
#include "storage/device.h"

#include <loadstone/series.h>

#include <string>
#include <vector>

namespace loadstone::storage {

/// What a storage test records. A worker's recorder has all histograms and, of the counters, the first ones, which are counts;
/// behind them stand a few sums that no counter shows as they are.
class StorageSeries {
public:
    /// `volumes`: names, each once. `paced`: transactions have due times.
    StorageSeries(const plan::StorageTest& test, const std::vector<std::string>& volumes, bool paced);

    [[nodiscard]] const std::vector<CounterInfo>& counters() const { return m_counters; }
    [[nodiscard]] const std::vector<HistogramInfo>& histograms() const { return m_histograms; }

    /// What an I/O is counted as: its class, or the flush that all classes have in common.
    static constexpr std::size_t kFlush = kIoClasses, kKinds = kIoClasses + 1;
    static std::size_t kindOf(IoKind kind, IoClass ioClass) noexcept
    {
        return kind == IoKind::flush ? kFlush : static_cast<std::size_t>(ioClass);
    }

    // Counts of I/O to a volume:
    static std::uint32_t transfers(std::size_t volume, std::size_t kind)
    {
        return id(3 * (volume * kKinds + kind));
    }
    static std::uint32_t bytes(std::size_t volume, std::size_t kind) { return transfers(volume, kind) + 1; }
    static std::uint32_t failed(std::size_t volume, std::size_t kind) { return transfers(volume, kind) + 2; }

    /// Counts of a storage group, in the order of their series.
    enum GroupCount : std::uint32_t {
        kStalls,
        kCacheRequests,
        kCacheMisses,
        kPagesFlushed,
        kCheckpoints,
        kReads,
        kWrites,
        kLogWrites,
        kLogBytes,
        kLogStalls,
        kLogFiles,
        kTransactions,
        kInserted,
        kDeleted,
        kReplaced,
        kRetrieved,
        kDurableCommits,
        kLazyCommits,
        kWrongRecords,
        kMaintenancePages,
        kLogCopies,
        kLogsReplayed,
        kTransactionsReplayed,
        kPagesRestored,
        kRecoveryTime, ///< ms
        kLogFilesSeen,
        kBadLogFiles,
        kSegmentsSeen,
        kBadSegments,
        kLogBytesSeen,
        kLogCheckTime, ///< ms
        kGroupCounts
    };
    [[nodiscard]] std::uint32_t of(std::size_t group, GroupCount count) const
    {
        return id(m_groupBase + group * kGroupCounts + count);
    }
    /// Counts of a database; `database` counts over all groups.
    enum DatabaseCount : std::uint32_t {
        kSeen,
        kBad,
        kCorrectable,
        kWrongPage,
        kBytesSeen,
        kCheckTime, ///< ms
        kDatabaseCounts
    };
    [[nodiscard]] std::uint32_t of(std::size_t database, DatabaseCount count) const
    {
        return id(m_databaseBase + database * kDatabaseCounts + count);
    }
    /// Sums of a group's tick that other counters are made from: nanoseconds; transactions that came to be due,
    /// that began, and that the load's end cut off or that were left out.
    enum GroupSum : std::uint32_t { kReadTime, kWriteTime, kLogWriteTime, kDue, kBegun, kCutOff, kGroupSums };
    [[nodiscard]] std::uint32_t of(std::size_t group, GroupSum sum) const
    {
        return id(m_countersCounted + group * kGroupSums + sum);
    }
    /// Of a recorder.
    [[nodiscard]] std::size_t counts() const { return m_countersCounted + m_groups * kGroupSums; }
    /// Counters that are counts: the first ones.
    [[nodiscard]] std::size_t counted() const { return m_countersCounted; }

    /// Levels of a group.
    enum GroupLevel : std::uint32_t {
        kCacheSize,
        kReadLatency,
        kWriteLatency,
        kLogWriteLatency,
        kDepth,
        kSize,
        kWaiting,
        kRate,
        kSessions,
        kGroupLevels
    };
    [[nodiscard]] std::uint32_t of(std::size_t group, GroupLevel level) const
    {
        return id(m_countersCounted + kTotals + group * kGroupLevels + level);
    }
    /// Of all together.
    enum Total : std::uint32_t {
        kTransactionsOfAll,
        kFailedOfAll,
        kTransactionsDue,
        kTransactionsBegun,
        kTransactionsFailed,
        kBusiest,
        kTotals
    };
    [[nodiscard]] std::uint32_t total(Total what) const { return id(m_countersCounted + what); }
    /// CPU use of a group's worker, %.
    [[nodiscard]] std::uint32_t worker(std::size_t group) const
    {
        return id(m_countersCounted + kTotals + m_groups * kGroupLevels + group);
    }

    // Histograms:
    static std::uint32_t service(std::size_t volume, std::size_t kind)
    {
        return id(3 * (volume * kKinds + kind));
    }
    static std::uint32_t queued(std::size_t volume, std::size_t kind) { return service(volume, kind) + 1; }
    /// Of transfers that the device has not completed, since they were handed to it.
    static std::uint32_t age(std::size_t volume, std::size_t kind) { return service(volume, kind) + 2; }
    [[nodiscard]] std::uint32_t response() const { return id(m_volumes * kKinds * 3); } ///< of transactions
    [[nodiscard]] std::uint32_t transactionService() const { return response() + 1; }
    [[nodiscard]] std::uint32_t transactionAge() const { return response() + 2; }
    [[nodiscard]] std::uint32_t slip() const { return response() + 3; }

private:
    static std::uint32_t id(std::size_t value) { return static_cast<std::uint32_t>(value); }
    void addCounters(const plan::StorageTest& test, const std::vector<std::string>& volumes, bool paced);
    void addHistograms(const std::vector<std::string>& volumes);
    std::vector<CounterInfo> m_counters;
    std::vector<HistogramInfo> m_histograms;
    std::size_t m_volumes, m_groups, m_groupBase, m_databaseBase, m_countersCounted;
};

/// "group-1-2": a database's instance.
std::string databaseName(const plan::StorageGroupPlan& group, std::size_t index);

} // namespace loadstone::storage
