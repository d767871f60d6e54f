// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/results/generator_health.h"

#include <deque>
#include <string>
#include <vector>

namespace loadstone::run {

/// Whether the generator is the bottleneck just now, for the status line: judged over the last ticks by what judges recordings. Of what
/// is missing it says nothing: the verdict, which does, comes from the recording. The control thread only.
class Health {
public:
    /// `counters` and `histograms`: of the recording.
    Health(const plan::HealthLimits& limits, const std::vector<CounterInfo>& counters,
        const std::vector<HistogramInfo>& histograms)
        : m_limits(limits)
        , m_series(analysis::generatorSeries(counters, histograms))
    {
    }

    /// Nothing is known any more: a phase that is not judged has begun.
    void clear() { m_recent.clear(); }
    /// One tick, by ids.
    void add(Nanoseconds length, std::span<const double> values, const std::vector<Histogram>& histograms);
    /// Why the last ticks are not the target's alone; empty when they are.
    [[nodiscard]] std::string live() const;

private:
    plan::HealthLimits m_limits;
    analysis::GeneratorSeries m_series;
    std::deque<analysis::GeneratorEvidence> m_recent; // the last ticks
};

} // namespace loadstone::run
