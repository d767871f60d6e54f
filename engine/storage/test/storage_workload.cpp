// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/storage_workload.h"

#include "base/random.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::storage {
namespace {

using plan::StorageTestKind;

/// What ends when it is done has this bound.
constexpr auto kLongestPhase = std::chrono::hours(24 * 30);
constexpr auto kAfterTuning = std::chrono::minutes(2);
constexpr auto kLongestTuning =
    std::chrono::minutes(80) + kAfterTuning; // an hour, the cycle that it is in then, and some
constexpr auto kLongestWinding = std::chrono::seconds(30); // after a failure
constexpr double kTunedRates = 64; // the rate is looked for between a 64th and 64 times of the plan's

} // namespace

StorageWorkload::StorageWorkload(std::unique_ptr<StorageSetup> setup)
    : m_setup(std::move(setup))
    , m_series(m_setup->plan.test, m_setup->volumes)
{
    if (m_setup->purpose == StoragePurpose::remove)
        return;
    for (std::size_t i = 0; i < m_setup->groups.size(); ++i)
        m_workers.push_back(std::make_unique<GroupWorker>(*m_setup, i, m_series));
    m_cpuBefore.resize(m_workers.size());
}

StorageWorkload::~StorageWorkload()
{
    if (m_remover.joinable())
        m_remover.join();
}

std::vector<run::PlannedPhase> StorageWorkload::phases() const
{
    std::vector<run::PlannedPhase> phases;
    const StoragePurpose purpose = m_setup->purpose;
    if (purpose == StoragePurpose::remove) {
        phases.push_back({ -1, "", PhaseKind::cleanUp, kLongestPhase, true });
        return phases;
    }
    if (purpose == StoragePurpose::run || purpose == StoragePurpose::make)
        phases.push_back({ -1, "", PhaseKind::initialisation, kLongestPhase, true });
    if (purpose == StoragePurpose::make)
        return phases;
    const std::size_t tests = m_setup->plan.test.tests.size();
    if (purpose == StoragePurpose::run)
        for (std::size_t i = 0; i < tests; ++i)
            addPhases(phases, i);
    else // the last one stands for what is done
        phases.push_back({ static_cast<std::int32_t>(tests) - 1, m_setup->plan.test.tests.back().name,
            PhaseKind::measurement, kLongestPhase, true });
    return phases;
}

void StorageWorkload::addPhases(std::vector<run::PlannedPhase>& phases, std::size_t test) const
{
    const plan::StorageTestStep& step = m_setup->plan.test.tests[test];
    const auto mix = static_cast<std::int32_t>(test);
    const std::string& name = step.name;
    if (step.isLoad()) {
        const Nanoseconds tuning = m_setup->plan.test.load.tuning ? kLongestTuning : Nanoseconds(0);
        phases.push_back({ mix, name, PhaseKind::rampUp, step.warmUp + tuning });
        phases.push_back({ mix, name, PhaseKind::measurement, step.duration });
        phases.push_back({ mix, name, PhaseKind::rampDown, kLongestPhase, true });
        return;
    }
    if (step.kind == StorageTestKind::recovery)
        phases.push_back({ mix, name, PhaseKind::rampUp, kLongestPhase, true });
    phases.push_back({ mix, name, PhaseKind::measurement, kLongestPhase, true });
}

std::vector<counters::LoadThread> StorageWorkload::loadThreads() const
{
    std::vector<counters::LoadThread> threads;
    const auto& groups = m_setup->plan.test.groups;
    for (std::size_t i = 0; i < m_workers.size(); ++i)
        threads.push_back({ Subject::ofGroup(groups[i].name), m_workers[i]->threadId() });
    return threads;
}

run::WorkloadSeries StorageWorkload::series() const
{
    run::WorkloadSeries series;
    series.counters = m_series.list().counters();
    series.histograms = m_series.list().histograms();
    const plan::StorageTest& test = m_setup->plan.test;
    const std::uint64_t sessions = std::uint64_t { test.threadsPerGroup() } * test.groups.size();
    for (std::size_t i = 0; i < test.tests.size(); ++i)
        series.results.mixes.push_back({ test.tests[i].name, 0, test.tests[i].isLoad() ? sessions : 0, 0,
            test.tests[i].isLoad() ? test.tests[i].duration : Nanoseconds(0) });
    return series;
}

