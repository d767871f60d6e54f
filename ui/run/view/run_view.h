// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"
#include "charts/heat_map.h"
#include "run/view/heat_map_reader.h"
#include "run/view/line_key.h"

#include <loadstone/computer.h>
#include <loadstone/judgement.h>
#include <loadstone/readings.h>
#include <loadstone/recording.h>
#include <loadstone/run.h>
#include <loadstone/score.h>

#include <QString>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace loadstone::ui {

/// How the window of a page's tables is chosen.
enum class WindowKind : std::uint8_t {
    /// As the plan has it: each mix over its measurement; what is about one window over the last measurement (the whole run
    /// where there is none); errors and audit over the whole run.
    planned,
    given, ///< by its times
    chart, ///< what the chart shows
    lastMeasurement, ///< that of the last mix that has begun one
    steadyState, ///< of the last mix
};

/// The window that all tables of a page are over.
struct WindowQuery {
    WindowKind over = WindowKind::given;
    TimeWindow window; ///< given; an empty window is the whole run
    bool operator==(const WindowQuery&) const = default;
};

/// Whether results, criteria and loads are those of the plan's measurements, which the whole run has, too.
constexpr bool isPlanned(const WindowQuery& query)
{
    return query.over == WindowKind::planned || query == WindowQuery {};
}

/// The score that is asked for, over the page's window.
struct ScoreQuery {
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
    std::vector<std::string>
        derived; ///< counters that the user defines, beside the plan's: see loadstone/derived.h
    std::size_t bands = 800; ///< about the chart's width in pixels
    std::optional<HeatMapQuery> heatMap; ///< of what is visible: only where it is looked at
    std::optional<LineKey> overview; ///< a line over the whole run
    std::vector<Nanoseconds> moments; ///< at which the lines' own samples are wanted: the cursors
    TimeWindow statistics; ///< for the value boxes; an empty window is what is visible
    bool commands =
        false; ///< latencies of commands, delivery and generator too: only where they are looked at
    WindowQuery window; ///< of all tables
    std::optional<ScoreQuery> score; ///< this and those below: only where they are looked at
    bool loads = false; ///< loads and steady states
    bool criteria = false;
    bool readings = false; ///< averages and extremes of all counters
    bool linesOnly = false; ///< neither tables nor results nor figures: for a chart of several runs
    bool headline = false; ///< the criteria so far, and the processors of the system under test
    bool operator==(const RunQuery&) const = default;
};

/// One line's values. Bands without a sample are left out, so that gaps show as gaps.
struct LineData {
    LineKey key;
    bool found = false; ///< the recording has this series
    std::vector<CounterBand> bands; ///< of what is visible, and the samples next to it
    CounterStatistics statistics; ///< over the statistics window; NaN without samples
    /// Of the statistics window, for what a log can lack: 0 to 1. Loadstone's own counters have all that there was.
    double coverage = 1;
    std::vector<ReadValue> read; ///< at the query's moments, of counters
    /// Over the whole recording, whatever is visible and however far it is replayed, for scales that stay. None without samples.
    std::optional<ValueExtent> whole;
};

/// The figures of the status bar, for a run of this program (from memory) as for any recording.
struct RunFigures {
    std::optional<Phase> phase;
    Nanoseconds elapsed {};
    std::optional<Nanoseconds> phaseLeft, totalLeft; ///< of a run that goes on
    bool leftAtLeast = false; ///< totalLeft is a lower bound
    std::uint64_t users = 0;
    double sentPerSecond = 0, receivedPerSecond = 0; ///< NaN: not known, or the run has no messages
    std::optional<IoRates> io; ///< of a storage test
    std::optional<Nanoseconds> p95;
    bool p95AtLeast = false; ///< something had not ended
    std::uint64_t errors = 0;
    std::optional<AuditTotals> audit;
    /// Of the system under test, over the last seconds, %; only where the query asks for the headline, and a source has it.
    std::optional<double> testedProcessor;
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
/// Averages and extremes of all counters, by computer.
struct ReadingsView {
    std::vector<ComputerReadings> computers;
    std::string problem;
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
/// Over the window that was chosen; without one of the whole recording, as it was some seconds ago.
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
    TimeWindow window; ///< of tables about one window: response times, score, readings; within what is shown
    TimeWindow errorWindow; ///< the same, unless it is as the plan has it
    std::string windowProblem; ///< why there is no such window (yet); then these tables are empty
    std::vector<Phase> phases; ///< begun by then, cut at `shown`
    std::vector<LineData> lines; ///< in the query's order
    std::shared_ptr<const HeatMap> heatMap; ///< null: not asked for, or there is no such series
    std::vector<CounterBand> overview; ///< up to what is shown; empty where not asked for
    std::vector<LatencyRow> latencies;
    std::vector<ErrorRow> errors;
    std::shared_ptr<const RunResults> results; ///< over the window; null: there is none
    /// Of the plan's measurements, whatever the window; null: not known, or shown as it was before its end.
    std::shared_ptr<const RunResults> planned;
    std::shared_ptr<const RunVerdict>
        verdict; ///< null: the run goes on, or is shown as it was before its end
    std::shared_ptr<const RunVerdict>
        outcome; ///< of the whole run, whatever moment is shown; null: it goes on
    std::shared_ptr<const std::vector<RunEvent>> events;
    std::shared_ptr<const std::vector<Transcript>> transcripts;
    std::shared_ptr<const std::vector<Annotation>> annotations;
    std::shared_ptr<const std::vector<SourceInfo>> sources; ///< the same object while nothing of them changed
    std::shared_ptr<const std::vector<ComputerFacts>> computers; ///< likewise
    std::shared_ptr<const std::vector<CounterInfo>>
        derived; ///< likewise: the derived counters of the plan, and those of the query that fit
    std::shared_ptr<const ScoreView>
        score; ///< this and those below: null where not asked for or not known yet
    std::shared_ptr<const LoadView> loads;
    std::shared_ptr<const SteadyView> steady;
    std::shared_ptr<const CriteriaView> criteria;
    std::shared_ptr<const CriteriaView>
        criteriaSoFar; ///< of the headline: whatever window the tables are over
    std::shared_ptr<const ReadingsView> readings;
    bool unfinished = false; ///< asking the same again gives what takes longer to compute
    RunFigures figures;

    [[nodiscard]] bool growing() const { return state == RunState::running || state == RunState::preparing; }
    /// Mailboxes are filled or cleaned up: without load there is nothing to judge.
    [[nodiscard]] bool preparesAlone() const
    {
        return !phases.empty()
            && std::ranges::all_of(phases, [](const Phase& phase) { return isPreparation(phase.kind); });
    }
};

/// How long a stretch of a latency curve lasts when `window` is to be drawn in at most `points` of them.
Nanoseconds latencyStretch(TimeWindow window, std::size_t points);
/// The window as it is within what `view` shows; `visible`: what the chart shows. As planned is the last measurement of a load; of a
/// storage programme that ends with a checksum, backup or recovery it is the test before, which `results` (null: none) say. None
/// for the steady state, which is to be computed.
std::optional<TimeWindow> windowWithin(
    const WindowQuery& query, const RunView& view, const RunResults* results, TimeWindow visible);

} // namespace loadstone::ui
