// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <CLI/CLI.hpp>

namespace loadstone::cli {

namespace {

constexpr const char* kLabFile = "Lab file, or the name of a lab that comes with the program";

CLI::App* addTask(CLI::App& lab, LabCommand& command, std::function<int()>& action, const char* name,
    const char* help, LabTask task)
{
    CLI::App* sub = lab.add_subcommand(name, help);
    sub->callback([&command, &action, task] {
        command.task = task;
        action = [&command] { return cli::lab(command); };
    });
    return sub;
}

void addFile(CLI::App* sub, LabCommand& command)
{
    sub->add_option("file", command.file, kLabFile)->required()->type_name("LAB");
}

void addVariant(CLI::App* sub, LabCommand& command)
{
    sub->add_option("--variant", command.variant, "A variant of the lab, by its id")->type_name("ID");
}

} // namespace

void addLab(CLI::App& app, LabCommand& command, std::function<int()>& action)
{
    CLI::App* lab =
        app.add_subcommand("lab", "Descriptions of hardware and topology: check, print, draw, compare");
    lab->require_subcommand(1);

    CLI::App* check = addTask(*lab, command, action, "check",
        "Report all problems of a lab, sums that do not add up included", LabTask::check);
    addFile(check, command);
    addVariant(check, command);

    CLI::App* show =
        addTask(*lab, command, action, "show", "Print the items as a tree, with counts", LabTask::show);
    addFile(show, command);
    addVariant(show, command);
    show->add_flag("--json", command.json, "Print everything as one JSON object");

    CLI::App* tables = addTask(
        *lab, command, action, "tables", "Print the tables that reports have of a lab", LabTask::tables);
    addFile(tables, command);
    addVariant(tables, command);
    tables->add_option("--format", command.format, "text (the default), csv, json or html")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({ "text", "csv", "json", "html" }));
    tables->add_option("-o,--output", command.output, "File to write (default: standard output)")
        ->type_name("FILE");

    CLI::App* fields = addTask(*lab, command, action, "fields",
        "Count the fields of published reports that a lab fills", LabTask::fields);
    addFile(fields, command);
    addVariant(fields, command);
    fields->add_option("--report", command.report, "storage, mail or virtualisation alone")
        ->type_name("KIND");
    fields->add_flag("--json", command.json, "Print everything as one JSON array");

    CLI::App* diff = addTask(*lab, command, action, "diff",
        "Print what differs between two labs, or two variants of one", LabTask::differences);
    addFile(diff, command);
    diff->add_option("other", command.other, kLabFile)->type_name("LAB");
    diff->add_option("--variant", command.variants,
            "Of one lab the two variants to compare, \"\" for the lab as it stands; of two labs the variant "
            "of both")
        ->type_name("ID")
        ->allow_extra_args(false);
    diff->add_flag("--json", command.json, "Print everything as one JSON array");

    CLI::App* diagram =
        addTask(*lab, command, action, "diagram", "Draw a lab as a picture (SVG)", LabTask::diagram);
    addFile(diagram, command);
    addVariant(diagram, command);
    diagram->add_option("-o,--output", command.output, "File to write, NAME.svg")
        ->required()
        ->type_name("FILE");

    CLI::App* make =
        addTask(*lab, command, action, "new", "Begin a lab as a copy of another one", LabTask::make);
    make->add_option("template", command.file, kLabFile)->required()->type_name("LAB");
    make->add_option("file", command.other, "File to write, which must not exist")
        ->required()
        ->type_name("FILE");

    CLI::App* attach = addTask(*lab, command, action, "attach",
        "Give a run a lab, which counts from now on; those before it stay in the recording", LabTask::attach);
    attach->add_option("run", command.file, "Run id, its beginning, or \"last\"")
        ->required()
        ->type_name("RUN");
    attach->add_option("file", command.other, kLabFile)->required()->type_name("LAB");
    addVariant(attach, command);

    LabDetectCommand& detect = command.detect;
    CLI::App* sub = lab->add_subcommand("detect", "Describe this machine, or another one, as a lab");
    sub->callback([&detect, &action] { action = [&detect] { return detectLabCommand(detect); }; });
    CLI::Option* from = sub->add_option("--from", detect.from,
                               "Text that --collect or --script wrote on another machine, or a copied tree")
                            ->type_name("PATH");
    CLI::Option* host = sub->add_option("--host", detect.host, "Another machine, over ssh")
                            ->type_name("HOST")
                            ->excludes(from);
    sub->add_flag("--allow-commands", detect.allowCommands, "Agree to what is run over ssh")->needs(host);
    sub->add_option(
           "--collect", detect.collect, "Write what was collected to this file, and read nothing of it")
        ->type_name("FILE")
        ->excludes(from);
    sub->add_flag(
        "--script", detect.script, "Print the script that collects, for machines without Loadstone");
    sub->add_option("--into", detect.into, "Lab file that takes the values; typed ones stay as they are")
        ->type_name("FILE");
    sub->add_option("--machine", detect.machine, "Id of the machine's item (default: the host's name)")
        ->type_name("ID");
    sub->add_flag("--json", detect.json, "Print what was found as one JSON object");
}

} // namespace loadstone::cli
