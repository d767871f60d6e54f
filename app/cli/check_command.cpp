// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <loadstone/plan_lint.h>
#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

namespace loadstone::cli {

void say(std::string_view text, std::FILE* to)
{
    const std::string plain = plainLines(text);
    static_cast<void>(std::fwrite(plain.data(), 1, plain.size(), to));
    std::fflush(to);
}

void showProgress(std::string_view text, std::size_t columns, std::FILE* to)
{
    std::string plain = plainText(text);
    if (columns > 0
        && plain.size() > columns) { // a wrapped line could not be rewritten; mix names may be UTF-8
        plain.resize(columns);
        while (!plain.empty() && (static_cast<unsigned char>(plain.back()) & 0xC0U) == 0x80U)
            plain.pop_back();
        if (!plain.empty() && (static_cast<unsigned char>(plain.back()) & 0x80U) != 0)
            plain.pop_back();
    }
    plain = "\r" + plain + "\x1b[K";
    static_cast<void>(std::fwrite(plain.data(), 1, plain.size(), to));
    std::fflush(to);
}

int complain(const std::string& sentence, ExitCode code)
{
    say("loadstone: " + sentence + "\n", stderr);
    return code;
}

int write(const std::string& text, const std::filesystem::path& to)
{
    if (to.empty()) {
        say(text);
        return kGood;
    }
    std::ofstream file(to, std::ios::binary);
    file << text;
    file.close();
    return file ? int(kGood) : complain(to.string() + ": could not be written", kFailed);
}

std::string counted(std::size_t number, const char* one, const char* several)
{
    return fmt::format("{} {}", number, number == 1 ? one : several);
}

std::string shippedNames(const char* kinds, const std::vector<std::filesystem::path>& files)
{
    std::string names;
    for (const std::filesystem::path& file : files)
        names += (names.empty() ? fmt::format("; the {} that come with the program are ", kinds) : ", ")
            + file.stem().string();
    return names;
}

std::optional<PlanSummary> openPlan(const std::string& name, const std::string& ifNotRunnable)
{
    auto plan = checkPlan(findPlan(name));
    if (!plan) {
        complain(plan.error().message, kBadInput);
        return std::nullopt;
    }
    for (const Problem& problem : plan->problems)
        say(problem.format(name) + "\n", stderr);
    for (const std::string& note : plan->notes)
        say(fmt::format("{}: note: {}\n", name, note), stderr);
    if (plan->runnable())
        return *std::move(plan);
    if (!ifNotRunnable.empty())
        complain(ifNotRunnable, kBadInput);
    return std::nullopt;
}

int check(const std::vector<std::string>& plans)
{
    int code = kGood;
    for (const std::string& name : plans) {
        const auto summary = openPlan(name);
        if (!summary) {
            code = kBadInput;
            continue;
        }
        const std::size_t count = summary->tests > 0 ? summary->tests : summary->mixes;
        print("{}: {}: {} {}, {}{}, {}\n", name, plainText(summary->title), count,
            summary->tests > 0 ? (count == 1 ? "test" : "tests") : (count == 1 ? "mix" : "mixes"),
            summary->users > 0 ? fmt::format("up to {} mailboxes, ", summary->users) : "",
            formatClock(summary->length), summary->target);
        for (const std::string& workload : summary->workloads)
            print("  {}\n", plainText(workload));
        if (const auto lint = lintPlan(summary->file))
            for (const PlanLint& one : *lint)
                say(fmt::format("{}: not tested: {}{}{}\n", name, one.what, one.remedy.empty() ? "" : "; ",
                        one.remedy),
                    stderr);
    }
    return code;
}

} // namespace loadstone::cli
