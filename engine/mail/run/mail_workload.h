// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"
#include "mail/audit/ledger.h"
#include "mail/prepare/preparation_progress.h"
#include "mail/run/worker.h"
#include "mail/users/mail_setup.h"
#include "run/workload.h"

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace loadstone::mail {

/// A suite of mixes, of scripts over SMTP and POP3 or of users over SMTP and IMAP: workers play the schedules, the ledger audits what was delivered.
class MailWorkload final : public run::Workload {
public:
    explicit MailWorkload(std::unique_ptr<MailSetup> setup);
    ~MailWorkload() override;

    [[nodiscard]] std::vector<run::PlannedPhase> phases() const override;
    [[nodiscard]] run::WorkloadSeries series() const override;
    [[nodiscard]] std::vector<counters::LoadThread> loadThreads() const override;
    Result<void> start(MonoTime origin) override;
    void enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime end) override;
    [[nodiscard]] bool phaseComplete() const override;
    void collect(run::WorkloadTick& tick, std::uint32_t phase, Nanoseconds length) override;
    void stop() override;
    /// The first half of stop(): asks the threads to end, and returns before they have.
    void endLoad();
    void conclude(history::RunEnd& end) override;

private:
    void enterPreparation(MonoTime begin);
    void collectPreparation(run::WorkloadTick& tick, const metrics::Slab& slab, bool idle);
    void collectActions(run::WorkloadTick& tick, const metrics::Slab& slab,
        const std::array<std::uint64_t, plan::kActionKinds>& waiting);
    void drain(bool idle);
    [[nodiscard]] std::vector<std::uint32_t> allOwingFirst() const;
    void beginDrainPass(const std::vector<std::uint32_t>& mailboxes);
    /// Gives how many copies were retrieved for the first time, as the ledger knows them.
    std::uint64_t collectJournals(run::WorkloadTick& tick);
    void addFinding(OracleFinding finding);
    void addError(run::WorkloadTick& tick, metrics::ErrorCount row);
    void fillLevels(run::WorkloadTick& tick, Nanoseconds length, const Histogram& lag);
    [[nodiscard]] bool everyWorker(bool (Worker::*is)() const noexcept) const;

    std::unique_ptr<MailSetup> m_setup;
    const MailSeries& m_series; // the setup's
    std::array<std::uint64_t, plan::kActionKinds> m_waiting {}; // at the last tick: due and not begun
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::vector<Nanoseconds> m_cpuBefore; // per worker
    Ledger m_ledger;
    std::uint32_t m_phase = 0; // index in the recording of the present phase
    MonoTime m_origin {}; // of the run
    bool m_entered = false;
    std::uint64_t m_users = 0;
    PhaseKind m_kind = PhaseKind::rampUp;
    bool m_letsEnd = false; // the present phase, the last one, lasts until what is under way has ended
    PreparationProgress m_preparation;
    bool m_told = false; // what the present preparation leaves out
    bool m_prepared = false; // every mailbox of the present preparation was done or given up
    std::set<std::string> m_warnings; // that were told
    std::size_t m_notes = 0; // of the present preparation or mix
    MonoTime m_drainEnd = MonoTime::max(); // as planned, once it has begun
    bool m_ending = false; // asked to end
    bool m_drained = false; // it went on to its end
    MonoTime m_drainForced {}; // when its first pass begins at the latest
    bool m_drainBegun = false; // the first pass
    bool m_drainPassed = false; // every mailbox was visited once in the drain
    OracleTotals m_oracle;
    std::vector<AuditException> m_findings; // the oracle's
    std::map<std::pair<std::uint32_t, FailureKind>, unsigned> m_transcripts; // kept per phase and kind
    std::map<std::tuple<std::string, FailureKind, int>, std::set<std::string>> m_wordings; // kept, by failure
    std::FILE* m_trace = nullptr;
};

} // namespace loadstone::mail
