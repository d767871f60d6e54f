// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/run/mail_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace loadstone::mail {

namespace {

/// Preparations end when they are done; this bounds only what a plan of phases needs a bound for.
constexpr auto kLongestPreparation = std::chrono::hours(24 * 7);
constexpr std::size_t kMostNotes = 50; // of a preparation, in the event log
constexpr std::uint32_t kDrainSessions = 64; // at once, over all workers
/// How long the drain lets the last mix's actions end by themselves: POP3 allows one session per mailbox.
constexpr auto kDrainHold = std::chrono::seconds(2);

} // namespace

MailWorkload::MailWorkload(std::unique_ptr<MailSetup> setup)
    : m_setup(std::move(setup))
    , m_series(*m_setup->series)
    , m_cpuBefore(m_setup->workers)
    , m_ledger(
          m_setup->plan.deliveryLimit,
          [target = m_setup->plan.target](
              std::uint32_t mailbox) { return plan::mailboxName(target, mailbox); },
          m_setup->spillFolder)
{
    for (unsigned i = 0; i < m_setup->workers; ++i)
        m_workers.push_back(std::make_unique<Worker>(*m_setup, i));
}

MailWorkload::~MailWorkload()
{
    m_workers.clear();
    if (m_trace != nullptr)
        std::fclose(m_trace);
}

std::vector<run::PlannedPhase> MailWorkload::phases() const
{
    const plan::MailPlan& plan = m_setup->plan;
    std::vector<run::PlannedPhase> phases;
    if (m_setup->prepares())
        phases.push_back({ -1, "",
            m_setup->purpose == RunPurpose::cleanUp ? PhaseKind::cleanUp : PhaseKind::initialisation,
            kLongestPreparation });
    if (m_setup->purpose != RunPurpose::run)
        return phases;
    for (std::size_t i = 0; i < plan.mixes.size(); ++i) {
        const plan::Mix& mix = plan.mixes[i];
        const auto index = static_cast<std::int32_t>(i);
        phases.push_back({ index, mix.name, PhaseKind::rampUp, mix.rampUp });
        phases.push_back({ index, mix.name, PhaseKind::measurement, mix.measurement });
        phases.push_back({ index, mix.name, PhaseKind::rampDown, mix.rampDown });
        if (i + 1 < plan.mixes.size()) // after the last mix the drain takes its place
            phases.push_back({ index, mix.name, PhaseKind::quiet, mix.quietTime });
    }
    if (plan.drainKind())
        phases.push_back({ -1, "", PhaseKind::drain, plan.drain });
    else if (!plan.mixes.empty()
        && plan.mixes.back().rampDown <= Nanoseconds(0)) // so that the last actions are seen to end
        phases.push_back({ static_cast<std::int32_t>(plan.mixes.size()) - 1, plan.mixes.back().name,
            PhaseKind::quiet, kDrainHold, true });
    return phases;
}

std::vector<counters::LoadThread> MailWorkload::loadThreads() const
{
    std::vector<counters::LoadThread> threads;
    for (std::uint32_t i = 0; i < m_workers.size(); ++i)
        threads.push_back({ Subject::ofWorker(i), m_workers[i]->threadId() });
    return threads;
}

run::WorkloadSeries MailWorkload::series() const
{
    const plan::MailPlan& plan = m_setup->plan;
    run::WorkloadSeries series;
    series.counters = m_series.list().counters();
    series.histograms = m_series.list().histograms();
    if (m_setup->purpose != RunPurpose::run)
        return series;
    series.results.finalWindow = plan.finalWindow;
    for (const plan::Mix& mix : plan.mixes) {
        const bool closed = plan.workload.pacing == plan::Pacing::closed;
        series.results.mixes.push_back({ mix.name, mix.mailboxes(), closed ? mix.threads() : 0,
            plan.recipientsPerMessage(mix), mix.measurement });
    }
    return series;
}

Result<void> MailWorkload::start(MonoTime origin)
{
    m_origin = origin;
    if (!m_setup->commandTrace.empty()) {
        m_trace = std::fopen(m_setup->commandTrace.c_str(), "we");
        if (m_trace == nullptr)
            return systemError(m_setup->commandTrace.string());
        std::fputs("client_port,command,verb,sent_ns,done_ns,code\n", m_trace);
    }
    for (auto& worker : m_workers)
        worker->start(origin);
    return {};
}

