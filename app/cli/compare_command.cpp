// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_command.h"

#include "commands.h"
#include "compare_columns.h"

#include <loadstone/comparison_report.h>
#include <loadstone/history.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace loadstone::cli {

namespace {

constexpr const char* kFooter = R"(A column is one of
  RUN[,RUN...]          runs of one configuration: ids, beginnings of ids, "last", or files of recordings
  STUDY.toml[:CASE]     a case or set of a study, or all of them
  RESULT.toml[:SYSTEM]  a system of a result from elsewhere, or all of them; also by the name of one that comes with the program
and NAME=COLUMN gives it a name. 2 to 12 columns; the first one is the baseline, or that of a study which stands alone.
Words: better, worse (higher, lower where no direction is better), no difference shown, cannot tell.
Exit codes: 0 compared, 2 bad usage or no such run or file, 1 an internal error.)";

bool contains(const std::string& text, const std::string& part)
{
    return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    }) != text.end();
}

template <class Choice>
bool isNamed(const Choice& choice, const std::string& part)
{
    return contains(choice.label, part) || contains(choice.key.figure, part)
        || contains(choice.key.name, part) || contains(choice.group, part);
}

/// The index of a column by its name or id, by its number from 1, or by a part of its name.
Result<std::size_t> columnOf(const std::vector<ComparedColumn>& columns, const std::string& name)
{
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (const std::string& title = columns[i].name; name == title || name == columns[i].id)
            return i;
    if (!name.empty() && name.size() <= 2
        && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }))
        if (const auto number = static_cast<std::size_t>(std::stoul(name));
            number >= 1 && number <= columns.size())
            return number - 1;
    for (std::size_t i = 0; i < columns.size();
         ++i) // "2" is the second column, and no part of "Exchange 2000"
        if (const std::string& title = columns[i].name; contains(title, name))
            return i;
    return fail(
        fmt::format("no column \"{}\": write its name, or its number from 1 to {}", name, columns.size()));
}

/// All that is on the command line: columns, of equal names numbered, and the study that they are of.
Result<WordColumns> allColumns(History& history, const CompareCommand& command)
{
    WordColumns all;
    for (const std::string& word : command.columns) {
        auto more = columnsOf(history, word, command.question);
        if (!more)
            return more.error();
        std::ranges::move(more->columns, std::back_inserter(all.columns));
        if (more->study && !all.study)
            all.study = std::move(more->study);
        all.wholeStudy = more->wholeStudy && command.columns.size() == 1;
    }
    if (!command.question.empty() && !all.wholeStudy)
        return fail("--question asks one study alone: write its file, and nothing beside it");
    std::vector<ComparedColumn>& columns = all.columns;
    // Runs of one plan have one title: then their ids tell them apart.
    std::map<std::string, int> names, seen;
    for (const ComparedColumn& column : columns)
        ++names[column.name];
    for (ComparedColumn& column : columns)
        if (names[column.name] > 1 && !column.runs.empty() && !column.runs.front().id.empty())
            column.name = column.runs.front().id.text();
    for (ComparedColumn& column : columns)
        if (const int number = ++seen[column.name]; number > 1)
            column.name += fmt::format(" ({})", number);
    for (const std::string& quotient : command.quotients) {
        const auto slash = quotient.find('/');
        if (slash == std::string::npos || slash == 0 || slash + 1 == quotient.size())
            return fail(fmt::format(
                "\"{}\" is no quotient of two figures: write it as in \"users/processors\"", quotient));
        addQuotients(columns, quotient.substr(0, slash), quotient.substr(slash + 1));
    }
    constexpr std::size_t kMost = CompareOptions::kMostColumns;
    if (columns.size() > kMost && all.wholeStudy) {
        std::string questions;
        for (const StudyComparison& one : all.study->comparisons)
            questions += (questions.empty() ? "" : ", ") + one.id;
        return fail(fmt::format("the study has {} columns, and a comparison at most {}: name some as "
                                "STUDY.toml:CASE{}{}",
            columns.size(), kMost,
            questions.empty() ? "" : ", or ask one of its questions with --question: ", questions));
    }
    return all;
}

Result<CompareOptions> optionsOf(const CompareCommand& command, const WordColumns& all)
{
    const std::vector<ComparedColumn>& columns = all.columns;
    CompareOptions options;
    options.match = command.match == "name" ? MixMatch::name
        : command.match == "phase"          ? MixMatch::phase
                                            : MixMatch::users;
    if (all.study) {
        options.matters = all.study->matters;
        options.level = 1 - all.study->confidence;
    }
    if (command.matters)
        options.matters = *command.matters / 100;
    if (command.confidence)
        options.level = 1 - *command.confidence / 100;
    options.all = command.all;
    options.evenIfNotComparable = command.evenIfNotComparable;
    options.rows = command.rows;
    if (!command.question.empty())
        options.figures =
            findQuestion(*all.study, command.question)->figures; // its baseline is the first column
    else if (all.wholeStudy)
        options.baseline = baselineColumn(*all.study, columns);
    if (!command.baseline.empty()) {
        const auto column = columnOf(columns, command.baseline);
        if (!column)
            return column.error();
        options.baseline = *column;
    }
    if (!command.control.empty()) {
        const auto column = columnOf(columns, command.control);
        if (!column)
            return column.error();
        options.control = *column;
    }
    return options;
}

