// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "compare_command.h"

#include <loadstone/program.h>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace loadstone;

constexpr const char* kExitCodes = R"(Exit codes:
  0    success; for a run: it finished, is valid, and meets the criteria of its plan (errors count only where it states a
       limit for them); for show: or the run has not ended
  1    the run failed, or an internal error
  2    bad usage, a plan with errors, a target that cannot be used, a run that would fail (as preflight
       found), or no such run
  3    the run's figures are invalid (the generator was the bottleneck), the run was cut short or measured nothing, or
       some mailboxes could not be filled or cleaned
  4    the run finished, but the audit found messages lost, delivered twice or damaged, or the oracle has findings
  5    the run finished, but not all criteria of its plan are met; for storage verify: something is damaged
  6    the run finished, but in a measurement nothing succeeded
  show ends with the exit code of the run that it shows, but never with that of a signal.
  129, 130, 143   stopped by SIGHUP, SIGINT or SIGTERM; what was measured is kept)";

constexpr const char* kSent =
    R"(What is sent: logins of the first and the last mailbox; sender and recipients of a message, cancelled by RSET;
one PROPFIND to each of their calendars and address books; as many connections as the plan needs; and one message of the
plan's largest size from the first mailbox to itself, which is removed again over IMAP or POP3 within a minute.
If the plan names neither, no message is sent. "run" does the same first, without the message and the connections.
Exit codes: 0 nothing prevents the run, 2 the run as planned will fail, 1 an internal error.)";

/// The command line as it was taken apart, and what is to be done.
struct Commands {
    std::filesystem::path history;
    cli::RunCommand run;
    cli::RehearseCommand rehearse;
    cli::PreflightCommand preflight;
    cli::CountersCommand counters;
    cli::KeysCommand keys;
    cli::CompareCommand compare;
    cli::ResultCommand result;
    cli::StudyCommandLine study;
    cli::MailboxesCommand mailboxes;
    cli::LabCommand lab;
    cli::DifferencesCommand differences;
    std::vector<std::string> plans;
    cli::StorageImportCommand configuration;
    cli::ListCommand list;
    cli::ShowCommand show;
    cli::ScoreCommand score;
    cli::ExportCommand exported;
    std::filesystem::path imported;
    cli::AttachCommand attach;
    cli::SourcesCommand sources;
    cli::TagCommand tag;
    std::string runName, note;
    bool sure = false;
    std::function<int()> action;
};

/// What `run`, `init` and `clean` have in common, and those of `storage`.
CLI::App* addRunLike(CLI::App& app, Commands& commands, const char* name, const char* help,
    RunPurpose purpose, bool storage = false)
{
    CLI::App* sub = app.add_subcommand(name, help);
    cli::RunCommand& run = commands.run;
    sub->add_option("plan", run.plan,
           storage ? "Plan file, or the name of a shipped plan (storage-small)"
                   : "Plan file, or the name of a shipped plan (first-run)")
        ->required()
        ->type_name("PLAN");
    sub->add_option("--seed", run.options.seed, "Random seed instead of the plan's")->type_name("N");
    if (!storage) // there each group has one
        sub->add_option("--workers", run.options.workers,
               "Load threads; 0: as the plan says, else chosen for this machine")
            ->type_name("N")
            ->check(CLI::Range(0, 256));
    sub->add_option("--tag", run.options.tags, "Tag to give to the run; may be repeated")
        ->type_name("TAG")
        ->allow_extra_args(false);
    sub->add_option("--note", run.options.note, "Note to keep with the run")->type_name("TEXT");
    sub->add_option("--report", run.report, "HTML report to write at the end")->type_name("FILE");
    if (!storage)
        sub->add_option(
               "--trace", run.options.commandTrace, "CSV file with a row per command, for calibration")
            ->type_name("FILE");
    sub->add_flag("--json", run.json, "Print one JSON object per line: start, phases, ticks, events, end");
    sub->add_flag("--quiet", run.quiet, "No progress, only the results");
    sub->callback([&commands, purpose, storage] {
        commands.run.options.purpose = purpose;
        commands.run.storage = storage;
        commands.run.options.historyFolder = commands.history;
        commands.action = [&commands] { return cli::run(commands.run); };
    });
    return sub;
}

