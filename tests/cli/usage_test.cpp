// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"

#include <loadstone/program.h>

#include <algorithm>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;

namespace {

const std::string kPlans = LOADSTONE_SOURCE_DIR "/resources/plans/";
const std::string kBadPlans = LOADSTONE_SOURCE_DIR "/tests/plans/bad/";

/// One sentence on standard error that says who speaks, nothing on standard output.
void checkComplaint(const ProgramEnd& end, int code)
{
    INFO(end.output << end.errors);
    CHECK(end.exitCode == code);
    CHECK(end.output.empty());
    CHECK(end.errors.starts_with("loadstone: "));
    CHECK(std::count(end.errors.begin(), end.errors.end(), '\n') == 1);
}

} // namespace

TEST_CASE("a command that is not known is named")
{
    const Cli cli;
    CHECK_THAT(cli({ "walk" }).errors, Contains("\"walk\" is not a command; see \"loadstone --help\""));
    CHECK_THAT(cli({}).errors, Contains("subcommand is required"));
}

TEST_CASE("help and the name of a command is that command's --help")
{
    const Cli cli;
    CHECK(cli({ "help" }).output == cli({ "--help" }).output);
    CHECK(cli({ "help", "storage", "run" }).output == cli({ "storage", "run", "--help" }).output);
    const ProgramEnd target = cli({ "help", "target" });
    CHECK(target.exitCode == 0);
    CHECK(target.output == cli({ "target", "--help" }).output);
}

TEST_CASE("bad usage is exit code 2 with one sentence that says where help is")
{
    const Cli cli;
    const std::vector<std::vector<std::string>> bad { {}, { "walk" }, { "run" },
        { "run", "a.toml", "--speed", "9" }, { "run", "a.toml", "--seed", "many" },
        { "run", "a.toml", "--workers", "-1" }, { "check" }, { "export", "last", "--format", "pdf" },
        { "tag", "last" }, { "--unknown" } };
    for (const auto& arguments : bad) {
        const ProgramEnd end = cli(arguments);
        checkComplaint(end, 2);
        CHECK_THAT(end.errors, Contains("--help"));
    }
}

TEST_CASE("help names every command and the exit codes, and is no error")
{
    const Cli cli;
    const ProgramEnd end = cli({ "--help" });
    CHECK(end.exitCode == 0);
    CHECK(end.errors.empty());
    for (const char* text : { "run", "rehearse", "check", "storage", "target", "list", "show", "score",
             "export", "import", "tag", "note", "remove", "Exit codes:", "--history" })
        CHECK_THAT(end.output, Contains(text));
    CHECK(cli({ "run", "--help" }).exitCode == 0);
    CHECK(cli({ "target", "--help" }).exitCode == 0);
    CHECK(cli({ "--version" }).output == "loadstone " + loadstone::versionText() + "\n");
}

TEST_CASE("check accepts the shipped plans and sums them up")
{
    const ProgramEnd end =
        Cli()({ "check", kPlans + "first-run.toml", kPlans + "pop-smtp-suite.toml", "pop-smtp-suite-small" });
    INFO(end.errors);
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output, Contains("first-run.toml: First run"));
    CHECK_THAT(end.output, Contains("5 mixes, up to 83300 mailboxes"));
    CHECK_THAT(end.output, Contains("embedded target"));
}

TEST_CASE("check says what of a profile is left out for want of a calendar server")
{
    const ProgramEnd end = Cli()({ "check", "medium-9800" });
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.errors,
        Contains("medium-9800: note: the profile asks for 5 calendar actions per user-day (Update schedule); "
                 "the plan "
                 "names no CalDAV server"));
}

TEST_CASE("check says what a plan does not test, beside the line that sums it up")
{
    const ProgramEnd end = Cli()({ "check", "first-run" });
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.errors, Contains("first-run: not tested: nothing is judged: the plan has no criteria"));
    CHECK_THAT(end.errors, Contains("first-run: not tested: one seed (1)"));
    CHECK(end.output.find("not tested") == std::string::npos);
}

TEST_CASE("check names file, line and field of what is wrong, and goes on with the next plan")
{
    const ProgramEnd end = Cli()(
        { "check", kBadPlans + "action-missing.toml", "/no/such/plan.toml", kPlans + "first-run.toml" });
    CHECK(end.exitCode == 2);
    CHECK_THAT(end.errors, Contains("action-missing.toml:"));
    CHECK_THAT(end.errors, Contains("action"));
    CHECK_THAT(end.errors, Contains("/no/such/plan.toml"));
    CHECK_THAT(end.output, Contains("First run"));
}

TEST_CASE("a plan that is missing or has errors starts no run")
{
    const Cli cli;
    checkComplaint(cli({ "run", "/no/such/plan.toml" }), 2);
    CHECK_THAT(cli({ "run", "frist-run" }).errors,
        Contains("frist-run") && Contains("first-run, medium-9800, pop-smtp-commands, pop-smtp-suite"));
    const ProgramEnd end = cli({ "run", kBadPlans + "action-missing.toml" });
    CHECK(end.exitCode == 2);
    CHECK_THAT(end.errors, Contains("action-missing.toml:"));
    CHECK_THAT(end.errors, Contains("the plan was not started"));
    CHECK_THAT(cli({ "list" }).output, Contains("No runs yet"));
}

TEST_CASE("a target outside of loopback and private addresses is refused as a plan problem")
{
    const Cli cli;
    const std::string plan = cli.file("public.toml", R"(format = 1
kind = "mail"
title = "Somebody else's server"
[target]
domain = "example.org"
password = "x"
smtp = { host = "198.51.100.7", port = 25 }
[workload]
pacing = "closed"
steps = [{ action = "send message", size = "1 KB", recipients = 1 }]
[[mixes]]
name = "one"
clients = 1
threads_per_client = 1
mailboxes_per_client = 4
think_time = "1 s"
measurement = "1 s"
)");
    const ProgramEnd end = cli({ "run", plan });
    CHECK(end.exitCode == 2);
    CHECK_THAT(end.errors, Contains("198.51.100.7"));
}
