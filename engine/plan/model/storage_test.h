// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/raw_test.h"

#include <loadstone/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::plan {

/// Whose published values a storage plan begins with.
enum class StoragePreset : std::uint8_t { none, exchange2007, exchange2013 };

/// [database]: what all databases and logs have in common. Sizes in bytes.
struct StorageDatabase {
    std::uint32_t pageSize = 8192; ///< 4, 8, 16 or 32 KB
    std::uint64_t cacheMinimum = 256U << 20, cacheMaximum = 2ULL << 30; ///< of the host: shared by the groups
    std::uint64_t logBuffer = 4500U << 10; ///< of each group
    std::uint64_t logFile = 1U << 20;
    std::uint32_t logSector = 512; ///< what writes of the log are made up of: 512 or 4096
    std::uint64_t checkpointDepth = 20U << 20; ///< of log, of each group
    std::uint32_t shortPad = 200, longPad = 2000; ///< of each record
    double compression = 1; ///< by how much a compressor is to shrink records; 1: not at all
    double duplication = 0; ///< share of records whose long pad is one of a few; 0 to 1
    double growthReserve = 0.25; ///< space kept free for a database to grow, as a share of its size
    bool direct = true;
    RawDurability durability = RawDurability::writeThrough;
    BackEnd backEnd = BackEnd::automatic;
    std::vector<std::string> confirmed; ///< folders on a network or FUSE that may be used all the same
    bool operator==(const StorageDatabase&) const = default;
};

/// threads: as many transactions as the sessions give. rate: paced to a target of database transfers a second. mailboxes: the
/// same, with target and size of the databases as a number of mailboxes has them.
enum class StoragePacing : std::uint8_t { threads, rate, mailboxes };

/// [load]
struct StorageLoad {
    StoragePacing pacing = StoragePacing::threads;
    unsigned threads = 64; ///< sessions
    bool threadsOfHost = false; ///< `threads` is of all groups together, not of each
    unsigned operations = 30; ///< of a transaction
    unsigned insert = 40, erase = 30, replace = 5; ///< per cent of the operations; the rest are reads
    unsigned lazyCommits = 55; ///< per cent of the commits
    double targetIops = 0; ///< database reads and writes a second, of the host; 0: none
    double margin =
        0.05; ///< how far the achieved rate may be from the target in any minute, where it is steered
    std::uint64_t mailboxes = 0;
    double iopsPerMailbox = 0;
    std::uint64_t quota = 0; ///< bytes of a mailbox
    double headroom = 0; ///< share of the target that is to stay free; below 1
    bool tuning = false; ///< look for the highest load within the limits
    unsigned mostThreads = 256; ///< likewise: not beyond
    /// What the achieved rate is judged by, database reads and writes a second. None: nothing was asked for, or the rate is what
    /// the tuning is to find.
    [[nodiscard]] std::optional<double> target() const
    {
        const bool found = tuning && pacing != StoragePacing::threads;
        return targetIops > 0 && !found ? std::optional(targetIops) : std::nullopt;
    }
    bool operator==(const StorageLoad&) const = default;
};

/// [maintenance]: a scan of all databases that goes on beside the load.
struct StorageMaintenance {
    bool enabled = false;
    std::uint64_t readSize = 512U << 10; ///< bytes
    Nanoseconds interval = std::chrono::milliseconds(100); ///< from read to read, of each database
    bool operator==(const StorageMaintenance&) const = default;
};

/// What may be the longest: averages over the measurement, maxima of the samples' averages.
struct LatencyLimits {
    Nanoseconds averageDatabaseRead = std::chrono::milliseconds(20);
    Nanoseconds averageLogWrite = std::chrono::milliseconds(10);
    Nanoseconds maximumDatabaseRead = std::chrono::milliseconds(100);
    Nanoseconds maximumLogWrite = std::chrono::milliseconds(100);
    bool operator==(const LatencyLimits&) const = default;
};

