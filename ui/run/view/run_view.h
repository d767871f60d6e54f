// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"

#include <loadstone/judgement.h>
#include <loadstone/recording.h>
#include <loadstone/run.h>
#include <loadstone/score.h>

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace loadstone::ui {

/// How a stretch of the run is chosen.
enum class WindowKind : std::uint8_t {
    given, ///< by its times
    chart, ///< what the chart shows
    lastMeasurement, ///< that of the last mix that has begun one
    steadyState, ///< of the last mix
};

/// A window that is asked for. The last measurement is the whole run where there is none.
struct WindowQuery {
    WindowKind over = WindowKind::given;
    TimeWindow window; ///< given; an empty window is the whole run
    bool operator==(const WindowQuery&) const = default;
};

/// The score that is asked for.
struct ScoreQuery {
    WindowKind over = WindowKind::lastMeasurement;
    TimeWindow window; ///< given; an empty window is the whole run
    double percentile = 95;
    std::string weights; ///< as findWeights() takes it; empty: those of the run's profile
    bool operator==(const ScoreQuery&) const = default;
};

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
    WindowQuery table; ///< of response times
    WindowQuery errors;
    std::optional<ScoreQuery> score; ///< this and the next two: only where they are looked at
    bool loads = false; ///< loads and steady states
    bool criteria = false;
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
    double sentPerSecond = 0, receivedPerSecond = 0; ///< NaN: not known, or the run has no messages
    std::optional<IoRates> io; ///< of a storage test
    std::optional<Nanoseconds> p95;
    std::uint64_t errors = 0;
    std::optional<AuditTotals> audit;
    bool recorded = true; ///< as the recording's results judge the run; false: as the run sees itself now
    bool healthy = true; ///< recorded: nothing speaks against the run; else: the generator keeps up
    std::optional<Verdict> verdict; ///< of a run that is over, and shown to its end
    bool historyTrouble = false; ///< not recorded: the history cannot be written, and healthReason says why
    QString healthReason;
};

/// A score or why there is none: without either it is being computed.
struct ScoreView {
    std::optional<Score> score;
    std::string problem;
    bool noWeights = false; ///< neither has the run any, nor were others chosen
};
/// Of the mixes measured by then.
struct LoadView {
    std::vector<Load> loads;
    std::string problem;
};
/// Of the whole recording, as it was some seconds ago.
struct SteadyView {
    std::vector<SteadyState> states;
    std::string problem;
};
/// Of the whole recording, as it was some seconds ago.
struct CriteriaView {
    Judgement judgement;
    std::string problem;
};

/// A recording as it stood at one moment. Immutable once made; parts that did not change are shared.
struct RunView {
    RunQuery query; ///< what it answers
    std::shared_ptr<const RunHeader> header;
    RunState state = RunState::preparing;
    Nanoseconds length {}; ///< of the whole recording
    Nanoseconds shown {}; ///< min(length, until)
    TimeWindow table, errorWindow; ///< of response times, of errors; within what is shown
    std::vector<Phase> phases; ///< begun by then, cut at `shown`
    std::vector<LineData> lines; ///< in the query's order
    std::vector<LatencyRow> latencies;
    std::vector<ErrorRow> errors;
    std::shared_ptr<const RunResults> results;
    std::shared_ptr<const RunVerdict>
        verdict; ///< null: the run goes on, or is shown as it was before its end
    std::shared_ptr<const std::vector<RunEvent>> events;
    std::shared_ptr<const std::vector<Transcript>> transcripts;
    std::shared_ptr<const std::vector<Annotation>> annotations;
    std::shared_ptr<const std::vector<SourceInfo>> sources; ///< the same object while nothing of them changed
    std::shared_ptr<const ScoreView>
        score; ///< this and the next three: null where not asked for or not known yet
    std::shared_ptr<const LoadView> loads;
    std::shared_ptr<const SteadyView> steady;
    std::shared_ptr<const CriteriaView> criteria;
    bool unfinished = false; ///< asking the same again gives what takes longer to compute
    RunFigures figures;

    [[nodiscard]] bool growing() const { return state == RunState::running || state == RunState::preparing; }
};

/// How long a stretch of a latency curve lasts when `window` is to be drawn in at most `points` of them.
Nanoseconds latencyStretch(TimeWindow window, std::size_t points);
/// The results as far as they were known at `until`: mixes whose measurement had ended by then.
RunResults resultsAsOf(const RunResults& results, const std::vector<Phase>& phases, Nanoseconds until);

} // namespace loadstone::ui
