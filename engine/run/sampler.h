// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/counter_source.h"
#include "run/workload.h"

#include <memory>
#include <vector>

namespace loadstone::run {

/// Makes ticks: the workload's counters and latencies, then each source's counters, then the generator's own.
/// The control thread only.
class Sampler {
public:
    Sampler(Workload& workload, std::vector<std::unique_ptr<counters::CounterSource>> sources);

    /// All series of the recording, ids assigned.
    [[nodiscard]] const std::vector<CounterInfo>& counters() const noexcept { return m_counters; }
    [[nodiscard]] const std::vector<HistogramInfo>& histograms() const noexcept { return m_histograms; }

    /// Takes the first values of what needs two, at the run's start.
    void prime();
    /// What the control thread knows of itself.
    struct Control {
        std::size_t storeQueue = 0; ///< ticks that wait for the disk
        std::uint64_t overruns = 0; ///< how often this tick had to go on because the queue was full
        Nanoseconds lag {}; ///< how late it ends
    };
    /// Reads everything. The workload's part stays in lastWorkload().
    metrics::Tick sample(std::uint64_t number, Nanoseconds begin, Nanoseconds end, std::uint32_t phase,
        const Control& control);
    [[nodiscard]] const WorkloadTick& lastWorkload() const noexcept { return m_workloadTick; }
    WorkloadTick& lastWorkload() noexcept { return m_workloadTick; }

private:
    Workload& m_workload;
    std::vector<std::unique_ptr<counters::CounterSource>> m_sources;
    std::vector<std::size_t> m_sizes; // how many counters each of them has: describing them takes time
    std::vector<CounterInfo> m_counters;
    std::vector<HistogramInfo> m_histograms;
    std::size_t m_workloadCounters = 0;
    WorkloadTick m_workloadTick;
};

} // namespace loadstone::run
