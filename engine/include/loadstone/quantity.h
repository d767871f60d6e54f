// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace loadstone {

/// Everything that Loadstone measures itself. Recordings hold a quantity's key, never its number, so rows can be added anywhere.
enum class Quantity : std::uint16_t {
    // Of mail, events:
    messagesSent,
    messagesReceived,
    recipientsAccepted,
    actionsEnded,
    actionsFailed,
    connectionsOpened,
    mailBytesSent,
    mailBytesReceived,
    messagesRetrieved,
    // and levels:
    sessions,
    users,
    copiesOutstanding,
    copiesLate,
    copiesTwice,
    copiesDamaged,
    copiesLost,
    oracleUsers,
    oracleChecks,
    oracleFindings,
    oracleCompared,

    // Of filling and cleaning mailboxes:
    mailboxesDone,
    mailboxesGivenUp,
    foldersMade,
    foldersRemoved,
    messagesAppended,
    messagesFound,
    messagesRemoved,
    doublesRemoved,
    foreignMessages,
    entriesMade,
    entriesFound,
    entriesRemoved,
    foreignEntries,
    mailboxesToDo,

    // Of each kind of action, of the transactions of a storage test, and of the transfers of a raw test:
    actionsCompleted,
    commandsAnswered,
    actionsDue,
    actionsBegun,
    actionsGivenUp,
    transactionsDue,
    transactionsBegun,
    transactionsGivenUp,
    transfersDue,
    transfersBegun,
    transfersGivenUp,

    // Of the generator:
    busiestWorker,
    workerProcessorTime,
    loopLag,
    longestRunQueueWait,
    runQueueWait,
    throttledTime,
    controlLag,
    storeOverruns,
    storeLag,

    // Of a test's own I/O:
    transfers,
    transferBytes,
    failedTransfers,
    transfersScheduled,
    transfersIssued,
    fillWrites,
    fillBytes,
    reads,
    writes,
    readBytes,
    writeBytes,
    secondsPerRead,
    secondsPerWrite,
    transfersUnderWay,

    // Of a storage group:
    pageFaultStalls,
    cacheRequests,
    cacheMisses,
    pagesFlushed,
    checkpoints,
    databaseReads,
    databaseWrites,
    logWrites,
    logBytes,
    logStalls,
    logFilesBegun,
    transactions,
    recordsInserted,
    recordsDeleted,
    recordsReplaced,
    recordsRead,
    durableCommits,
    lazyCommits,
    wrongRecords,
    maintenancePages,
    logCopies,
    logsReplayed,
    transactionsReplayed,
    pagesRestored,
    recoveryTime,
    logFilesSeen,
    badLogFiles,
    logSegmentsSeen,
    badLogSegments,
    logBytesSeen,
    logCheckTime,
    cacheSize,
    databaseReadLatency,
    databaseWriteLatency,
    logWriteLatency,
    checkpointDepth,
    databaseSize,
    transactionsWaiting,
    transactionRate,
    sessionsInUse,
    // and of one of its databases:
    pagesSeen,
    badPages,
    correctablePages,
    wrongPageNumbers,
    pageBytesSeen,
    pageCheckTime,

    // Of a host:
    processorTime,
    userTime,
    privilegedTime,
    idleTime,
    ioWaitTime,
    stealTime,
    oneProcessorTime,
    contextSwitches,
    processorQueue,
    processes,
    availableMemory,
    cacheMemory,
    dirtyMemory,
    pagesSwapped,
    pageReads,
    pageFaults,
    freeMemory,
    poolNonpagedBytes,
    poolPagedBytes,
    pagesRepurposed,
    sharedPages,
    swapUsed,
    diskReads,
    diskWrites,
    diskTransfers,
    diskReadBytes,
    diskWriteBytes,
    diskSecondsPerRead,
    diskSecondsPerWrite,
    diskQueue,
    meanDiskQueue,
    diskTime,
    diskBytes,
    diskBytesPerRead,
    diskBytesPerWrite,
    networkBytesReceived,
    networkBytesSent,
    networkBytes,
    networkPackets,
    tcpConnections,
    tcpTimeWait,
    tcpRetransmitted,
    tcpRefused,
    listenDrops,
    processorStall,
    someIoStall,
    allIoStall,
    someMemoryStall,
    allMemoryStall,
    processProcessorTime,
    processUserTime,
    processPrivilegedTime,
    processWorkingSet,
    processPrivateBytes,
    processFiles,
    processThreads,
    processVirtualBytes,
    processReadBytes,
    processWriteBytes,
    processInstances,
    // of a control group (Subject::process: its path):
    groupProcessorTime,
    groupMemory,
    groupReadBytes,
    groupWriteBytes,
    // and of a mail server, by queue (Subject::device: "active"):
    mailQueueLength,

    // Latencies; which two instants they lie between is the key's clock:
    actionTime,
    commandTime,
    deliveryTime,
    transactionTime,
    transferTime,
    timerSlip,
    loopLagTime,
};
inline constexpr std::size_t kQuantities = static_cast<std::size_t>(Quantity::loopLagTime) + 1;

/// What one value of a series is.
enum class SeriesKind : std::uint8_t {
    level, ///< a state or a ready-made rate at the end of the tick
    count, ///< events within the tick; a chart shows them per second, a window adds them up
    latency, ///< a histogram of durations
};

/// How the series of several subjects become the one of all of them.
enum class Combination : std::uint8_t {
    sum,
    maximum,
    mean, ///< of levels that are shares or durations
    merge, ///< of histograms
};

/// Which direction is better when two runs are compared.
enum class Better : std::uint8_t { more, less, neither };

/// A row of the table of quantities. All texts live as long as the program.
struct QuantityInfo {
    Quantity quantity {};
    std::string_view key; ///< "mail.messages-sent": never changes once released
    unsigned version = 1; ///< of its definition; rises when the same key begins to mean something else
    std::string_view object, counter; ///< as PerfMon would name it: "Loadstone Mail", "Messages Sent/sec"
    std::string_view total; ///< the instance if the subject has none: "_Total"; empty: none
    std::string_view unit; ///< of one value: "%", "s", "bytes", "messages"; of a latency "s"
    std::string_view counts; ///< what one event is, if products differ ("per recipient"); else empty
    SeriesKind kind = SeriesKind::level;
    Combination combination = Combination::sum;
    Better better = Better::neither;
    std::string_view help; ///< one sentence, where the value comes from
    std::string_view source {}; ///< of the definition, where it is not Loadstone's own; else empty
    /// For a mean: the count, of the same subject, by which each value is weighted; none: equal weights.
    std::optional<Quantity> weight {};
};

/// Any thread.
const QuantityInfo& infoOf(Quantity quantity);
/// None for a key that this version does not know.
std::optional<Quantity> quantityOf(std::string_view key);

} // namespace loadstone
