// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/action_rows.h"
#include "loadstone/figure.h"
#include "loadstone/io_rows.h"
#include "loadstone/mail_rows.h"
#include "loadstone/preparation_rows.h"
#include "loadstone/queue_rows.h"
#include "loadstone/result.h"
#include "loadstone/run_header.h"
#include "loadstone/score.h"
#include "loadstone/series.h"
#include "loadstone/storage_rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// The results of one mix: those of ZDESTT's table, and more.
struct MixResult {
    std::int32_t mix = 0;
    std::string name;
    std::uint64_t mailboxes = 0; ///< simulated users of the mix
    std::uint64_t threads = 0; ///< clients x threads per client; 0 in open pacing
    std::string
        workload; ///< the named workloads that it has, with their parts: "readers (7 of 10 threads), ..."; empty: the plan names none
    double recipientsPerMessage = 0; ///< as in the plan; 0: nothing is sent, or its workloads differ in that
    /// Its measurement phase ran to its end; if the plan gives that no length, the run also continued after it.
    bool complete = false;
    MessageRates measured; ///< over the measurement (valid) phase
    MessageRates finalWindow; ///< over the plan's final_window, the end of the measurement
    std::vector<LatencyRow> actions; ///< over the measurement phase
    std::vector<LatencyRow> commands;
    LatencySummary response; ///< of all actions together; service times of actions without response times
    LatencySummary delivery; ///< acceptance to retrieval
    std::optional<ActionCounts> counts; ///< of all actions of the measurement phase
    std::uint64_t attempts = 0; ///< actions that ended in the measurement phase, well or not
    std::uint64_t failures = 0; ///< of these, ended with an error
    double errorRate = 0; ///< failures / attempts; 0 when there were none
    /// Why there are no figures of the target's service: no action, or no message, of the measurement ended well. One sentence;
    /// empty: something ended well, or the run has not ended and nothing has ended yet.
    std::string nothingSucceeded;
    std::vector<ErrorRow> errors;
    std::vector<QueueRow> queues; ///< of mail: copies outstanding, and queues of its sources
    std::vector<IoRow> io; ///< storage tests only, which have no messages and no mailboxes
    std::optional<StorageResult> storage; ///< of a storage plan's
    /// Of its measurement, at the 95th percentile, under the weights of the plan's profile; none where that has none.
    std::optional<Score> score;
    /// All its figures, in the order of figureTable(), for tables, exports, history and workbench.
    std::vector<Figure> figures;
    /// Transfers per second of all volumes, of the classes in this direction; 0 for a run of mail.
    [[nodiscard]] double iosPerSecond(IoDirection direction) const;
    [[nodiscard]] double iosPerSecond() const; ///< reads and writes
    bool operator==(const MixResult&) const = default;
};

/// A run's results so far, computed from the recording, live or past.
struct RunResults {
    RunState state = RunState::preparing;
    RunKind kind = RunKind::mail;
    std::vector<PreparationResult> preparations;
    std::vector<MixResult> mixes;
    std::optional<AuditTotals> audit;
    std::optional<OracleTotals> oracle; ///< none if it follows no user
    std::vector<AuditException> exceptions; ///< the first 1,000 of each kind
    std::vector<Figure> figures; ///< of the run: all that is a figure of its audit
    /// False: the figures are not the server's alone, nothing was measured or succeeded in a measurement, or the run failed or
    /// died before its end was written.
    bool valid = true;
    std::vector<std::string>
        invalidReasons; ///< why the figures are not the server's alone, one sentence each
    /// What a reader of the figures should know although they are valid, one sentence each.
    std::vector<std::string> remarks {};
    std::string endReason {}; ///< why the run failed or was stopped; empty otherwise
    /// The window that the results are of, if one was chosen; none: the plan's measurements.
    std::optional<TimeWindow> window;
    bool operator==(const RunResults&) const = default;
};
/// The mix or test that stands for the run in lists and headlines: of those with most sent, or reads and writes, a second; of a storage
/// plan's tests one with a load, since backups and checksums read as fast as they can. Null without mixes.
const MixResult* leadingMix(const RunResults& results);

class Recording;
/// The response times of an action within a window; actions unfinished at its end count as lower bounds. None if the
/// recording has no such action.
Result<LatencySummary> responseWithin(
    const Recording& recording, const SeriesKey& action, const TimeWindow& window);
/// The latencies of a series of the recording within a window, as the results have them: where the recording knows what was
/// unfinished at its end (response times of actions, times in the device), that counts as lower bounds.
Result<LatencySummary> latencyWithin(
    const Recording& recording, const HistogramInfo& series, const TimeWindow& window);
/// The results so far, computed from the recording's ticks, live or past.
Result<RunResults> computeResults(const Recording& recording);
/// The results of a window, since the run's start: a tick counts when it ends within it. Each mix whose measurement the window touches has that part of
/// its measurement, which MixResult::measured says; a window that touches no measurement is that of the first mix in it. Errors, I/O,
/// score, figures and the generator's health are those of these parts. Preparations are those that lie within the window, exceptions of
/// the audit those of messages accepted in it. Totals of audit and oracle are known for the whole run alone, so there are none; nor are
/// there final windows, and times until a queue builds up, which are of whole mixes.
/// An Error if the window has no length, or no tick ends in it.
Result<RunResults> computeResults(const Recording& recording, const TimeWindow& window);
/// Response times of all actions together within a window, as MixResult::response.
Result<LatencySummary> responseWithin(const Recording& recording, const TimeWindow& window);
/// Over the last tick that ends at or before `at`, as in RunStatus; none for a run of mail.
Result<std::optional<IoRates>> ioRatesAt(const Recording& recording, Nanoseconds at);

} // namespace loadstone
