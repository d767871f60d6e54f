// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_reader.h"
#include "metrics/tick.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::history {

/// The ticks of several recordings as those of one, by key. What makes them fit is for the caller to check.
class TickMerge {
public:
    using Part = const RecordingReader*;
    /// The parts stay where they are. Their ticks of one number are one tick.
    explicit TickMerge(std::vector<Part> parts);

    /// An Error names a series that is not the same in all.
    Result<void> matchSeries();
    /// Dense ids; in the order of the first part, then what only others have.
    [[nodiscard]] const std::vector<CounterInfo>& counters() const { return m_counters; }
    [[nodiscard]] const std::vector<HistogramInfo>& histograms() const { return m_histograms; }
    /// Values, latencies and failures of the ticks; their numbers, times and phases are for the caller to set.
    Result<std::vector<metrics::Tick>> read(TickRange range) const;

private:
    /// A series of one part that goes into a merged one.
    struct Input {
        std::size_t part = 0;
        std::uint32_t id = 0;
        std::optional<std::uint32_t> weight; ///< the counter that its means are weighed with
    };
    [[nodiscard]] bool isSharedHost(std::size_t part, const CounterInfo& info) const;
    Result<void> readCounter(std::uint32_t id, TickRange range, std::vector<metrics::Tick>& ticks) const;
    Result<void> readHistogram(std::uint32_t id, TickRange range, std::vector<metrics::Tick>& ticks) const;
    Result<void> readFailures(TickRange range, std::vector<metrics::Tick>& ticks) const;
    /// One per tick of the range; behind the part's end a level's last sample, and of a count none: 0 of a sum.
    Result<std::vector<double>> samples(std::size_t part, std::uint32_t id, TickRange range) const;

    std::vector<Part> m_parts;
    std::vector<CounterInfo> m_counters;
    std::vector<HistogramInfo> m_histograms;
    std::vector<std::vector<Input>> m_counterInputs, m_histogramInputs; // by merged id
};

} // namespace loadstone::history