void MailWorkload::enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime end)
{
    m_phase += m_entered ? 1 : 0;
    m_entered = true;
    m_kind = phase.kind;
    m_letsEnd = phase.openEnded;
    const plan::MailPlan& plan = m_setup->plan;
    if (isPreparation(phase.kind)) {
        enterPreparation(begin);
        return;
    }
    if (phase.kind == PhaseKind::drain) {
        m_users = 0;
        m_drainEnd = end;
        m_drainForced = begin + kDrainHold;
        m_drainBegun = m_drainPassed = false;
        for (auto& worker : m_workers)
            worker->play(nullptr, 0, m_phase);
        return;
    }
    const plan::Mix& mix = plan.mixes.at(static_cast<std::size_t>(phase.mix));
    const bool begins = phase.kind == PhaseKind::rampUp
        || (phase.kind == PhaseKind::measurement && mix.rampUp <= Nanoseconds(0));
    m_notes = begins ? 0 : m_notes;
    const auto mailboxes = static_cast<std::uint32_t>(mix.mailboxes());
    m_users = phase.kind == PhaseKind::quiet ? 0 : mailboxes;
    for (unsigned i = 0; i < m_workers.size(); ++i) {
        if (begins) {
            const Share share { i, m_setup->workers };
            m_workers[i]->play(
                [&plan, &mix, share, begin] {
                    return makeSchedule(plan.workload, mix, plan.seed, share, begin);
                },
                mailboxes, m_phase, false, m_setup->requestPausesOf(static_cast<std::size_t>(phase.mix)));
        } else if (phase.kind == PhaseKind::quiet)
            m_workers[i]->play(nullptr, mailboxes, m_phase);
        else
            m_workers[i]->enterPhase(m_phase);
    }
}

void MailWorkload::beginDrainPass(const std::vector<std::uint32_t>& mailboxes)
{
    const plan::ActionKind kind = m_setup->plan.drainKind().value(); // else there is no such phase
    const auto workers = static_cast<std::uint32_t>(m_workers.size());
    const std::uint32_t sessions = std::max(1U, kDrainSessions / workers);
    for (std::uint32_t i = 0; i < workers; ++i) {
        std::vector<std::uint32_t> share;
        for (const std::uint32_t mailbox : mailboxes)
            if (mailbox % workers == i)
                share.push_back(mailbox);
        m_workers[i]->play([share, sessions, kind] { return makeDrainSchedule(share, sessions, 0, kind); }, 0,
            m_phase, true);
    }
}

bool MailWorkload::everyWorker(bool (Worker::*is)() const noexcept) const
{
    return std::all_of(
        m_workers.begin(), m_workers.end(), [is](const auto& worker) { return (worker.get()->*is)(); });
}

bool MailWorkload::phaseComplete() const
{
    if (isPreparation(m_kind))
        return m_prepared;
    if (m_letsEnd)
        return everyWorker(&Worker::idle);
    return m_kind == PhaseKind::drain && m_drainPassed && m_ledger.outstanding() == 0;
}

void MailWorkload::collect(run::WorkloadTick& tick, std::uint32_t, Nanoseconds length)
{
    for (auto& worker : m_workers)
        worker->rethrow();
    const bool idle = everyWorker(&Worker::idle); // before the journals: what they tell is then complete
    metrics::Slab slab = metrics::Slab::of(m_series.list());
    std::array<std::uint64_t, plan::kActionKinds> waiting {};
    for (auto& worker : m_workers)
        worker->collect(slab, m_origin + tick.end, waiting);
    m_series.list().showCounts(slab.counts, tick.values);
    tick.sent = slab[m_series.total().sent];
    if (isPreparation(m_kind))
        collectPreparation(tick, slab, idle);
    collectActions(tick, slab, waiting);
    tick.received = collectJournals(tick); // of the tick in which the control thread reads of them
    tick.values[m_series.total().received.id()] = static_cast<double>(tick.received);
    if (const auto delivery = m_series.delivery())
        slab[*delivery] = m_ledger.takeDeliveryTimes();
    fillLevels(tick, length, slab[m_series.lag()]);
    tick.histograms = std::move(slab.histograms);

    if (m_kind == PhaseKind::drain)
        drain(idle);
}