std::string titleOf(const CompareCommand& command, const WordColumns& all)
{
    if (!all.wholeStudy)
        return "Comparison";
    const std::string& title = all.study->title.empty() ? all.study->name : all.study->title;
    return command.question.empty() ? title
                                    : title + ": " + findQuestion(*all.study, command.question)->label();
}

/// The repeats of the history that tell of these columns.
Result<RepeatPool> poolOf(History& history, const std::vector<ComparedColumn>& columns)
{
    std::set<std::string> keys;
    for (const ComparedColumn& column : columns)
        for (const ComparedRun& run : column.runs)
            if (!run.external)
                keys.insert(run.facts.poolingKey());
    if (keys.empty())
        return RepeatPool();
    return history.repeats({ keys.begin(), keys.end() });
}

Result<void> addCurves(
    const CompareCommand& command, const std::vector<ComparedColumn>& columns, ComparisonReport& report)
{
    const auto choices = curveChoices(columns);
    const LoadAxis axis = command.axis == "clients" ? LoadAxis::clients
        : command.axis == "rate"                    ? LoadAxis::rate
                                                    : LoadAxis::load;
    constexpr std::size_t kMost = 12;
    for (const std::string& part : command.curves) {
        std::size_t found = 0;
        for (const CurveChoice& choice : choices)
            if (isNamed(choice, part) && found < kMost) {
                report.curves.push_back(loadCurves(columns, choice.key, axis));
                ++found;
            }
        if (found == 0)
            return fail(
                fmt::format("no figure with \"{}\" in its name is known at two loads of one column", part));
    }
    return {};
}

Result<void> addPercentiles(
    const CompareCommand& command, const std::vector<ComparedColumn>& columns, ComparisonReport& report)
{
    if (command.percentiles.empty())
        return {};
    auto shifts = percentileShifts(columns, report.comparison, command.percentiles);
    if (!shifts)
        return shifts.error();
    const bool none =
        std::ranges::all_of(*shifts, [](const PercentileShifts& one) { return one.shifts.empty(); });
    if (none)
        return fail(shifts->empty()
                ? std::string("no action with such a name has response times in two columns")
                    + (command.rows.empty() ? "" : ", among the rows that --rows leaves")
                : "--percentiles: " + shifts->front().reason);
    report.percentiles = *std::move(shifts);
    return {};
}

Result<void> addTrend(History& history, const CompareCommand& command, ComparisonReport& report)
{
    const auto runs = history.comparedOfPlan(command.trend);
    if (!runs)
        return runs.error();
    if (runs->empty())
        return fail(fmt::format(
            "no run of a plan \"{}\" has ended: write the plan's file name, as loadstone list prints it",
            command.trend));
    const auto choices = trendChoices(*runs);
    const std::vector<std::string> wanted = command.rows.empty()
        ? std::vector<std::string> { "mail.sent-rate", "response.p95", "io.rate" }
        : command.rows;
    constexpr std::size_t kMost = 12;
    for (const TrendChoice& choice : choices) {
        const bool named = std::ranges::any_of(wanted, [&](const std::string& part) {
            return command.rows.empty() ? choice.key.figure == part && choice.key.subject.empty()
                                        : isNamed(choice, part);
        });
        if (named && (command.trendMix.empty() || choice.mix == command.trendMix)
            && report.trends.size() < kMost)
            report.trends.push_back(planTrend(*runs, choice.key, choice.mix));
    }
    if (report.trends.empty())
        return fail("no run of the plan has such a figure");
    return {};
}

Result<ComparisonFormat> formatOf(const CompareCommand& command)
{
    if (!command.format.empty())
        return parseComparisonFormat(command.format);
    const std::string ending = command.output.extension().string();
    if (ending == ".md")
        return ComparisonFormat::markdown;
    if (ending == ".csv" || ending == ".json" || ending == ".html" || ending == ".xlsx")
        return parseComparisonFormat(std::string_view(ending).substr(1));
    return ComparisonFormat::text;
}

int printReport(const ComparisonReport& report, const CompareCommand& command)
{
    const auto format = formatOf(command);
    if (!format)
        return complain(format.error().message, kBadInput);
    if (!command.output.empty()) {
        const auto written = writeComparison(report, *format, command.output);
        return written ? int(kGood) : complain(written.error().message, kFailed);
    }
    if (*format == ComparisonFormat::xlsx)
        return complain("a workbook goes into a file: name it with --output", kBadInput);
    constexpr std::size_t kWide = 160;
    const auto text = formatComparison(report, *format, kWide);
    if (!text)
        return complain(text.error().message, kFailed);
    say(*text);
    return kGood;
}

} // namespace

