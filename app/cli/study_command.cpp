// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `loadstone study`: configurations that are compared, and the queue of their runs.
#include "ask_password.h"
#include "commands.h"
#include "progress.h"
#include "signals.h"

#include <loadstone/compared.h>
#include <loadstone/external_result.h>
#include <loadstone/history.h>
#include <loadstone/report.h>
#include <loadstone/study.h>
#include <loadstone/study_run.h>
#include <loadstone/table_formats.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadstone::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Prints what is wrong on standard error; nothing when the study cannot be used.
std::optional<Study> openStudy(const std::string& name)
{
    auto checked = checkStudy(findStudy(name));
    if (!checked) {
        complain(checked.error().message + shippedNames("studies", shippedStudies()), kBadInput);
        return std::nullopt;
    }
    for (const Problem& problem : checked->problems)
        say(problem.format(name) + "\n", stderr);
    if (!checked->usable())
        return std::nullopt;
    return std::move(checked->study);
}

int check(const std::string& name, const Study& study)
{
    print("{}: {}: {}, {}, {}, {} to run, revision {}\n", name,
        plainText(study.title.empty() ? study.name : study.title),
        counted(study.cases.size(), "case", "cases"), counted(study.sets.size(), "set", "sets"),
        counted(study.comparisons.size(), "comparison", "comparisons"),
        counted(stepsOf(study).size(), "run", "runs"), study.revision);
    return kGood;
}

ReportTable stepTable(const Study& study, const std::vector<StudyStep>& steps)
{
    ReportTable table;
    table.title = fmt::format("Runs in the order {}", toString(study.order));
    table.columns = { { "No." }, { "Case", false }, { "Repeat" }, { "Run", false }, { "Remark", false } };
    for (std::size_t i = 0; i < steps.size(); ++i)
        table.rows.push_back({ fmt::format("{}", i + 1), study.cases[steps[i].caseIndex].label(),
            fmt::format("{}", steps[i].repeat), steps[i].run.empty() ? "to do" : steps[i].run.text(),
            steps[i].note });
    return table;
}

OrderedJson jsonOf(const Study& study, const std::vector<StudyStep>& steps)
{
    OrderedJson list = OrderedJson::array();
    for (const StudyStep& step : steps)
        list.push_back({ { "case", study.cases[step.caseIndex].id }, { "repeat", step.repeat },
            { "run", step.run.empty() ? OrderedJson(nullptr) : OrderedJson(step.run.text()) },
            { "note", step.note } });
    return list;
}

