// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/document.h"
#include "loadstone/problem.h"
#include "loadstone/result.h"
#include "loadstone/run_header.h"
#include "loadstone/run_study.h"
#include "loadstone/time.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

class History;
struct ComparedColumn; // compared.h

/// In which order the repeats of the cases are run.
enum class StudyOrder : std::uint8_t {
    asGiven, ///< all repeats of the first case, then of the second: A A B B
    inTurn, ///< A B A B
    mirrored, ///< each round in the order opposite to the one before: A B B A A B
    baselineAround, ///< in turn, the baseline first and once more at the end, which shows what drifted: A B A
};
/// "as given", "A B A B", "A B B A", "A B A": as files have them.
const char* toString(StudyOrder order);

/// A command of a study: clean the server, restart it with other settings, wait until its queues are empty.
struct StudyCommand {
    CommandMoment moment = CommandMoment::beforeRun;
    std::string command; ///< for /bin/sh -c; users agree to it word by word
    std::vector<std::string> cases; ///< ids; empty: of all cases
    Nanoseconds timeLimit = std::chrono::minutes(10); ///< then it and what it started are ended
    bool goOn = false; ///< also when it fails; else the study stops there
    int line = 0;
    bool operator==(const StudyCommand&) const = default;
};

/// One configuration of a study: runs of a plan, chosen runs of the history, or a system of a result from elsewhere.
struct StudyCase {
    std::string id;
    std::string title; ///< for people; empty: the id
    std::string lab, variant; ///< of its runs; empty: as the plan says
    std::string plan; ///< a file beside the study, or the name of a shipped one; empty: it is not run
    unsigned repeats = 3; ///< of the plan; 0 where there is none
    std::vector<std::string> runs; ///< ids of runs of the history that belong to it, too
    std::string result,
        system; ///< of results from elsewhere: the file, or the name of a shipped one, and the system's id
    std::string notes;
    int line = 0;
    [[nodiscard]] const std::string& label() const { return title.empty() ? id : title; }
    bool operator==(const StudyCase&) const = default;
};

/// How the values of several hosts become one.
enum class Aggregation : std::uint8_t { sum, mean, weightedMean, largest, smallest, none };
const char* toString(Aggregation rule); ///< "sum", "mean", "weighted mean", "largest", "smallest", "none"

/// One row of a set. Figures are named by a key of figureTable(), the path of a counter, or their name in results from elsewhere.
struct AggregationRow {
    std::string figure; ///< that the set has
    Aggregation rule = Aggregation::none;
    /// Figures of one host that are put together by the same rule first, such as those of its volumes; empty: `figure` itself.
    std::vector<std::string> of;
    std::vector<std::string>
        weights; ///< of the weighted mean: for each of these another figure of the same host
    std::string unit; ///< "ms"; empty: that of the first of these
    std::optional<int>
        decimals; ///< of the hosts' own values, rounded half up, as reports print them; the set's is made of what is not rounded
    int line = 0;
    bool operator==(const AggregationRow&) const = default;
};

/// Cases that were measured at once and count as one: twelve hosts of one storage solution.
struct HostSet {
    std::string id, title;
    std::vector<std::string> hosts; ///< ids of cases
    bool commonWindow = true; ///< runs: over the time that all of them measured; else each over its own
    bool keepHosts = false; ///< they are columns of their own, too
    std::vector<AggregationRow> rows; ///< of others rates and totals are added up, and the rest is left out
    int line = 0;
    [[nodiscard]] const std::string& label() const { return title.empty() ? id : title; }
    bool operator==(const HostSet&) const = default;
};

/// A figure that is a quotient of two others of the same column: users a processor.
struct StudyRatio {
    std::string name;
    std::string of, per; ///< as in AggregationRow
    std::string unit;
    int line = 0;
    bool operator==(const StudyRatio&) const = default;
};

/// A question of the study: "scale-up", "overhead of virtualisation".
struct StudyComparison {
    std::string id, title;
    std::string baseline; ///< id of a case or a set
    std::vector<std::string> with; ///< likewise
    std::vector<std::string> figures; ///< those that it is about; empty: all
    int line = 0;
    [[nodiscard]] const std::string& label() const { return title.empty() ? id : title; }
    bool operator==(const StudyComparison&) const = default;
};

/// Configurations that are compared: a file of `kind = "study"`.
struct Study {
    std::string name; ///< by which recordings know it: letters, digits, - and _
    std::string title, description;
    std::string baseline; ///< id of a case or a set; empty: the first one
    double matters = 0.02; ///< a smaller difference does not matter
    double confidence = 0.95;
    StudyOrder order = StudyOrder::mirrored;
    std::vector<StudyCase> cases;
    std::vector<HostSet> sets;
    std::vector<StudyRatio> ratios;
    std::vector<StudyComparison> comparisons;
    std::vector<StudyCommand> commands;
    std::filesystem::path file; ///< empty: a text; plans and results are looked for beside it
    std::string revision; ///< digest of the text: 16 hex digits
    [[nodiscard]] const StudyCase* find(std::string_view id) const;
};

struct CheckedStudy {
    Study study; ///< as far as it could be read
    std::vector<Problem> problems; ///< by line; also of plans, labs and results that it names
    [[nodiscard]] bool usable() const; ///< no error among the problems
};

/// Reads and checks a study; all its problems at once. At most 100 cases with 100 repeats each. Any thread.
CheckedStudy readStudy(const Document& document);
/// The same from a file; an Error only when it cannot be read.
Result<CheckedStudy> checkStudy(const std::filesystem::path& file);

/// One run of the queue.
struct StudyStep {
    std::size_t caseIndex = 0;
    unsigned repeat = 1; ///< of the case, from 1
    RunId run; ///< that did it; empty: still to do
    std::string note; ///< why a run of the history does not count, or in what it differs
    bool operator==(const StudyStep&) const = default;
};
/// All runs in the study's order, none done.
std::vector<StudyStep> stepsOf(const Study& study);
/// The same with what the history has: of each case and repeat the newest run that measured everything and was made with the
/// present plan and lab.
Result<std::vector<StudyStep>> progressOf(const Study& study, History& history);
/// What users have to agree to, word by word, each once: the commands, and those of the plans' sources of counters.
std::vector<std::string> agreementsOf(const Study& study);

/// What a comparison of the study looks at: a column for each case that has runs or a result, with its repeats, then one for each set. Those
/// without are left out. An Error names what cannot be read.
Result<std::vector<ComparedColumn>> columnsOf(const Study& study, History& history);
/// The runs of hosts that were measured at once as one, by the rules of the set: their first runs, then their second ones, and so on. Where a
/// host has no value of a figure, the set has none.
ComparedColumn columnOfHosts(const HostSet& set, const std::vector<ComparedColumn>& hosts);
/// The columns that a question of the study is about, its baseline first; empty: one of them has no runs.
std::vector<ComparedColumn> columnsOf(
    const StudyComparison& comparison, const std::vector<ComparedColumn>& columns);
/// The column of the study's baseline; 0 where it has no runs.
std::size_t baselineColumn(const Study& study, const std::vector<ComparedColumn>& columns);

/// The studies that come with the program, in alphabetical order; see shippedPlans().
std::vector<std::filesystem::path> shippedStudies();
/// The file of a study that a person names: a file, or else the name of a shipped one, with or without ".toml".
std::filesystem::path findStudy(const std::string& name);

} // namespace loadstone
