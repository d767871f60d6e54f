// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/run/several_targets.h"

#include "metrics/preparation_counters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace loadstone::mail {

namespace {

bool isOfGenerator(const SeriesKey& counter)
{
    return counter.quantity == Quantity::busiestWorker || counter.quantity == Quantity::loopLag;
}

/// Whether a workload's counter is about its target, and not about the machine that makes the load.
bool isOfTarget(const SeriesKey& counter)
{
    return !isOfGenerator(counter) && !counter.subject.worker;
}

/// The key that a workload's counter has together: there the workers of all targets are numbered.
SeriesKey togetherKey(SeriesKey key, std::uint32_t firstWorker)
{
    if (key.subject.worker)
        *key.subject.worker += firstWorker;
    return key;
}

/// The id of the series of all together that has this key.
template <class Info>
std::uint32_t idOf(const std::vector<Info>& all, const SeriesKey& key)
{
    const auto found = std::ranges::find(all, key, &Info::key);
    if (found == all.end())
        throw std::logic_error("a target records a series that all together do not");
    return found->id;
}

/// The same of one target alone.
template <class Info>
SeriesKey ownKey(const Info& info, const std::string& target)
{
    SeriesKey key = info.key;
    key.subject.target = target;
    return key;
}

void add(AuditTotals& to, const AuditTotals& from)
{
    for (auto total : { &AuditTotals::accepted, &AuditTotals::expected, &AuditTotals::deliveredOnce,
             &AuditTotals::late, &AuditTotals::twice, &AuditTotals::damaged, &AuditTotals::lost,
             &AuditTotals::outstanding, &AuditTotals::unknown })
        to.*total += from.*total;
}

void add(PreparationTotals& to, const PreparationTotals& from)
{
    to.mailboxes += from.mailboxes;
    for (const metrics::PreparationCounter& counter : metrics::kPreparationCounters)
        to.*counter.total += from.*counter.total;
}

} // namespace

SeveralTargets::SeveralTargets(const plan::MailPlan& plan, std::vector<std::unique_ptr<MailSetup>> setups)
{
    unsigned workers = 0;
    for (const auto& setup : setups)
        workers += setup->workers;
    const RunPurpose purpose = setups.front()->purpose;
    const MailSeries together(plan, purpose, workers);
    m_series.counters = together.list().counters();
    m_series.histograms = together.list().histograms();
    std::uint32_t worker = 0; // the first of the part's workers
    for (auto& setup : setups) {
        Part part;
        part.name = setup->plan.targetName;
        const unsigned workersHere = setup->workers;
        part.workload = std::make_unique<MailWorkload>(std::move(setup));
        part.series = part.workload->series();
        part.ownHistograms = static_cast<std::uint32_t>(m_series.histograms.size());
        for (const CounterInfo& info : part.series.counters) {
            part.counters.push_back(idOf(together.list().counters(), togetherKey(info.key, worker)));
            part.ownCounters.emplace_back();
            if (!isOfTarget(info.key))
                continue;
            CounterInfo own = counterOf(ownKey(info, part.name));
            own.id = static_cast<std::uint32_t>(m_series.counters.size());
            part.ownCounters.back() = own.id;
            m_series.counters.push_back(std::move(own));
        }
        for (const HistogramInfo& info : part.series.histograms) {
            part.histograms.push_back(idOf(together.list().histograms(), info.key));
            HistogramInfo own = histogramOf(ownKey(info, part.name), info.scope);
            own.id = static_cast<std::uint32_t>(m_series.histograms.size());
            m_series.histograms.push_back(std::move(own));
        }
        worker += workersHere;
        m_parts.push_back(std::move(part));
    }
    m_series.results = m_parts.front().series.results;
    for (const Part& part : m_parts) {
        m_series.results.targets.push_back({ part.name, part.series.results.mixes });
        for (std::size_t i = 0; &part != &m_parts.front() && i < m_series.results.mixes.size(); ++i) {
            m_series.results.mixes[i].mailboxes += part.series.results.mixes[i].mailboxes;
            m_series.results.mixes[i].threads += part.series.results.mixes[i].threads;
        }
    }
}

std::vector<run::PlannedPhase> SeveralTargets::phases() const
{
    return m_parts.front().workload->phases();
}

