// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/kernel_log.h"
#include "run/workload.h"
#include "storage/load/load_tuner.h"
#include "storage/test/group_worker.h"
#include "storage/test/storage_series.h"
#include "storage/test/storage_setup.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace loadstone::storage {

/// A storage test: makes what is missing of its groups, then goes through the plan's tests, one after the other. A failure ends
/// the run, with all that was measured kept.
class StorageWorkload final : public run::Workload {
public:
    explicit StorageWorkload(std::unique_ptr<StorageSetup> setup);
    ~StorageWorkload() override;

    [[nodiscard]] std::vector<run::PlannedPhase> phases() const override;
    [[nodiscard]] run::WorkloadSeries series() const override;
    [[nodiscard]] std::vector<counters::LoadThread> loadThreads() const override;
    Result<void> start(MonoTime origin) override;
    void enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime end) override;
    [[nodiscard]] bool phaseComplete() const override;
    [[nodiscard]] bool over() const override;
    void collect(run::WorkloadTick& tick, std::uint32_t phase, Nanoseconds length) override;
    void stop() override;
    void conclude(history::RunEnd& end) override;

    /// Ids of the response times of transactions, for the status line.
    [[nodiscard]] std::vector<std::uint32_t> responseHistograms() const
    {
        return { m_series.transactions().response.id() };
    }

private:
    void addPhases(std::vector<run::PlannedPhase>& phases, std::size_t test) const;
    void order(const GroupOrders& orders);
    void fillLevels(run::WorkloadTick& tick, const metrics::Slab& slab, Nanoseconds length);
    void addErrors(run::WorkloadTick& tick);
    [[nodiscard]] std::optional<Nanoseconds> phaseLeft();
    void beginTuning();
    void tune(const metrics::Slab& slab, Nanoseconds length);
    void adjust(double load);
    [[nodiscard]] bool allFulfilled() const;
    void remove();

    std::unique_ptr<StorageSetup> m_setup;
    StorageSeries m_series;
    std::vector<std::unique_ptr<GroupWorker>> m_workers;
    std::vector<Nanoseconds> m_cpuBefore; // per worker
    std::vector<RunEvent> m_events; // until the next tick
    MonoTime m_origin {}, m_phaseBegin {};
    PhaseKind m_phase = PhaseKind::initialisation;
    const plan::StorageTestStep* m_step = nullptr; // of the present phase; none: initialisation, clean-up
    std::optional<counters::KernelLog> m_kernel; // none: it may not be read
    std::optional<LoadTuner> m_tuner; // of the present warm-up
    MonoTime m_tunedUntil {}; // the load that it has found is warming up
    std::string m_failure;
    std::optional<MonoTime> m_failedAt; // then what the other groups do was ended
    bool m_done = false; // the present orders are carried out, and all that it came to was collected
    std::map<const GroupWorker*, std::uint64_t> m_doneBefore; // of what goes on, when the phase began
    std::thread m_remover; // of clean-up
    std::atomic<bool> m_removed { false };
    std::string m_removal; // why it failed; after m_removed
    std::mutex m_removalMutex;
    std::vector<RunEvent> m_removalEvents;
};

} // namespace loadstone::storage
