// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/raw_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <sys/stat.h>

namespace loadstone::storage {
namespace {

constexpr const char* kPurpose = "raw device test";
/// Filling ends when it is done; this bounds only what a plan of phases needs a bound for.
constexpr auto kLongestFilling = std::chrono::hours(24 * 7);

double mean(const metrics::Histogram& histogram)
{
    return histogram.empty() ? std::numeric_limits<double>::quiet_NaN() : seconds(histogram.mean());
}

} // namespace

RawWorkload::RawWorkload(std::unique_ptr<RawSetup> setup)
    : m_setup(std::move(setup))
    , m_series(*m_setup->plan.raw, m_setup->volume, m_setup->workers)
    , m_filled(m_setup->file && m_setup->file->completeFor(kPurpose)
          && m_setup->file->size() >= m_setup->plan.raw->size)
    , m_cpuBefore(m_setup->workers)
{
    for (unsigned i = 0; i < m_setup->workers; ++i)
        m_workers.push_back(
            std::make_unique<RawWorker>(*m_setup->plan.raw, m_series, Share { i, m_setup->workers }));
}

RawWorkload::~RawWorkload() = default;

std::vector<std::uint32_t> RawWorkload::responseHistograms()
{
    return { RawSeries::response(RawSeries::kRead), RawSeries::response(RawSeries::kWrite) };
}

std::vector<run::PlannedPhase> RawWorkload::phases() const
{
    std::vector<run::PlannedPhase> phases;
    if (!m_filled)
        phases.push_back({ -1, "", PhaseKind::initialisation, kLongestFilling });
    const auto& mixes = m_setup->plan.mixes;
    for (std::size_t i = 0; i < mixes.size(); ++i) {
        const auto index = static_cast<std::int32_t>(i);
        phases.push_back({ index, mixes[i].name, PhaseKind::rampUp, mixes[i].rampUp });
        phases.push_back({ index, mixes[i].name, PhaseKind::measurement, mixes[i].measurement });
        phases.push_back({ index, mixes[i].name, PhaseKind::rampDown, mixes[i].rampDown });
        if (i + 1 < mixes.size())
            phases.push_back({ index, mixes[i].name, PhaseKind::quiet, mixes[i].quietTime });
    }
    return phases;
}

std::vector<counters::LoadThread> RawWorkload::loadThreads() const
{
    std::vector<counters::LoadThread> threads;
    for (std::size_t i = 0; i < m_workers.size(); ++i)
        threads.push_back({ fmt::format("worker {}", i), m_workers[i]->threadId() });
    return threads;
}

run::WorkloadSeries RawWorkload::series() const
{
    run::WorkloadSeries series;
    series.counters = m_series.counters();
    series.histograms = m_series.histograms();
    series.results.sent = series.results.received = history::kNoCounter;
    series.results.attempts = RawSeries::kTransfersOfAll;
    series.results.failures = RawSeries::kFailedOfAll;
    for (const plan::Mix& mix : m_setup->plan.mixes)
        series.results.mixes.push_back({ mix.name, 0, m_setup->workers, 0, mix.measurement });
    return series;
}

Result<void> RawWorkload::makeFile()
{
    ClaimedFile& claimed = *m_setup->file;
    const plan::RawTest& test = *m_setup->plan.raw;
    if (claimed.exists() && claimed.size() >= test.size)
        return {};
    const auto device = makeDevice({});
    if (!device)
        return device.error();
    FileOptions options;
    options.direct = test.direct;
    options.durability = Durability::flushed;
    options.owner = claimed.identity();
    const auto file = claimed.exists() ? (*device)->open(test.path, options)
                                       : (*device)->create(test.path, test.size, options);
    if (!file)
        return file.error();
    if (const auto grown = (*device)->grow(*file, test.size); !grown)
        return grown.error();
    return claimed.mark(kPurpose, false);
}

Result<void> RawWorkload::start(MonoTime origin)
{
    m_origin = origin;
    if (m_setup->file)
        if (const auto made = makeFile(); !made)
            return made.error();
    FileOptions what;
    if (m_setup->file)
        what.owner = m_setup->file->identity();
    struct stat status { };
    if (m_setup->blockDevice && ::fstat(m_setup->blockDevice.get(), &status) == 0)
        what.blockDevice = status.st_rdev;
    for (auto& worker : m_workers)
        if (const auto prepared = worker->prepare(what); !prepared)
            return prepared.error();
    for (const std::string& warning : m_setup->warnings)
        m_events.push_back({ {}, Severity::warning, warning });
    m_events.push_back(
        { {}, Severity::info, fmt::format("{}: {}", m_setup->volume, m_workers.front()->deviceText()) });
    for (auto& worker : m_workers)
        worker->start();
    return {};
}

void RawWorkload::enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime)
{
    if (m_filling)
        finishFilling();
    const bool load = phase.kind == PhaseKind::rampUp || phase.kind == PhaseKind::measurement
        || phase.kind == PhaseKind::rampDown;
    if (load && phase.mix == m_mix)
        return; // goes on
    RawOrders orders;
    orders.begin = begin;
    m_mix = -2;
    m_filling = phase.kind == PhaseKind::initialisation && m_failure.empty();
    orders.seed = hashOf({ m_setup->plan.seed, static_cast<std::uint64_t>(phase.mix) });
    if (m_filling) {
        orders.what = RawOrders::What::fill;
    } else if (load && m_failure.empty()) {
        orders.what = RawOrders::What::load;
        orders.load = m_setup->plan.raw->loads[static_cast<std::size_t>(phase.mix)];
        m_mix = phase.mix;
    }
    for (auto& worker : m_workers)
        worker->obey(orders);
}

