// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `loadstone lab`: what is in the description of a lab, and what reports print of it.
#include "commands.h"

#include <loadstone/document.h>
#include <loadstone/history.h>
#include <loadstone/lab.h>
#include <loadstone/lab_diagram.h>
#include <loadstone/lab_tables.h>
#include <loadstone/lab_text.h>
#include <loadstone/report.h>
#include <loadstone/table_formats.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace loadstone::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// A lab as it was read from a file.
struct Opened {
    RunLab file; ///< with the variant
    CheckedLab checked;
};

void sayProblems(const std::vector<Problem>& problems, const std::string& name)
{
    for (const Problem& problem : problems)
        say(problem.format(name) + "\n", stderr);
}

/// Prints what is wrong on standard error; nothing when the lab cannot be used.
std::optional<Opened> openLab(const std::string& name, const std::string& variant, bool quiet = false)
{
    const std::filesystem::path file = findLab(name);
    const auto document = Document::read(file);
    if (!document) {
        complain(document.error().message + shippedNames("labs", shippedLabs()), kBadInput);
        return std::nullopt;
    }
    Opened opened { { document->name(), variant, document->text() },
        readLab(document->text(), document->name(), variant) };
    std::vector<Problem> shown = opened.checked.problems;
    if (quiet)
        std::erase_if(shown, [](const Problem& one) { return one.severity != ProblemSeverity::error; });
    sayProblems(shown, name);
    if (!opened.checked.usable())
        return std::nullopt;
    return opened;
}

const Lab& labOf(const Opened& opened)
{
    return opened.checked.lab;
}

std::optional<LabReport> reportOf(const std::string& name)
{
    for (const LabReport one : { LabReport::storage, LabReport::mail, LabReport::virtualisation })
        if (std::string_view(toString(one)).starts_with(name + " "))
            return one;
    return std::nullopt;
}

const char* toString(LabFieldState state)
{
    switch (state) {
    case LabFieldState::filled:
        return "filled";
    case LabFieldState::notDisclosed:
        return "not disclosed";
    case LabFieldState::empty:
        return "empty";
    case LabFieldState::noItem:
        break;
    }
    return "no item";
}

const char* toString(LabDifference::What what)
{
    static constexpr std::array kWords { "item", "count", "property", "tuning", "link", "role" };
    return kWords.at(static_cast<std::size_t>(what));
}

std::vector<ReportTable> tablesOf(const Opened& opened)
{
    LabTables tables = labTables(opened.file.text, opened.file.name, opened.file.variant);
    sayProblems(tables.problems, opened.file.name);
    return std::move(tables.tables);
}

int checkFile(const LabCommand& command)
{
    const auto opened = openLab(command.file, command.variant);
    if (!opened)
        return kBadInput;
    const Lab& lab = labOf(*opened);
    print("{}: {}: {} {}, {} {}, {} {}, revision {}\n", command.file, plainText(lab.title), lab.items.size(),
        lab.items.size() == 1 ? "item" : "items", lab.links.size(), lab.links.size() == 1 ? "link" : "links",
        lab.variants.size(), lab.variants.size() == 1 ? "variant" : "variants", lab.revision);
    return kGood;
}

int showFile(const LabCommand& command)
{
    const auto opened = openLab(command.file, command.variant, true);
    if (!opened)
        return kBadInput;
    const Lab& lab = labOf(*opened);
    if (command.json) {
        print("{}\n", formatLabJson(lab));
        return kGood;
    }
    print("{}\n\n", plainText(describeLab(opened->file)));
    say(formatLab(lab));
    if (!lab.variants.empty())
        print("\nVariants\n");
    for (const LabVariant& variant : lab.variants)
        print("  {}{}{}\n", variant.id, variant.title.empty() ? "" : ": " + plainText(variant.title),
            variant.base.empty() ? "" : " (from " + variant.base + ")");
    return kGood;
}

int tablesOfFile(const LabCommand& command)
{
    const auto opened = openLab(command.file, command.variant, true);
    if (!opened)
        return kBadInput;
    const std::vector<ReportTable> tables = tablesOf(*opened);
    if (command.format == "csv")
        return write(formatTablesCsv(tables), command.output);
    if (command.format == "json")
        return write(formatTablesJson(tables) + "\n", command.output);
    if (command.format == "html")
        return write(formatTablesHtml(labOf(*opened).title, describeLab(opened->file), tables,
                         formatSvg(layOut(labOf(*opened)), labOf(*opened).title)),
            command.output);
    return write(formatTables(tables), command.output);
}

