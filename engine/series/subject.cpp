// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/subject.h>

#include <algorithm>
#include <array>
#include <utility>

namespace loadstone {

namespace {

constexpr std::array<const char*, kActionKinds> kActionNames { "Empty mailbox", "Read mailbox",
    "Send message", "Hold session", "List mailbox", "IMAP session", "SMTP session", "POP3 session", "Log on",
    "Log off", "Check Inbox", "Browse folder", "Read message", "Load attachment", "Reply", "Reply to all",
    "Forward", "Move message", "Copy message", "Delete message", "Empty Deleted Items", "Update schedule",
    "Make appointment", "Request meeting", "Check free/busy", "Browse calendar", "Create contact",
    "Browse contacts", "Journal", "Initialise mailbox", "Clean mailbox" };

struct ClassInfo {
    const char* name;
    IoDirection direction;
};
constexpr std::array<ClassInfo, kIoClasses> kClasses { {
    { "Database read", IoDirection::read },
    { "Database write", IoDirection::write },
    { "Log write", IoDirection::write },
    { "Log read", IoDirection::read },
    { "Checksum", IoDirection::read },
    { "Backup", IoDirection::read },
    { "Maintenance", IoDirection::read },
    { "Backup write", IoDirection::write },
    { "Other", IoDirection::write },
    { "Flush", IoDirection::neither },
} };

} // namespace

const char* toString(ActionKind kind)
{
    return kActionNames[static_cast<std::size_t>(kind)];
}

std::optional<ActionKind> actionKindOf(std::string_view name)
{
    const auto found =
        std::ranges::find(kActionNames, name, [](const char* known) { return std::string_view(known); });
    return found == kActionNames.end() ? std::nullopt
                                       : std::optional(static_cast<ActionKind>(found - kActionNames.begin()));
}

const char* toString(IoClass ioClass)
{
    return kClasses[static_cast<std::size_t>(ioClass)].name;
}

std::optional<IoClass> ioClassOf(std::string_view name)
{
    const auto found = std::ranges::find(
        kClasses, name, [](const ClassInfo& known) { return std::string_view(known.name); });
    return found == kClasses.end() ? std::nullopt
                                   : std::optional(static_cast<IoClass>(found - kClasses.begin()));
}

IoDirection directionOf(IoClass ioClass)
{
    return kClasses[static_cast<std::size_t>(ioClass)].direction;
}

Subject Subject::ofAction(ActionKind action)
{
    Subject subject;
    subject.action = action;
    return subject;
}

Subject Subject::ofCommand(std::string command)
{
    Subject subject;
    subject.command = std::move(command);
    return subject;
}

Subject Subject::ofWorker(std::uint32_t worker)
{
    Subject subject;
    subject.worker = worker;
    return subject;
}

Subject Subject::ofGroup(std::string group)
{
    Subject subject;
    subject.group = std::move(group);
    return subject;
}

Subject Subject::ofVolume(std::string volume, std::optional<IoClass> ioClass)
{
    Subject subject;
    subject.volume = std::move(volume);
    subject.ioClass = ioClass;
    return subject;
}

Subject Subject::ofProcess(std::string process)
{
    Subject subject;
    subject.process = std::move(process);
    return subject;
}

Subject Subject::ofDevice(std::string device)
{
    Subject subject;
    subject.device = std::move(device);
    return subject;
}

} // namespace loadstone
