// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/study/check_study.h"
#include "counters/live/shell_command.h"
#include "run/mix_commands.h"
#include "session/unusable_plan.h"

#include <loadstone/study_run.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace loadstone {

namespace {

using State = StudyStatus::State;

constexpr auto kLook = std::chrono::milliseconds(100);
constexpr std::size_t kLongestMark = 2000; // of a remark beside a run

bool isFor(const StudyCommand& command, const StudyCase& one)
{
    return command.cases.empty() || std::ranges::find(command.cases, one.id) != command.cases.end();
}

/// Why a run does not count as a repeat; empty: it does. As progressOf() has it.
Result<std::string> whyNot(const Recording& recording, bool valid)
{
    const auto verdict = verdictOf(recording);
    if (!verdict)
        return verdict.error();
    if (valid && verdict->verdict < Verdict::nothingMeasured)
        return std::string();
    std::string why = verdict->headline;
    if (why.ends_with('.'))
        why.pop_back(); // something follows in the sentence
    return verdict->reasons.empty() ? why : why + ": " + verdict->reasons.front();
}

class Queue final : public StudyRun {
public:
    Queue(Study study, StudyRunOptions options, History history, std::vector<StudyStep> steps)
        : m_study(std::move(study))
        , m_options(std::move(options))
        , m_history(std::move(history))
    {
        m_status.steps = std::move(steps);
        for (const StudyCase& one : m_study.cases)
            m_lengths.push_back(lengthOf(one));
    }
    ~Queue() override { m_thread = {}; } // asks it to stop, and waits

    void begin()
    {
        m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }

    [[nodiscard]] StudyStatus status() const override
    {
        const std::lock_guard lock(m_mutex);
        StudyStatus status = m_status;
        status.stopping = m_stopsAfterRun || m_stopAsked;
        if (m_run)
            status.run = m_run->status();
        for (std::size_t i = status.step; i < status.steps.size() && !status.over(); ++i) {
            if (i == status.step && status.run)
                status.totalLeft += status.run->totalLeft;
            else if (status.steps[i].run.empty())
                status.totalLeft += m_lengths[status.steps[i].caseIndex];
        }
        return status;
    }

    void stop() override
    {
        m_stopAsked = true;
        m_thread.request_stop();
    }
    void stopAfterRun(bool on) override { m_stopsAfterRun = on; }

    bool waitFor(Nanoseconds limit) override
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, limit, [&] { return m_status.over(); });
    }

