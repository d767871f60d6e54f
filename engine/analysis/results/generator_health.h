// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/layout.h"
#include "plan/model/health_limits.h"

#include <loadstone/histogram.h>
#include <loadstone/recording.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadstone::analysis {

// The counters of the generator, by their places in a recording.

/// Ids; none: there is no such series. What a workload does not have, as event loops in a storage test, is not judged.
struct GeneratorSeries {
    std::optional<std::uint32_t> workerCpu, runQueueWait, throttled, steal, loopLag, controlLag, storeOverruns;
    std::optional<std::uint32_t> slipTimes, lagTimes; ///< histograms
};
GeneratorSeries generatorSeries(
    const std::vector<CounterInfo>& counters, const std::vector<HistogramInfo>& histograms);

/// What is known of the generator over some ticks. A value that is missing is not taken for a good one.
class GeneratorEvidence {
public:
    /// One tick's counters.
    void add(const GeneratorSeries& series, std::span<const double> values, Nanoseconds length);
    void addSlip(const Histogram& times) { m_slip.merge(times); }
    void addLag(const Histogram& times) { m_lag.merge(times); }
    void add(const GeneratorEvidence& other);

    /// Limits that are exceeded: "timer slip p99 12.0 ms (limit 10 ms)".
    [[nodiscard]] std::vector<std::string> exceeded(const plan::HealthLimits& limits) const;
    /// What cannot be judged though there is a limit for it: "how long load threads waited for a processor". `ofLoad`: there is
    /// a load that is to be kept up, and not work that goes as fast as it can.
    [[nodiscard]] std::vector<std::string> unknown(
        const GeneratorSeries& series, const plan::HealthLimits& limits, bool ofLoad) const;

private:
    /// Weighted by the length of ticks.
    struct Mean {
        double sum = 0, seconds = 0;
        void add(double value, double length);
        void add(const Mean& other);
        [[nodiscard]] double value() const { return seconds > 0 ? sum / seconds : 0; }
    };
    Histogram m_slip, m_lag;
    Mean m_workerCpu, m_runQueueWait, m_throttled, m_steal;
    double m_standstill = 0; // s, the longest
    double m_seconds = 0;
};

/// Adds what the counters of some ticks tell; the histograms are added by who has them.
Result<void> addEvidence(const Recording& recording, history::TickRange range, GeneratorEvidence& evidence);

/// Why the figures of the run's measurements are not the target's alone, as far as the recording shows; one sentence each. The same for
/// a run that goes on, has ended, or died. With a window: those of what it takes of the run, see measuredParts().
Result<std::vector<std::string>> generatorReasons(
    const Recording& recording, const std::optional<TimeWindow>& window = {});

} // namespace loadstone::analysis
