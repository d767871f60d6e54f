// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <loadstone/plan_file.h>

#include <fmt/format.h>

#include <fstream>

namespace loadstone::cli {

int importConfiguration(const StorageImportCommand& command)
{
    std::vector<FolderMapping> folders;
    for (const std::string& text : command.folders) {
        const auto at = text.rfind("=/");
        if (at == std::string::npos || at == 0)
            return complain(
                fmt::format(
                    "--map {}: write a folder there and one here, as in 'C:\\ExchangeVols=/mnt'", text),
                kBadInput);
        folders.emplace_back(text.substr(0, at), text.substr(at + 1));
    }
    const auto plan = importJetstress(command.configuration, folders);
    if (!plan)
        return complain(plan.error().message, kBadInput);
    if (command.output.empty()) {
        say(*plan);
        return kGood;
    }
    std::error_code ignored;
    if (std::filesystem::exists(command.output, ignored))
        return complain(
            command.output.string() + ": exists already; name another file, or remove it", kBadInput);
    std::ofstream file(command.output, std::ios::binary);
    file << *plan;
    file.close();
    if (!file)
        return complain(command.output.string() + ": could not be written", kFailed);
    const auto summary = checkPlan(command.output);
    if (!summary)
        return complain(summary.error().message, kFailed);
    for (const Problem& problem : summary->problems)
        say(problem.format(command.output.string()) + "\n", stderr);
    say(fmt::format("{}: {}\n", command.output.string(),
        summary->runnable() ? "can be run as it is" : "fix the problems above, then check it"));
    return kGood;
}

} // namespace loadstone::cli
