// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/process_name.h"

#include <algorithm>

namespace loadstone::counters {

namespace {

constexpr std::size_t kLongestCommand = 15; // the kernel cuts the rest of a name off
constexpr std::string_view kServicePrefix = "service:";

std::string_view baseName(std::string_view path)
{
    return path.substr(path.find_last_of('/') + 1);
}

/// Whether `path` is `name`, or ends in it from one of its parts on.
bool endsIn(std::string_view path, std::string_view name)
{
    return path.ends_with(name) && (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

/// Takes what stands before `mark` off the text, and the mark with it.
std::string_view takeUntil(std::string_view& text, char mark)
{
    const std::string_view part = text.substr(0, text.find(mark));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
}

bool isOfService(std::string_view path, std::string_view service)
{
    constexpr std::string_view kSuffix = ".service";
    if (service.ends_with(kSuffix))
        service.remove_suffix(kSuffix.size());
    while (!path.empty()) {
        std::string_view part = takeUntil(path, '/');
        if (!part.ends_with(kSuffix))
            continue;
        part.remove_suffix(kSuffix.size());
        if (part == service || (part.starts_with(service) && part.substr(service.size()).starts_with('@')))
            return true;
    }
    return false;
}

bool needsPath(std::string_view name)
{
    return name.find('/') != std::string_view::npos || name.size() > kLongestCommand;
}

bool hasCommandOf(const ProcessIdentity& process, std::string_view name)
{
    return process.command == baseName(name).substr(0, kLongestCommand);
}

} // namespace

bool isServiceName(std::string_view name)
{
    return name.starts_with(kServicePrefix);
}

bool needsFirstArgument(const ProcessIdentity& process, std::string_view name)
{
    return !isServiceName(name) && needsPath(name) && process.program.empty() && hasCommandOf(process, name);
}

bool hasName(const ProcessIdentity& process, std::string_view name)
{
    if (isServiceName(name))
        return isOfService(process.unitPath, name.substr(kServicePrefix.size()));
    if (!needsPath(name))
        return process.command == name || baseName(process.program) == name;
    if (!process.program.empty())
        return endsIn(process.program, name);
    // "dovecot/imap [user 10.0.0.1 IDLE]": some append what they are at.
    std::string_view called = process.calledAs;
    return hasCommandOf(process, name) && endsIn(takeUntil(called, ' '), name);
}

std::string unitPathOf(std::string_view cgroups)
{
    while (!cgroups.empty()) {
        std::string_view line = takeUntil(cgroups, '\n'); // "0::/path", "1:name=systemd:/path", "4:cpu:/path"
        takeUntil(line, ':');
        const std::string_view controllers = takeUntil(line, ':');
        if ((controllers.empty() || controllers == "name=systemd") && line.size() > 1)
            return std::string(line);
    }
    return {};
}

} // namespace loadstone::counters
