// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab_detect_command.h"

#include "commands.h"

#include <loadstone/lab_detect.h>
#include <loadstone/report.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace loadstone::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// A host's name as an id; names have dots, which part an id.
std::string idOf(const Detection& detection)
{
    std::string id;
    for (const char c : detection.host.substr(0, detection.host.find('.'))) {
        const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '-' || c == '_';
        id += fits ? c : '-';
    }
    return id.empty() ? Detection::kMachine : id;
}

void printJson(const Detection& detection)
{
    OrderedJson json { { "host", detection.host }, { "when", detection.when }, { "root", detection.asRoot },
        { "items", OrderedJson::array() }, { "not_read", OrderedJson::array() } };
    for (const LabItem& item : detection.lab.items) {
        OrderedJson one { { "id", item.id }, { "kind", toString(item.kind) }, { "in", item.in },
            { "name", item.name }, { "count", item.count }, { "properties", OrderedJson::object() } };
        for (const LabProperty& property : item.properties) {
            OrderedJson value { { "text", property.value.text }, { "number", nullptr },
                { "by", property.value.by } };
            if (property.value.number)
                value["number"] = *property.value.number;
            one["properties"][property.key] = std::move(value);
        }
        json["items"].push_back(std::move(one));
    }
    for (const NotRead& one : detection.notRead)
        json["not_read"].push_back(
            { { "what", one.what }, { "why", one.why }, { "remedy", one.remedy }, { "fields", one.fields } });
    say(json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
}

int writeCollected(const DetectionSource& source, const std::filesystem::path& file)
{
    const auto text = collectMachine(source);
    if (!text)
        return complain(text.error().message, kFailed);
    std::ofstream out(file, std::ios::binary);
    out << *text;
    if (!out.flush())
        return complain(file.string() + ": cannot be written", kFailed);
    print("{}: {} bytes; \"loadstone lab detect --from {}\" reads them on any machine\n", file.string(),
        text->size(), file.string());
    return kGood;
}

int mergeInto(const LabDetectCommand& command, const Detection& detection, const std::string& machine)
{
    auto document = Document::read(command.into);
    if (!document)
        return complain(document.error().message, kBadInput);
    const auto merge = mergeDetected(*document, machine, detection);
    if (!merge)
        return complain(merge.error().message, kBadInput);
    if (const auto saved = document->save(); !saved)
        return complain(saved.error().message, kFailed);
    print("{}: {} values of items that it has, {} new items\n", command.into.string(), merge->values,
        merge->added.size());
    for (const std::string& id : merge->unmatched)
        print("not found on the machine: {}\n", plainText(id));
    return kGood;
}

} // namespace

int detectLabCommand(const LabDetectCommand& command)
{
    if (command.script) {
        say(detectionScript());
        return kGood;
    }
    if (!command.from.empty() && !command.host.empty())
        return complain("--from and --host exclude each other", kBadInput);
    DetectionSource source;
    source.from = command.from;
    source.host = command.host;
    if (const std::string agreement = detectionAgreement(source);
        !agreement.empty() && command.allowCommands) {
        say("allowed: " + agreement + "\n", stderr);
        source.agreed.push_back(agreement);
    }
    if (!command.collect.empty())
        return writeCollected(source, command.collect);
    const auto detection = detectLab(source);
    if (!detection)
        return complain(detection.error().message, kFailed);
    for (const NotRead& one : detection->notRead)
        say("not read: " + plainText(one.format()) + "\n", stderr);
    const std::string machine = command.machine.empty() ? idOf(*detection) : command.machine;
    if (!command.into.empty())
        return mergeInto(command, *detection, machine);
    if (command.json)
        printJson(*detection);
    else
        say(writeDetection(*detection, machine));
    return kGood;
}

} // namespace loadstone::cli
