// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/storage_series.h"

namespace loadstone::storage {

StorageSeries::StorageSeries(const plan::StorageTest& test, const std::vector<std::string>& volumes)
    : m_volumes(addVolumes(volumes))
    , m_groups(addGroups(test))
    , m_databases(addDatabases(test))
    , m_total(addTotal())
    , m_levels(addLevels(test))
    , m_workers(addWorkers(test))
    , m_transactions(addTransactions())
    , m_slip(m_list.addHistogram({ Quantity::timerSlip, {}, LatencyClock::slip }, LatencyScope::generator))
{
}

// Members of a list in braces are made one after the other, as they stand there.

std::vector<std::vector<StorageSeries::Io>> StorageSeries::addVolumes(const std::vector<std::string>& volumes)
{
    std::vector<std::vector<Io>> all;
    for (const std::string& volume : volumes) {
        std::vector<Io>& classes = all.emplace_back();
        for (std::size_t i = 0; i < kIoClasses; ++i) {
            const auto ioClass = static_cast<IoClass>(i);
            const Subject subject = Subject::ofVolume(volume, ioClass);
            const auto latency = [&](LatencyClock clock, LatencyScope scope) {
                return m_list.addHistogram({ Quantity::transferTime, subject, clock }, scope);
            };
            classes.push_back({
                .ioClass = ioClass,
                .transfers = m_list.addCount({ Quantity::transfers, subject }),
                .bytes = m_list.addCount({ Quantity::transferBytes, subject }),
                .failed = m_list.addCount({ Quantity::failedTransfers, subject }),
                .service = latency(LatencyClock::service, LatencyScope::command),
                .queued = latency(LatencyClock::slip, LatencyScope::generator),
                .age = latency(LatencyClock::serviceAge, LatencyScope::command),
            });
        }
    }
    return all;
}

std::vector<StorageSeries::Group> StorageSeries::addGroups(const plan::StorageTest& test)
{
    std::vector<Group> all;
    for (const plan::StorageGroupPlan& group : test.groups) {
        const auto add = [&](Quantity quantity) {
            return m_list.addCount({ quantity, Subject::ofGroup(group.name) });
        };
        all.push_back({
            .stalls = add(Quantity::pageFaultStalls),
            .cacheRequests = add(Quantity::cacheRequests),
            .cacheMisses = add(Quantity::cacheMisses),
            .pagesFlushed = add(Quantity::pagesFlushed),
            .checkpoints = add(Quantity::checkpoints),
            .reads = add(Quantity::databaseReads),
            .writes = add(Quantity::databaseWrites),
            .logWrites = add(Quantity::logWrites),
            .logBytes = add(Quantity::logBytes),
            .logStalls = add(Quantity::logStalls),
            .logFiles = add(Quantity::logFilesBegun),
            .transactions = add(Quantity::transactions),
            .inserted = add(Quantity::recordsInserted),
            .deleted = add(Quantity::recordsDeleted),
            .replaced = add(Quantity::recordsReplaced),
            .retrieved = add(Quantity::recordsRead),
            .durableCommits = add(Quantity::durableCommits),
            .lazyCommits = add(Quantity::lazyCommits),
            .wrongRecords = add(Quantity::wrongRecords),
            .maintenancePages = add(Quantity::maintenancePages),
            .logCopies = add(Quantity::logCopies),
            .logsReplayed = add(Quantity::logsReplayed),
            .transactionsReplayed = add(Quantity::transactionsReplayed),
            .pagesRestored = add(Quantity::pagesRestored),
            .recoveryTime = add(Quantity::recoveryTime),
            .logFilesSeen = add(Quantity::logFilesSeen),
            .badLogFiles = add(Quantity::badLogFiles),
            .segmentsSeen = add(Quantity::logSegmentsSeen),
            .badSegments = add(Quantity::badLogSegments),
            .logBytesSeen = add(Quantity::logBytesSeen),
            .logCheckTime = add(Quantity::logCheckTime),
            .readTime = m_list.addSum(),
            .writeTime = m_list.addSum(),
            .logWriteTime = m_list.addSum(),
            .due = m_list.addSum(),
            .begun = m_list.addSum(),
            .cutOff = m_list.addSum(),
        });
    }
    return all;
}

std::vector<std::vector<StorageSeries::Database>> StorageSeries::addDatabases(const plan::StorageTest& test)
{
    std::vector<std::vector<Database>> all;
    for (const plan::StorageGroupPlan& group : test.groups) {
        std::vector<Database>& databases = all.emplace_back();
        for (std::uint32_t i = 0; i < group.databases.size(); ++i) {
            Subject subject = Subject::ofGroup(group.name);
            subject.database = i;
            const auto add = [&](Quantity quantity) { return m_list.addCount({ quantity, subject }); };
            databases.push_back({
                .seen = add(Quantity::pagesSeen),
                .bad = add(Quantity::badPages),
                .correctable = add(Quantity::correctablePages),
                .wrongPage = add(Quantity::wrongPageNumbers),
                .bytesSeen = add(Quantity::pageBytesSeen),
                .checkTime = add(Quantity::pageCheckTime),
            });
        }
    }
    return all;
}

StorageSeries::Total StorageSeries::addTotal()
{
    return {
        .transactions = m_list.addCounter(Quantity::transactions),
        .failedTransfers = m_list.addCounter(Quantity::failedTransfers),
        .due = m_list.addCounter(Quantity::transactionsDue),
        .begun = m_list.addCounter(Quantity::transactionsBegun),
        .failed = m_list.addCounter(Quantity::transactionsGivenUp),
        .busiest = m_list.addCounter(Quantity::busiestWorker),
    };
}

std::vector<StorageSeries::Levels> StorageSeries::addLevels(const plan::StorageTest& test)
{
    std::vector<Levels> all;
    for (const plan::StorageGroupPlan& group : test.groups) {
        const auto add = [&](Quantity quantity) {
            return m_list.addCounter({ quantity, Subject::ofGroup(group.name) });
        };
        all.push_back({
            .cacheSize = add(Quantity::cacheSize),
            .readLatency = add(Quantity::databaseReadLatency),
            .writeLatency = add(Quantity::databaseWriteLatency),
            .logWriteLatency = add(Quantity::logWriteLatency),
            .depth = add(Quantity::checkpointDepth),
            .size = add(Quantity::databaseSize),
            .waiting = add(Quantity::transactionsWaiting),
            .rate = add(Quantity::transactionRate),
            .sessions = add(Quantity::sessionsInUse),
        });
    }
    return all;
}

std::vector<series::CounterHandle> StorageSeries::addWorkers(const plan::StorageTest& test)
{
    std::vector<series::CounterHandle> all;
    for (const plan::StorageGroupPlan& group : test.groups)
        all.push_back(m_list.addCounter({ Quantity::workerProcessorTime, Subject::ofGroup(group.name) }));
    return all;
}

StorageSeries::Transactions StorageSeries::addTransactions()
{
    const auto add = [&](LatencyClock clock) {
        return m_list.addHistogram({ Quantity::transactionTime, {}, clock }, LatencyScope::action);
    };
    return { .response = add(LatencyClock::response),
        .service = add(LatencyClock::service),
        .age = add(LatencyClock::age) };
}

} // namespace loadstone::storage
