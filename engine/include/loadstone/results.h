// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/series.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// How the actions of a window stand at its end. What was under way at its begin is in what ended, and not in what was due.
struct ActionCounts {
    std::uint64_t due = 0; ///< meant to begin within the window
    std::uint64_t begun = 0; ///< within the window
    std::uint64_t ended = 0; ///< well
    std::uint64_t failed = 0; ///< ended badly
    std::uint64_t unfinished = 0; ///< due by the window's end, begun or not, and not ended by then
    bool operator==(const ActionCounts&) const = default;
};

/// One action ("Send message") or command ("POP3 RETR") within a window.
struct LatencyRow {
    std::string name;
    LatencyScope scope = LatencyScope::action;
    std::optional<LatencySummary> response; ///< actions only; what is unfinished is in it with its age
    LatencySummary service;
    std::optional<ActionCounts> counts {}; ///< actions only; none where the recording does not count them
    bool operator==(const LatencyRow&) const = default;
};

/// Failures of one kind within a window.
struct ErrorRow {
    std::string where; ///< action or command: "Send message", "SMTP RCPT"
    std::string kind; ///< "refused", "timeout", "protocol", "TLS", "authentication", "4xx", "5xx", ...
    int code = 0; ///< reply code where there was one
    std::uint64_t count = 0;
    std::string text; ///< the most frequent of the server's or the system's words; empty: none were kept
    bool operator==(const ErrorRow&) const = default;
};

/// Messages and their rates over one window. Rates are per second of the window.
struct MessageRates {
    Nanoseconds begin {}, end {}; ///< since the run's start
    std::uint64_t sent = 0; ///< messages accepted by the server
    std::uint64_t received = 0; ///< copies of this run's messages, one per recipient, each at its first retrieval
    /// Messages that mailboxes handed out: each reading of each, other people's too. None where that was not counted.
    std::optional<std::uint64_t> retrieved;
    double sentPerSecond = 0;
    double receivedPerSecond = 0;
    std::optional<double> retrievedPerSecond;
    std::optional<double> receivedToSent; ///< no value when nothing was sent
    bool operator==(const MessageRates&) const = default;
};

/// What the server did to the messages it accepted, counted per recipient copy.
struct AuditTotals {
    std::uint64_t accepted = 0; ///< messages
    std::uint64_t expected = 0; ///< copies: accepted messages times their accepted recipients
    std::uint64_t deliveredOnce = 0; ///< copies, in time, whole
    std::uint64_t late = 0; ///< delivered once, over the plan's delivery_limit
    std::uint64_t twice = 0; ///< copies retrieved more than once
    std::uint64_t damaged = 0; ///< copies whose content differs from what was sent
    std::uint64_t lost = 0; ///< missing from a mailbox read to its end later than acceptance and delivery_limit
    std::uint64_t outstanding = 0; ///< not retrieved, and not proven lost
    std::uint64_t unknown = 0; ///< retrieved messages that this run did not send
    bool operator==(const AuditTotals&) const = default;
};

/// What the mailbox oracle came to: it follows some users' mailboxes and compares all that the server tells of them.
struct OracleTotals {
    std::uint64_t users = 0, checks = 0, findings = 0;
    /// Users whose mailboxes were compared message by message at the end; none where the recording is older than this figure.
    std::optional<std::uint64_t> compared;
    /// How many were not, once a run is over; 0 where that is not known.
    [[nodiscard]] std::uint64_t notCompared() const
    {
        return compared && *compared < users ? users - *compared : 0;
    }
    bool operator==(const OracleTotals&) const = default;
};

/// What an initialisation or a clean-up did to the mailboxes.
struct PreparationTotals {
    std::uint64_t mailboxes = 0; ///< that it is about
    std::uint64_t done = 0; ///< as they should be
    std::uint64_t failed = 0; ///< given up after several attempts
    std::uint64_t foldersMade = 0, foldersRemoved = 0;
    std::uint64_t appended = 0; ///< messages
    std::uint64_t found = 0; ///< initial messages that were there already
    std::uint64_t removed = 0; ///< messages
    std::uint64_t doubles = 0; ///< initial messages that were there twice; all but one of each were removed
    std::uint64_t foreign = 0; ///< messages that are not Loadstone's: they stay
    // Events, journal entries and contacts, of calendars and address books:
    std::uint64_t entriesMade = 0, entriesFound = 0, entriesRemoved = 0, entriesForeign = 0;
    [[nodiscard]] bool hasEntries() const
    {
        return entriesMade + entriesFound + entriesRemoved + entriesForeign > 0;
    }
    bool operator==(const PreparationTotals&) const = default;
};

/// One initialisation or clean-up of a run.
struct PreparationResult {
    PhaseKind kind = PhaseKind::initialisation;
    Nanoseconds begin {}, end {}; ///< since the run's start
    bool complete = false; ///< every mailbox is as it should be
    PreparationTotals totals;
    std::vector<LatencyRow> commands;
    std::vector<ErrorRow> errors;
    bool operator==(const PreparationResult&) const = default;
};

