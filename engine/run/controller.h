// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/secret_mask.h"
#include "counters/host/counter_source.h"
#include "run/health.h"
#include "run/live_sources.h"
#include "run/outages.h"
#include "run/phase_clock.h"
#include "run/sampler.h"
#include "run/store_thread.h"
#include "run/workload.h"

#include <loadstone/run.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace loadstone::run {

struct ControllerSetup {
    RunHeader header; ///< counters and histograms are filled in by the controller
    std::filesystem::path file;
    SecretMask secrets; ///< what the recording must not have in it
    plan::HealthLimits health;
    /// Histograms of response times, of which the status line's p95 is made; with the ages of what is unfinished.
    std::vector<std::uint32_t> responseHistograms;
    Nanoseconds tick = std::chrono::seconds(1);
    /// A tick whose end the control thread misses by more than this ends when it really does.
    Nanoseconds tooLate = std::chrono::milliseconds(50);
    /// Ask for short wake-ups of this machine's processors while the run lasts, where that is allowed.
    bool keepProcessorsAwake = false;
    /// Asked while the run lasts; see LiveSources.
    std::vector<NamedSource> liveSources;
    /// What happened just before the run, for its event log.
    std::vector<RunEvent> before;
    /// Called on the control thread when all is over, before the recording is closed (to stop an embedded target).
    std::function<void(history::RunEnd&)> atEnd;
};

/// Lives through a plan's phases on a control thread of its own, samples, and hands everything to the store thread.
/// status(), stop() and waiting from any thread.
class Controller {
public:
    /// Creates the recording and starts. On an Error no recording was left behind.
    static Result<std::unique_ptr<Controller>> start(ControllerSetup setup,
        std::unique_ptr<Workload> workload, std::vector<std::unique_ptr<counters::CounterSource>> sources);
    ~Controller(); ///< stops in order

    [[nodiscard]] RunStatus status() const;
    void stop();
    /// False when the run was still going on after `limit`.
    bool waitFor(Nanoseconds limit);
    /// After the end: an Error when the recording could not be completed.
    [[nodiscard]] Result<void> outcome() const;

private:
    Controller(ControllerSetup setup, std::unique_ptr<Workload> workload,
        std::vector<std::unique_ptr<counters::CounterSource>> sources);
    void work();
    void live(MonoTime origin, history::RunEnd& end);
    void setTimeLeft(const PhaseClock& phases, Nanoseconds now, std::optional<Nanoseconds> estimate);
    void liveThrough(PhaseClock& phases, MonoTime origin, history::RunEnd& end);
    bool waitUntil(MonoTime when); ///< true: stop was asked for
    /// `last`: of its phase, whatever the queue holds. `lag`: how late it is.
    void closeTick(Nanoseconds until, const PhaseClock& phases, bool last, Nanoseconds lag);
    void publish(const metrics::Tick& tick, const PhaseClock& phases);
    void event(Nanoseconds at, Severity severity, std::string text);

    ControllerSetup m_setup;
    std::unique_ptr<Workload> m_workload;
    std::unique_ptr<Sampler> m_sampler;
    std::unique_ptr<StoreThread> m_store;
    std::unique_ptr<LiveSources> m_liveSources; // before m_store is gone, to which they tell what happens
    Health m_health;
    Outages m_outages;
    std::uint64_t m_nextTick = 0;
    Nanoseconds m_tickBegin {};
    std::uint64_t m_overruns = 0; // of the present tick
    std::vector<Histogram> m_recentResponses; // of the last ticks, for the status line's p95
    std::vector<std::uint32_t>
        m_ages; // of what is unfinished: the workload's histograms beside the response times
    std::string m_lastTrouble;

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    RunStatus m_status;
    bool m_stopAsked = false, m_over = false;
    Result<void> m_outcome {};
    std::thread m_thread;
};

} // namespace loadstone::run
