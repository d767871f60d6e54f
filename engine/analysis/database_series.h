// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// How the storage room calls what a storage test's page store does, by the names of Exchange's counters where there are
/// such; and what its verdict and its tables are computed from again. Names that end in "/sec" are counts (CounterKind::count),
/// the others levels.
namespace loadstone::analysis {

/// Of a storage group; the instance is its name.
inline constexpr const char* kDatabaseObject = "Database";
inline constexpr const char* kCacheSize = "Database Cache Size"; ///< bytes in use
inline constexpr const char* kPageFaultStalls = "Database Page Fault Stalls/sec";
inline constexpr const char* kCacheRequests = "Database Cache Requests/sec";
inline constexpr const char* kCacheMisses = "Database Cache Misses/sec";
inline constexpr const char* kPagesFlushed = "Database Pages Flushed/sec";
inline constexpr const char* kCheckpoints = "Database Checkpoints/sec"; ///< the checkpoint moved
inline constexpr const char* kDatabaseReads = "I/O Database Reads/sec";
inline constexpr const char* kDatabaseReadLatency =
    "I/O Database Reads Average Latency"; ///< s; no value: none
inline constexpr const char* kDatabaseWrites = "I/O Database Writes/sec";
inline constexpr const char* kDatabaseWriteLatency = "I/O Database Writes Average Latency";
inline constexpr const char* kLogWrites = "Log Writes/sec";
inline constexpr const char* kLogBytes = "Log Bytes Write/sec";
inline constexpr const char* kLogWriteLatency = "I/O Log Writes Average Latency";
inline constexpr const char* kLogStalls = "Log Record Stalls/sec";
inline constexpr const char* kLogFilesBegun = "Log Files Begun/sec"; ///< the log rolled over
inline constexpr const char* kCheckpointDepth = "Log Checkpoint Depth"; ///< bytes
inline constexpr const char* kDatabaseSize = "Database Size"; ///< bytes in use, of all its databases
inline constexpr const char* kTransactions = "Transactions/sec";
inline constexpr const char* kTransactionsWaiting = "Transactions Waiting"; ///< due, and not begun
inline constexpr const char* kTransactionRate = "Target Transactions Rate"; ///< per second; paced tests
inline constexpr const char* kSessionsInUse = "Sessions In Use"; ///< open for transactions
inline constexpr const char* kRecordsInserted = "Records Inserted/sec";
inline constexpr const char* kRecordsDeleted = "Records Deleted/sec";
inline constexpr const char* kRecordsReplaced = "Records Replaced/sec";
inline constexpr const char* kRecordsRead = "Records Retrieved/sec";
inline constexpr const char* kDurableCommits = "Durable Commits/sec";
inline constexpr const char* kLazyCommits = "Lazy Commits/sec";
inline constexpr const char* kWrongRecords =
    "Wrong Records/sec"; ///< right checksum, and not what was written
inline constexpr const char* kMaintenancePages = "Maintenance Pages/sec";
inline constexpr const char* kLogCopies = "Log Copy Files Read/sec";

/// Of what a verification, a backup, or the maintenance beside a load read. The instance is a database ("group-1-1") or a group's
/// log ("group-1 log"); in a phase of the kind measurement.
inline constexpr const char* kVerificationObject = "Loadstone Verification";
inline constexpr const char* kPagesSeen = "Pages Seen/sec";
inline constexpr const char* kBadPages = "Bad Pages/sec";
inline constexpr const char* kCorrectablePages = "Correctable Pages/sec";
inline constexpr const char* kWrongPageNumbers = "Wrong Page Numbers/sec";
inline constexpr const char* kLogFilesSeen = "Log Files Seen/sec";
inline constexpr const char* kBadLogFiles = "Bad Log Files/sec"; ///< cut, missing, or with a damaged header
inline constexpr const char* kLogSegmentsSeen = "Log Segments Seen/sec";
inline constexpr const char* kBadLogSegments = "Bad Log Segments/sec";
inline constexpr const char* kBytesRead = "Bytes Read/sec";
inline constexpr const char* kBusyTime = "Busy Time/sec"; ///< ms: of the reading, while it lasted

/// Of opening a group that was not closed; the instance is its name.
inline constexpr const char* kRecoveryObject = "Loadstone Recovery";
inline constexpr const char* kLogsReplayed = "Log Files Replayed/sec";
inline constexpr const char* kTransactionsReplayed = "Transactions Replayed/sec";
inline constexpr const char* kPagesRestored = "Pages Restored/sec"; ///< torn, and put back from their copies
// and kBusyTime

} // namespace loadstone::analysis
