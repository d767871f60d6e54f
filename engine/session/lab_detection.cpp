// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "counters/live/shell_command.h"
#include "counters/live/ssh_session.h"

#include <loadstone/lab_detect.h>

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace loadstone {

namespace {

/// A word of the shell that stands for `text` and nothing else.
std::string shellWord(const std::string& text)
{
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

/// The script for a shell that reads commands: its own exit ends a shell below, not the session.
std::string inSubshell(const std::string& argument)
{
    return "(set -- " + argument + "\n" + detectionScript() + ")";
}

Result<std::string> overSsh(const DetectionSource& source)
{
    if (!counters::isDestination(source.host))
        return fail(fmt::format(
            "\"{}\" is no destination of ssh; write a host, or user@host, as ssh takes it", source.host));
    const std::string agreement = detectionAgreement(source);
    if (std::ranges::find(source.agreed, agreement) == source.agreed.end())
        return fail(source.host + ": not asked: it needs your agreement (--allow-commands): " + agreement);
    std::random_device device;
    const std::string last = fmt::format("loadstone-{:08x}{:08x}", device(), device());
    counters::SshSession session(source.host, "");
    counters::ReadingLimits limits;
    limits.deadline = monoNow() + source.timeLimit;
    limits.stop = source.stop;
    auto text = session.exchange(inSubshell("") + " < /dev/null\necho " + last + "\n", last, limits);
    if (!text)
        return text.error().within(source.host);
    if (const auto end = text->rfind(last); end != std::string::npos)
        text->erase(end);
    return text;
}

} // namespace

std::string detectionAgreement(const DetectionSource& source)
{
    return source.host.empty() || !source.from.empty()
        ? std::string()
        : fmt::format("read the hardware and the system of {} over ssh", source.host);
}

Result<std::string> collectMachine(const DetectionSource& source)
{
    std::error_code ignored;
    if (!source.from.empty() && !std::filesystem::is_directory(source.from, ignored))
        return readFile(source.from, kMostCollected);
    if (source.from.empty() && !source.host.empty())
        return overSsh(source);
    std::error_code failed;
    std::string folder;
    if (!source.from.empty()) {
        folder = std::filesystem::absolute(source.from, failed).string();
        if (failed)
            return fail(source.from.string() + ": " + failed.message());
    }
    const counters::CommandLimits limits { source.timeLimit, kMostCollected };
    auto output = counters::runShellCommand(
        inSubshell(folder.empty() ? std::string() : shellWord(folder)), limits, source.stop);
    if (!output)
        return output.error().within("detection");
    return std::move(output->text);
}

Result<Detection> detectLab(const DetectionSource& source)
{
    const auto text = collectMachine(source);
    if (!text)
        return text.error();
    return readMachine(*text,
        !source.from.empty()       ? source.from.string()
            : !source.host.empty() ? source.host
                                   : "this machine");
}

} // namespace loadstone