/// What was due is what began, and what has come to wait beside it.
void MailWorkload::collectActions(run::WorkloadTick& tick, const metrics::Slab& slab,
    const std::array<std::uint64_t, plan::kActionKinds>& waiting)
{
    for (const plan::ActionKind kind : m_series.kinds()) {
        const auto index = static_cast<std::size_t>(kind);
        const MailSeries::Counts& counts = m_series.counts(kind);
        const std::uint64_t come = slab[counts.begun] + waiting[index] + slab[counts.givenUp];
        tick.values[counts.due.id()] = static_cast<double>(come - std::min(come, m_waiting[index]));
    }
    m_waiting = waiting;
}

void MailWorkload::drain(bool idle)
{
    if (!m_drainBegun) {
        if (!idle && monoNow() < m_drainForced)
            return;
        m_drainBegun = true;
        m_ledger.beginDrain(monoNow() - m_origin);
        beginDrainPass(allOwingFirst());
    } else if (everyWorker(
                   &Worker::played)) { // whatever older actions, a long session say, are still under way
        m_drainPassed = m_drainPassed || idle;
        if (m_ledger.outstanding() == 0)
            return;
        const auto owed = std::make_shared<const OwedCopies>(m_ledger.owed());
        for (auto& worker : m_workers)
            worker->owe(owed);
        beginDrainPass(m_ledger.owingMailboxes());
    }
}

/// Every mailbox; those that owe something first, so that a short drain is spent well.
std::vector<std::uint32_t> MailWorkload::allOwingFirst() const
{
    std::vector<std::uint32_t> mailboxes = m_ledger.owingMailboxes();
    std::vector<bool> owes(m_setup->plan.largestMix());
    for (const std::uint32_t mailbox : mailboxes)
        owes[mailbox] = true;
    for (std::uint32_t i = 0; i < owes.size(); ++i)
        if (!owes[i])
            mailboxes.push_back(i);
    return mailboxes;
}

std::uint64_t MailWorkload::collectJournals(run::WorkloadTick& tick)
{
    std::vector<RetrievedCopy> retrieved;
    for (auto& worker : m_workers) {
        worker->journal().collect([&](JournalPages& pages) {
            for (const AcceptedCopy& copy : pages.accepted)
                m_ledger.accepted(copy);
            retrieved.insert(retrieved.end(), pages.retrieved.begin(), pages.retrieved.end());
            for (auto& [mailbox, damage] : pages.damages)
                m_ledger.explain(mailbox, std::move(damage));
            for (const ForeignMail& mail : pages.foreign)
                m_ledger.foreign(mail);
            for (OracleFinding& finding : pages.findings)
                addFinding(std::move(finding));
            m_oracle.users += pages.followed;
            m_oracle.compared = m_oracle.compared.value_or(0) + pages.oracleCompared;
            m_oracle.checks += pages.oracleChecks;
            for (const MailboxRead& read : pages.reads)
                m_ledger.readToEnd(read.mailbox, read.began);
            for (metrics::ErrorCount& row : pages.errors)
                addError(tick, std::move(row));
            for (Transcript& transcript : pages.transcripts)
                if (m_transcripts[{ transcript.phase, transcript.kind }]++ < kTranscriptsPerPhase)
                    tick.transcripts.push_back(std::move(transcript));
            for (std::string& text : pages.notes)
                if (++m_notes <= kMostNotes)
                    tick.events.push_back({ monoNow() - m_origin, Severity::info, std::move(text) });
                else if (m_notes == kMostNotes + 1)
                    tick.events.push_back({ monoNow() - m_origin, Severity::info,
                        isPreparation(m_kind) ? "further notes about mailboxes are left out here; the "
                                                "counters of mailboxes count them"
                                              : "further notes about users are left out here" });
            for (std::string& text : pages.warnings)
                if (m_warnings.insert(text).second)
                    tick.events.push_back({ monoNow() - m_origin, Severity::warning, std::move(text) });
            if (m_trace != nullptr)
                std::fwrite(pages.trace.data(), 1, pages.trace.size(), m_trace);
            pages.clear();
        });
    }
    // After the acceptances of all workers: most retrievals then find theirs.
    std::uint64_t first = 0;
    for (const RetrievedCopy& copy : retrieved)
        first += m_ledger.retrieved(copy) ? 1 : 0;
    tick.audit = m_ledger.totals();
    return first;
}

