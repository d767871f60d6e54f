// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab_detect_command.h"

#include <loadstone/external_result.h>
#include <loadstone/judgement.h>
#include <loadstone/mailbox_list.h>
#include <loadstone/plan_file.h>
#include <loadstone/preflight.h>
#include <loadstone/rehearsal.h>
#include <loadstone/run.h>
#include <loadstone/window.h>

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

/// The commands of `loadstone`. Each prints what it found on standard output, one sentence on standard error
/// when it cannot go on, and returns the process' exit code.
namespace loadstone::cli {

/// Documented in --help and in loadstone(1).
enum ExitCode : int {
    kGood = 0, ///< done; of a run: Verdict::met, measured or done
    kFailed = 1, ///< the run failed, or something that should work did not
    kBadInput = 2, ///< bad usage, a plan with errors, no such run
    kInvalid =
        3, ///< the figures are not the target's alone, or the run was cut short, or measured nothing; mailboxes were given up
    kAuditBad =
        4, ///< the run finished, but messages were lost, delivered twice or damaged, or mailboxes went wrong
    kNotMet = 5, ///< the run finished, but not all criteria of its plan are met
    kNothingSucceeded = 6, ///< the run finished, and nothing succeeded in a measurement
    // 128 + number: stopped in order by that signal (SIGHUP 129, SIGINT 130, SIGTERM 143)
};

/// Of a run by its verdict: what `run` ends with unless a signal stopped it, and `show`.
ExitCode exitCodeOf(Verdict verdict);

/// What every command does first with the plan that it was given, a file or the name of a shipped one: finds and checks it,
/// and prints its problems and notes on standard error. Nothing when it cannot be read or run; for the latter
/// `ifNotRunnable` is printed as well. The command then ends with kBadInput.
std::optional<PlanSummary> openPlan(const std::string& name, const std::string& ifNotRunnable = {});

struct RunCommand {
    std::string plan; ///< a file, or the name of a shipped plan
    RunOptions options;
    bool skipPreflight = false; ///< begin without a look at the servers
    bool allowCommands = false; ///< the user agrees to what the plan's sources of counters do on this machine
    std::filesystem::path report; ///< HTML file to write at the end; empty: none
    bool json = false, quiet = false;
    bool sure = false; ///< to clean up without a question
    bool storage = false; ///< `loadstone storage`: storage plans, and no others
};
/// Also initialises, cleans up, verifies and recovers, as the options' purpose has it.
int run(const RunCommand& command);

struct RehearseCommand {
    std::string plan; ///< a file, or the name of a shipped plan
    RehearsalOptions options;
    bool json = false, quiet = false;
};
int rehearse(const RehearseCommand& command);

struct PreflightCommand {
    std::string plan; ///< a file, or the name of a shipped plan
    PreflightOptions options;
    bool allowCommands = false; ///< as for run
    bool json = false;
};
int preflight(const PreflightCommand& command);
/// Findings of `least` severity or worse, each with what it will do to the run.
std::string formatFindings(const Preflight& result, Severity least);

int check(const std::vector<std::string>& plans);

struct MailboxesCommand {
    std::string plan; ///< a file, or the name of a shipped plan
    std::string format = "csv";
    MailboxListOptions options;
    std::filesystem::path output; ///< a new file; empty: standard output
};
int mailboxes(const MailboxesCommand& command);

struct KeysCommand {
    std::string kind = "plan"; ///< of files: plan, profile, lab, study, result
    std::string path; ///< a key, or a table with all below it; empty: all
    bool json = false;
    bool markdown = false; ///< a table for each table of the file, as the help has them
};
int keys(const KeysCommand& command);

enum class LabTask : std::uint8_t { check, show, tables, fields, differences, diagram, make, attach };
struct LabCommand {
    LabTask task = LabTask::check;
    LabDetectCommand detect;
    std::filesystem::path history;
    std::string file; ///< a lab's file or the name of a shipped one; to attach: the run
    std::string other; ///< the lab to compare with, to write or to attach
    std::string variant; ///< id; empty: the lab as it stands
    std::vector<std::string> variants; ///< to compare
    std::string format = "text"; ///< of tables: text, csv, json, html
    std::string report; ///< whose fields: storage, mail, virtualisation; empty: all
    std::filesystem::path output;
    bool json = false;
};
int lab(const LabCommand& command);
/// The options of `loadstone lab`; `action` becomes what they ask for.
void addLab(CLI::App& app, LabCommand& command, std::function<int()>& action);

enum class ResultTask : std::uint8_t { check, show, csv, import };
struct ResultCommand {
    ResultTask task = ResultTask::check;
    std::string file; ///< a result's file or the name of a shipped one; to import: the CSV
    std::filesystem::path output;
    std::string format = "text"; ///< text, csv, json, html
    ResultImport import;
};
/// Results from elsewhere.
int result(const ResultCommand& command);
void addResult(CLI::App& app, ResultCommand& command, std::function<int()>& action);

enum class StudyTask : std::uint8_t { check, order, run, show };
struct StudyCommandLine {
    StudyTask task = StudyTask::check;
    std::filesystem::path history;
    std::string file; ///< a study's file or the name of a shipped one
    bool allowCommands = false; ///< the user agrees to the study's commands, and those of its plans
    bool goOn = false; ///< after runs that do not count
    bool json = false;
};
/// Studies: what they are made of, and the queue of their runs.
int study(const StudyCommandLine& command);
void addStudy(CLI::App& app, StudyCommandLine& command, std::function<int()>& action);

struct DifferencesCommand {
    std::filesystem::path history;
    std::string before, after; ///< runs, as for show
    bool json = false;
};
/// What differs in how two runs were made.
int differences(const DifferencesCommand& command);

struct CountersCommand {
    std::string plan; ///< a file, or the name of a shipped plan; empty with `reference`
    bool allowCommands = false; ///< as for run
    bool reference = false; ///< the counters of published reports, and where their like is
    bool json = false;
};
int counters(const CountersCommand& command);

/// What of agreementsOf() holds: with --allow-commands all of this plan, which is printed on standard error; else nothing.
std::vector<std::string> agreedOf(const PlanSummary& plan, bool allowCommands);

struct StorageImportCommand {
    std::filesystem::path configuration; ///< of Jetstress
    std::filesystem::path output; ///< plan to write; empty: to standard output
    std::vector<std::string> folders; ///< "C:\\ExchangeVols=/mnt"
};
int importConfiguration(const StorageImportCommand& command);

struct ListCommand {
    std::filesystem::path history;
    bool json = false;
};
int list(const ListCommand& command);

/// What names a run: an id, the begin of one, or "last"; here also the file of a recording.
struct ShowCommand {
    std::filesystem::path history;
    std::string run;
    std::string target; ///< one of several alone; empty: all together
    WindowChoice window; ///< that figures are of; empty: the measurements
    std::string keep; ///< reason for which the window is kept with the run; empty: it is not
    bool allCounters = false; ///< the averages of every counter, not of the usual ones alone
    std::vector<std::string> derive; ///< definitions of computed counters to show, too
    bool json = false;
};
int show(const ShowCommand& command);

struct ScoreCommand {
    std::filesystem::path history;
    std::string run; ///< as for show; empty with `given`
    std::string target; ///< likewise
    std::string from, to; ///< since the run's start: "2h"
    std::string weights; ///< a file, or the name of a shipped profile; empty: the run's own
    std::string given; ///< percentiles to weigh instead of a run's
    double percentile = 95;
    bool steady = false; ///< the window in which the last mix was steady
    bool json = false;
};
int score(const ScoreCommand& command);

struct ExportCommand {
    std::filesystem::path history;
    std::string run;
    std::string target; ///< as for show; not of an archive, which holds all
    std::string format = "html"; ///< archive, html, csv, json
    std::string counters; ///< pdh, openmetrics, csv: the counters alone, in this format; empty: the run
    std::vector<std::string> match; ///< patterns of the counters' paths; none: all
    WindowChoice window; ///< that figures and samples are of; empty: the measurements, and all samples
    std::filesystem::path output; ///< empty: the run's id with a fitting ending, in the working folder
};
int exportRun(const ExportCommand& command);

int importFile(const std::filesystem::path& history, const std::filesystem::path& file);

struct AttachCommand {
    std::filesystem::path history;
    std::string run; ///< as for show; empty with `list`
    std::filesystem::path log;
    std::vector<std::string> counters; ///< patterns of their paths; none: all
    std::string begin; ///< of the log on the run's axis: "37 min", "-90 s"; empty: by the clocks
    std::string zone; ///< of the log, where it does not say one: "+01:00"
    std::string role; ///< what its computer did: "sut", "generator", "directory"; empty: not said
    std::string computer; ///< its name, instead of the log's
    bool list = false; ///< print what is in the log, and attach nothing
    bool propose = false; ///< find where the log belongs by its traffic, print it, and attach nothing
    bool accept = false; ///< the same, and attach it there
    std::vector<std::string> likeLog,
        likeRun; ///< patterns of the counters to compare; none: bytes of network or disks
    std::string reach; ///< searched on both sides: "1 h"; empty: one hour
};
int attach(const AttachCommand& command);

struct SourcesCommand {
    std::filesystem::path history;
    std::string run; ///< as for show
    std::uint32_t moved = 0; ///< a source whose begin is set; 0: none
    std::string begin; ///< as for attach
    std::uint32_t removed = 0; ///< an attached log that is taken out; 0: none
    bool json = false;
};
int sources(const SourcesCommand& command);

struct TagCommand {
    std::filesystem::path history;
    std::string run;
    std::vector<std::string> tags;
    bool remove = false;
};
int tag(const TagCommand& command);
int note(const std::filesystem::path& history, const std::string& run, const std::string& text);
int remove(const std::filesystem::path& history, const std::string& run, bool sure);

/// A run of the history, or a recording's file that is not in it.
Result<Recording> openRun(
    const std::filesystem::path& folder, const std::string& name, const std::string& target);

/// Prints lines; what is no line break, and would do something to a terminal, stands there as an escape (plainLines): much of what is
/// printed comes from servers and recordings. Whether anybody reads it is all the same: a closed terminal, or a reader that Ctrl-C has ended
/// along with the run, must not take the end of a run's work with it.
void say(std::string_view text, std::FILE* to = stdout);
/// A line of progress that takes the place of the one before; empty: that one goes. `columns`: cut to so many; 0: not cut.
void showProgress(std::string_view text, std::size_t columns = 0, std::FILE* to = stdout);
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args)
{
    say(fmt::format(format, std::forward<Args>(args)...));
}

/// "loadstone: sentence" on standard error; returns `code`.
int complain(const std::string& sentence, ExitCode code);
/// To the file, or to standard output where there is none.
int write(const std::string& text, const std::filesystem::path& to);
/// "1 system", "2 systems"
std::string counted(std::size_t number, const char* one, const char* several);
/// "; the labs that come with the program are a, b"; empty when none does.
std::string shippedNames(const char* kinds, const std::vector<std::filesystem::path>& files);

} // namespace loadstone::cli
