// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ask_password.h"
#include "commands.h"
#include "json_lines.h"
#include "progress.h"
#include "signals.h"

#include <loadstone/counters.h>
#include <loadstone/judgement.h>
#include <loadstone/report.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <unistd.h>
#include <utility>

namespace loadstone::cli {

namespace {

int exitCodeHere(Verdict verdict)
{
    return stopSignal() != 0 && verdict != Verdict::failed ? 128 + stopSignal() : exitCodeOf(verdict);
}

/// What of a run was already reported to a program that reads JSON lines.
class JsonReporter {
public:
    explicit JsonReporter(const Run& run)
        : m_file(run.file())
    {
    }

    void update(const RunStatus& status)
    {
        if (const bool written = status.historyTrouble.empty(); written != std::exchange(m_written, written))
            print(jsonHistory(status.historyTrouble));
        if (!status.lastTick || *status.lastTick < m_nextTick)
            return;
        printNews();
        for (; m_nextTick <= *status.lastTick; ++m_nextTick)
            print(jsonTick(m_nextTick, m_nextTick == *status.lastTick ? &status : nullptr));
    }

    /// Phases and the event log are read where every other reader finds them, in the recording: none is
    /// missed.
    void printNews()
    {
        if (!m_recording) {
            auto opened = Recording::open(m_file);
            if (!opened)
                return; // the results at the end will say why
            m_recording.emplace(*std::move(opened));
        }
        const auto changed = m_recording->refresh();
        const auto events = m_recording->events();
        if (!changed || !events)
            return;
        const std::vector<Phase>& phases = m_recording->phases();
        for (; m_nextPhase < phases.size(); ++m_nextPhase)
            print(jsonLine(phases[m_nextPhase]));
        for (; m_nextEvent < events->size(); ++m_nextEvent)
            print(jsonLine((*events)[m_nextEvent]));
    }