Result<void> StorageWorkload::start(MonoTime origin)
{
    m_origin = m_phaseBegin = origin;
    for (const std::string& warning : m_setup->warnings)
        m_events.push_back({ {}, Severity::warning, warning });
    if (auto log = counters::KernelLog::open())
        m_kernel.emplace(*std::move(log));
    else
        m_events.push_back({ {}, Severity::info,
            "the kernel's log is not watched for trouble with storage: " + log.error().message });
    for (auto& worker : m_workers)
        worker->start(origin);
    return {};
}

void StorageWorkload::order(const GroupOrders& orders)
{
    for (auto& worker : m_workers)
        worker->obey(orders);
}

void StorageWorkload::enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime)
{
    const bool warmUpEnded = m_phase == PhaseKind::rampUp && m_step != nullptr && m_step->isLoad()
        && phase.kind == PhaseKind::measurement;
    const bool warm = allFulfilled();
    m_done = false;
    m_doneBefore.clear();
    m_phase = phase.kind;
    m_phaseBegin = begin;
    m_step = phase.mix < 0 ? nullptr : &m_setup->plan.test.tests[static_cast<std::size_t>(phase.mix)];
    if (warmUpEnded) { // the load goes on
        if (m_tuner && !m_tuner->done()) {
            m_events.push_back({ begin - m_origin, Severity::warning,
                m_tuner->best()
                    ? "the time for tuning is over: the load is the highest that was within the limits"
                    : "the time for tuning is over: the load stays at the last one that was tried" });
            if (m_tuner->best())
                adjust(*m_tuner->best());
        }
        if (!warm && m_failure.empty())
            m_events.push_back({ begin - m_origin, Severity::warning,
                "the warm-up is over, but the cache is not yet filled to 90 %, or a paced load has not "
                "settled at its target: the figures are still changing" });
        return;
    }
    m_tuner.reset();
    if (phase.kind == PhaseKind::rampUp && m_step != nullptr && m_step->isLoad()
        && m_setup->plan.test.load.tuning)
        beginTuning();
    GroupOrders orders;
    orders.step = m_step;
    orders.seed = hashOf({ m_setup->plan.seed, static_cast<std::uint64_t>(phase.mix) + 1 });
    if (phase.kind == PhaseKind::cleanUp) {
        m_remover = std::thread([this] { remove(); });
    } else if (!m_failure.empty() || phase.kind == PhaseKind::rampDown) {
        orders.what = GroupOrders::What::nothing;
    } else if (m_step == nullptr) {
        orders.what = GroupOrders::What::make;
    } else {
        switch (m_step->kind) {
        case StorageTestKind::performance:
        case StorageTestKind::stress:
            orders.what = GroupOrders::What::load;
            break;
        case StorageTestKind::backup:
            orders.what = GroupOrders::What::backup;
            break;
        case StorageTestKind::recovery:
            orders.what =
                phase.kind == PhaseKind::rampUp ? GroupOrders::What::generate : GroupOrders::What::replay;
            break;
        case StorageTestKind::checksum:
            orders.what = GroupOrders::What::verify;
            break;
        }
    }
    order(orders);
}

bool StorageWorkload::phaseComplete() const
{
    if (m_phase == PhaseKind::cleanUp)
        return m_removed.load(std::memory_order_acquire) && m_done;
    if (m_step != nullptr && m_step->isLoad() && m_phase == PhaseKind::measurement)
        return false; // as long as planned
    return m_done
        && (!m_tuner || m_phase != PhaseKind::rampUp || (m_tuner->done() && monoNow() >= m_tunedUntil));
}

bool StorageWorkload::over() const
{
    // The other groups are closed, if that does not take too long.
    return m_failedAt && (m_done || monoNow() - *m_failedAt > kLongestWinding);
}

bool StorageWorkload::allFulfilled() const
{
    return std::ranges::all_of(m_workers, [](const auto& worker) { return worker->fulfilled(); });
}

