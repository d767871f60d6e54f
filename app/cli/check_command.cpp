// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <loadstone/plan_file.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <cstdio>

namespace loadstone::cli {

void say(std::string_view text, std::FILE* to)
{
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), to));
    std::fflush(to);
}

int complain(const std::string& sentence, ExitCode code)
{
    say("loadstone: " + sentence + "\n", stderr);
    return code;
}

int check(const std::vector<std::string>& plans)
{
    int code = kGood;
    for (const std::string& name : plans) {
        const auto summary = checkPlan(findPlan(name));
        if (!summary) {
            code = complain(summary.error().message, kBadInput);
            continue;
        }
        for (const PlanProblem& problem : summary->problems)
            fmt::print(stderr, "{}\n", problem.format(name));
        for (const std::string& note : summary->notes)
            fmt::print(stderr, "{}: note: {}\n", name, note);
        if (!summary->runnable()) {
            code = kBadInput;
            continue;
        }
        const std::size_t count = summary->tests > 0 ? summary->tests : summary->mixes;
        fmt::print("{}: {}: {} {}, {}{}, {}\n", name, summary->title, count,
            summary->tests > 0 ? (count == 1 ? "test" : "tests") : (count == 1 ? "mix" : "mixes"),
            summary->users > 0 ? fmt::format("up to {} mailboxes, ", summary->users) : "",
            formatClock(summary->length), summary->target);
    }
    return code;
}

} // namespace loadstone::cli