int fieldsOf(const LabCommand& command)
{
    std::vector<LabReport> reports { LabReport::storage, LabReport::mail, LabReport::virtualisation };
    if (!command.report.empty()) {
        const auto report = reportOf(command.report);
        if (!report)
            return complain(
                fmt::format(
                    "\"{}\" is not a kind of report; write storage, mail or virtualisation", command.report),
                kBadInput);
        reports = { *report };
    }
    const auto opened = openLab(command.file, command.variant, true);
    if (!opened)
        return kBadInput;
    OrderedJson json = OrderedJson::array();
    for (const LabReport report : reports) {
        const std::vector<LabField> fields = labFields(labOf(*opened), report);
        if (command.json) {
            OrderedJson list = OrderedJson::array();
            for (const LabField& field : fields)
                list.push_back({ { "field", field.field }, { "where", field.where }, { "item", field.item },
                    { "key", field.key }, { "state", toString(field.state) } });
            json.push_back({ { "report", toString(report) },
                { "filled", std::ranges::count_if(fields, [](const LabField& one) { return one.filled(); }) },
                { "of", fields.size() }, { "fields", std::move(list) } });
            continue;
        }
        print("{}\n", labFieldsText(labOf(*opened), report));
        for (const LabField& field : fields)
            if (!field.filled())
                print("  {}: {}\n", field.field,
                    field.state == LabFieldState::noItem
                        ? fmt::format("no item has it ({})", field.where)
                        : fmt::format("write {} of {}", field.key, field.item));
    }
    if (command.json)
        say(json.dump(2) + "\n");
    return kGood;
}

int differencesOf(const LabCommand& command)
{
    const bool twoFiles = !command.other.empty();
    if (twoFiles != (command.variants.size() != 2) || (twoFiles && command.variants.size() > 1))
        return complain("name two files, or one and the two variants to compare, as in --variant BASE "
                        "--variant OTHER; \"\" is "
                        "the lab as it stands",
            kBadInput);
    const std::string one = command.variants.empty() ? std::string() : command.variants.front();
    const std::string two = twoFiles ? one : command.variants.back();
    const auto before = openLab(command.file, one, true);
    const auto after = openLab(twoFiles ? command.other : command.file, two, true);
    if (!before || !after)
        return kBadInput;
    const std::vector<LabDifference> found = differences(labOf(*before), labOf(*after));
    if (command.json) {
        OrderedJson json = OrderedJson::array();
        for (const LabDifference& difference : found)
            json.push_back({ { "what", toString(difference.what) }, { "item", difference.item },
                { "label", difference.label }, { "key", difference.key }, { "before", difference.before },
                { "after", difference.after } });
        say(json.dump(2) + "\n");
        return kGood;
    }
    if (found.empty()) {
        print("No differences\n");
        return kGood;
    }
    const auto heading = [](const std::string& file, const std::string& variant, bool byFile) {
        return byFile ? file : variant.empty() ? std::string("As it stands") : variant;
    };
    say(formatTables({ labDifferenceTable(
        found, heading(command.file, one, twoFiles), heading(command.other, two, twoFiles)) }));
    return kGood;
}

int drawFile(const LabCommand& command)
{
    if (command.output.extension() != ".svg")
        return complain("write -o NAME.svg; the workbench exports PNG as well", kBadInput);
    const auto opened = openLab(command.file, command.variant, true);
    if (!opened)
        return kBadInput;
    const Lab& lab = labOf(*opened);
    if (const auto written = writeSvg(layOut(lab), lab.title, command.output); !written)
        return complain(written.error().message, kFailed);
    print("{}\n", command.output.string());
    return kGood;
}

int makeFile(const LabCommand& command)
{
    std::error_code ignored;
    if (std::filesystem::exists(command.other, ignored))
        return complain(command.other + ": exists already; choose another name", kBadInput);
    auto document = Document::read(findLab(command.file));
    if (!document)
        return complain(document.error().message + shippedNames("labs", shippedLabs()), kBadInput);
    if (const auto saved = document->saveAs(command.other); !saved)
        return complain(saved.error().message, kFailed);
    print("{}\n", command.other);
    return kGood;
}

int attachFile(const LabCommand& command)
{
    const auto opened = openLab(command.other, command.variant, true);
    if (!opened)
        return kBadInput;
    auto history = History::open(command.history);
    if (!history)
        return complain(history.error().message, kFailed);
    const auto id = history->find(command.file);
    if (!id)
        return complain(id.error().message, kBadInput);
    if (const auto attached = history->attachLab(*id, opened->file); !attached)
        return complain(attached.error().message, kFailed);
    print("{}: {}\n", id->text(), plainText(describeLab(opened->file)));
    return kGood;
}

} // namespace

int lab(const LabCommand& command)
{
    switch (command.task) {
    case LabTask::check:
        return checkFile(command);
    case LabTask::show:
        return showFile(command);
    case LabTask::tables:
        return tablesOfFile(command);
    case LabTask::fields:
        return fieldsOf(command);
    case LabTask::differences:
        return differencesOf(command);
    case LabTask::diagram:
        return drawFile(command);
    case LabTask::make:
        return makeFile(command);
    case LabTask::attach:
        break;
    }
    return attachFile(command);
}

} // namespace loadstone::cli
