// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"
#include "plan/model/plan.h"
#include "run/workload.h"
#include "storage/device/file_mark.h"
#include "storage/raw/raw_worker.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::storage {

/// A raw device test that may begin: its place was looked at, its file claimed.
struct RawSetup {
    plan::RawPlan plan;
    unsigned workers = 1;
    std::string volume;
    std::optional<ClaimedFile> file; ///< none: a block device
    FileDescriptor blockDevice; ///< held alone while the run lasts
    std::vector<std::string> warnings; ///< for the event log
};

/// Looks at the place that the plan names and claims it. An Error says why nothing may be written there, and what to do.
/// `historyFolder`: where the run will be recorded.
Result<std::unique_ptr<RawSetup>> setUpRawTest(
    const plan::RawPlan& plan, unsigned workers, const std::filesystem::path& historyFolder);

/// Fills the file once, then loads the device as each mix has it. An I/O error ends the run, with all that was measured kept.
class RawWorkload final : public run::Workload {
public:
    explicit RawWorkload(std::unique_ptr<RawSetup> setup);
    ~RawWorkload() override;

    [[nodiscard]] std::vector<run::PlannedPhase> phases() const override;
    [[nodiscard]] run::WorkloadSeries series() const override;
    [[nodiscard]] std::vector<counters::LoadThread> loadThreads() const override;
    Result<void> start(MonoTime origin) override;
    void enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime end) override;
    [[nodiscard]] bool phaseComplete() const override;
    void collect(run::WorkloadTick& tick, std::uint32_t phase, Nanoseconds length) override;
    void stop() override;
    void conclude(history::RunEnd& end) override;

    /// Ids of the response times of reads and writes, for the status line.
    [[nodiscard]] std::vector<std::uint32_t> responseHistograms() const;

private:
    [[nodiscard]] bool isFilled() const;
    Result<void> makeFile();
    void finishFilling();
    void fillLevels(run::WorkloadTick& tick, const metrics::Slab& slab, Nanoseconds length);
    void fillDue(run::WorkloadTick& tick, const metrics::Slab& slab,
        const std::array<std::uint64_t, RawSeries::kFlush>& waiting);

    std::unique_ptr<RawSetup> m_setup;
    RawSeries m_series;
    bool m_filled; // before the run began, or by it
    std::vector<std::unique_ptr<RawWorker>> m_workers;
    std::vector<Nanoseconds> m_cpuBefore; // per worker
    std::array<std::uint64_t, RawSeries::kFlush> m_waiting {}; // due and not begun at the last tick
    std::vector<RunEvent> m_events; // until the next tick
    MonoTime m_origin {};
    std::int32_t m_mix = -2; // whose load is on; -1: the filling, -2: none
    bool m_filling = false;
    std::uint64_t m_bytesFilled = 0;
    Nanoseconds m_timeFilling {};
    std::string m_failure;
};

} // namespace loadstone::storage
