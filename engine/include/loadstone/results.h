// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/action_rows.h"
#include "loadstone/figure.h"
#include "loadstone/io_rows.h"
#include "loadstone/mail_rows.h"
#include "loadstone/preparation_rows.h"
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
    /// Of its measurement, at the 95th percentile, under the weights of the plan's profile; none where that has none.
    std::optional<Score> score;
    /// All that is a figure of it, in the order of figureTable(): what tables, exports, history and workbench show.
    std::vector<Figure> figures;
    /// Transfers a second of all volumes, of the classes that go in this direction; 0 of a run of mail.
    [[nodiscard]] double iosPerSecond(IoDirection direction) const;
    [[nodiscard]] double iosPerSecond() const; ///< reads and writes
    bool operator==(const MixResult&) const = default;
};

/// A run's results as they stand; recomputed from the recording, live or past.
struct RunResults {
    RunState state = RunState::preparing;
    RunKind kind = RunKind::mail;
    std::vector<PreparationResult> preparations;
    std::vector<MixResult> mixes;
    std::optional<AuditTotals> audit;
    std::optional<OracleTotals> oracle; ///< none where it follows nobody
    std::vector<AuditException> exceptions; ///< the first 1,000 of each kind
    std::vector<Figure> figures; ///< of the run: all that is a figure of its audit
    /// False: the figures are not the server's alone, nothing was measured or succeeded in a measurement, or the run failed or died before its
    /// end was written.
    bool valid = true;
    std::vector<std::string>
        invalidReasons; ///< why the figures are not the server's alone, one sentence each
    bool operator==(const RunResults&) const = default;
};

class Recording;
/// The response times of an action within a window, with what is unfinished at its end as lower bounds; nothing where the
/// recording has no such action.
Result<LatencySummary> responseWithin(
    const Recording& recording, const SeriesKey& action, const TimeWindow& window);
/// The results as they stand, recomputed from the recording's ticks; live or past.
Result<RunResults> computeResults(const Recording& recording);
/// Response times of all actions together within a window, as MixResult::response.
Result<LatencySummary> responseWithin(const Recording& recording, const TimeWindow& window);
/// Over the last tick that ends at `at` or before, as RunStatus has it of a run of this program; none: of mail.
Result<std::optional<IoRates>> ioRatesAt(const Recording& recording, Nanoseconds at);

} // namespace loadstone
