// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/document.h"
#include "loadstone/problem.h"
#include "loadstone/result.h"
#include "loadstone/run_header.h"
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
    baselineAround, ///< the baseline before and after each other case, its first and last repeat show what drifted: A B A C A
};
/// "as given", "A B A B", "A B B A", "A B A": as files have them.
const char* toString(StudyOrder order);

enum class CommandMoment : std::uint8_t { beforeRun, afterRun, beforeMix, afterMix };
const char* toString(CommandMoment moment); ///< "before run", …

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

struct AggregationRow {
    std::string figure; ///< a key of figureTable(), the path of a counter, or a result's name of it
    Aggregation rule = Aggregation::none;
    std::string weight; ///< of the weighted mean: another such figure of the same host
    int line = 0;
    bool operator==(const AggregationRow&) const = default;
};

/// Cases that were measured at once and count as one: twelve hosts of one storage solution.
struct HostSet {
    std::string id, title;
    std::vector<std::string> hosts; ///< ids of cases
    bool commonWindow = true; ///< runs: over the time that all of them measured; else each over its own
    bool keepHosts = false; ///< they are columns of their own, too
    std::vector<AggregationRow> rows; ///< what has none here has the rule of its unit, see ruleOf()
    int line = 0;
    [[nodiscard]] const std::string& label() const { return title.empty() ? id : title; }
    bool operator==(const HostSet&) const = default;
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
/// The commands that users have to agree to, each once, as they are run.
std::vector<std::string> agreementsOf(const Study& study);

/// What a comparison of the study looks at: a column for each case that has runs or a result, with its repeats, then one for each set. Those
/// without are left out. An Error names what cannot be read.
Result<std::vector<ComparedColumn>> columnsOf(const Study& study, History& history);
/// Adds the runs of hosts that were measured at once up to one, by the rules of the set.
ComparedColumn columnOfHosts(const HostSet& set, const std::vector<ComparedColumn>& hosts);

} // namespace loadstone