bool RawWorkload::isFilled() const
{
    return std::ranges::all_of(m_workers, [](const auto& worker) { return worker->filled(); });
}

bool RawWorkload::phaseComplete() const
{
    return !m_failure.empty() || (m_filling && isFilled());
}

void RawWorkload::finishFilling()
{
    if (m_filled || !isFilled() || !m_failure.empty())
        return;
    m_filled = true;
    if (!m_setup->file)
        return;
    // Without it the file is filled once more the next time.
    if (const auto marked = m_setup->file->mark(kPurpose, true); !marked)
        m_events.push_back({ monoNow() - m_origin, Severity::warning, marked.error().message });
}

void RawWorkload::fillLevels(run::WorkloadTick& tick, const metrics::Slab& slab, Nanoseconds length)
{
    const auto& counts = slab.counts;
    const auto sum = [&](std::uint32_t (*of)(RawSeries::Sort)) {
        return counts[of(RawSeries::kRead)] + counts[of(RawSeries::kWrite)] + counts[of(RawSeries::kFlush)];
    };
    const auto set = [&](std::uint32_t counter, std::uint64_t value) {
        tick.values[counter] = static_cast<double>(value);
    };
    const std::uint64_t writes =
        counts[RawSeries::transfers(RawSeries::kWrite)] + counts[RawSeries::kFillWrites];
    const std::uint64_t written = counts[RawSeries::bytes(RawSeries::kWrite)] + counts[RawSeries::kFillBytes];
    const std::uint64_t read = counts[RawSeries::bytes(RawSeries::kRead)];
    const std::uint64_t reads = counts[RawSeries::transfers(RawSeries::kRead)];
    set(RawSeries::kTransfersOfAll, sum(RawSeries::transfers));
    set(RawSeries::kFailedOfAll, sum(RawSeries::failed));
    set(RawSeries::kReads, reads);
    set(RawSeries::kWrites, writes);
    set(RawSeries::kReadBytes, read);
    set(RawSeries::kWriteBytes, written);
    tick.values[RawSeries::kSecondsPerRead] = mean(slab.histograms[RawSeries::service(RawSeries::kRead)]);
    tick.values[RawSeries::kSecondsPerWrite] = mean(slab.histograms[RawSeries::service(RawSeries::kWrite)]);
    std::uint64_t inFlight = 0;
    double busiest = 0;
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        inFlight += m_workers[i]->inFlight();
        const Nanoseconds cpu = m_workers[i]->cpuTime();
        const double used = length.count() > 0 ? 100 * seconds(cpu - m_cpuBefore[i]) / seconds(length) : 0;
        m_cpuBefore[i] = cpu;
        tick.values[RawSeries::kCounters + i] = used;
        busiest = std::max(busiest, used);
    }
    set(RawSeries::kQueueLength, inFlight);
    tick.values[RawSeries::kBusiest] = busiest;
    tick.failures = sum(RawSeries::failed);
    tick.io = { static_cast<double>(reads), static_cast<double>(writes),
        static_cast<double>(read + written) };
}

