// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `loadstone result`: figures that were published elsewhere.
#include "commands.h"

#include <loadstone/document.h>
#include <loadstone/external_result.h>
#include <loadstone/report.h>
#include <loadstone/table_formats.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace loadstone::cli {

namespace {

constexpr const char* kFile = "File of a result, or the name of one that comes with the program";

/// Prints what is wrong on standard error; nothing when the result cannot be used.
std::optional<CheckedResult> openResult(const std::string& name)
{
    auto checked = checkResult(findResult(name));
    if (!checked) {
        complain(checked.error().message + shippedNames("results", shippedResults()), kBadInput);
        return std::nullopt;
    }
    for (const Problem& problem : checked->problems)
        say(problem.format(name) + "\n", stderr);
    if (!checked->usable())
        return std::nullopt;
    return *std::move(checked);
}

int check(const std::string& name, const ExternalResult& result)
{
    const auto printed = std::ranges::count_if(
        result.values, [](const ResultValue& value) { return value.printed.has_value(); });
    print("{}: {}: {}, {}, {}, revision {}\n", name, plainText(result.title),
        counted(result.systems.size(), "system", "systems"),
        counted(result.figures.size(), "figure", "figures"),
        counted(static_cast<std::size_t>(printed), "number", "numbers"), result.revision);
    return kGood;
}

/// "Title, publisher, date", as far as it says them.
std::string citation(const ExternalResult& result)
{
    std::string text;
    for (const std::string* part : { &result.publisher, &result.report, &result.date, &result.source })
        if (!part->empty())
            text += (text.empty() ? "" : ", ") + *part;
    return text;
}

int show(const ResultCommand& command, const ExternalResult& result)
{
    const std::vector<ReportTable> tables = resultTables(result);
    if (command.format == "csv")
        return write(formatTablesCsv(tables), command.output);
    if (command.format == "json")
        return write(formatTablesJson(tables) + "\n", command.output);
    if (command.format == "html")
        return write(formatTablesHtml(result.title, citation(result), tables), command.output);
    return write(fmt::format("{}\n{}\n\n{}", plainText(result.title), plainText(citation(result)),
                     formatTables(tables)),
        command.output);
}

int import(const ResultCommand& command)
{
    std::ifstream file(command.file, std::ios::binary);
    const std::string csv { std::istreambuf_iterator<char>(file), {} };
    if (!file.is_open() || file.bad())
        return complain(command.file + ": cannot be read", kBadInput);
    const auto made =
        importResultCsv(csv, std::filesystem::path(command.file).filename().string(), command.import);
    if (!made)
        return complain(made.error().message, kBadInput);
    std::error_code ignored;
    if (!command.output.empty() && std::filesystem::exists(command.output, ignored))
        return complain(command.output.string() + ": exists already; name a file that does not", kBadInput);
    return write(*made, command.output);
}

} // namespace

int result(const ResultCommand& command)
{
    if (command.task == ResultTask::import)
        return import(command);
    const auto checked = openResult(command.file);
    if (!checked)
        return kBadInput;
    switch (command.task) {
    case ResultTask::check:
        return check(command.file, checked->result);
    case ResultTask::show:
        return show(command, checked->result);
    default:
        return write(formatResultCsv(checked->result), command.output);
    }
}

void addResult(CLI::App& app, ResultCommand& command, std::function<int()>& action)
{
    CLI::App* all =
        app.add_subcommand("result", "Figures that were published elsewhere: check, print, import from CSV");
    all->require_subcommand(1);
    const auto add = [&](const char* name, const char* help, ResultTask task) {
        CLI::App* sub = all->add_subcommand(name, help);
        sub->callback([&command, &action, task] {
            command.task = task;
            action = [&command] { return result(command); };
        });
        return sub;
    };
    const auto addOutput = [&](CLI::App* sub) {
        sub->add_option("-o,--output", command.output, "File to write (default: standard output)")
            ->type_name("FILE");
    };
    add("check", "Report all problems of a result", ResultTask::check)
        ->add_option("file", command.file, kFile)
        ->required()
        ->type_name("RESULT");

    CLI::App* show = add("show", "Print the tables as the report has them", ResultTask::show);
    show->add_option("file", command.file, kFile)->required()->type_name("RESULT");
    show->add_option("--format", command.format, "text (the default), csv, json or html")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({ "text", "csv", "json", "html" }));
    addOutput(show);

    CLI::App* csv = add("csv", "Write a line for each figure, as \"import\" reads them", ResultTask::csv);
    csv->add_option("file", command.file, kFile)->required()->type_name("RESULT");
    addOutput(csv);

    CLI::App* from = add("import", "Make a result from a table as CSV", ResultTask::import);
    from->add_option("file", command.file,
            "CSV with the headings system, figure and printed, or a table whose first heading is figure, "
            "load or system")
        ->required()
        ->type_name("CSV");
    ResultImport& also = command.import;
    from->add_option("--title", also.title, "What the figures are of (default: the file's name)")
        ->type_name("TEXT");
    from->add_option("--report", also.report, "Title of the publication")->type_name("TEXT");
    from->add_option("--publisher", also.publisher, "Who published it")->type_name("TEXT");
    from->add_option("--date", also.date, "Its date, as printed")->type_name("TEXT");
    from->add_option("--source", also.source, "Page or table")->type_name("TEXT");
    from->add_option("--load-unit", also.loadUnit, "What the loads count (default: users)")
        ->type_name("TEXT");
    from->add_option("--system", also.system, "Name of the system, where the table has one alone")
        ->type_name("TEXT");
    addOutput(from);
}

} // namespace loadstone::cli
