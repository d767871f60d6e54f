// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/raw/raw_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <sys/stat.h>

namespace loadstone::storage {
namespace {

constexpr const char* kRawPurpose = "raw device test";
/// Filling ends when it is done; this bounds only what a plan of phases needs a bound for.
constexpr auto kLongestFilling = std::chrono::hours(24 * 7);

double mean(const Histogram& histogram)
{
    return histogram.empty() ? std::numeric_limits<double>::quiet_NaN() : seconds(histogram.mean());
}

} // namespace

RawWorkload::RawWorkload(std::unique_ptr<RawSetup> setup)
    : m_setup(std::move(setup))
    , m_series(m_setup->plan.test, m_setup->volume, m_setup->workers)
    , m_filled(m_setup->file && m_setup->file->completeFor(kRawPurpose)
          && m_setup->file->size() >= m_setup->plan.test.size)
    , m_cpuBefore(m_setup->workers)
{
    for (unsigned i = 0; i < m_setup->workers; ++i)
        m_workers.push_back(
            std::make_unique<RawWorker>(m_setup->plan.test, m_series, Share { i, m_setup->workers }));
}

RawWorkload::~RawWorkload() = default;

std::vector<std::uint32_t> RawWorkload::responseHistograms() const
{
    return { m_series.of(RawSeries::kRead).response.id(), m_series.of(RawSeries::kWrite).response.id() };
}

std::vector<run::PlannedPhase> RawWorkload::phases() const
{
    std::vector<run::PlannedPhase> phases;
    if (!m_filled)
        phases.push_back({ -1, "", PhaseKind::initialisation, kLongestFilling });
    const auto& mixes = m_setup->plan.test.mixes;
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
    for (std::uint32_t i = 0; i < m_workers.size(); ++i)
        threads.push_back({ Subject::ofWorker(i), m_workers[i]->threadId() });
    return threads;
}

run::WorkloadSeries RawWorkload::series() const
{
    run::WorkloadSeries series;
    series.counters = m_series.list().counters();
    series.histograms = m_series.list().histograms();
    for (const plan::RawLoad& mix : m_setup->plan.test.mixes)
        series.results.mixes.push_back({ mix.name, 0, m_setup->workers, 0, mix.measurement });
    return series;
}

Result<void> RawWorkload::makeFile()
{
    ClaimedFile& claimed = *m_setup->file;
    const plan::RawTest& test = m_setup->plan.test;
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
    return claimed.mark(kRawPurpose, false);
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
        orders.load = m_setup->plan.test.mixes[static_cast<std::size_t>(phase.mix)];
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
    if (const auto marked = m_setup->file->mark(kRawPurpose, true); !marked)
        m_events.push_back({ monoNow() - m_origin, Severity::warning, marked.error().message });
}

void RawWorkload::fillLevels(run::WorkloadTick& tick, const metrics::Slab& slab, Nanoseconds length)
{
    const RawSeries::OfSort &ofReads = m_series.of(RawSeries::kRead),
                            &ofWrites = m_series.of(RawSeries::kWrite);
    const RawSeries::OfSort& ofFlushes = m_series.of(RawSeries::kFlush);
    const RawSeries::Whole& whole = m_series.whole();
    const auto sum = [&](series::CountHandle RawSeries::OfSort::*of) {
        return slab[ofReads.*of] + slab[ofWrites.*of] + slab[ofFlushes.*of];
    };
    const auto set = [&](series::CounterHandle counter, std::uint64_t value) {
        tick[counter] = static_cast<double>(value);
    };
    const std::uint64_t writes = slab[ofWrites.transfers] + slab[m_series.schedule().fillWrites];
    const std::uint64_t written = slab[ofWrites.bytes] + slab[m_series.schedule().fillBytes];
    const std::uint64_t read = slab[ofReads.bytes];
    const std::uint64_t reads = slab[ofReads.transfers];
    set(whole.transfers, sum(&RawSeries::OfSort::transfers));
    set(whole.failed, sum(&RawSeries::OfSort::failed));
    set(whole.reads, reads);
    set(whole.writes, writes);
    set(whole.readBytes, read);
    set(whole.writeBytes, written);
    tick[whole.secondsPerRead] = mean(slab[ofReads.service]);
    tick[whole.secondsPerWrite] = mean(slab[ofWrites.service]);
    std::uint64_t inFlight = 0;
    double busiest = 0;
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        inFlight += m_workers[i]->inFlight();
        const Nanoseconds cpu = m_workers[i]->cpuTime();
        const double used = length.count() > 0 ? 100 * seconds(cpu - m_cpuBefore[i]) / seconds(length) : 0;
        m_cpuBefore[i] = cpu;
        tick[m_series.worker(i)] = used;
        busiest = std::max(busiest, used);
    }
    set(whole.underWay, inFlight);
    tick[whole.busiest] = busiest;
    tick.io = { static_cast<double>(reads), static_cast<double>(writes),
        static_cast<double>(read + written) };
}

/// What was due is what began, and what has come to wait beside it.
void RawWorkload::fillDue(run::WorkloadTick& tick, const metrics::Slab& slab,
    const std::array<std::uint64_t, RawSeries::kFlush>& waiting)
{
    for (const RawSeries::Sort sort : { RawSeries::kRead, RawSeries::kWrite }) {
        const std::uint64_t come = slab[m_series.asked(sort).begun] + waiting[sort];
        tick[m_series.asked(sort).due] = static_cast<double>(come - std::min(come, m_waiting[sort]));
    }
    m_waiting = waiting;
}

void RawWorkload::collect(run::WorkloadTick& tick, std::uint32_t, Nanoseconds length)
{
    metrics::Slab slab = metrics::Slab::of(m_series.list());
    std::array<std::uint64_t, RawSeries::kFlush> waiting {};
    std::map<std::pair<RawSeries::Sort, int>, std::uint64_t> errors;
    for (auto& worker : m_workers) {
        worker->collect(slab, m_origin + tick.end, waiting);
        for (const auto& [what, count] : worker->takeErrors())
            errors[what] += count;
        if (m_failure.empty())
            m_failure = worker->failure();
    }
    m_series.list().showCounts(slab.counts, tick.values);
    fillLevels(tick, slab, length);
    fillDue(tick, slab, waiting);
    for (const auto& [what, count] : errors) {
        const HistogramInfo& where = m_series.list().infoOf(m_series.of(what.first).service);
        tick.errors.push_back({ instanceOf(where.key), FailureKind::system, what.second, count, {} });
    }
    if (m_filling) {
        m_bytesFilled += slab[m_series.schedule().fillBytes];
        m_timeFilling += length;
        const std::uint64_t size = m_setup->plan.test.size;
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
