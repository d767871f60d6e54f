// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/controller.h"

#include "analysis/window/right_edge.h"
#include "base/processors_awake.h"
#include "base/thread_placement.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unistd.h>

namespace loadstone::run {

namespace {
constexpr std::size_t kRecentResponses = 10;
constexpr auto kDiskPatience = std::chrono::seconds(30);

std::string phaseText(const Phase& phase)
{
    return phase.mixName.empty() ? std::string(toString(phase.kind))
                                 : fmt::format("{}: {}", phase.mixName, toString(phase.kind));
}
} // namespace

Result<std::unique_ptr<Controller>> Controller::start(ControllerSetup setup,
    std::unique_ptr<Workload> workload, std::vector<std::unique_ptr<counters::CounterSource>> sources)
{
    const WorkloadSeries series = workload->series();
    std::unique_ptr<Controller> controller(
        new Controller(std::move(setup), std::move(workload), std::move(sources)));
    for (const std::uint32_t response : controller->m_setup.responseHistograms) {
        SeriesKey key = series.histograms.at(response).key;
        key.clock = LatencyClock::age;
        for (const HistogramInfo& info : series.histograms)
            if (info.key == key)
                controller->m_ages.push_back(info.id);
    }
    RunHeader& header = controller->m_setup.header;
    header.counters = controller->m_sampler->counters();
    header.histograms = controller->m_sampler->histograms();
    auto writer = history::RecordingWriter::create(controller->m_setup.file, header, series.results);
    if (!writer)
        return writer.error();
    writer->maskWith(controller->m_setup.secrets);
    controller->m_store = std::make_unique<StoreThread>(std::move(*writer));
    auto live = LiveSources::create(std::move(controller->m_setup.liveSources), controller->m_setup.file,
        controller->m_setup.secrets,
        [store = controller->m_store.get()](RunEvent told) { store->push(std::move(told)); });
    if (!live) {
        // Nothing was measured: no run of it stays in the history. The store lets go of the file first.
        const std::filesystem::path file = controller->m_setup.file;
        controller.reset();
        for (const char* suffix : { "", "-wal", "-shm", "-journal" })
            ::unlink((file.string() + suffix).c_str());
        return live.error();
    }
    controller->m_liveSources = std::move(*live);
    controller->m_status.id = header.id;
    controller->m_status.kind = header.kind;
    controller->m_thread = std::thread([raw = controller.get()] { raw->work(); });
    return controller;
}

Controller::Controller(ControllerSetup setup, std::unique_ptr<Workload> workload,
    std::vector<std::unique_ptr<counters::CounterSource>> sources)
    : m_setup(std::move(setup))
    , m_workload(std::move(workload))
    , m_sampler(std::make_unique<Sampler>(*m_workload, std::move(sources)))
    , m_health(m_setup.health, m_sampler->counters(), m_sampler->histograms())
    , m_outages(m_sampler->counters(), m_sampler->histograms())
{
}

Controller::~Controller()
{
    stop();
    if (m_thread.joinable())
        m_thread.join();
}

RunStatus Controller::status() const
{
    const std::lock_guard lock(m_mutex);
    RunStatus status = m_status;
    status.lastTick = m_store->lastTick();
    status.historyTrouble = m_store->trouble();
    return status;
}

void Controller::stop()
{
    const std::lock_guard lock(m_mutex);
    m_stopAsked = true;
    m_wake.notify_all();
}

bool Controller::waitFor(Nanoseconds limit)
{
    std::unique_lock lock(m_mutex);
    return m_wake.wait_for(lock, limit, [&] { return m_over; });
}

Result<void> Controller::outcome() const
{
    const std::lock_guard lock(m_mutex);
    return m_outcome;
}

bool Controller::waitUntil(MonoTime when)
{
    std::unique_lock lock(m_mutex);
    return m_wake.wait_until(lock, when, [&] { return m_stopAsked; });
}

void Controller::event(Nanoseconds at, Severity severity, std::string text)
{
    {
        const std::lock_guard lock(m_mutex);
        m_status.message = text;
    }
    m_store->push(RunEvent { at, severity, std::move(text) });
}

void Controller::work()
{
    nameThisThread("control");
    history::RunEnd end;
    std::optional<ProcessorsAwake> awake;
    if (m_setup.keepProcessorsAwake)
        awake.emplace();
    m_sampler->prime();
    const MonoTime origin = monoNow();
    for (RunEvent& before : m_setup.before)
        event({}, before.severity, std::move(before.text));
    if (awake && awake->held())
        event({}, Severity::info, "CPU idle states are disabled for the run");
    // Thread entry: a broken invariant or no memory ends the run, not the program.
    const auto failed = [&end](const std::exception& e) {
        if (end.state != RunState::failed)
            end.reason = e.what();
        end.state = RunState::failed;
    };
    try {
        m_liveSources->start(origin);
        if (const Result<void> started = m_workload->start(origin); !started) {
            end.state = RunState::failed;
            end.reason = started.error().message;
        } else
            live(origin, end);
    } catch (const std::exception& e) {
        failed(e);
    }
    try { // a run that failed ends its load and is audited as well
        m_workload->stop();
        m_workload->conclude(end);
    } catch (const std::exception& e) {
        failed(e);
    }
    m_liveSources->stop();
    Result<void> outcome;
    try {
        if (m_setup.atEnd)
            m_setup.atEnd(end);
        if (end.state == RunState::failed)
            event(monoNow() - origin, Severity::error, "the run failed: " + end.reason);
        outcome = m_store->finish(end, kDiskPatience);
    } catch (const std::exception& e) {
        outcome = fail(std::string("the recording could not be completed: ") + e.what());
    }
    const std::lock_guard lock(m_mutex);
    m_outcome = outcome;
    m_status.state = outcome ? end.state : RunState::failed;
    m_status.phase.reset();
    m_status.phaseLeft = m_status.totalLeft = {};
    m_status.leftAtLeast = false;
    if (!outcome)
        m_status.message = outcome.error().message;
    m_over = true;
    m_wake.notify_all();
}

/// With the mutex held. `estimate`: of the present phase, if its end is open.
void Controller::setTimeLeft(const PhaseClock& phases, Nanoseconds now, std::optional<Nanoseconds> estimate)
{
    m_status.leftAtLeast = phases.endIsOpen();
    if (phases.planned().endIsOpen()) {
        m_status.phaseLeft = estimate.value_or(Nanoseconds(0));
        m_status.totalLeft = m_status.phaseLeft + phases.runEnd() - phases.phaseEnd();
        m_status.leftAtLeast = m_status.leftAtLeast || !estimate;
    } else {
        m_status.phaseLeft = std::max(Nanoseconds(0), phases.phaseEnd() - now);
        m_status.totalLeft = std::max(Nanoseconds(0), phases.runEnd() - now);
    }
}

void Controller::live(MonoTime origin, history::RunEnd& end)
{
    PhaseClock phases(m_workload->phases());
    try {
        liveThrough(phases, origin, end);
    } catch (...) {
        if (!phases.over())
            m_store->push(phases.finish(m_tickBegin)); // as far as it was measured
        throw;
    }
}

void Controller::liveThrough(PhaseClock& phases, MonoTime origin, history::RunEnd& end)
{
    Nanoseconds nextTick = m_setup.tick;
    const auto enter = [&](Nanoseconds at) {
        const Phase phase = phases.current();
        m_workload->enter(phases.planned(), origin + phase.begin, origin + phases.phaseEnd());
        m_store->push(phase);
        event(at, Severity::info, phaseText(phase));
        const std::lock_guard lock(m_mutex);
        m_status.state = RunState::running;
        m_status.phase = phase;
        setTimeLeft(phases, phase.begin, std::nullopt);
    };
    if (!phases.over())
        enter(Nanoseconds(0));
    while (!phases.over()) {
        const Nanoseconds until = std::min(nextTick, phases.phaseEnd());
        const bool stopped = waitUntil(origin + until);
        // Ticks carry the planned instants; when the thread wakes late the few microseconds belong to the next tick. When
        // they are many (a disk that holds the audit's temporary files up, no processor) the tick and its phase end when
        // they really do, or their rates would be wrong.
        const Nanoseconds late = monoNow() - origin - until;
        const Nanoseconds now =
            stopped || late > m_setup.tooLate ? std::max(m_tickBegin, until + late) : until;
        closeTick(now, phases, stopped || now >= phases.phaseEnd(), std::max(Nanoseconds(0), late));
        while (nextTick <= now)
            nextTick += m_setup.tick;
        if (stopped) {
            m_store->push(phases.finish(now));
            end.state = RunState::stopped;
            end.reason = "stopped by the user";
            event(now, Severity::warning, "stopped by the user before the plan's end");
            return;
        }
        if (m_workload->over()) {
            m_store->push(phases.finish(now));
            return;
        }
        if (now >= phases.phaseEnd() || m_workload->phaseComplete()) {
            m_store->push(phases.advance(now));
            if (!phases.over())
                enter(now);
        }
    }
    event(phases.runEnd(), Severity::info, "the plan's end");
}

void Controller::closeTick(Nanoseconds until, const PhaseClock& phases, bool last, Nanoseconds lag)
{
    const std::size_t queued = m_store->queued();
    if (until <= m_tickBegin)
        return;
    if (queued >= StoreThread::kCapacity && !last) { // no room: this tick goes on until there is
        ++m_overruns;
        return;
    }
    auto tick = std::make_shared<metrics::Tick>(m_sampler->sample(
        m_nextTick, m_tickBegin, until, phases.current().index, { queued, m_overruns, lag }));
    m_overruns = 0;
    publish(*tick, phases);
    WorkloadTick& workload = m_sampler->lastWorkload();
    for (RunEvent& e : workload.events)
        m_store->push(std::move(e));
    for (RunEvent& e : m_outages.add(*tick, workload.histograms, phases.current().kind))
        m_store->push(std::move(e));
    for (Transcript& transcript : workload.transcripts)
        m_store->push(std::move(transcript));
    m_store->push(StoreThread::AuditedTick { std::move(tick), { workload.audit, workload.targetAudits } });
    ++m_nextTick;
    m_tickBegin = until;
    const std::string trouble = m_store->trouble();
    if (!trouble.empty() && m_lastTrouble.empty())
        event(until, Severity::error, "the history cannot be written, trying again: " + trouble);
    m_lastTrouble = trouble;
}

void Controller::publish(const metrics::Tick& tick, const PhaseClock& phases)
{
    const WorkloadTick& workload = m_sampler->lastWorkload();
    const double length = seconds(tick.end - tick.begin);
    // Threads that end in a ramp-down, or rest, are no bottleneck: the verdict is about measurements.
    if (const PhaseKind kind = phases.current().kind;
        kind == PhaseKind::rampDown || kind == PhaseKind::quiet || kind == PhaseKind::drain)
        m_health.clear();
    else
        m_health.add(tick.end - tick.begin, tick.values, workload.histograms);

    Histogram responses;
    for (const std::uint32_t id : m_setup.responseHistograms)
        responses.merge(workload.histograms.at(id));
    m_recentResponses.push_back(std::move(responses));
    if (m_recentResponses.size() > kRecentResponses)
        m_recentResponses.erase(m_recentResponses.begin());
    Histogram recent;
    for (const Histogram& one : m_recentResponses)
        recent.merge(one);
    analysis::Unfinished unfinished;
    for (const std::uint32_t id : m_ages)
        unfinished.ages.merge(workload.histograms.at(id));
    const analysis::Bounds p95 =
        analysis::CensoredLatency(std::move(recent), std::move(unfinished)).percentile(95);

    const std::lock_guard lock(m_mutex);
    m_status.elapsed = tick.end;
    setTimeLeft(phases, tick.end, workload.phaseLeft);
    m_status.preparation = workload.preparation;
    m_status.users = workload.users;
    m_status.sessions = workload.sessions;
    m_status.sentPerSecond = static_cast<double>(workload.sent) / length;
    m_status.receivedPerSecond = static_cast<double>(workload.received) / length;
    m_status.io.reset();
    if (const auto& io = workload.io)
        m_status.io = { io->readsPerSecond / length, io->writesPerSecond / length,
            io->bytesPerSecond / length };
    m_status.p95 = p95.value;
    m_status.p95AtLeast = p95.open;
    for (const metrics::ErrorCount& error : tick.errors)
        m_status.errors += error.count;
    m_status.audit = workload.audit;
    m_status.generatorReason = m_health.live();
    m_status.generatorHealthy = m_status.generatorReason.empty();
}

} // namespace loadstone::run