std::string dumped(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

int order(const StudyCommandLine& command, const Study& study)
{
    const auto steps = stepsOf(study);
    if (command.json)
        say(dumped(jsonOf(study, steps)));
    else if (steps.empty())
        say("No case of the study has a plan to run.\n");
    else
        say(formatTables({ stepTable(study, steps) }));
    return kGood;
}

std::string sourceOf(const StudyCase& one)
{
    if (!one.plan.empty())
        return one.plan;
    return one.result.empty() ? counted(one.runs.size(), "run", "runs")
                              : one.result + (one.system.empty() ? "" : ": " + one.system);
}

/// Label of a case or set.
std::string labelOf(const Study& study, const std::string& id)
{
    if (const StudyCase* one = study.find(id))
        return one->label();
    const auto set = std::ranges::find(study.sets, id, &HostSet::id);
    return set == study.sets.end() ? id : set->label();
}

ReportTable questionTable(const Study& study, const std::vector<ComparedColumn>& columns)
{
    ReportTable table;
    table.title = "Questions, for loadstone compare --question";
    table.columns = { { "Id", false }, { "Question", false }, { "Baseline", false }, { "With", false },
        { "Figures", false }, { "Remark", false } };
    for (const StudyComparison& one : study.comparisons) {
        std::string with;
        for (const std::string& id : one.with)
            with += (with.empty() ? "" : ", ") + labelOf(study, id);
        table.rows.push_back({ one.id, one.label(), labelOf(study, one.baseline), with,
            one.figures.empty() ? std::string("all") : fmt::format("{}", one.figures.size()),
            columnsOf(one, columns).empty() ? "to do" : "" });
    }
    return table;
}

int show(const StudyCommandLine& command, const Study& study)
{
    auto history = History::open(command.history);
    if (!history)
        return complain(history.error().message, kFailed);
    const auto steps = progressOf(study, *history);
    if (!steps)
        return complain(steps.error().message, kFailed);
    const auto columns = columnsOf(study, *history);
    if (!columns)
        return complain(columns.error().message, kFailed);
    if (command.json) {
        OrderedJson list = OrderedJson::array();
        for (const ComparedColumn& column : *columns)
            list.push_back(
                { { "name", column.name }, { "runs", column.runs.size() }, { "note", column.note } });
        OrderedJson questions = OrderedJson::array();
        for (const StudyComparison& one : study.comparisons)
            questions.push_back({ { "id", one.id }, { "title", one.label() }, { "baseline", one.baseline },
                { "with", one.with }, { "figures", one.figures },
                { "complete", !columnsOf(one, *columns).empty() } });
        say(dumped({ { "name", study.name }, { "title", study.title }, { "baseline", study.baseline },
            { "steps", jsonOf(study, *steps) }, { "columns", std::move(list) },
            { "questions", std::move(questions) }, { "agreements", agreementsOf(study) } }));
        return kGood;
    }
    ReportTable cases;
    cases.title = "Cases and sets";
    cases.columns = { { "Name", false }, { "Lab", false }, { "From", false }, { "Runs" },
        { "Remark", false } };
    const auto addRow = [&](const std::string& id, const std::string& label, const std::string& lab,
                            const std::string& from) {
        const auto column = std::ranges::find(*columns, id, &ComparedColumn::id);
        const bool isColumn = column != columns->end();
        cases.rows.push_back({ label, lab, from, isColumn ? fmt::format("{}", column->runs.size()) : "-",
            isColumn ? column->note : std::string() });
    };
    for (const StudyCase& one : study.cases)
        addRow(one.id, one.label(),
            one.lab.empty() ? "" : one.lab + (one.variant.empty() ? "" : ", " + one.variant), sourceOf(one));
    for (const HostSet& set : study.sets)
        addRow(set.id, set.label(), "", counted(set.hosts.size(), "host", "hosts"));
    std::vector<ReportTable> tables { std::move(cases) };
    if (!study.comparisons.empty())
        tables.push_back(questionTable(study, *columns));
    if (!steps->empty())
        tables.push_back(stepTable(study, *steps));
    print(
        "{}\n{}\n", plainText(study.title.empty() ? study.name : study.title), plainText(study.description));
    say(formatTables(tables));
    return kGood;
}

bool asksPassword(const Study& study)
{
    return std::ranges::any_of(study.cases, [&](const StudyCase& one) {
        if (one.plan.empty())
            return false;
        const std::filesystem::path beside = study.file.parent_path() / one.plan;
        std::error_code ignored;
        const auto plan = checkPlan(std::filesystem::exists(beside, ignored) ? beside : findPlan(one.plan));
        return plan && plan->asksPassword;
    });
}

/// Until it ends. `json`: standard output is left to what is printed at the end.
void follow(StudyRun& queue, bool json)
{
    constexpr Nanoseconds kLookAgain = std::chrono::milliseconds(200);
    ProgressPrinter progress;
    const auto line = [&](const std::string& text) {
        if (json)
            say(text + "\n", stderr);
        else
            progress.line(text);
    };
    std::string said;
    for (bool ended = false, asked = false; !ended;) {
        ended = queue.waitFor(kLookAgain);
        const StudyStatus status = queue.status();
        if (status.message != said && !status.over()) {
            said = status.message;
            line(fmt::format("{} of {}: {}", status.step + 1, status.steps.size(), plainText(said)));
        }
        if (status.run && !ended && !json)
            progress.update(*status.run);
        if (stopSignal() != 0 && !asked) {
            asked = true;
            queue.stop();
            line("stopping: runs that are complete are kept");
        }
    }
    progress.clear();
}

int run(const StudyCommandLine& command, const Study& study)
{
    StudyRunOptions options;
    options.study = study.file;
    options.historyFolder = command.history;
    options.goOn = command.goOn;
    if (command.allowCommands) {
        options.agreed = agreementsOf(study);
        for (const std::string& text : options.agreed)
            say("agreed to: " + plainText(text) + "\n", stderr);
    }
    if (asksPassword(study)) {
        PlanSummary asks;
        asks.asksPassword = true;
        const auto password = askPassword(asks);
        if (!password)
            return complain(password.error().message, kBadInput);
        options.password = *password;
    }
    catchSignals();
    auto queue = StudyRun::start(options);
    if (!queue)
        return complain(queue.error().message, isUnusablePlan(queue.error()) ? kBadInput : kFailed);
    follow(**queue, command.json);
    const StudyStatus status = (*queue)->status();
    if (command.json)
        say(dumped({ { "state", toString(status.state) }, { "message", status.message },
            { "steps", jsonOf(study, status.steps) } }));
    else
        print("{}{} of {} runs are there: {}\n", formatTables({ stepTable(study, status.steps) }),
            status.done(), status.steps.size(), plainText(status.message));
    if (stopSignal() != 0)
        return 128 + stopSignal();
    return status.state == StudyStatus::State::finished ? kGood : kFailed;
}

} // namespace

int study(const StudyCommandLine& command)
{
    const auto read = openStudy(command.file);
    if (!read)
        return kBadInput;
    switch (command.task) {
    case StudyTask::check:
        return check(command.file, *read);
    case StudyTask::order:
        return order(command, *read);
    case StudyTask::run:
        return run(command, *read);
    case StudyTask::show:
        break;
    }
    return show(command, *read);
}

void addStudy(CLI::App& app, StudyCommandLine& command, std::function<int()>& action)
{
    CLI::App* all =
        app.add_subcommand("study", "Configurations to compare: check, run one after the other, show");
    all->require_subcommand(1);
    const auto add = [&](const char* name, const char* help, StudyTask task) {
        CLI::App* sub = all->add_subcommand(name, help);
        sub->add_option(
               "file", command.file, "File of a study, or the name of one that comes with the program")
            ->required()
            ->type_name("STUDY");
        sub->callback([&command, &action, task] {
            command.task = task;
            action = [&command] { return study(command); };
        });
        return sub;
    };
    add("check", "Report all problems of a study and of the files that it names", StudyTask::check);
    add("order", "Print its runs in their order", StudyTask::order)
        ->add_flag("--json", command.json, "Print them as one JSON array");
    CLI::App* run = add("run", "Make the runs that the history lacks, one after the other", StudyTask::run);
    run->add_flag(
        "--allow-commands", command.allowCommands, "Agree to the study's commands and those of its plans");
    run->add_flag("--go-on", command.goOn, "Go on after a run that does not count");
    run->add_flag("--json", command.json, "Print the runs at the end as one JSON object");
    add("show", "Print its cases with their runs, and what is still to do", StudyTask::show)
        ->add_flag("--json", command.json, "Print everything as one JSON object");
}

} // namespace loadstone::cli
