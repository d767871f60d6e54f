// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/recording.h"
#include "loadstone/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// One action of a score, with the columns of LsLog's table.
struct ScoreRow {
    std::string key; ///< as weights name it: "read"
    std::string action; ///< as results name it: "Read message"
    double weight = 0; ///< 0 or more; only their ratio counts
    std::uint64_t hits = 0; ///< actions that ended well; 0 if percentiles were given instead of measured
    Nanoseconds percentile {}; ///< of the response time, at the score's percentile
    Nanoseconds p50 {}, mean {}, standardDeviation {};
    std::uint64_t unfinished = 0; ///< at the window's end; they count in the figures with their age
    bool percentileAtLeast = false, p50AtLeast = false, meanAtLeast = false; ///< only a lower bound is known
    /// An upper bound of the percentile, however unfinished actions end; none: no bound.
    std::optional<Nanoseconds> percentileAtMost {};
    SeriesKey series {}; ///< the latencies from which it is computed
    bool operator==(const ScoreRow&) const = default;
};

/// A weighted mean of percentiles: the sum of weight times percentile over the sum of weights, of all actions that have a
/// weight and happened.
struct Score {
    double percentile = 95; ///< 0 to 100
    TimeWindow window; ///< of the ticks that were taken, since the run's start
    std::vector<ScoreRow> rows; ///< of all weights, those without hits included
    std::optional<Nanoseconds> value; ///< none if no action with a weight happened
    bool atLeast = false; ///< a percentile in it is a lower bound, and so is the value
    std::optional<Nanoseconds>
        atMost; ///< an upper bound of the value, however unfinished actions end; none: no bound
    std::string weightsFrom; ///< where the weights were read
    [[nodiscard]] std::size_t happened() const; ///< actions that have a weight and happened
    [[nodiscard]] double shareOfWeights() const; ///< their share of all weights, 0 to 1
    bool operator==(const Score&) const = default;
};

/// The inputs of a score: percentile, window and weights.
struct ScoreOptions {
    double percentile = 95; ///< 0 to 100
    std::optional<Nanoseconds> from, to; ///< since the run's start; default: the last mix's measurement
    std::filesystem::path weights; ///< a profile or a file with a [score] table; empty: the run's own profile
};

/// Computes a score from the stored histograms of a run, whole or still growing. A tick counts when it ends within the
/// window. Errors say what is wrong with the window or the weights.
Result<Score> computeScore(const Recording& recording, const ScoreOptions& options);
/// The same from percentiles that were measured elsewhere: "read=340 ms, send=711 ms".
Result<Score> scoreOf(const std::string& given, const ScoreOptions& options);

/// The file of weights that a person names: a file, or else the name of a shipped profile.
std::filesystem::path findWeights(const std::string& name);
/// The names of the shipped profiles, all of which state weights, in alphabetical order.
std::vector<std::string> shippedWeights();
/// The run has a profile that states weights; without one, computeScore() needs those of another.
bool bringsWeights(const Recording& recording);

} // namespace loadstone