std::vector<counters::LoadThread> SeveralTargets::loadThreads() const
{
    std::vector<counters::LoadThread> all;
    for (const Part& part : m_parts)
        for (counters::LoadThread& thread : part.workload->loadThreads()) {
            thread.subject = Subject::ofWorker(static_cast<std::uint32_t>(all.size()));
            all.push_back(std::move(thread));
        }
    return all;
}

run::WorkloadSeries SeveralTargets::series() const
{
    return m_series;
}

Result<void> SeveralTargets::start(MonoTime origin)
{
    for (Part& part : m_parts)
        if (auto started = part.workload->start(origin); !started)
            return started.error().within(part.name);
    return {};
}

void SeveralTargets::enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime end)
{
    for (Part& part : m_parts)
        part.workload->enter(phase, begin, end);
}

bool SeveralTargets::phaseComplete() const
{
    return std::all_of(
        m_parts.begin(), m_parts.end(), [](const Part& part) { return part.workload->phaseComplete(); });
}

void SeveralTargets::addValues(
    run::WorkloadTick& tick, const Part& part, std::span<const double> values) const
{
    for (std::uint32_t id = 0; id < values.size(); ++id) {
        const double value = values[id];
        double& together = tick.values[part.counters[id]];
        if (std::isnan(together))
            together = value;
        else if (!std::isnan(value))
            together =
                isOfGenerator(part.series.counters[id].key) ? std::max(together, value) : together + value;
        if (part.ownCounters[id])
            tick.values[*part.ownCounters[id]] = value;
    }
}

void SeveralTargets::addHistograms(
    run::WorkloadTick& tick, const Part& part, std::vector<Histogram> histograms) const
{
    for (std::uint32_t id = 0; id < histograms.size(); ++id) {
        tick.histograms[part.histograms[id]].merge(histograms[id]);
        tick.histograms[part.ownHistograms + id] = std::move(histograms[id]);
    }
}

void SeveralTargets::collect(run::WorkloadTick& tick, std::uint32_t phase, Nanoseconds length)
{
    tick.histograms.resize(m_series.histograms.size());
    std::optional<Nanoseconds> left = Nanoseconds(0); // none once one cannot be told
    for (Part& part : m_parts) {
        std::vector<double> values(part.series.counters.size(), std::numeric_limits<double>::quiet_NaN());
        run::WorkloadTick own;
        own.values = values;
        own.end = tick.end;
        part.workload->collect(own, phase, length);
        addValues(tick, part, values);
        addHistograms(tick, part, std::move(own.histograms));
        for (metrics::ErrorCount& error : own.errors) {
            error.target = part.name;
            tick.errors.push_back(std::move(error));
        }
        for (RunEvent& event : own.events) {
            event.target = part.name;
            tick.events.push_back(std::move(event));
        }
        for (Transcript& transcript : own.transcripts) {
            transcript.target = part.name;
            tick.transcripts.push_back(std::move(transcript));
        }
        tick.users += own.users;
        tick.sessions += own.sessions;
        tick.sent += own.sent;
        tick.received += own.received;
        add(tick.audit, own.audit);
        tick.targetAudits.push_back(own.audit);
        if (!own.preparation)
            continue;
        if (!tick.preparation)
            tick.preparation.emplace();
        add(*tick.preparation, *own.preparation);
        const PreparationTotals& done = *own.preparation;
        if (done.done + done.failed < done.mailboxes) // else it waits for the others
            left = left && own.phaseLeft ? std::optional(std::max(*left, *own.phaseLeft)) : std::nullopt;
    }
    if (tick.preparation)
        tick.phaseLeft = left;
}

void SeveralTargets::stop()
{
    for (Part& part : m_parts)
        part.workload->endLoad();
    for (Part& part : m_parts)
        part.workload->stop();
}

void SeveralTargets::conclude(history::RunEnd& end)
{
    for (Part& part : m_parts) {
        history::RunEnd own;
        part.workload->conclude(own);
        add(end.audit, own.audit);
        end.targetAudits.push_back(own.audit);
        end.audited = end.audited || own.audited;
        for (AuditException& exception : own.exceptions) {
            exception.target = part.name;
            end.exceptions.push_back(std::move(exception));
        }
        for (history::InvalidReason& reason : own.invalidReasons) {
            reason.target = part.name;
            end.invalidReasons.push_back(std::move(reason));
        }
    }
}

} // namespace loadstone::mail
