// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/line_key.h"

#include <loadstone/recording.h>

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace loadstone::ui {

/// What a page wants to see of a recording. The reader leaves out what was not asked for.
struct RunQuery {
    std::optional<Nanoseconds> until; ///< replay: everything as it was at this time; none: up to the end
    TimeWindow visible; ///< what the chart shows; an empty window is the whole run
    Nanoseconds follow {}; ///< not 0: the chart shows the last such stretch, and `visible` says nothing
    std::vector<LineKey> lines;
    std::size_t bands = 800; ///< about the chart's width in pixels
    TimeWindow statistics; ///< for the value boxes; an empty window is what is visible
    bool commands =
        false; ///< latencies of commands, delivery and generator too: only where they are looked at
    TimeWindow table; ///< for response times and errors; an empty window is the whole run
    bool tableAsChart = false; ///< ... they are over what the chart shows, and `table` says nothing
    bool operator==(const RunQuery&) const = default;
};

/// One line's values. Bands without a sample are left out, so that gaps show as gaps.
struct LineData {
    LineKey key;
    bool found = false; ///< the recording has this series
    std::vector<CounterBand> bands;
    CounterStatistics statistics; ///< over the statistics window; NaN without samples
};

/// The figures of the status bar, for a run of this program (from memory) as for any recording.
struct RunFigures {
    std::optional<Phase> phase;
    Nanoseconds elapsed {};
    std::optional<Nanoseconds> phaseLeft, totalLeft; ///< of a run that goes on
    std::uint64_t users = 0;
    double sentPerSecond = 0, receivedPerSecond = 0;
    std::optional<Nanoseconds> p95;
    std::uint64_t errors = 0;
    std::optional<AuditTotals> audit;
    bool recorded = true; ///< as the recording's results judge the run; false: as the run sees itself now
    bool healthy = true; ///< recorded: valid; else: the generator keeps up
    QString healthReason;
};

/// A recording as it stood at one moment. Immutable once made; parts that did not change are shared.
struct RunView {
    RunQuery query; ///< what it answers
    std::shared_ptr<const RunHeader> header;
    RunState state = RunState::preparing;
    Nanoseconds length {}; ///< of the whole recording
    Nanoseconds shown {}; ///< min(length, until)
    TimeWindow table; ///< of response times and errors, within what is shown
    std::vector<Phase> phases; ///< begun by then, cut at `shown`
    std::vector<LineData> lines; ///< in the query's order
    std::vector<LatencyRow> latencies;
    std::vector<ErrorRow> errors;
    std::shared_ptr<const RunResults> results;
    std::shared_ptr<const std::vector<RunEvent>> events;
    std::shared_ptr<const std::vector<Transcript>> transcripts;
    std::shared_ptr<const std::vector<Annotation>> annotations;
    RunFigures figures;

    [[nodiscard]] bool growing() const { return state == RunState::running || state == RunState::preparing; }
};

/// How long a stretch of a latency curve lasts when `window` is to be drawn in at most `points` of them.
Nanoseconds latencyStretch(TimeWindow window, std::size_t points);
/// The results as far as they were known at `until`: mixes whose measurement had ended by then.
RunResults resultsAsOf(const RunResults& results, const std::vector<Phase>& phases, Nanoseconds until);

} // namespace loadstone::ui