/// One message the audit has something to say about, or one finding of the oracle.
struct AuditException {
    std::string kind; ///< "late", "twice", "damaged", "lost", "unknown"; the oracle's are "wrong"
    std::string token; ///< the message's token; empty when none could be read
    std::string mailbox;
    Nanoseconds accepted {}; ///< since the run's start
    std::string detail;
    bool operator==(const AuditException&) const = default;
};

/// What a class of a storage test's I/O does to its volume. Every sum of reads or writes goes by it.
enum class IoDirection : std::uint8_t { read, write, neither };
/// By the name of the class, as IoRow has it: "Backup" reads, "Flush" does neither, as does what no version knows.
IoDirection directionOf(std::string_view ioClass);

/// A storage test's own I/O: transfers that completed, with errors or without, and bytes of those without.
struct IoRates {
    double readsPerSecond = 0, writesPerSecond = 0, bytesPerSecond = 0;
    bool operator==(const IoRates&) const = default;
};

/// What a run's own I/O to one volume came to within a window, by what it was for.
struct IoRow {
    std::string volume; ///< of this machine: "nvme0n1p2"
    std::string name; ///< "Database read", "Log write", "Flush"
    std::uint64_t count = 0; ///< that completed, with errors or without
    std::uint64_t failures = 0; ///< of these, with an error
    std::uint64_t bytes = 0; ///< of those without
    double perSecond = 0, bytesPerSecond = 0;
    LatencySummary queued; ///< from when it was due (or asked for) to when the kernel had it
    LatencySummary device; ///< from then on until it was complete; what is unfinished is in it with its age
    std::uint64_t unfinished = 0; ///< that the device had not completed at the end
    /// Of a storage plan's test: the longest mean time in the device of a sample, which is 15 s long, as Jetstress's are, or
    /// 5 s where less than 10 minutes of measurement are planned.
    std::optional<Nanoseconds> longestSample;
    bool longestAtLeast = false; ///< it is longer than that, as transfers had not been completed
    bool operator==(const IoRow&) const = default;
};

/// What the load of a storage plan's test did in one storage group, or in all together, within the measurement.
struct StorageGroupRow {
    std::string name; ///< empty: all together
    std::uint64_t transactions = 0, durableCommits = 0, lazyCommits = 0;
    std::uint64_t inserted = 0, deleted = 0, replaced = 0, retrieved = 0; ///< records
    std::uint64_t wrongRecords = 0; ///< retrieved with a right checksum, and not what was written
    std::uint64_t databaseReads = 0, databaseWrites = 0; ///< transfers
    std::uint64_t logWrites = 0, logBytes = 0;
    std::uint64_t logFiles = 0; ///< begun
    std::uint64_t stalls = 0; ///< pages that had to wait for memory in the cache
    std::optional<std::uint64_t> cacheBytes; ///< in use at the end
    std::optional<std::uint64_t> sessions; ///< at the end: as many as planned, or as a tuning came to
    // Per second of the measurement; none while it has no length:
    std::optional<double> transactionRate, transferRate, logWriteRate, stallRate;
    std::optional<double> highestStallRate; ///< of one tick
    // Quotients; none where there is nothing to divide by:
    std::optional<double> readsPerWrite, transfersPerLogWrite, transfersPerTransaction, bytesPerLogWrite;
    bool operator==(const StorageGroupRow&) const = default;
};

/// What was read and checked of a database or of a group's log, or of all of the kind together.
struct VerificationRow {
    std::string name; ///< "group-1-1", "group-1 log"; empty: all together
    std::uint64_t pages = 0, bad = 0, correctable = 0, wrongPageNumber = 0; ///< of databases
    std::uint64_t files = 0, badFiles = 0, segments = 0, badSegments = 0; ///< of logs
    std::uint64_t bytes = 0;
    Nanoseconds time {}; ///< of the reading; together: the sum, though they may be read at once
    bool operator==(const VerificationRow&) const = default;
};

/// What a backup read of a database, of a group's, or of all. Of several the time is from the first one's begin to the last
/// one's end.
struct BackupRow {
    std::string group; ///< empty: all together
    std::string database; ///< empty: all of the group
    std::uint64_t bytes = 0;
    Nanoseconds time {};
    std::optional<double> bytesPerSecond;
    bool operator==(const BackupRow&) const = default;
};

/// The replay of a group's log, or of all, with the time as a backup's.
struct RecoveryRow {
    std::string group; ///< empty: all together
    std::uint64_t logs = 0, transactions = 0, pagesRestored = 0;
    Nanoseconds time {};
    std::optional<double> secondsPerLog; ///< time / logs; together that is not the mean of the groups'
    bool operator==(const RecoveryRow&) const = default;
};

/// A counter of the host over a measurement.
struct HostRow {
    std::string counter, unit;
    double average = 0, minimum = 0, maximum = 0;
    bool operator==(const HostRow&) const = default;
};

