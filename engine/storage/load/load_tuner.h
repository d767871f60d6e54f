// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::storage {

/// Looks for the highest load within the latency limits. A load is first given time until the latency of reads changes by less
/// than 5 ms per sample over 30 samples (the transient state), then judged by the mean of 120 samples in a row in which it changes by
/// at most 0.5 ms per sample (the stable state), on the volume where it is longest; a sample is a second. One that does not become
/// steady within 10 minutes is too high. From a good one it goes
/// to twice as much, between a good and a bad one to their middle, until they are within a tenth; after an hour the best one
/// stands. These are the rules of Jetstress's tuner as its authors told them ("unstable latency slope", Microsoft, May 2007).
class LoadTuner {
public:
    struct Limits {
        Nanoseconds databaseRead, logWrite; ///< means
    };
    /// Mean latencies of one second on each volume, and how many database transfers there were. Without transfers of a kind on a
    /// volume its latency is 0.
    struct Sample {
        std::vector<Nanoseconds> databaseRead, logWrite;
        double transfers = 0; ///< per second
    };
    /// Loads are `least` to `most`: whole numbers of something where `whole`, else database transfers per second.
    LoadTuner(const Limits& limits, double first, double least, double most, bool whole);

    /// Once a second. Something: the load to go to. Not to be called any more once done().
    std::optional<double> add(const Sample& sample);
    [[nodiscard]] bool done() const noexcept { return m_done; }
    /// The present one; once done, the highest that was good, or none where not even the least one was.
    [[nodiscard]] std::optional<double> load() const noexcept
    {
        return m_done ? m_good : std::optional(m_load);
    }
    /// The highest that was good so far.
    [[nodiscard]] std::optional<double> best() const noexcept { return m_good; }
    /// What the last load that was judged came to, for the test log; empty: none was yet.
    [[nodiscard]] const std::string& verdict() const noexcept { return m_verdict; }

private:
    enum class State { transient, stable };
    std::optional<double> giveUp();
    std::optional<double> judge(bool good);
    [[nodiscard]] std::optional<double> next() const;
    [[nodiscard]] bool even(double steepest) const;
    Limits m_limits;
    double m_load, m_least, m_most;
    bool m_whole, m_done = false;
    State m_state = State::transient;
    std::deque<Sample> m_samples; // of the present state
    std::size_t m_samplesOfLoad = 0, m_samplesOfAll = 0;
    std::optional<double> m_good, m_bad;
    std::string m_verdict;
};

} // namespace loadstone::storage