/// What was due is what began, and what has come to wait beside it.
void RawWorkload::fillActions(run::WorkloadTick& tick, const metrics::Slab& slab,
    const std::array<std::uint64_t, RawSeries::kFlush>& waiting)
{
    double* value = tick.values.data() + RawSeries::kActions;
    for (const RawSeries::Sort sort : { RawSeries::kRead, RawSeries::kWrite }) {
        const std::uint64_t begun = slab.counts[RawSeries::begun(sort)];
        const std::uint64_t come = begun + waiting[sort];
        *value++ = static_cast<double>(come - std::min(come, m_waiting[sort]));
        *value++ = static_cast<double>(begun);
        *value++ = static_cast<double>(slab.counts[RawSeries::endedBadly(sort)]);
    }
    m_waiting = waiting;
}

void RawWorkload::collect(run::WorkloadTick& tick, std::uint32_t, Nanoseconds length)
{
    metrics::Slab slab { std::vector<metrics::Histogram>(RawSeries::kHistograms),
        std::vector<std::uint64_t>(RawSeries::kRecorded) };
    std::array<std::uint64_t, RawSeries::kFlush> waiting {};
    std::map<std::pair<RawSeries::Sort, int>, std::uint64_t> errors;
    for (auto& worker : m_workers) {
        worker->collect(slab, m_origin + tick.end, waiting);
        for (const auto& [what, count] : worker->takeErrors())
            errors[what] += count;
        if (m_failure.empty())
            m_failure = worker->failure();
    }
    for (std::uint32_t i = 0; i < RawSeries::kCounts; ++i)
        tick.values[i] = static_cast<double>(slab.counts[i]);
    fillLevels(tick, slab, length);
    fillActions(tick, slab, waiting);
    for (const auto& [what, count] : errors) {
        const boost::system::error_code code(what.second, boost::system::system_category());
        tick.errors.push_back({ m_series.counters()[RawSeries::transfers(what.first)].instance,
            code.message(), what.second, count, {} });
    }
    if (m_filling) {
        m_bytesFilled += slab.counts[RawSeries::kFillBytes];
        m_timeFilling += length;
        const std::uint64_t size = m_setup->plan.raw->size;
        if (m_bytesFilled > 0 && m_bytesFilled <= size)
            tick.phaseLeft = Nanoseconds(static_cast<std::int64_t>(static_cast<double>(m_timeFilling.count())
                * static_cast<double>(size - m_bytesFilled) / static_cast<double>(m_bytesFilled)));
    }
    tick.histograms = std::move(slab.histograms);
    tick.events.insert(tick.events.end(), m_events.begin(), m_events.end());
    m_events.clear();
}

void RawWorkload::stop()
{
    for (auto& worker : m_workers)
        worker->stop();
    for (auto& worker : m_workers) {
        worker->join();
        if (m_failure.empty()) // also what it found only then: transfers that were never completed
            m_failure = worker->failure();
    }
    if (m_filling)
        finishFilling();
}

void RawWorkload::conclude(history::RunEnd& end)
{
    m_setup->file.reset(); // the next run may have it
    m_setup->blockDevice = {};
    if (m_failure.empty())
        return;
    end.state = RunState::failed;
    end.reason = m_failure;
}

} // namespace loadstone::storage
