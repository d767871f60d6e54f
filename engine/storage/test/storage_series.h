// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/storage_test.h"
#include "series/series_list.h"
#include "storage/device/device.h"

#include <string>
#include <vector>

namespace loadstone::storage {

/// What a storage test records.
class StorageSeries {
public:
    /// `volumes`: names, each once.
    StorageSeries(const plan::StorageTest& test, const std::vector<std::string>& volumes);

    [[nodiscard]] const series::SeriesList& list() const { return m_list; }

    /// What an I/O is counted as: its class, or the flush that all classes have in common.
    static IoClass classOf(IoKind kind, IoClass ioClass) noexcept
    {
        return kind == IoKind::flush ? IoClass::flush : ioClass;
    }
    /// Of the I/O of a class to a volume.
    struct Io {
        IoClass ioClass;
        series::CountHandle transfers, bytes, failed;
        series::HistogramHandle service, queued;
        series::HistogramHandle
            age; ///< of transfers that the device has not completed, since they were handed to it
    };
    [[nodiscard]] const Io& io(std::size_t volume, IoClass ioClass) const
    {
        return m_volumes[volume][static_cast<std::size_t>(ioClass)];
    }
    /// Of all classes.
    [[nodiscard]] const std::vector<Io>& io(std::size_t volume) const { return m_volumes[volume]; }
    [[nodiscard]] std::size_t volumes() const { return m_volumes.size(); }

    /// Counts of a storage group.
    struct Group {
        series::CountHandle stalls, cacheRequests, cacheMisses, pagesFlushed, checkpoints, reads, writes,
            logWrites, logBytes, logStalls, logFiles, transactions, inserted, deleted, replaced, retrieved,
            durableCommits, lazyCommits, wrongRecords, maintenancePages, logCopies, logsReplayed,
            transactionsReplayed, pagesRestored;
        series::CountHandle recoveryTime; ///< ms
        series::CountHandle logFilesSeen, badLogFiles, segmentsSeen, badSegments, logBytesSeen;
        series::CountHandle logCheckTime; ///< ms
        // Sums that levels are made from:
        series::CountHandle readTime, writeTime, logWriteTime; ///< ns
        series::CountHandle due, begun; ///< transactions that became due, that began,
        series::CountHandle cutOff; ///< and that the load's end cut off, or that were left out
    };
    [[nodiscard]] const Group& group(std::size_t group) const { return m_groups[group]; }
    /// Counts of a database.
    struct Database {
        series::CountHandle seen, bad, correctable, wrongPage, bytesSeen;
        series::CountHandle checkTime; ///< ms
    };
    [[nodiscard]] const Database& database(std::size_t group, std::size_t database) const
    {
        return m_databases[group][database];
    }
    struct Levels {
        series::CounterHandle cacheSize, readLatency, writeLatency, logWriteLatency, depth, size, waiting,
            rate, sessions;
    };
    [[nodiscard]] const Levels& levels(std::size_t group) const { return m_levels[group]; }
    /// Of all groups together.
    struct Total {
        series::CounterHandle transactions, failedTransfers, due, begun, failed, busiest;
    };
    [[nodiscard]] const Total& total() const { return m_total; }
    /// CPU use of a group's worker, %.
    [[nodiscard]] series::CounterHandle worker(std::size_t group) const { return m_workers[group]; }
    struct Transactions {
        series::HistogramHandle response, service, age;
    };
    [[nodiscard]] const Transactions& transactions() const { return m_transactions; }
    [[nodiscard]] series::HistogramHandle slip() const { return m_slip; }

private:
    std::vector<std::vector<Io>> addVolumes(const std::vector<std::string>& volumes);
    std::vector<Group> addGroups(const plan::StorageTest& test);
    std::vector<std::vector<Database>> addDatabases(const plan::StorageTest& test);
    std::vector<Levels> addLevels(const plan::StorageTest& test);
    std::vector<series::CounterHandle> addWorkers(const plan::StorageTest& test);
    Total addTotal();
    Transactions addTransactions();
    // In the order in which a recording has them:
    series::SeriesList m_list;
    std::vector<std::vector<Io>> m_volumes; // of each, by class
    std::vector<Group> m_groups;
    std::vector<std::vector<Database>> m_databases; // of each group
    Total m_total;
    std::vector<Levels> m_levels; // of each group
    std::vector<series::CounterHandle> m_workers;
    Transactions m_transactions;
    series::HistogramHandle m_slip;
};

} // namespace loadstone::storage