void StorageWorkload::beginTuning()
{
    const plan::StorageTest& test = m_setup->plan.test;
    const plan::LatencyLimits& limits = m_step->lenient ? test.limits.lenient : test.limits.strict;
    const LoadTuner::Limits means { limits.averageDatabaseRead, limits.averageLogWrite };
    if (test.load.pacing == plan::StoragePacing::threads) {
        const auto groups = static_cast<double>(test.groups.size());
        const double most = test.load.threadsOfHost ? test.load.mostThreads / groups : test.load.mostThreads;
        m_tuner.emplace(means, test.threadsPerGroup(), 1, std::max(1.0, most), true);
    } else {
        const double rate = test.load.targetIops;
        m_tuner.emplace(means, rate, rate / kTunedRates, rate * kTunedRates, false);
    }
}

/// `load`: sessions of each group, or database transfers/s of all.
void StorageWorkload::adjust(double load)
{
    for (auto& worker : m_workers)
        worker->adjust(load);
}

void StorageWorkload::tune(const metrics::Slab& slab, Nanoseconds length)
{
    if (!m_tuner || m_tuner->done() || m_phase != PhaseKind::rampUp || !allFulfilled() || length.count() <= 0)
        return;
    std::uint64_t transfers = 0;
    for (std::size_t i = 0; i < m_workers.size(); ++i)
        transfers += slab[m_series.group(i).reads] + slab[m_series.group(i).writes];
    const auto means = [&](IoClass ioClass) {
        std::vector<Nanoseconds> all;
        for (std::size_t volume = 0; volume < m_setup->volumes.size(); ++volume) {
            const Histogram& times = slab[m_series.io(volume, ioClass).service];
            all.push_back(times.empty() ? Nanoseconds(0) : times.mean());
        }
        return all;
    };
    const LoadTuner::Sample sample { means(IoClass::databaseRead), means(IoClass::logWrite),
        static_cast<double>(transfers) / seconds(length) };
    const std::string before = m_tuner->verdict();
    const std::optional<double> next = m_tuner->add(sample);
    const bool threads = m_setup->plan.test.load.pacing == plan::StoragePacing::threads;
    const char* unit = threads ? "sessions per group" : "database transfers/s";
    const auto say = [&](Severity severity, std::string text) {
        m_events.push_back({ monoNow() - m_origin, severity, std::move(text) });
    };
    if (m_tuner->verdict() != before)
        say(Severity::info, fmt::format("tuning, {}: {}", unit, m_tuner->verdict()));
    if (next)
        adjust(*next);
    if (!m_tuner->done())
        return;
    // What the last load that was tried has left behind is none of the measurement's.
    m_tunedUntil = monoNow() + kAfterTuning;
    if (m_tuner->load()) {
        adjust(*m_tuner->load());
        say(Severity::info,
            fmt::format(
                "tuned: {} {} are the most that the limits allow", formatNumber(*m_tuner->load(), 6), unit));
    } else {
        say(Severity::warning, "tuning found no load, however small, whose latencies are within the limits");
    }
}

void StorageWorkload::remove()
{
    for (StorageSetup::Group& group : m_setup->groups) {
        const std::size_t files = group.mark.files().size();
        if (const auto removed = group.mark.remove(); !removed) {
            m_removal = removed.error().message;
            break;
        }
        const std::lock_guard lock(m_removalMutex);
        m_removalEvents.push_back({ monoNow() - m_origin, Severity::info,
            fmt::format("{}: {} files and their mark are removed", group.options.name, files) });
    }
    m_removed.store(true, std::memory_order_release);
}

void StorageWorkload::stop()
{
    for (auto& worker : m_workers)
        worker->stop();
    for (auto& worker : m_workers)
        worker->join();
    if (m_remover.joinable())
        m_remover.join();
}

void StorageWorkload::conclude(history::RunEnd& end)
{
    for (const auto& worker : m_workers)
        if (m_failure.empty())
            m_failure = worker->failure();
    if (m_failure.empty())
        m_failure = m_removal;
    m_setup->groups.clear(); // the next run may have them
    if (m_failure.empty())
        return;
    end.state = RunState::failed;
    end.reason = m_failure;
}

} // namespace loadstone::storage
