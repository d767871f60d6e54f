// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/run/mail_workload.h"
#include "run/workload.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadstone::mail {

/// A run on several targets: a mail workload for each, played side by side through the same phases. Its series are those of one
/// workload for all targets together, and behind them each target's own; what is about one target alone names it (see
/// history/target_view.h).
class SeveralTargets final : public run::Workload {
public:
    /// One setup for each part of `plan`, in their order.
    SeveralTargets(const plan::MailPlan& plan, std::vector<std::unique_ptr<MailSetup>> setups);

    [[nodiscard]] std::vector<run::PlannedPhase> phases() const override;
    [[nodiscard]] run::WorkloadSeries series() const override;
    [[nodiscard]] std::vector<counters::LoadThread> loadThreads() const override;
    Result<void> start(MonoTime origin) override;
    void enter(const run::PlannedPhase& phase, MonoTime begin, MonoTime end) override;
    [[nodiscard]] bool phaseComplete() const override;
    void collect(run::WorkloadTick& tick, std::uint32_t phase, Nanoseconds length) override;
    void stop() override;
    void conclude(history::RunEnd& end) override;

private:
    struct Part {
        std::string name;
        std::unique_ptr<MailWorkload> workload;
        run::WorkloadSeries series;
        std::vector<std::uint32_t> counters, histograms; // ids together, by the workload's own
        std::vector<std::optional<std::uint32_t>> ownCounters; // this target's alone, likewise
        std::uint32_t ownHistograms = 0; // the first of them
    };
    void addValues(run::WorkloadTick& tick, const Part& part, std::span<const double> values) const;
    void addHistograms(run::WorkloadTick& tick, const Part& part, std::vector<Histogram> histograms) const;

    std::vector<Part> m_parts;
    run::WorkloadSeries m_series;
};

} // namespace loadstone::mail