/// [limits]. An I/O error or a bad page always fails a test.
struct StorageLimits {
    LatencyLimits strict, lenient;
    unsigned latencyErrors = 6; ///< samples above a maximum that are tolerated
    double pageFaultStalls = 1; ///< average per second
    double margin = 0.05; ///< the achieved rate may be so much below the target
    bool operator==(const StorageLimits&) const = default;
};

/// [[groups]]: databases that share one log.
struct StorageGroupPlan {
    std::string name; ///< the beginning of its files' names
    std::vector<std::string> databases; ///< folders, one database each; absolute, without a '/' at the end
    std::string log; ///< folder
    std::uint64_t databaseSize = 0; ///< bytes of each, before it grows
    std::string item {}, logItem {}; ///< ids of the lab's items that databases and log lie on; empty: not said
    bool operator==(const StorageGroupPlan&) const = default;
};

enum class StorageTestKind : std::uint8_t { performance, stress, backup, recovery, checksum };

/// [[tests]]: one part of the programme.
struct StorageTestStep {
    StorageTestKind kind = StorageTestKind::performance;
    std::string name;
    Nanoseconds duration {}; ///< performance, stress
    Nanoseconds warmUp = std::chrono::hours(1); ///< likewise: longest wait until the cache is filled to kWarm
    bool lenient = false; ///< likewise: which limits
    unsigned logs = 500; ///< recovery: files to replay, of each group
    std::string to; ///< backup: folder; empty: what is read goes nowhere
    unsigned readers = 0; ///< backup, checksum: reads under way at once, of each database
    std::uint64_t readSize = 0; ///< likewise, bytes
    int line = 0;
    /// Whether it runs sessions for a while, and not until something is done.
    [[nodiscard]] bool isLoad() const noexcept
    {
        return kind == StorageTestKind::performance || kind == StorageTestKind::stress;
    }
    bool operator==(const StorageTestStep&) const = default;
};

inline constexpr unsigned kMostSessionsOfGroup = 3700; // whose requests the kernel takes at once

/// The storage stress test: kind = "storage".
struct StorageTest {
    static constexpr double kWarm = 0.9; ///< of the cache's maximum: from there on is measured
    StoragePreset preset = StoragePreset::none;
    StorageDatabase database;
    StorageLoad load;
    StorageMaintenance maintenance;
    unsigned copies = 1; ///< of each database, the one under load included: further ones read its log
    StorageLimits limits;
    std::vector<StorageGroupPlan> groups;
    std::vector<StorageTestStep> tests;
    [[nodiscard]] std::size_t databases() const; ///< of all groups
    [[nodiscard]] unsigned threadsPerGroup() const;
    [[nodiscard]] unsigned
    mostThreadsPerGroup() const; ///< that a tuning may go to; else the same ///< at least 1
    [[nodiscard]] unsigned logReaders() const { return copies - 1; }
    bool operator==(const StorageTest&) const = default;

private:
    [[nodiscard]] unsigned ofGroup(unsigned threads) const;
};

/// What a preset says, without groups and tests.
StorageTest presetOf(StoragePreset preset);

/// The longest value of a record that pages of that size take, bytes: what storage::Page has room for.
std::uint64_t longestRecord(std::uint32_t pageSize);
/// Bytes of a record, and of the long value that it has apart.
std::uint64_t recordSize(const StorageDatabase& database);
std::uint64_t longValueSize(const StorageDatabase& database);

/// What a test puts into a folder at most, bytes: databases and what they may grow by, logs, backups. Folders on one volume add up.
struct SpaceNeed {
    std::string folder;
    std::uint64_t bytes = 0;
    bool operator==(const SpaceNeed&) const = default;
};
std::vector<SpaceNeed> spaceNeeded(const StorageTest& test);
/// Log files that a group has at once, at most.
std::uint64_t logFilesOfGroup(const StorageTest& test);

/// The test in words, for the table of a report.
std::vector<std::pair<std::string, std::string>> describe(const StorageTest& test);
/// "4 databases of 1 GB in 2 groups"
std::string summarise(const StorageTest& test);

} // namespace loadstone::plan
