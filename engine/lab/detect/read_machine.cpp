// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone {

namespace {

std::string renamed(const std::string& id, const std::string& machineId)
{
    const std::string machine = Detection::kMachine;
    if (id == machine)
        return machineId;
    return id.starts_with(machine + ".") ? machineId + id.substr(machine.size()) : id;
}

} // namespace

Result<Detection> readMachine(const std::string& collected, const std::string& name)
{
    const auto machine = lab::MachineText::parse(collected, name);
    if (!machine)
        return machine.error();
    Detection detection;
    const auto firstLine = [&](std::string_view output) {
        const auto lines = lab::linesOf(machine->output(output).value_or(""));
        return lines.empty() ? std::string() : std::string(lines[0]);
    };
    constexpr std::size_t kTime = 19; // "2026-11-23 14:05:00"
    if (const std::string at = firstLine("at"); at.size() == kTime && std::ranges::all_of(at, [](char c) {
            return (c >= '0' && c <= '9') || c == '-' || c == ':' || c == ' ';
        }))
        detection.when = at;
    detection.asRoot = firstLine("uid") == "0";
    detection.host = machine->line("proc/sys/kernel/hostname");
    lab::Findings findings(*machine, detection);
    lab::readSystem(findings);
    lab::readOperatingSystem(findings);
    lab::readProcessors(findings);
    lab::readMemory(findings);
    lab::readControllers(findings);
    lab::readAdapters(findings);
    lab::readStorage(findings);
    lab::readFilesystems(findings);
    lab::readSoftware(findings);
    lab::joinIdentical(detection.lab.items);
    detection.lab.title = detection.host;
    if (!machine->isWhole())
        findings.notRead(name, "ends before its last line", "collect it again", "");
    return detection;
}

std::string writeDetection(const Detection& detection, const std::string& machineId)
{
    Lab lab = detection.lab;
    for (LabItem& item : lab.items) {
        item.id = renamed(item.id, machineId);
        item.in = renamed(item.in, machineId);
        for (LabProperty& property : item.properties)
            if (property.key == "volume" || property.key == "drive" || property.key == "pool")
                property.value.text = renamed(property.value.text, machineId);
    }
    return writeLab(lab);
}

} // namespace loadstone
