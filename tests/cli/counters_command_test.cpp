// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"
#include "support/processes_with.h"
#include "support/watched_program.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>

using loadstone::test::Cli;
using loadstone::test::noProcessHas;
using loadstone::test::ProgramEnd;
using loadstone::test::someProcessHas;
using loadstone::test::WatchedProgram;
using Json = nlohmann::json;

namespace {

std::string planWith(const Cli& cli, const std::string& sources, const std::string& measurement = "1 s")
{
    return cli.file("counters.toml",
        R"(format = 1
kind = "mail"
title = "With sources"
drain = "6 s"
[target]
password = "secret"
[target.embedded]
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
[[mixes]]
clients = 1
threads_per_client = 2
mailboxes_per_client = 4
think_time = "50 ms"
measurement = ")"
            + measurement + "\"\n" + sources);
}

} // namespace

TEST_CASE("a plan with commands runs only with --allow-commands, which prints them", "[counters]")
{
    const Cli cli;
    const std::string trace = cli.file("trace");
    const std::string plan = planWith(cli,
        "[[counters]]\nname = \"ex1\"\nevery = \"1 s\"\ncommand = \"touch " + trace + "; echo active 1\"\n");
    for (const char* command : { "run", "preflight", "counters" }) {
        const ProgramEnd refused = cli({ command, plan });
        INFO(refused.output << refused.errors);
        CHECK(refused.exitCode
            == (command == std::string("run")            ? 2
                    : command == std::string("counters") ? 1
                                                         : 0));
        CHECK_THAT(refused.output + refused.errors, ContainsSubstring("--allow-commands"));
        CHECK_FALSE(std::filesystem::exists(trace));
    }
    CHECK_THAT(cli({ "run", plan }).errors, ContainsSubstring("run touch " + trace + "; echo active 1"));
    const ProgramEnd run = cli({ "run", "--quiet", "--allow-commands", plan });
    INFO(run.output << run.errors);
    CHECK((run.exitCode == 0 || run.exitCode == 3));
    CHECK_THAT(run.errors, ContainsSubstring("allowed: run touch " + trace + "; echo active 1"));
    CHECK(std::filesystem::exists(trace));
    CHECK_THAT(cli({ "sources", "last" }).output, ContainsSubstring("ex1"));
    // An archive that is taken in does nothing by itself, nor does its plan.
    CHECK(cli({ "run", plan }).exitCode == 2);
}

TEST_CASE("counters prints what each source gives now, and which wanted ones not", "[counters]")
{
    const Cli cli;
    const std::string plan = planWith(cli,
        "[[counters]]\nname = \"ex1\"\nrole = \"sut\"\ncommand = \"echo active 12.5\"\nvalues = [{ name = "
        "\"active\", unit "
        "= \"messages\" }, { name = \"hold\" }]\n[[counters]]\nname = \"ex2\"\ncommand = \"echo away >&2; "
        "exit 3\"\n");
    const ProgramEnd asked = cli({ "counters", "--allow-commands", plan });
    INFO(asked.output << asked.errors);
    CHECK(asked.exitCode == 1);
    CHECK_THAT(asked.output, ContainsSubstring("ex1 (sut), command echo active 12.5: 2 counters"));
    CHECK_THAT(asked.output, ContainsSubstring(R"(\\ex1\Command\active  12.5 messages)"));
    CHECK_THAT(asked.output, ContainsSubstring("not there: hold: its counters have no value now"));
    CHECK_THAT(asked.output,
        ContainsSubstring("ex2, command echo away")
            && ContainsSubstring("no answer: it ended with status 3: away"));
    const Json json = Json::parse(cli({ "counters", "--allow-commands", "--json", plan }).output);
    REQUIRE(json.size() == 2);
    CHECK(json[0]["counters"][0]["value"] == 12.5);
    CHECK(json[0]["counters"][1]["value"].is_null());
    CHECK(json[1]["answered"] == false);
}

TEST_CASE("counters --reference has a place or a reason for each published counter", "[counters]")
{
    const Cli cli;
    const Json json = Json::parse(cli({ "counters", "--reference", "--json" }).output);
    CHECK(json.size() >= 55);
    for (const Json& row : json) {
        INFO(row.dump());
        const bool isHere = !row["here"].get<std::string>().empty();
        CHECK(isHere != row["source"].get<std::string>().empty());
        CHECK((isHere || row["note"].get<std::string>().ends_with('.')));
        CHECK((!isHere || !row["unit"].get<std::string>().empty()));
    }
    CHECK_THAT(cli({ "counters", "--reference" }).output,
        ContainsSubstring(R"(\Processor(_Total)\% Processor Time, in %)")
            && ContainsSubstring("Free System Page Table Entries"));
    CHECK(cli({ "counters" }).exitCode == 2);
}

TEST_CASE("the commands of a run that is killed do not outlive it", "[counters]")
{
    const Cli cli;
    const std::string plan = planWith(cli,
        "[[counters]]\nname = \"ex1\"\nevery = \"1 h\"\ntime_limit = \"30 min\"\ncommand = \"sleep 87671 & "
        "sleep 87671\"\n",
        "10 min");
    {
        WatchedProgram run({ LOADSTONE_BIN_DIR "/loadstone", "--history", cli.file("history"), "run",
            "--json", "--no-preflight", "--allow-commands", plan });
        while (run.line() && !someProcessHas("87671")) { }
        CHECK(someProcessHas("87671"));
        run.signal(SIGKILL);
        CHECK(run.wait() == 128 + SIGKILL);
    }
    CHECK(noProcessHas("87671"));
}
