// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/generator_counters.h"
#include "history/recording_writer.h"
#include "metrics/recorder.h"
#include "metrics/tick.h"
#include "series/series_list.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>
#include <loadstone/run.h>
#include <loadstone/series.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadstone::run {

/// A stretch of the plan before it is lived through.
struct PlannedPhase {
    std::int32_t mix = -1;
    std::string mixName;
    PhaseKind kind = PhaseKind::rampUp;
    Nanoseconds length {}; ///< at most; a drain may end sooner
    bool openEnded = false; ///< its length is only a bound: it ends when phaseComplete() says so
    /// Preparations always are.
    [[nodiscard]] bool endIsOpen() const { return openEnded || isPreparation(kind); }
};

/// What a workload adds to the recording. Ids count from 0 within the workload; the controller puts the
/// workload's counters first, so that they are the recording's ids as well.
struct WorkloadSeries {
    std::vector<CounterInfo> counters;
    std::vector<HistogramInfo> histograms;
    history::ResultSeries results;
};

/// What a workload hands over at each tick.
struct WorkloadTick {
    std::span<double> values; ///< by counter id, NaN to begin with
    double& operator[](series::CounterHandle counter) const { return values[counter.id()]; }
    Nanoseconds end {}; ///< of the tick, since the run's start: ages are told for this instant
    std::vector<Histogram> histograms; ///< by histogram id
    std::vector<metrics::ErrorCount> errors;
    std::vector<RunEvent> events;
    std::vector<Transcript> transcripts;
    // For the status line:
    std::uint64_t users = 0, sessions = 0, sent = 0, received = 0;
    std::optional<IoRates> io; ///< of a storage test: how many in this tick, not yet per second
    AuditTotals audit;
    std::vector<AuditTotals> targetAudits; ///< of several targets
    std::optional<PreparationTotals> preparation; ///< while one is going on
    std::optional<Nanoseconds> phaseLeft; ///< estimated; of a phase whose end is open
};

/// The load itself, mail or storage: the seam below the controller. All calls come from the control thread and
/// return at once; a workload has threads of its own.
class Workload {
public:
    virtual ~Workload() = default;

    [[nodiscard]] virtual std::vector<PlannedPhase> phases() const = 0;
    [[nodiscard]] virtual WorkloadSeries series() const = 0;
    /// The threads that make the load, always the same ones in the same order.
    [[nodiscard]] virtual std::vector<counters::LoadThread> loadThreads() const { return {}; }
    /// Starts the threads; `origin` is the run's start.
    virtual Result<void> start(MonoTime origin) = 0;
    /// A phase begins. `end` is its planned end, or the bound of one whose end is open.
    virtual void enter(const PlannedPhase& phase, MonoTime begin, MonoTime end) = 0;
    /// Whether the present phase (a drain, one whose end is open) has nothing left to do.
    [[nodiscard]] virtual bool phaseComplete() const = 0;
    /// It has failed, and all that it did is wound up: nothing of the plan follows.
    [[nodiscard]] virtual bool over() const { return false; }
    /// Everything measured since the last call; `tick.phase` is the phase it belongs to.
    virtual void collect(WorkloadTick& tick, std::uint32_t phase, Nanoseconds length) = 0;
    /// Ends all load within one second and joins the threads.
    virtual void stop() = 0;
    /// After stop(): what the audit came to.
    virtual void conclude(history::RunEnd& end) = 0;
};

} // namespace loadstone::run
