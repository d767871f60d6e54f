// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Cells of a comparison: their numbers, then their words.
namespace loadstone::compare {

/// A row in one column before it is judged.
struct Side {
    std::vector<const ComparedValue*>
        values; ///< of each run of the column; null: it has none, or the run does not count
    const ComparedMix* mix = nullptr; ///< of the first run that has it; null: of whole runs, or there is none
    const ComparedRun* whole = nullptr; ///< of rows of whole runs: the first run that has the row
    std::string poolingKey;
    bool external = false;
    bool cutShort = false; ///< the measurement of the mix
    std::size_t missing = 0; ///< runs that count, and have no such value while others of the column have
    [[nodiscard]] const ComparedValue* first() const;
    /// Whether one of these runs of the column counts and has a value.
    [[nodiscard]] bool has(const std::vector<std::size_t>& runs) const;
};

/// What is known of a cell beside its values.
struct CellContext {
    const CompareOptions& options;
    const RepeatPool& pool;
    const std::optional<Repeatability>& spread; ///< of the baseline's row
    bool comparable = true; ///< of run and mix
    std::string reason; ///< why not
    bool shared = false; ///< a run is in both columns
    bool control = false; ///< it only tells how far the baseline drifted
};

/// How a row of counts is printed that has this mean: with decimals where it is no whole number, for one lost message in three runs is not 0.
/// Large ones stay whole.
Rounding roundingOfMean(const Rounding& ofCounts, double mean);
/// Mean, dots and flags of one side. `logarithmic`: the geometric mean.
void fillCell(const Side& side, bool logarithmic, ComparedCell& cell);
/// Whether a row is compared by logarithms: what it is, and all values are above 0.
bool comparesLogarithms(const std::vector<Side>& sides);

/// Numbers of a cell against the baseline's, its p where it can have one, and the words that need no p. True: it is one of those that a
/// word is looked for.
bool judgeNumbers(const Side& base, const ComparedCell& baseCell, const Side& side, bool logarithmic,
    Better better, const CellContext& context, ComparedCell& cell);
/// The word of a cell that judgeNumbers() was true for. `shown`: by Holm's procedure over `looked` cells.
void judgeWord(const ComparedCell& baseCell, const Side& base, const Side& side, Better better,
    const CellContext& context, bool logarithmic, bool shown, std::size_t looked, ComparedCell& cell);

/// Of values of the baseline before and after the others; none: not known, as where one is a lower bound.
std::optional<ControlDrift> driftOf(const std::vector<const ComparedValue*>& before,
    const std::vector<const ComparedValue*>& after, const Side& base, bool logarithmic,
    const CellContext& context);
/// A row whose control moved by more than chance.
void voidCell(const ControlDrift& drift, ComparedCell& cell);

/// "+5.2 %", "2.1 %"; one decimal, two where it is small.
std::string percentText(double share, bool sign);

} // namespace loadstone::compare
