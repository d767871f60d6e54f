// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Plays each case of the table and compares what the program says of it with what must be said. With LOADSTONE_VERDICTS=FILE in
// the environment the table is written there, as tests/bench/README.md has it. LOADSTONE_VERDICT_CASE=WORDS plays only cases
// that have these words in their name.
#include "scene.h"
#include "support/catch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

using namespace loadstone::test;

namespace {

constexpr std::size_t kAtOnce = 8; // most of a case is waiting

struct Played {
    std::string skipped, error, witness;
    RunEnd end;
    std::vector<std::string> unmet;
};

Played play(const VerdictCase& one)
{
    Played played;
    played.skipped = one.whyNot();
    if (!played.skipped.empty())
        return played;
    try {
        Scene scene;
        played.end = one.play(scene, played.witness);
        if (played.end.shown.is_object())
            played.unmet = played.end.unmet();
    } catch (const std::exception& e) {
        played.error = e.what();
    }
    return played;
}

std::vector<Played> playAll(const std::vector<VerdictCase>& cases)
{
    std::vector<Played> played(cases.size());
    std::atomic<std::size_t> next { 0 };
    std::vector<std::thread> players;
    for (std::size_t i = 0; i < kAtOnce; ++i)
        players.emplace_back([&] {
            for (std::size_t n = next++; n < cases.size(); n = next++) {
                const std::size_t at = cases.size() - 1 - n; // the longest ones are the last
                played[at] = play(cases[at]);
            }
        });
    for (std::thread& player : players)
        player.join();
    return played;
}

const char* variable(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

} // namespace

TEST_CASE("each way that a run can go wrong is called what it is")
{
    std::vector<VerdictCase> cases;
    for (const auto& some : { serverCases, deliveryCases, generatorCases, historyCases, refusedCases, storageCases })
        for (VerdictCase& one : some())
            cases.push_back(std::move(one));
    const std::string only = variable("LOADSTONE_VERDICT_CASE");
    std::erase_if(cases, [&](const VerdictCase& one) { return one.name.find(only) == std::string::npos; });
    REQUIRE_FALSE(cases.empty());
    const std::vector<Played> played = playAll(cases);

    std::string table = "| what goes wrong | provoked by | headline | exit code | criteria not met | witness |\n"
                        "| --- | --- | --- | --- | --- | --- |\n";
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const VerdictCase& one = cases[i];
        const Played& was = played[i];
        INFO(one.name);
        if (!was.skipped.empty()) {
            std::cout << "SKIPPED: " << one.name << ": " << was.skipped << '\n';
            continue;
        }
        CHECK(was.error == "");
        if (!was.error.empty())
            continue;
        CHECK(was.end.verdict() == one.verdict);
        CHECK(was.end.exitCode == one.exitCode);
        std::vector<std::string> wanted = one.unmet;
        std::sort(wanted.begin(), wanted.end());
        CHECK(was.unmet == wanted);
        table += fmt::format("| {} | {} | {} | {} | {} | {} |\n", one.name, one.how, was.end.verdict(),
            was.end.exitCode, was.unmet.empty() ? "none" : fmt::format("{}", fmt::join(was.unmet, ", ")), was.witness);
    }
    if (const std::string file = variable("LOADSTONE_VERDICTS"); !file.empty())
        std::ofstream(file) << table;
}