/// What a test of a storage plan came to, beside its I/O.
struct StorageResult {
    enum class Kind : std::uint8_t { performance, stress, backup, recovery, checksum };
    Kind kind = Kind::performance;
    std::uint64_t databaseFiles = 0;
    // Of the first two kinds, which have a load:
    std::optional<std::uint64_t> bytesAtBegin, bytesAtEnd; ///< of the databases, in use
    std::optional<double> achieved, target; ///< database reads and writes a second; no target: none asked for
    std::vector<StorageGroupRow> groups;
    StorageGroupRow allGroups;
    // Of a checksum or backup, or by maintenance beside the load; none where nothing was read:
    std::vector<VerificationRow> databases, logs;
    VerificationRow allDatabases, allLogs;
    std::vector<BackupRow> backup; ///< each group after its databases, all together last
    std::vector<RecoveryRow> recovery; ///< all together last
    std::vector<HostRow> host;
    [[nodiscard]] bool hasLoad() const { return kind == Kind::performance || kind == Kind::stress; }
    bool operator==(const StorageResult&) const = default;
};
const char* toString(StorageResult::Kind kind); ///< "performance"

/// The results of one mix: what ZDESTT's table prints, and more.
struct MixResult {
    std::int32_t mix = 0;
    std::string name;
    std::uint64_t mailboxes = 0; ///< simulated users of the mix
    std::uint64_t threads = 0; ///< clients x threads per client; 0 in open pacing
    double recipientsPerMessage = 0; ///< as the plan has it
    /// Its measurement phase ran to its end; where the plan gives that no length: and the run went on from there.
    bool complete = false;
    MessageRates measured; ///< over the measurement (valid) phase
    MessageRates finalWindow; ///< over the plan's final_window, the end of the measurement
    std::vector<LatencyRow> actions; ///< over the measurement phase
    std::vector<LatencyRow> commands;
    LatencySummary response; ///< of all actions together; of one without response times its service times
    LatencySummary delivery; ///< acceptance to retrieval
    std::optional<ActionCounts> counts; ///< of all actions of the measurement phase
    std::uint64_t attempts = 0; ///< actions that ended in the measurement phase, well or not
    std::uint64_t failures = 0; ///< of these, ended by an error
    double errorRate = 0; ///< failures / attempts; 0 when there were none
    /// Why nothing can be said of the target's service: no action, or no message, of the measurement ended well. One sentence;
    /// empty: something did, or it goes on and nothing has ended yet.
    std::string nothingSucceeded;
    std::vector<ErrorRow> errors;
    std::vector<IoRow> io; ///< of a storage test, which has no messages and no mailboxes
    std::optional<StorageResult> storage; ///< of a storage plan's
    /// Transfers a second of all volumes, of the classes that go in this direction; 0 of a run of mail.
    [[nodiscard]] double iosPerSecond(IoDirection direction) const;
    [[nodiscard]] double iosPerSecond() const; ///< reads and writes
    bool operator==(const MixResult&) const = default;
};

enum class RunState : std::uint8_t {
    preparing,
    running,
    finished, ///< to the plan's end
    stopped, ///< ended in order before the plan's end
    failed, ///< ended by an error that was recorded
    interrupted, ///< the program died; the recording is whole up to its last tick
};
const char* toString(RunState state);
constexpr bool isOver(RunState state)
{
    return state != RunState::preparing && state != RunState::running;
}

/// A run's results as they stand; recomputed from the recording, live or past.
struct RunResults {
    RunState state = RunState::preparing;
    bool ofMail = true; ///< false: a storage test, without messages and mailboxes
    std::vector<PreparationResult> preparations;
    std::vector<MixResult> mixes;
    std::optional<AuditTotals> audit;
    std::optional<OracleTotals> oracle; ///< none where it follows nobody
    std::vector<AuditException> exceptions; ///< the first 1,000 of each kind
    /// False: the figures are not the server's alone, nothing was measured or succeeded in a measurement, or the run failed or died before its
    /// end was written.
    bool valid = true;
    std::vector<std::string> invalidReasons; ///< why the figures are not the server's alone, one sentence each
    bool operator==(const RunResults&) const = default;
};

class Recording;
struct TimeWindow;
/// The response times of an action within a window, with what is unfinished at its end as lower bounds; nothing where the
/// recording has no such action.
Result<LatencySummary> responseWithin(
    const Recording& recording, const std::string& action, const TimeWindow& window);
/// The results as they stand, recomputed from the recording's ticks; live or past.
Result<RunResults> computeResults(const Recording& recording);
/// Response times of all actions together within a window, as MixResult::response.
Result<LatencySummary> responseWithin(const Recording& recording, const TimeWindow& window);
/// Over the last tick that ends at `at` or before, as RunStatus has it of a run of this program; none: of mail.
Result<std::optional<IoRates>> ioRatesAt(const Recording& recording, Nanoseconds at);

} // namespace loadstone