int compare(const CompareCommand& command)
{
    auto history = History::open(command.history);
    if (!history)
        return complain(history.error().message, kBadInput);
    ComparisonReport report;
    if (!command.trend.empty()) {
        report.title = "History of " + command.trend;
        if (const auto added = addTrend(*history, command, report); !added)
            return complain(added.error().message, kBadInput);
        return printReport(report, command);
    }
    const auto all = allColumns(*history, command);
    if (!all)
        return complain(all.error().message, kBadInput);
    const std::vector<ComparedColumn>& columns = all->columns;
    const auto options = optionsOf(command, *all);
    if (!options)
        return complain(options.error().message, kBadInput);
    auto pool = poolOf(*history, columns);
    if (!pool)
        return complain(pool.error().message, kFailed);
    auto comparison = compareColumns(columns, *options, *std::move(pool));
    if (!comparison)
        return complain(comparison.error().message, kBadInput);
    report.title = titleOf(command, *all);
    report.comparison = *std::move(comparison);
    auto configuration = configurationRows(columns, options->baseline);
    if (!configuration)
        return complain(configuration.error().message, kFailed);
    report.configuration = *std::move(configuration);
    if (const auto added = addCurves(command, columns, report); !added)
        return complain(added.error().message, kBadInput);
    if (const auto added = addPercentiles(command, columns, report); !added)
        return complain(added.error().message, kBadInput);
    return printReport(report, command);
}

void addCompare(CLI::App& app, CompareCommand& command, std::function<int()>& action)
{
    CLI::App* sub = app.add_subcommand("compare",
        "Lay runs, cases of studies and published results side by side, or follow a plan over its runs");
    sub->footer(kFooter);
    CLI::Option* columns =
        sub->add_option("columns", command.columns, "Columns, see below")->type_name("COLUMN");
    CLI::Option* trend =
        sub->add_option("--trend", command.trend,
               "Instead: figures over all runs of a plan, by its file name; changes from 10 runs on")
            ->type_name("PLAN")
            ->excludes(columns);
    sub->add_option("--mix", command.trendMix, "Of the trend: the mix with this name alone")
        ->type_name("NAME")
        ->needs(trend);
    sub->add_option("--baseline", command.baseline,
           "The column that others are compared with: its name or number (default: the study's, else 1)")
        ->type_name("COLUMN");
    sub->add_option("--control", command.control,
           "A repeat of the baseline that was measured after the others, as in A B A")
        ->type_name("COLUMN");
    sub->add_option("--question", command.question,
           "Of a study: the columns and figures of its comparison with this id")
        ->type_name("ID")
        ->excludes(trend);
    sub->add_option("--match", command.match,
           "Mixes that stand side by side: of equal users (the default), name or phase")
        ->type_name("HOW")
        ->check(CLI::IsMember({ "users", "name", "phase" }));
    sub->add_option("--rows", command.rows, "Only figures with this in their name or group; may be repeated")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    sub->add_flag("--all", command.all, "Also totals, plans, extremes and parts");
    sub->add_option("--per", command.quotients,
           "A quotient of two figures as a row more, as in users/processors; may be repeated")
        ->type_name("A/B")
        ->allow_extra_args(false);
    sub->add_option(
           "--curve", command.curves, "A curve over load of figures with this in their name; may be repeated")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    sub->add_option("--axis", command.axis,
           "What curves are over: load (users, the default), clients, or the achieved rate")
        ->type_name("AXIS")
        ->check(CLI::IsMember({ "load", "clients", "rate" }));
    sub->add_option("--percentiles", command.percentiles,
           "Shifts of the percentiles of response times of actions with this in their name; may be repeated")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    sub->add_option("--matters", command.matters,
           "A smaller difference does not matter, in per cent (default: the study's, else 2)")
        ->type_name("PERCENT")
        ->check(CLI::Range(0.0, 99.0));
    sub->add_option("--confidence", command.confidence,
           "Of a whole table, in per cent (default: the study's, else 95)")
        ->type_name("PERCENT")
        ->check(CLI::Range(50.0, 99.99));
    sub->add_flag("--even-if-not-comparable", command.evenIfNotComparable,
        "Differences also where something speaks against comparing; the reasons stay");
    sub->add_option("--format", command.format, "text (the default), markdown, csv, json, html or xlsx")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({ "text", "markdown", "csv", "json", "html", "xlsx" }));
    sub->add_option("-o,--output", command.output,
           "File to write; its ending says the format, too (default: standard output)")
        ->type_name("FILE");
    sub->callback([&command, &action] {
        if (command.trend.empty() && command.columns.empty())
            throw CLI::RequiredError("columns");
        action = [&command] { return cli::compare(command); };
    });
}

} // namespace loadstone::cli