void MailWorkload::fillLevels(run::WorkloadTick& tick, Nanoseconds length, const Histogram& lag)
{
    const auto set = [&](series::CounterHandle counter, double value) { tick.values[counter.id()] = value; };
    const MailSeries::Total& total = m_series.total();
    double busiest = 0;
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        const Nanoseconds cpu = m_workers[i]->cpuTime();
        const double use = 100 * seconds(cpu - m_cpuBefore[i]) / seconds(length);
        m_cpuBefore[i] = cpu;
        set(m_series.workers()[i], use);
        busiest = std::max(busiest, use);
        tick.sessions += m_workers[i]->sessions();
    }
    tick.users = m_users;
    set(total.sessions, static_cast<double>(tick.sessions));
    set(total.users, static_cast<double>(m_users));
    set(total.outstanding, static_cast<double>(tick.audit.outstanding));
    set(total.late, static_cast<double>(tick.audit.late));
    set(total.twice, static_cast<double>(tick.audit.twice));
    set(total.damaged, static_cast<double>(tick.audit.damaged));
    set(total.lost, static_cast<double>(tick.audit.lost));
    set(total.busiestWorker, busiest);
    set(total.loopLag, seconds(lag.maximum()));
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    const bool follows = m_setup->purpose == RunPurpose::run && m_setup->plan.workload.oracle > 0;
    set(total.oracleUsers, follows ? static_cast<double>(m_oracle.users) : kMissing);
    set(total.oracleChecks, follows ? static_cast<double>(m_oracle.checks) : kMissing);
    set(total.oracleFindings, follows ? static_cast<double>(m_oracle.findings) : kMissing);
    set(total.oracleCompared, follows ? static_cast<double>(m_oracle.compared.value_or(0)) : kMissing);
}

/// So that a server that never says the same words twice does not fill the recording with them.
void MailWorkload::addError(run::WorkloadTick& tick, metrics::ErrorCount row)
{
    std::set<std::string>& kept = m_wordings[{ row.where, row.kind, row.code }];
    if (kept.size() < kMostWordings)
        kept.insert(row.text);
    else if (!kept.contains(row.text))
        row.text.clear();
    const auto same =
        std::find_if(tick.errors.begin(), tick.errors.end(), [&](const metrics::ErrorCount& other) {
            return other.where == row.where && other.kind == row.kind && other.code == row.code
                && other.text == row.text;
        });
    if (same == tick.errors.end())
        tick.errors.push_back(std::move(row));
    else
        same->count += row.count;
}

void MailWorkload::addFinding(OracleFinding finding)
{
    ++m_oracle.findings;
    if (m_findings.size() < Ledger::kMaxExceptions)
        m_findings.push_back({ AuditFinding::wrong, "",
            plan::mailboxName(m_setup->plan.target, finding.mailbox), finding.at, std::move(finding.what) });
}

void MailWorkload::endLoad()
{
    if (!std::exchange(m_ending, true))
        m_drained = monoNow() >= m_drainEnd;
    for (auto& worker : m_workers)
        worker->stop();
}

void MailWorkload::stop()
{
    endLoad();
    for (auto& worker : m_workers)
        worker->join();
}

void MailWorkload::conclude(history::RunEnd& end)
{
    run::WorkloadTick rest; // what the last sessions told on their way out
    collectJournals(rest);
    if (const Result<void> concluded = m_ledger.conclude(m_drained); !concluded)
        end.invalidReasons.push_back({ concluded.error().message });
    end.audit = m_ledger.totals();
    if (const std::uint64_t failed = m_preparation.totals().failed; failed > 0)
        end.invalidReasons.push_back(
            { fmt::format("{} of {} mailboxes could not be {}", failed, m_preparation.totals().mailboxes,
                m_setup->purpose == RunPurpose::cleanUp ? "cleaned" : "initialised") });
    end.audited = m_setup->purpose == RunPurpose::run && m_setup->plan.drainKind().has_value();
    end.exceptions = m_ledger.exceptions();
    end.exceptions.insert(end.exceptions.end(), m_findings.begin(), m_findings.end());
    if (m_trace != nullptr && (std::fflush(m_trace) != 0 || std::ferror(m_trace) != 0))
        end.invalidReasons.push_back({ "the command trace is incomplete: it could not be written to "
            + m_setup->commandTrace.string() });
}

} // namespace loadstone::mail