    static void print(const std::string& line)
    {
        say(line + "\n"); // a promise: the tick is on disk
    }

private:
    std::filesystem::path m_file;
    std::optional<Recording> m_recording;
    bool m_written = true;
    std::uint64_t m_nextTick = 0;
    std::size_t m_nextPhase = 0, m_nextEvent = 0;
};

/// Watches the run to its end; signals end it in order.
void follow(Run& run, const RunCommand& command)
{
    constexpr Nanoseconds kLook = std::chrono::milliseconds(100);
    ProgressPrinter progress;
    JsonReporter json(run);
    int answered = 0;
    bool ended = false;
    while (!ended) {
        ended = run.waitFor(kLook);
        const RunStatus status = run.status();
        if (command.json)
            json.update(status);
        else if (!command.quiet && !ended)
            progress.update(status);
        if (stopRequests() == answered || ended)
            continue;
        answered = stopRequests();
        run.stop();
        if (!command.json && !command.quiet)
            progress.line("stopping: what was measured is kept");
    }
    if (command.json)
        json.printNews();
    progress.clear();
}

int writeReport(const RunCommand& command, const Recording& recording)
{
    if (const auto written = writeHtmlReport(recording, command.report); !written)
        return complain(written.error().message, kFailed);
    if (!command.json)
        say(fmt::format("Report: {}\n", std::filesystem::absolute(command.report).string()));
    return kGood;
}

/// Mailboxes and databases have commands of their own, so that a user who means the one does not fill or remove the other.
int checkKind(const RunCommand& command, const PlanSummary& plan)
{
    const bool storage = plan.kind == RunKind::storage;
    if (command.storage && !storage)
        return complain(command.plan
                + ": is not a storage plan (kind = \"storage\"); \"loadstone storage\" accepts only storage "
                  "plans",
            kBadInput);
    if (!command.storage && storage && command.options.purpose != RunPurpose::run)
        return complain(
            fmt::format("{}: is a storage plan and has no mailboxes; write \"loadstone storage {}\"",
                command.plan, command.options.purpose == RunPurpose::initialise ? "init" : "clean"),
            kBadInput);
    return kGood;
}

constexpr std::size_t kMostNamed = 12; // files, in a question

/// What cleaning up will remove; empty: nothing.
Result<std::string> removalOf(const PlanSummary& plan, const PlanInput& input)
{
    if (plan.kind != RunKind::storage)
        return fmt::format("Loadstone's messages, folders, events and contacts will be removed from {} "
                           "mailbox{} of {}.",
            plan.users, plan.users == 1 ? "" : "es", plan.target);
    const auto files = filesToRemove(input);
    if (!files)
        return files.error();
    std::string names;
    for (std::size_t i = 0; i < std::min(files->size(), kMostNamed); ++i)
        names += (names.empty() ? "" : ", ") + (*files)[i].string();
    if (files->size() > kMostNamed)
        names += fmt::format(" and {} more", files->size() - kMostNamed);
    return files->empty()
        ? std::string()
        : fmt::format("{} that Loadstone made will be removed: {}.",
            files->size() == 1 ? "One file" : fmt::format("{} files", files->size()), names);
}

/// Cleaning up removes data, and has to be meant.
int confirm(const RunCommand& command, const PlanSummary& plan, const PlanInput& input)
{
    if (command.options.purpose != RunPurpose::cleanUp || command.sure)
        return kGood;
    const auto removal = removalOf(plan, input);
    if (!removal)
        return complain(removal.error().message, kBadInput);
    const std::string& what = *removal;
    if (what.empty())
        return kGood;
    if (::isatty(STDIN_FILENO) != 1)
        return complain(what + " To remove them, add --yes", kBadInput);
    say(what + " Go on? [y/N] ");
    std::string answer;
    std::getline(std::cin, answer);
    const bool yes = answer == "y" || answer == "Y" || answer == "yes";
    return yes ? kGood : complain("nothing was removed", kBadInput);
}

} // namespace

namespace {

/// A quick look at the servers: what is doubtful is told, what is bound to fail is not begun.
int lookBefore(const RunCommand& command, const RunOptions& options)
{
    if (command.skipPreflight || options.purpose != RunPurpose::run)
        return kGood;
    PreflightOptions look;
    look.plan = options.plan;
    look.password = options.password;
    look.agreed = options.agreed;
    look.historyFolder = options.historyFolder;
    look.limits = look.message = false;
    look.progress = [](const std::string&) { return stopSignal() == 0; };
    const auto result = loadstone::preflight(look);
    if (!result && stopSignal() != 0)
        return 128 + stopSignal();
    if (!result)
        return complain(result.error().message, isUnusablePlan(result.error()) ? kBadInput : kFailed);
    say(formatFindings(*result, Severity::warning), stderr);
    if (!result->passed())
        return complain(
            "the run was not started because it would fail; --no-preflight starts it anyway", kBadInput);
    return kGood;
}

} // namespace

int run(const RunCommand& command)
{
    RunOptions options = command.options;
    const auto plan = openPlan(command.plan, "the plan was not started; fix the problems above");
    if (!plan)
        return kBadInput;
    options.plan = plan->file;
    if (const int other = checkKind(command, *plan); other != kGood)
        return other;
    if (const int unsure = confirm(command, *plan, options.plan); unsure != kGood)
        return unsure;

    options.agreed = agreedOf(*plan, command.allowCommands);
    if (options.purpose == RunPurpose::run)
        if (const auto agreed = checkAgreed(options.plan, options.agreed); !agreed)
            return complain(agreed.error().message, kBadInput);

    const auto password = askPassword(*plan);
    if (!password)
        return complain(password.error().message, kBadInput);
    options.password = *password;
    catchSignals();
    if (const int refused = lookBefore(command, options); refused != kGood)
        return refused;
    auto started = Run::start(options);
    if (!started)
        return complain(started.error().message, isUnusablePlan(started.error()) ? kBadInput : kFailed);
    Run& run = **started;
    if (command.json)
        JsonReporter::print(jsonLine(RunStarted { run.id(), run.file().string(), command.plan }));
    else if (!command.quiet)
        ProgressPrinter().line(fmt::format("Run {}: {}, {}", run.id().text(), plan->title, plan->target));
    follow(run, command);

    const auto results = run.wait();
    if (!results)
        return complain(results.error().message, kFailed);
    const auto recording = Recording::open(run.file());
    if (!recording)
        return complain(recording.error().message, kFailed);
    const auto verdict = verdictOf(*recording);
    const auto details = command.json ? formatJudgementJson(*recording) : formatJudgement(*recording);
    if (!verdict || !details)
        return complain((verdict ? details.error() : verdict.error()).message, kFailed);
    const auto targets = command.json ? formatTargetsJson(*recording) : formatTargets(*recording);
    if (!targets)
        return complain(targets.error().message, kFailed);
    int code = exitCodeHere(verdict->verdict);
    if (!command.json)
        say(fmt::format("\n{}{}{}\nRecording: {}\n", formatResultTable(*results, *verdict), *details,
            *targets, run.file().string()));
    if (!command.report.empty() && writeReport(command, *recording) != kGood && code == kGood)
        code = kFailed;
    if (command.json)
        JsonReporter::print(jsonEnd(run.id(), *results, *details, *targets, code));
    return code;
}

} // namespace loadstone::cli
