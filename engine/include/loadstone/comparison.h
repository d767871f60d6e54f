// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/compared.h"
#include "loadstone/repeatability.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Configurations side by side. Values, any thread.
namespace loadstone {

enum class MixMatch : std::uint8_t {
    users, ///< those with the same load (and unit)
    name,
    phase, ///< the first with the first, and so on
};
const char* toString(MixMatch match); ///< "users", "name", "phase"

/// What a difference from the baseline is. There are no other words.
enum class CompareWord : std::uint8_t {
    none, ///< of the baseline itself, and where one side has no value
    better,
    worse,
    higher, ///< no direction is better
    lower, ///< likewise
    noDifferenceShown,
    cannotTell,
};
const char* toString(
    CompareWord word); ///< "", "better", "worse", "higher", "lower", "no difference shown", "cannot tell"
constexpr bool isMarked(CompareWord word) ///< a difference is shown
{
    return word >= CompareWord::better && word <= CompareWord::lower;
}

struct CompareOptions {
    static constexpr std::size_t kMostColumns = 12;
    std::size_t baseline = 0; ///< index of a column
    MixMatch match = MixMatch::users;
    double matters =
        0.02; ///< a smaller difference does not matter, shown or not: a share of the baseline's value
    double level = 0.05; ///< the chance that a whole table without differences has a marked one
    bool all = false; ///< also rows that are details: totals, plans, minima and maxima
    std::vector<std::string>
        rows; ///< only those with one of these in key, group or label, case ignored; empty: all
    std::vector<std::string>
        figures; ///< only these, details too, named as in studies (StudyComparison::figures); empty: all
    bool evenIfNotComparable = false; ///< differences and words all the same; the reasons stay
    /// A repeat of the baseline that was measured after the others (A-B-A). None: a column with the baseline's configuration, if all its
    /// runs began after those of another column.
    std::optional<std::size_t> control;
};

/// One run's value: a dot of a picture.
struct RunDot {
    std::size_t run = 0; ///< index within the column
    std::optional<double> value;
    FigureFlags flags;
    std::optional<double> withinError; ///< ComparedValue::withinError
    bool counts = true; ///< false: its run is left out of the means, as an invalid one beside valid ones
};

/// A row in a column.
struct ComparedCell {
    std::optional<double>
        value; ///< mean of the dots: the geometric one where logarithms are compared; none: missing
    FigureFlags flags; ///< lowerBound: of one of the dots
    std::string printed; ///< of a single result from elsewhere
    std::optional<Rounding> rounding; ///< of the same: by its digits; else the row's
    double slack = 0; ///< ComparedValue::slack
    std::vector<RunDot> dots;
    std::size_t missingRuns = 0; ///< runs of the column that count, and have no such value while others have
    [[nodiscard]] std::size_t runsWithValue() const; ///< those that count and have one
    // To the baseline; all empty in the baseline's own column, and where one side is missing, a bound, or not comparable:
    std::optional<double> difference; ///< in the row's unit
    std::optional<double> ratio; ///< to the baseline's value; none where that is 0 or below
    std::optional<double> change; ///< ratio - 1: -0.25 for "-25.0 %"; as ratio
    std::optional<double>
        critical; ///< the least difference in this direction that is more than chance for one row, in the row's unit
    std::optional<double> criticalChange; ///< the same as a share of the baseline's value
    std::optional<double> p; ///< two-sided, of this row alone
    std::pair<double, double> ratios { 0, 0 }; ///< least and largest ratio of all pairs of runs; 0: none
    CompareWord word = CompareWord::none;
    bool matters = false; ///< the difference is at least CompareOptions::matters
    bool withinRounding = false; ///< both printed numbers may stand for the same
    bool voided = false; ///< the control moved by more than chance
    std::string
        reason; ///< of cannotTell, and of noDifferenceShown where it needs one: no sentence, no full stop
    std::string
        wouldTell; ///< "2 more repeats of each would show 3.1 %"; empty: nothing would, or nothing needs to
};

/// How far the control moved from the baseline, of one row.
struct ControlDrift {
    double difference = 0; ///< in the row's unit
    std::optional<double> change; ///< as a share of the baseline's value
    std::optional<double> critical; ///< in the row's unit; none: not known
    bool beyond = false; ///< more than chance: the row is void
};

struct ComparisonRow {
    RowKey key;
    std::string group, label, unit;
    Rounding rounding;
    Better better = Better::neither;
    Statistic statistic = Statistic::mean;
    std::optional<Repeatability> spread; ///< none: not known
    bool geometric =
        false; ///< values of several runs are geometric means, for logarithms are compared; false: means, or no such value
    std::vector<ComparedCell> cells; ///< one for each column
    std::optional<ControlDrift> drift;
};

/// The rows of one matched mix, or of whole runs.
struct ComparisonMix {
    std::string name; ///< "1,000 users"; empty: of whole runs
    std::optional<double> load;
    std::string loadUnit;
    std::vector<std::optional<std::size_t>>
        mixes; ///< index into ComparedRun::mixes of each column's first run; none: it has none
    std::vector<ComparisonRow> rows; ///< in the order of the reports
};

/// A column against the baseline.
struct ColumnStatus {
    std::vector<std::string>
        notComparable; ///< "client: online against cached", one each; empty: nothing is known against it
    std::vector<std::string> unknown; ///< facts that one side does not state: "warm-up"
    std::vector<std::string> cautions; ///< "2 of 3 runs are valid", "run … has not ended"
    bool control = false; ///< it is the control
};

/// One run behind a column.
struct ColumnRun {
    std::size_t column = 0;
    RunId id; ///< empty: from elsewhere
    std::string title;
    WallTime started {};
    Verdict verdict = Verdict::measured;
    bool live = false; ///< it has not ended
};

/// Which runs of a column its means and percentiles are of: valid ones that were measured to their end. None where all have a fault.
std::vector<bool> countingRuns(const ComparedColumn& column);

struct Comparison {
    CompareOptions options;
    std::vector<std::string> columns; ///< names
    std::vector<std::size_t> repeats; ///< runs of each column
    std::vector<ColumnRun> runs; ///< in the order of the columns
    std::vector<bool> external; ///< each column: from elsewhere
    std::vector<ColumnStatus> status; ///< the baseline's own is of itself
    std::vector<ComparisonMix> mixes; ///< that of whole runs is the last one
    std::size_t looked = 0; ///< at how many differences a word was looked for; Holm's procedure is over these
    std::size_t marked = 0; ///< of these, shown
    std::vector<std::string> unmatched; ///< "Big: 4,000 users": mixes that no other column has
    std::vector<std::string> warnings; ///< of the whole table, one sentence each
    [[nodiscard]] bool comparable() const; ///< no column has a reason against it
};

/// Compares all columns with the baseline. An Error for fewer than two or more than twelve columns, a column without runs, or options that
/// name no column. `pool`: the history's repeats; those of the columns are added.
Result<Comparison> compareColumns(
    const std::vector<ComparedColumn>& columns, const CompareOptions& options = {}, RepeatPool pool = {});

/// Adds a row "Users / Processors" to every mix, and to the whole run, that has both figures: the first divided by the second, by name,
/// label or key, case ignored. Nothing where the second is 0 or missing; a bound of the first stays one, and the second must be none.
void addQuotients(
    std::vector<ComparedColumn>& columns, const std::string& dividend, const std::string& divisor);

/// One line of the configurations.
struct ConfigurationRow {
    RunDifference::Group group = RunDifference::Group::lab;
    std::string label;
    std::vector<std::string> values; ///< one for each column; empty: absent, or not stated
    bool same = false; ///< in all columns
};
/// What differs in how the columns were made, and behind it what is the same. Where a column's runs differ its
/// values stand one behind the other, the first four; its lab is that of its first run. Reads the headers of the
/// recordings. An Error when one cannot be read.
Result<std::vector<ConfigurationRow>> configurationRows(
    const std::vector<ComparedColumn>& columns, std::size_t baseline = 0);

} // namespace loadstone
