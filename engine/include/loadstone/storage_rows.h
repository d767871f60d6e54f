// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// The work of a storage plan's load in one storage group, or in all together, within the measurement.
struct StorageGroupRow {
    std::string name; ///< empty: all together
    std::uint64_t transactions = 0, durableCommits = 0, lazyCommits = 0;
    std::uint64_t inserted = 0, deleted = 0, replaced = 0, retrieved = 0; ///< records
    std::uint64_t wrongRecords = 0; ///< retrieved with a right checksum, but not what was written
    std::uint64_t databaseReads = 0, databaseWrites = 0; ///< transfers
    std::uint64_t logWrites = 0, logBytes = 0;
    std::uint64_t logFiles = 0; ///< begun
    std::uint64_t stalls = 0; ///< pages that had to wait for memory in the cache
    std::optional<std::uint64_t> cacheBytes; ///< in use at the end
    std::optional<std::uint64_t> sessions; ///< at the end: as many as planned, or as the tuning found
    // Per second of the measurement; none while it has no length:
    std::optional<double> transactionRate, transferRate, logWriteRate, stallRate;
    std::optional<double> highestStallRate; ///< of one tick
    // Quotients; none if the divisor is 0:
    std::optional<double> readsPerWrite, transfersPerLogWrite, transfersPerTransaction, bytesPerLogWrite;
    bool operator==(const StorageGroupRow&) const = default;
};

/// What was read and checked in a database or in a group's log, or in all of them together.
struct VerificationRow {
    std::string name; ///< "group-1-1", "group-1 log"; empty: all together
    std::uint64_t pages = 0, bad = 0, correctable = 0, wrongPageNumber = 0; ///< of databases
    std::uint64_t files = 0, badFiles = 0, segments = 0, badSegments = 0; ///< of logs
    std::uint64_t bytes = 0;
    Nanoseconds time {}; ///< time of reading; for all together the sum, although they may be read at once
    Subject subject {}; ///< a group's database, or a group; empty: all together
    bool operator==(const VerificationRow&) const = default;
};

/// What a backup read from a database, from those of a group, or from all. For several the time is from the begin of the first to
/// the end of the last.
struct BackupRow {
    std::string group; ///< empty: all together
    std::string database; ///< empty: all of the group
    std::uint64_t bytes = 0;
    Nanoseconds time {};
    std::optional<double> bytesPerSecond;
    Subject subject {};
    bool operator==(const BackupRow&) const = default;
};

/// The replay of a group's log, or of all logs; the time is as in a backup.
struct RecoveryRow {
    std::string group; ///< empty: all together
    std::uint64_t logs = 0, transactions = 0, pagesRestored = 0;
    Nanoseconds time {};
    std::optional<double> secondsPerLog; ///< time / logs; for all together it is not the mean of the groups
    bool operator==(const RecoveryRow&) const = default;
};

/// A counter of the host over a measurement.
struct HostRow {
    std::string counter, unit;
    double average = 0, minimum = 0, maximum = 0;
    Quantity quantity {};
    bool operator==(const HostRow&) const = default;
};

/// Results of a storage plan's test, in addition to its I/O.
struct StorageResult {
    enum class Kind : std::uint8_t { performance, stress, backup, recovery, checksum };
    Kind kind = Kind::performance;
    std::uint64_t databaseFiles = 0;
    // For the first two kinds, which have a load:
    std::optional<std::uint64_t> bytesAtBegin, bytesAtEnd; ///< of the databases, in use
    std::optional<double> achieved, target; ///< database reads and writes per second; no target: none planned
    std::vector<StorageGroupRow> groups;
    StorageGroupRow allGroups;
    // For a checksum or backup, or from maintenance beside the load; none if nothing was read:
    std::vector<VerificationRow> databases, logs;
    VerificationRow allDatabases, allLogs;
    std::vector<BackupRow> backup; ///< each group after its databases, all together last
    std::vector<RecoveryRow> recovery; ///< all together last
    std::vector<HostRow> host;
    [[nodiscard]] bool hasLoad() const { return kind == Kind::performance || kind == Kind::stress; }
    bool operator==(const StorageResult&) const = default;
};
const char* toString(StorageResult::Kind kind); ///< "performance"

} // namespace loadstone
