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

/// One action of a score, as LsLog's table has it.
struct ScoreRow {
    std::string key; ///< as weights name it: "read"
    std::string action; ///< as results name it: "Read message"
    double weight = 0; ///< 0 or more; only their ratio counts
    std::uint64_t hits = 0; ///< that ended well; 0 where percentiles were given instead of measured
    Nanoseconds percentile {}; ///< of the response time, at the score's percentile
    Nanoseconds p50 {}, mean {}, standardDeviation {};
    std::uint64_t unfinished = 0; ///< at the window's end: in the figures with their age
    bool percentileAtLeast = false, p50AtLeast = false, meanAtLeast = false; ///< only a lower bound is known
    /// The percentile whatever becomes of what is unfinished; none: without limit.
    std::optional<Nanoseconds> percentileAtMost {};
    SeriesKey series {}; ///< the latencies that it is made from
    bool operator==(const ScoreRow&) const = default;
};

/// A weighted mean of percentiles: the sum of weight times percentile over the sum of weights, of all actions that have a
/// weight and happened.
struct Score {
    double percentile = 95; ///< 0 to 100
    TimeWindow window; ///< of the ticks that were taken, since the run's start
    std::vector<ScoreRow> rows; ///< of all weights, those without hits included
    std::optional<Nanoseconds> value; ///< none where nothing that has a weight happened
    bool atLeast = false; ///< a percentile in it is a lower bound, and so is the value
    std::optional<Nanoseconds>
        atMost; ///< the value whatever becomes of what is unfinished; none: without limit
    std::string weightsFrom; ///< where the weights were read
    [[nodiscard]] std::size_t happened() const; ///< actions that have a weight and happened
    [[nodiscard]] double shareOfWeights() const; ///< theirs of all weights, 0 to 1
    bool operator==(const Score&) const = default;
};

/// What a score is made of: percentile, window and weights.
struct ScoreOptions {
    double percentile = 95; ///< 0 to 100
    std::optional<Nanoseconds> from, to; ///< since the run's start; default: the last mix's measurement
    std::filesystem::path weights; ///< a profile or a file with a [score] table; empty: the run's own profile
};

/// Computes a score from the stored histograms of a run, whole or still growing. A tick counts when it ends within the
/// window. Errors say what is wrong with the window or the weights.
Result<Score> computeScore(const Recording& recording, const ScoreOptions& options);
/// The same of percentiles that somebody else has measured: "read=340 ms, send=711 ms".
Result<Score> scoreOf(const std::string& given, const ScoreOptions& options);

/// What a person calls a file of weights: a file, or else the name of a shipped profile.
std::filesystem::path findWeights(const std::string& name);
/// The names of the shipped profiles, all of which state weights, in alphabetical order.
std::vector<std::string> shippedWeights();
/// The run has a profile that states weights; without one, computeScore() needs those of another.
bool bringsWeights(const Recording& recording);

} // namespace loadstone
