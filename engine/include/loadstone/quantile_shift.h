// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/comparison.h"
#include "loadstone/histogram.h"
#include "loadstone/key.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/time.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Percentiles of two systems compared by their histograms.
namespace loadstone {

/// By how much one percentile differs.
struct QuantileShift {
    double percentile = 50; ///< 0..100
    double before = 0, after = 0; ///< s
    /// after - before, with an interval within which 95 % of the shifts lie when the stretches of both sides are drawn again. It is about these
    /// runs alone: other runs differ by more.
    double shift = 0, low = 0, high = 0;
    bool atLeast = false; ///< one of both is in the last bucket: the shift is not known
};

/// The latencies of one side, in stretches of its measurement, in order of time; of several runs one after the other.
using LatencyStretches = std::vector<Histogram>;
/// Stretches of a latency of a run (response, service or delivery times) within a window, about `count` of them.
Result<LatencyStretches> latencyStretches(
    const Recording& recording, const SeriesKey& latency, const TimeWindow& window, std::size_t count = 40);

/// The latencies of a column: of all its repeats that count (countingRuns()), one after the other. Each recording is opened once. One thread.
class ColumnLatencies {
public:
    /// The column outlives this.
    explicit ColumnLatencies(const ComparedColumn& column);
    /// Over the measurement of a mix: `mix` is its index in the column's first run, and the others' mix is the one of the same name and load.
    /// Empty where no repeat has such a latency; fewer than there are when `stop` turns true. An Error when a recording cannot be read.
    Result<LatencyStretches> read(
        std::size_t mix, const SeriesKey& latency, const std::atomic<bool>* stop = nullptr);
    [[nodiscard]] bool hasRuns() const; ///< one at least counts

private:
    Result<const Recording*> open(std::size_t run);

    const ComparedColumn& m_column;
    std::vector<bool> m_counts; // of each run
    std::map<std::size_t, Recording> m_recordings; // of each run that was read
};

/// Shifts of these percentiles by a moving block bootstrap (Künsch, Annals of Statistics 17, 1989): blocks of about the cube root of the
/// number of stretches are drawn with replacement, so that what follows each other in time stays together. Same input, same result.
/// Empty where one side has no samples, or fewer than four stretches. Any thread; some 10 ms for 2 x 40 stretches.
std::vector<QuantileShift> quantileShifts(const LatencyStretches& before, const LatencyStretches& after,
    const std::vector<double>& percentiles = { 50, 95, 99 }, std::size_t draws = 400, std::uint64_t seed = 1);
/// The same for 1, 5, 10, 20, … 90, 95, 99, 99.5, 99.9: where in the distribution it changed.
std::vector<QuantileShift> quantileCurve(const LatencyStretches& before, const LatencyStretches& after);

/// Of response times of one action in two columns, all repeats of each together.
struct PercentileShifts {
    std::string mix; ///< name
    std::string action;
    std::size_t before = 0, after = 0; ///< indices of the columns
    std::string what; ///< "1,000 users, Send message: b against a"
    std::string reason; ///< why there are no shifts; empty: there are
    std::vector<QuantileShift> shifts;
};
/// Curves of quantile differences from the baseline, of the actions with one of these texts in their names (case ignored; one that is empty
/// fits all), in all mixes; a reason in the place of those without samples on one side. Opens the recordings: some time for long runs. An
/// Error when one cannot be read.
Result<std::vector<PercentileShifts>> percentileShifts(const std::vector<ComparedColumn>& columns,
    const Comparison& comparison, const std::vector<std::string>& actions);

} // namespace loadstone