private:
    /// Of one run of a case; 0 where it has none.
    [[nodiscard]] Nanoseconds lengthOf(const StudyCase& one) const
    {
        if (one.plan.empty())
            return {};
        const auto plan = compare::planOf(m_study, one);
        if (!plan)
            return {};
        const auto checked = checkPlan(PlanInput(*plan));
        return checked ? checked->length : Nanoseconds(0);
    }

    void work(const std::stop_token& stop)
    {
        Result<void> done;
        try { // thread entry: a broken invariant or no memory ends the queue, not the program
            done = runAll(stop);
        } catch (const std::exception& e) {
            done = fail(std::string("internal error: ") + e.what());
        }
        const std::lock_guard lock(m_mutex);
        m_run.reset();
        m_status.command.clear();
        const bool isStopped =
            done && m_status.done() < m_status.steps.size() && (stop.stop_requested() || m_stopsAfterRun);
        m_status.state = isStopped ? State::stopped : done ? State::finished : State::failed;
        m_status.message = isStopped ? "stopped; a second start goes on with the runs that are missing"
            : done                   ? "every run of the study is there"
                                     : done.error().message;
        m_changed.notify_all();
    }

    Result<void> runAll(const std::stop_token& stop)
    {
        for (std::size_t i = 0; i < m_status.steps.size(); ++i) {
            if (stop.stop_requested() || m_stopsAfterRun)
                return {};
            if (!m_status.steps[i].run.empty())
                continue;
            if (const auto done = runStep(i, stop); !done)
                return done;
        }
        return {};
    }

    Result<void> runStep(std::size_t index, const std::stop_token& stop)
    {
        const StudyStep step = m_status.steps[index];
        const StudyCase& one = m_study.cases[step.caseIndex];
        const std::string name = fmt::format("{}, repeat {}", one.label(), step.repeat);
        set(State::before, index, name + ": begins");
        std::vector<RunEvent> log;
        if (const auto done = runCommands(CommandMoment::beforeRun, one, stop, log); !done)
            return done.error().within(name);
        if (stop.stop_requested())
            return {};
        const auto id = runPlan(index, one, std::move(log), stop);
        if (!id)
            return id.error().within(name);
        if (id->empty()) // stopped
            return {};
        set(State::after, index, fmt::format("{}: run {} ended", name, id->text()));
        std::vector<RunEvent> after;
        const auto done = runCommands(CommandMoment::afterRun, one, stop, after);
        for (const RunEvent& event : after)
            if (const auto noted = remark(*id, event.text); !noted)
                return noted;
        if (!done)
            return done.error().within(name);
        return {};
    }

    /// The id of a run that counts; an empty one where a stop was asked for.
    Result<RunId> runPlan(
        std::size_t index, const StudyCase& one, std::vector<RunEvent> before, const std::stop_token& stop)
    {
        auto plan = compare::planOf(m_study, one);
        if (!plan)
            return plan.error();
        RunOptions options;
        options.plan = PlanInput(*std::move(plan));
        options.historyFolder = m_options.historyFolder;
        options.password = m_options.password;
        options.agreed = m_options.agreed;
        options.targetProgram = m_options.targetProgram;
        options.study = { m_study.name, one.id, m_status.steps[index].repeat };
        options.tags = { m_study.name };
        options.before = std::move(before);
        for (const StudyCommand& command : m_study.commands)
            if (isFor(command, one)
                && (command.moment == CommandMoment::beforeMix || command.moment == CommandMoment::afterMix))
                options.mixCommands.push_back(
                    { command.moment, command.command, command.timeLimit, command.goOn });
        auto started = Run::start(options);
        if (!started)
            return started.error();
        const std::shared_ptr<Run> run = std::move(*started);
        set(State::running, index, fmt::format("{}: run {}", one.label(), run->id().text()), run);
        for (bool asked = false; !run->waitFor(kLook);)
            if (stop.stop_requested() && !std::exchange(asked, true))
                run->stop();
        const auto results = run->wait();
        if (!results)
            return results.error();
        if (stop.stop_requested())
            return RunId();
        const auto recording = Recording::open(run->file());
        if (!recording)
            return recording.error();
        const auto why = whyNot(*recording, results->valid);
        if (!why)
            return why.error();
        if (!why->empty() && !m_options.goOn)
            return fail(fmt::format(
                "run {} does not count: {}; start the study again for another one", run->id().text(), *why));
        const std::lock_guard lock(m_mutex);
        StudyStep& step = m_status.steps[index];
        if (why->empty())
            step.run = run->id();
        else
            step.note = fmt::format("run {} does not count: {}", run->id().text(), *why);
        return run->id();
    }

    Result<void> runCommands(
        CommandMoment moment, const StudyCase& one, const std::stop_token& stop, std::vector<RunEvent>& log)
    {
        for (const StudyCommand& command : m_study.commands) {
            if (command.moment != moment || !isFor(command, one) || stop.stop_requested())
                continue;
            {
                const std::lock_guard lock(m_mutex);
                m_status.command = command.command;
            }
            const auto ended = counters::runShellCommand(command.command, { command.timeLimit }, stop);
            {
                const std::lock_guard lock(m_mutex);
                m_status.command.clear();
            }
            if (stop.stop_requested())
                return {};
            const std::string what =
                fmt::format("command {}: {}", toString(moment), run::outputForLog(command.command));
            const std::string output = run::outputForLog(ended ? ended->text : ended.error().message);
            log.push_back({ {}, ended ? Severity::info : Severity::warning,
                fmt::format("{}{}{}", what, ended ? "" : " failed", output.empty() ? "" : ":\n" + output) });
            if (!ended && !command.goOn)
                return fail(fmt::format("the {}: {}", what, output));
        }
        return {};
    }

    /// Beside a run that has ended, at its end.
    Result<void> remark(const RunId& id, const std::string& text)
    {
        const auto recording = m_history.openRun(id);
        if (!recording)
            return recording.error();
        Annotation annotation { wallNow(), AnnotationKind::mark, text.substr(0, kLongestMark),
            recording->length() };
        return m_history.annotate(id, annotation);
    }

    void set(State state, std::size_t step, std::string message, std::shared_ptr<Run> run = {})
    {
        const std::lock_guard lock(m_mutex);
        m_status.state = state;
        m_status.step = step;
        m_status.message = std::move(message);
        m_status.recording = run ? run->file() : std::filesystem::path();
        m_run = std::move(run);
        m_changed.notify_all();
    }

    Study m_study;
    StudyRunOptions m_options;
    History m_history;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    StudyStatus m_status;
    std::shared_ptr<Run> m_run;
    std::vector<Nanoseconds> m_lengths; // of the cases' plans
    std::atomic<bool> m_stopAsked { false }, m_stopsAfterRun { false };
    std::jthread m_thread; // the last: it ends before what it uses
};

Result<void> checkAgreed(const Study& study, const std::string& name, const std::vector<std::string>& agreed)
{
    std::string open;
    for (const std::string& text : agreementsOf(study))
        if (std::ranges::find(agreed, text) == agreed.end())
            open += "\n" + text;
    if (open.empty())
        return {};
    return session::unusablePlan(fail(name
        + ": the study does on this machine what needs your agreement; look at it, and add --allow-commands:"
        + open));
}

} // namespace

StudyRun::~StudyRun() = default;

const char* toString(StudyStatus::State state)
{
    constexpr std::array kNames { "before a run", "running", "after a run", "finished", "stopped", "failed" };
    return kNames.at(static_cast<std::size_t>(state));
}

std::size_t StudyStatus::done() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(steps, [](const StudyStep& one) { return !one.run.empty(); }));
}

Result<std::unique_ptr<StudyRun>> StudyRun::start(const StudyRunOptions& options)
{
    const std::string name = options.study.filename().string();
    auto checked = checkStudy(options.study);
    if (!checked)
        return checked.error();
    if (!checked->usable()) {
        const auto error = std::ranges::find(checked->problems, ProblemSeverity::error, &Problem::severity);
        return session::unusablePlan(fail(error->format(name)));
    }
    const Study& study = checked->study;
    if (stepsOf(study).empty())
        return session::unusablePlan(fail(name + ": no case has a plan to run; write plan = \"…\" for one"));
    if (const auto agreed = checkAgreed(study, name, options.agreed); !agreed)
        return agreed.error();
    auto history = History::open(options.historyFolder);
    if (!history)
        return history.error();
    auto steps = progressOf(study, *history);
    if (!steps)
        return steps.error();
    auto queue =
        std::make_unique<Queue>(std::move(checked->study), options, *std::move(history), *std::move(steps));
    queue->begin();
    return std::unique_ptr<StudyRun>(std::move(queue));
}

} // namespace loadstone