void addAllowCommands(CLI::App* sub, bool& allow)
{
    sub->add_flag("--allow-commands", allow,
        "Agree to what this plan's sources of counters do here: commands, ssh, files; they are printed");
}

void addRuns(CLI::App& app, Commands& commands)
{
    CLI::App* run = addRunLike(app, commands, "run", "Run a plan and keep what it measures", RunPurpose::run);
    run->add_flag("--no-preflight", commands.run.skipPreflight, "Begin without checking the servers");
    addAllowCommands(run, commands.run.allowCommands);
    CLI::App* init = addRunLike(app, commands, "init",
        "Fill a plan's mailboxes; only what is missing is added", RunPurpose::initialise);
    CLI::App* clean = addRunLike(app, commands, "clean",
        "Remove from a plan's mailboxes what Loadstone put there, and nothing else", RunPurpose::cleanUp);
    for (CLI::App* sub : { init, clean })
        sub->add_option("--sessions", commands.run.options.sessions,
               "Mailboxes that are worked on at once (default: the plan's max_sessions, else 32)")
            ->type_name("N")
            ->check(CLI::Range(1, 100'000));
    clean->add_flag("--yes", commands.run.sure, "Remove without asking");
}

void addRehearse(CLI::App& app, Commands& commands)
{
    CLI::App* sub =
        app.add_subcommand("rehearse", "Run a plan in virtual time and print what it will ask of the server");
    cli::RehearseCommand& rehearse = commands.rehearse;
    sub->add_option("plan", rehearse.plan, "Plan file, or the name of a shipped plan")
        ->required()
        ->type_name("PLAN");
    sub->add_option("--seed", rehearse.options.seed, "Random seed instead of the plan's")->type_name("N");
    sub->add_option("--workers", rehearse.options.workers,
           "Schedules that share the users; the result does not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    sub->add_flag("--json", rehearse.json, "Print everything as one JSON object");
    sub->add_flag("--quiet", rehearse.quiet, "No progress");
    sub->callback([&] { commands.action = [&] { return cli::rehearse(rehearse); }; });
}

void addPreflight(CLI::App& app, Commands& commands)
{
    CLI::App* sub =
        app.add_subcommand("preflight", "Check a plan's servers, and name what would make the run fail");
    sub->footer(kSent);
    cli::PreflightCommand& preflight = commands.preflight;
    sub->add_option("plan", preflight.plan, "Plan file, or the name of a shipped plan")
        ->required()
        ->type_name("PLAN");
    sub->add_option("--connections", preflight.options.mostConnections,
           "Connections to try at once for each protocol, at most (default: 200)")
        ->type_name("N")
        ->check(CLI::Range(1, 20'000));
    addAllowCommands(sub, preflight.allowCommands);
    sub->add_flag("--json", preflight.json, "Print everything as one JSON object");
    sub->callback([&] {
        preflight.options.historyFolder = commands.history;
        commands.action = [&] { return cli::preflight(preflight); };
    });
}

void addCounters(CLI::App& app, Commands& commands)
{
    CLI::App* sub =
        app.add_subcommand("counters", "Ask a plan's sources of counters, and print what each gives now");
    cli::CountersCommand& counters = commands.counters;
    sub->footer("No load is made. Exit codes: 0 all sources answer, 1 one does not, 2 the plan cannot be used.");
    CLI::Option* plan = sub->add_option("plan", counters.plan, "Plan file, or the name of a shipped plan")
                            ->type_name("PLAN");
    sub->add_flag("--reference", counters.reference,
           "Instead of a plan: the counters that published reports print, and where their like is here")
        ->excludes(plan);
    addAllowCommands(sub, counters.allowCommands);
    sub->add_flag("--json", counters.json, "Print everything as one JSON object");
    sub->callback([&] { commands.action = [&] { return cli::counters(counters); }; });
}

void addMailboxes(CLI::App& app, Commands& commands)
{
    CLI::App* sub = app.add_subcommand("mailboxes", "List a plan's mailboxes, to make them on a server");
    cli::MailboxesCommand& mailboxes = commands.mailboxes;
    sub->footer("A password that stands in the plan is in the list; one from the environment, a file or a person "
                "only with --with-passwords. Passwords are plain text: servers hash them as they take them.");
    sub->add_option("plan", mailboxes.plan, "Plan file, or the name of a shipped plan")
        ->required()
        ->type_name("PLAN");
    sub->add_option("--format", mailboxes.format,
           "csv (the default), passwd-file (for newusers), ldif, dovecot (its passwd-file) or postfix "
           "(virtual_mailbox_maps)")
        ->type_name("FORMAT");
    sub->add_option("-o,--output", mailboxes.output,
           "New file, which only its owner may read; a file that exists is not replaced (default: standard output)")
        ->type_name("FILE");
    sub->add_option("--target", mailboxes.options.target, "Which one of the plan's several targets")
        ->type_name("NAME");
    sub->add_option("--base", mailboxes.options.base,
           "LDIF: the entry below which the mailboxes are (default: dc=load,dc=test for the domain load.test)")
        ->type_name("DN");
    sub->add_flag("--with-passwords", mailboxes.options.withPasswords,
        "Also passwords that the plan does not state itself");
    sub->callback([&] { commands.action = [&] { return cli::mailboxes(mailboxes); }; });
}

void addKeys(CLI::App& app, Commands& commands)
{
    CLI::App* sub = app.add_subcommand("keys", "Print the keys of plans, profiles, labs, studies and results, and what each may be");
    cli::KeysCommand& keys = commands.keys;
    sub->add_option("kind", keys.kind, "Kind of file: plan (the default), profile, lab, study or result")->type_name("KIND");
    sub->add_option("path", keys.path, "A key, or a table with all below it, as in mixes or target.smtp.port")
        ->type_name("PATH");
    CLI::Option* json = sub->add_flag("--json", keys.json, "Print everything as one JSON array");
    sub->add_flag("--markdown", keys.markdown, "Print tables of Markdown, as the help has them")->excludes(json);
    sub->callback([&] { commands.action = [&] { return cli::keys(keys); }; });
}

void addDifferences(CLI::App& app, Commands& commands)
{
    CLI::App* sub = app.add_subcommand(
        "differences", "Print what differs in how two runs were made: lab, tunings, software, plan, host");
    cli::DifferencesCommand& differences = commands.differences;
    sub->add_option("before", differences.before, "Run id, its beginning, \"last\", or a recording's file")
        ->required()
        ->type_name("RUN");
    sub->add_option("after", differences.after, "The same for the run to compare with it")->required()->type_name("RUN");
    sub->add_flag("--json", differences.json, "Print everything as one JSON array");
    sub->callback([&] {
        differences.history = commands.history;
        commands.action = [&] { return cli::differences(differences); };
    });
}

void addPlans(CLI::App& app, Commands& commands)
{
    CLI::App* check = app.add_subcommand("check", "Check plans and report all problems at once");
    check->add_option("plans", commands.plans, "Plan files")->required()->type_name("PLAN");
    check->callback([&] { commands.action = [&] { return cli::check(commands.plans); }; });
    // As the first word it is taken out before parsing, for it has its own options.
    app.add_subcommand("target", "Run the embedded mail server (see loadstone target --help)")
        ->allow_extras()
        ->callback([&] {
            commands.action = [] {
                return cli::complain(
                    "write \"target\" first: loadstone target --smtp-port PORT ...", cli::kBadInput);
            };
        });
}

void addStorage(CLI::App& app, Commands& commands)
{
    CLI::App* storage =
        app.add_subcommand("storage", "Storage stress tests: run them, and manage their databases");
    storage->require_subcommand(1);
    addRunLike(*storage, commands, "init", "Make and fill a plan's databases; only what is missing is added",
        RunPurpose::initialise, true);
    addRunLike(
        *storage, commands, "run", "Run a plan's tests and keep what they measure", RunPurpose::run, true)
        ->add_flag("--no-preflight", commands.run.skipPreflight, "Begin without checking the volumes");
    addAllowCommands(storage->get_subcommand("run"), commands.run.allowCommands);
    addRunLike(*storage, commands, "verify", "Check every page and every log, and change nothing",
        RunPurpose::verify, true);
    addRunLike(*storage, commands, "recover", "Replay the logs after a crash, and close the databases",
        RunPurpose::recover, true);
    addRunLike(*storage, commands, "clean", "Remove a plan's databases and logs, and nothing else",
        RunPurpose::cleanUp, true)
        ->add_flag("--yes", commands.run.sure, "Remove without asking");
    CLI::App* sub = storage->add_subcommand("import", "Write a plan from a Jetstress configuration");
    cli::StorageImportCommand& configuration = commands.configuration;
    sub->add_option("configuration", configuration.configuration, "XML file of Jetstress")
        ->required()
        ->type_name("FILE");
    sub->add_option("-o,--output", configuration.output, "Plan to write (default: to standard output)")
        ->type_name("PLAN");
    sub->add_option("--map", configuration.folders,
           "Folder of the configuration and folder here, as in 'C:\\ExchangeVols=/mnt'; may be repeated")
        ->type_name("FROM=TO")
        ->allow_extra_args(false);
    sub->callback([&] { commands.action = [&] { return cli::importConfiguration(configuration); }; });
}

void addWindow(CLI::App& sub, WindowChoice& window)
{
    CLI::Option* steady
        = sub.add_flag("--steady", window.steady, "The window in which the last mix was steady, or that of --phase");
    CLI::Option* phase = sub.add_option("--phase", window.phase,
                                "A phase instead of the measurements, as in \"measurement 2\" or \"ramp-up 1\", or a "
                                "mix's measurement by the mix's name")
                             ->type_name("PHASE");
    sub.add_option("--from", window.from,
           "Beginning of a window instead of the measurements: since the run's start, as in 1:51:03, 90min or +90s, or the "
           "time of day in UTC, as in 14:05; where the run has no such time of day, 14:05 is 14 minutes and 5 seconds")
        ->type_name("TIME")
        ->excludes(steady)
        ->excludes(phase);
    sub.add_option("--to", window.to, "End of the window; +10min counts from its beginning")
        ->type_name("TIME")
        ->excludes(steady)
        ->excludes(phase);
}

/// Of an option that chooses counters.
constexpr const char* kCounterPattern =
    "Only counters with this in their path; with * and ?, which stand for other letters, it must fit the whole path, as "
    "\"*Interface(lo)*\"; may be repeated";

void addHistory(CLI::App& app, Commands& commands)
{
    CLI::App* list = app.add_subcommand("list", "List the runs of the history, newest first");
    list->add_flag("--json", commands.list.json, "Print one JSON object per line");
    list->callback([&] {
        commands.list.history = commands.history;
        commands.action = [&] { return cli::list(commands.list); };
    });

    const char* runHelp = "Run id, its beginning, or \"last\"";
    CLI::App* show = app.add_subcommand("show", "Show a run: header, phases, results, audit, errors");
    show->add_option("run", commands.show.run, "Run id, its beginning, \"last\", or a recording's file")
        ->required()
        ->type_name("RUN");
    const char* targetHelp = "One target, by its name, of a run on several (default: all together)";
    show->add_option("--target", commands.show.target, targetHelp)->type_name("NAME");
    addWindow(*show, commands.show.window);
    show->add_option("--keep", commands.show.keep, "Keep the window with the run, with this reason")
        ->type_name("REASON");
    show->add_flag("--all-counters", commands.show.allCounters,
        "Average, minimum and maximum of every counter, not only of the usual ones of other computers");
    show->add_option("--derive", commands.show.derive,
            "A counter computed from others, as in 'CPU per user [%] = sum(\"\\Process(*)\\% Processor "
            "Time\") / users'; may be "
            "repeated")
        ->type_name("DEFINITION")
        ->allow_extra_args(false);
    show->add_flag("--json", commands.show.json, "Print everything as one JSON object");
    show->callback([&] {
        commands.show.history = commands.history;
        commands.action = [&] { return cli::show(commands.show); };
    });

    CLI::App* score =
        app.add_subcommand("score", "Compute the weighted score of a run's response times, over any window");
    score->add_option("run", commands.score.run, "Run id, its beginning, \"last\", or a recording's file")
        ->type_name("RUN");
    score->add_option("--target", commands.score.target, targetHelp)->type_name("NAME");
    score
        ->add_option(
            "--from", commands.score.from, "Beginning of the window, as time since the run's start, as in 2h")
        ->type_name("TIME");
    score->add_option("--to", commands.score.to, "End of the window (default: the last measurement)")
        ->type_name("TIME");
    score->add_flag("--steady", commands.score.steady, "The window in which the last mix was steady")
        ->excludes("--from")
        ->excludes("--to");
    score->add_option("--percentile", commands.score.percentile, "Which percentile (default: 95)")
        ->type_name("P");
    score
        ->add_option("--weights", commands.score.weights,
            "File with a [score] table, or the name of a profile (default: the run's own)")
        ->type_name("FILE");
    score
        ->add_option("--given", commands.score.given,
            "Percentiles from elsewhere instead of a run, as in \"read=340 ms, send=711 ms\"")
        ->type_name("LIST");
    score->add_flag("--json", commands.score.json, "Print everything as one JSON object");
    score->callback([&] {
        commands.score.history = commands.history;
        commands.action = [&] { return cli::score(commands.score); };
    });

    CLI::App* exported = app.add_subcommand("export", "Write a run as an archive, a report or tables");
    exported->add_option("run", commands.exported.run, runHelp)->required()->type_name("RUN");
    exported->add_option("--format", commands.exported.format, "archive, html, csv, json or xlsx (default: html)")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({ "archive", "html", "csv", "json", "xlsx" }));
    exported->add_option("--target", commands.exported.target, targetHelp)->type_name("NAME");
    exported->add_option("--output,file", commands.exported.output, "File to write (default: the run's id)")
        ->type_name("FILE");
    CLI::Option* counters =
        exported
            ->add_option("--counters", commands.exported.counters,
                "The counters of the run and of its sources instead, as pdh (PDH-CSV, which "
                "PerfMon and relog read), openmetrics or csv")
            ->type_name("FORMAT")
            ->check(CLI::IsMember({ "pdh", "openmetrics", "csv" }))
            ->excludes("--format");
    exported
        ->add_option("--match", commands.exported.match,
            kCounterPattern)
        ->type_name("PATTERN")
        ->needs(counters)
        ->allow_extra_args(false);
    addWindow(*exported, commands.exported.window);
    exported->callback([&] {
        commands.exported.history = commands.history;
        commands.action = [&] { return cli::exportRun(commands.exported); };
    });

    CLI::App* archive = app.add_subcommand("import", "Add an archive to the history");
    archive->add_option("file", commands.imported, "Archive written by export")
        ->required()
        ->type_name("FILE");
    archive->callback(
        [&] { commands.action = [&] { return cli::importFile(commands.history, commands.imported); }; });
}

void addSources(CLI::App& app, Commands& commands)
{
    const char* runHelp = "Run id, the begin of one, \"last\", or a recording's file";
    CLI::App* attach =
        app.add_subcommand("attach", "Add a log of counters to a run: of PerfMon, esxtop, sar, vmstat, iostat, pmrep");
    cli::AttachCommand& attached = commands.attach;
    attach->footer("The samples keep a time axis of their own, which \"loadstone sources\" can move later. "
                   "Charts offer them under their "
                   "computer.\nCriteria of the plan that name the computer, or its role, are judged by them; no other result "
                   "is made of them.");
    attach->add_option("run", attached.run, runHelp)->required()->type_name("RUN");
    attach->add_option("log", attached.log, "PDH-CSV, PDH-TSV, or output of sadf, vmstat -t, iostat -t, pmrep")->required()->type_name("LOG");
    attach
        ->add_option("--counter", attached.counters,
            kCounterPattern)
        ->type_name("PATTERN")
        ->allow_extra_args(false);
    attach
        ->add_option("--begin", attached.begin,
            "Where the log begins in the run, as in \"37 min\" or \"-90 s\" (default: by both computers' "
            "clocks)")
        ->type_name("TIME");
    attach->add_option("--zone", attached.zone, "Zone of a log that does not say it, as in +01:00")
        ->type_name("ZONE");
    attach
        ->add_option("--role", attached.role, "What the log's computer did in the run: sut, generator or directory")
        ->type_name("ROLE")
        ->check(CLI::IsMember({ "sut", "generator", "directory" }));
    attach->add_option("--computer", attached.computer, "The computer's name, instead of that in the log")->type_name("NAME");
    attach->add_flag("--list", attached.list, "Print the counters that would be added, and add nothing");
    CLI::Option* propose = attach->add_flag("--propose", attached.propose,
        "Find where the log belongs, by network or disk bytes of the log and of the run, print it, and add "
        "nothing");
    CLI::Option* accept = attach->add_flag("--accept", attached.accept,
        "The same, and add the log there; nothing is added where nothing is proposed");
    propose->excludes(accept);
    attach
        ->add_option("--like", attached.likeLog,
            "Counters of the log to compare instead of its bytes, as for --counter; may be repeated")
        ->type_name("PATTERN")
        ->allow_extra_args(false);
    attach
        ->add_option("--with", attached.likeRun, "Counters of the run to compare them with; may be repeated")
        ->type_name("PATTERN")
        ->allow_extra_args(false);
    attach
        ->add_option("--reach", attached.reach,
            "How far from what the clocks (or --begin) say to look, as in \"90 min\" (default: 1 h)")
        ->type_name("TIME");
    attach->callback([&] {
        attached.history = commands.history;
        commands.action = [&] { return cli::attach(attached); };
    });

    CLI::App* sources = app.add_subcommand("sources", "List what is attached to a run, move it in time, or remove it");
    cli::SourcesCommand& source = commands.sources;
    sources->add_option("run", source.run, runHelp)->required()->type_name("RUN");
    CLI::Option* moved =
        sources->add_option("--move", source.moved, "Set where this source begins in the run")
            ->type_name("NUMBER")
            ->check(CLI::PositiveNumber);
    CLI::Option* begin =
        sources->add_option("--begin", source.begin, "As in \"37 min\" or \"-90 s\"")->type_name("TIME");
    moved->needs(begin);
    begin->needs(moved);
    sources->add_option("--remove", source.removed, "Take this log, which was attached, out of the run")
        ->type_name("NUMBER")
        ->check(CLI::PositiveNumber)
        ->excludes(moved);
    sources->add_flag("--json", source.json, "One JSON object a line");
    sources->callback([&] {
        source.history = commands.history;
        commands.action = [&] { return cli::sources(source); };
    });
}

void addAnnotations(CLI::App& app, Commands& commands)
{
    const char* runHelp = "Run id, its beginning, or \"last\"";
    CLI::App* tag = app.add_subcommand("tag", "Add tags to a run");
    tag->add_option("run", commands.tag.run, runHelp)->required()->type_name("RUN");
    tag->add_option("tags", commands.tag.tags, "Tags")->required()->type_name("TAG");
    tag->add_flag("--remove", commands.tag.remove, "Remove these tags instead");
    tag->callback([&] {
        commands.tag.history = commands.history;
        commands.action = [&] { return cli::tag(commands.tag); };
    });

    CLI::App* note = app.add_subcommand("note", "Set the note of a run");
    note->add_option("run", commands.runName, runHelp)->required()->type_name("RUN");
    note->add_option("text", commands.note, "The note; an empty one removes it")
        ->required()
        ->type_name("TEXT");
    note->callback([&] {
        commands.action = [&] { return cli::note(commands.history, commands.runName, commands.note); };
    });

    CLI::App* remove = app.add_subcommand("remove", "Delete a run and its file");
    remove->add_option("run", commands.runName, runHelp)->required()->type_name("RUN");
    remove->add_flag("--yes", commands.sure, "Delete it (required)");
    remove->callback([&] {
        commands.action = [&] { return cli::remove(commands.history, commands.runName, commands.sure); };
    });
}

int parseAndRun(int argc, char** argv)
{
    CLI::App app("Loadstone: a workbench for benchmarking mail servers and storage.", "loadstone");
    Commands commands;
    app.set_version_flag("--version", "loadstone " + versionText());
    app.add_option("--history", commands.history,
           "Folder of the history (default: $LOADSTONE_HISTORY, else ~/.local/share/loadstone/history)")
        ->type_name("DIR");
    app.require_subcommand(1);
    app.fallthrough(); // --history may stand behind the subcommand
    app.footer(kExitCodes);
    addRuns(app, commands);
    addRehearse(app, commands);
    addPreflight(app, commands);
    addCounters(app, commands);
    addMailboxes(app, commands);
    addKeys(app, commands);
    cli::addLab(app, commands.lab, commands.action);
    cli::addCompare(app, commands.compare, commands.action);
    cli::addResult(app, commands.result, commands.action);
    cli::addStudy(app, commands.study, commands.action);
    addDifferences(app, commands);
    addPlans(app, commands);
    addStorage(app, commands);
    addHistory(app, commands);
    addSources(app, commands);
    addAnnotations(app, commands);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return app.exit(error); // --help and --version
        const auto parsed = app.get_subcommands();
        const auto unknown = app.remaining();
        // Of a command that it does not know CLI11 says that one is missing.
        const std::string what = parsed.empty() && !unknown.empty()
            ? "\"" + unknown.front() + "\" is not " + (unknown.front().starts_with('-') ? "an option" : "a command")
            : error.what();
        return cli::complain(what + std::string("; see \"loadstone ")
                + (parsed.empty() ? "" : parsed.front()->get_name() + " ") + "--help\"",
            cli::kBadInput);
    }
    commands.lab.history = commands.history;
    commands.compare.history = commands.history;
    commands.study.history = commands.history;
    return commands.action();
}

} // namespace

int main(int argc, char** argv)
{
    try {
        std::vector<char*> words(argv, argv + argc);
        std::string help = "--help";
        if (argc > 1 && std::string_view(argv[1]) == "help") { // "help run" is "run --help"
            words.erase(words.begin() + 1);
            words.push_back(help.data());
        }
        const int count = static_cast<int>(words.size());
        if (count > 1 && std::string_view(words[1]) == "target")
            return runTarget(count - 1, words.data() + 1);
        return parseAndRun(count, words.data());
    } catch (const std::exception& error) {
        return cli::complain(std::string("internal error: ") + error.what(), cli::kFailed);
    }
}
