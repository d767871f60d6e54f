// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/compared.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// By how much chance alone moves a figure from one run to the next, and which differences are more than that. After ISO 5725-2:2019
/// (repeatability standard deviation, pooled over groups) and ISO 5725-6:1994, 4.2 (critical difference of two means). Any thread.
namespace loadstone {

/// Standard deviation of single runs under the same conditions.
struct Repeatability {
    double deviation = 0; ///< of the values, or of their natural logarithms
    bool logarithmic = false;
    double degrees = 0; ///< of freedom: runs less groups
    std::size_t runs = 0, groups = 0; ///< that it was pooled over: "from 14 runs in 5 groups"
    bool ownSpread = false; ///< from the compared runs alone, for there is no history
    /// The baseline's runs before and after those of others (A B A) are groups of their own, which costs a degree of freedom.
    bool parted = false;
    bool operator==(const Repeatability&) const = default;
};
/// Times, rates and latencies scatter in proportion to their size, so their logarithms are compared; shares, levels and counts are
/// compared as they are.
bool isLogarithmic(const ComparedValue& value);

/// Where the spread of rows comes from: groups of repeats in the history and among the compared runs. Runs are repeats of each other if
/// their configuration is the same and no more than a week lies between one and the next. Runs that are live, invalid, cut short, failed
/// or from elsewhere are left out, and so are values that are bounds, missing, or of another version of the definition.
class RepeatPool {
public:
    static constexpr std::size_t kMostRuns = 400; ///< of the history, the newest
    RepeatPool();
    RepeatPool(RepeatPool&&) noexcept;
    RepeatPool& operator=(RepeatPool&&) noexcept;
    ~RepeatPool();
    RepeatPool(const RepeatPool&) = delete;
    RepeatPool& operator=(const RepeatPool&) = delete;
    /// A run of the history; one that is compared as well counts once.
    void add(const ComparedRun& run);
    /// The same from what encodeCompared() wrote, without the work of making a run of it. An Error adds nothing.
    Result<void> add(std::string_view encoded);
    /// The runs of one column, which are repeats whatever their configuration.
    void addColumn(const ComparedColumn& column);
    /// Of a row in mixes like this one: the nearest load of each run (of those without a load the one of the same name), and a
    /// measurement, both between half and twice as much, and the same pooling key. `mix` null: of whole runs, each complete mix of which is like that of `whole` in its place.
    /// Logarithms only if all values are above 0, and `logarithmic`. None: no group of two runs.
    [[nodiscard]] std::optional<Repeatability> of(const std::string& poolingKey, const ComparedMix* mix,
        const ComparedValue& like, bool logarithmic = true, const ComparedRun* whole = nullptr) const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Student's t: the two-sided quantile at `level` ("0.05" gives 2.086 for 20 degrees). More than 0 degrees, 0 < level < 1.
double studentQuantile(double level, double degrees);
/// The two-sided p of a difference of means of n1 and n2 runs; 1 without degrees of freedom. A deviation of 0 gives 0 for every
/// difference above 0.
double pairP(const Repeatability& spread, double difference, std::size_t n1, std::size_t n2);
/// t(level, degrees) * deviation * sqrt(1/n1 + 1/n2), on the scale of the deviation.
double criticalDifference(const Repeatability& spread, double level, std::size_t n1, std::size_t n2);

/// S. Holm, "A simple sequentially rejective multiple test procedure" (Scandinavian Journal of Statistics 6, 1979): which of these p are
/// shown so that the chance of any false one among them all is at most `level`. In the order of `p`.
std::vector<bool> holm(std::span<const double> p, double level);

/// How many more repeats of each side would show a difference.
struct MoreRepeats {
    std::size_t more = 0; ///< of each side
    double shows = 0; ///< the critical difference then, on the scale of the deviation
};
/// The least number (at most 8) with which `wanted` is at least the critical difference; if there is none, what 8 would show.
MoreRepeats repeatsToShow(
    const Repeatability& spread, double wanted, double level, std::size_t n1, std::size_t n2);

} // namespace loadstone
