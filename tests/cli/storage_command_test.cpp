// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;

namespace {

const std::string kSample = LOADSTONE_SOURCE_DIR "/tests/plans/jetstress/2013.xml";

} // namespace

TEST_CASE("a Jetstress configuration is imported to a file, and what is left to mend is told")
{
    const Cli cli;
    const std::string plan = cli.file("plan.toml");
    const ProgramEnd end =
        cli({ "storage", "import", kSample, "--map", "C:\\ExchangeVols=/mnt", "-o", plan });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.errors, Contains("groups[1].log: \"/CHANGE-ME/F\" is a placeholder for a folder"));
    CHECK_THAT(end.output, Contains("fix the problems above"));
    CHECK(cli({ "check", plan }).exitCode == 2);

    const ProgramEnd again = cli({ "storage", "import", kSample, "-o", plan });
    CHECK(again.exitCode == 2);
    CHECK_THAT(again.errors, Contains("exists already"));
}

TEST_CASE("an import whose folders are all mapped is a plan that is good at once")
{
    const Cli cli;
    const std::string plan = cli.file("plan.toml");
    const ProgramEnd end = cli({ "storage", "import", kSample, "--map", "C:\\=/mnt/c", "--map", "E:\\=/mnt/e",
        "--map", "F:\\=/mnt/f", "-o", plan });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output, Contains("can be run as it is"));
    const ProgramEnd check = cli({ "check", plan });
    INFO(check.errors);
    CHECK(check.exitCode == 0);
    CHECK_THAT(check.output, Contains("2 tests") && Contains("4 databases of 250 GB in 2 groups"));
    CHECK_THAT(check.errors, Contains("note: needs 300 GB in /mnt/e/DB3"));
}

TEST_CASE("without a file the plan goes to standard output")
{
    const ProgramEnd end = Cli()({ "storage", "import", kSample });
    CHECK(end.exitCode == 0);
    CHECK(end.errors.empty());
    CHECK_THAT(
        end.output, StartsWith("# From the Jetstress configuration 2013.xml") && Contains("/CHANGE-ME/"));
}

TEST_CASE("what cannot be imported is told in a sentence")
{
    const Cli cli;
    const std::string broken = cli.file("broken.xml", "<configuration>\n<");
    for (const ProgramEnd& end : { cli({ "storage", "import", "/no/such.xml" }),
             cli({ "storage", "import", broken }), cli({ "storage", "import", kSample, "--map", "C:" }),
             cli({ "storage" }), cli({ "storage", "import" }) }) {
        INFO(end.errors);
        CHECK(end.exitCode == 2);
        CHECK(end.output.empty());
        CHECK_THAT(end.errors, StartsWith("loadstone: "));
    }
    CHECK_THAT(cli({ "storage", "import", broken }).errors,
        Contains("broken.xml:2: the configuration is not well-formed XML"));
}

TEST_CASE("a storage plan is checked; without its folders nothing of it is run, and what to do is said")
{
    const Cli cli;
    const ProgramEnd check = cli({ "check", "storage-small" });
    CHECK(check.exitCode == 0);
    CHECK_THAT(check.output, Contains("4 tests, 10:00, 4 databases of 1 GB in 2 groups"));
    std::ostringstream text;
    text << std::ifstream(LOADSTONE_SOURCE_DIR "/resources/plans/storage-small.toml").rdbuf();
    const std::string nowhere = cli.file("nowhere");
    const std::string plan =
        cli.file("plan.toml", std::regex_replace(text.str(), std::regex("/var/tmp/loadstone"), nowhere));
    for (const std::vector<std::string>& command :
        { std::vector<std::string> { "run", plan }, { "run", plan, "--no-preflight" }, { "preflight", plan },
            { "storage", "init", plan }, { "storage", "verify", plan }, { "rehearse", plan } }) {
        const ProgramEnd end = cli(command);
        INFO(command[0] << ": " << end.output << end.errors);
        CHECK(end.exitCode != 0);
        const std::string said = end.output + end.errors;
        if (command[0] == "rehearse") {
            CHECK_THAT(said, Contains("cannot be rehearsed"));
            continue;
        }
        CHECK_THAT(said, Contains("there are no such folders; make them (mkdir -p"));
        for (const char* folder : { "/data-1", "/data-4", "/log-1", "/log-2" })
            CHECK_THAT(said, Contains(nowhere + folder));
    }
}

TEST_CASE("storage's help names its commands, and each says what it does")
{
    const Cli cli;
    const ProgramEnd all = cli({ "storage", "--help" });
    CHECK(all.exitCode == 0);
    CHECK(all.errors.empty());
    for (const char* command : { "init", "run", "verify", "recover", "clean", "import" }) {
        CHECK_THAT(all.output, Contains(command));
        const ProgramEnd end = cli({ "storage", command, "--help" });
        INFO(end.output << end.errors);
        CHECK(end.exitCode == 0);
        CHECK_THAT(end.output, Contains(command == std::string("import") ? "FILE" : "PLAN"));
        CHECK_THAT(end.output, !Contains("--trace")); // mail's commands alone are traced
    }
    CHECK_THAT(cli({ "storage", "run", "--help" }).output, Contains("--no-preflight") && !Contains("--yes"));
    CHECK_THAT(cli({ "storage", "clean", "--help" }).output, Contains("--yes"));
}

TEST_CASE("storage's commands want a plan that is there and good, and take no other option")
{
    const Cli cli;
    const std::string bad = cli.file("bad.toml", "format = 1\nkind = \"storage\"\n");
    for (const char* command : { "init", "run", "verify", "recover", "clean" }) {
        for (const ProgramEnd& end :
            { cli({ "storage", command }), cli({ "storage", command, "/no/such.toml" }),
                cli({ "storage", command, "storage-small", "--test", "1" }) }) {
            INFO(end.output << end.errors);
            CHECK(end.exitCode == 2);
            CHECK(end.output.empty());
            CHECK_THAT(end.errors, StartsWith("loadstone: "));
            CHECK(std::count(end.errors.begin(), end.errors.end(), '\n') == 1);
        }
        const ProgramEnd end = cli({ "storage", command, bad });
        INFO(end.output << end.errors);
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, Contains("bad.toml:") && Contains("the plan was not started"));
    }
    CHECK_THAT(cli({ "list" }).output, Contains("No runs yet"));
}

TEST_CASE("commands for mailboxes and those for databases refuse each other's plans")
{
    const Cli cli;
    for (const char* command : { "init", "run", "verify", "recover", "clean" })
        for (const char* plan : { "first-run", "raw-device" }) {
            const ProgramEnd end = cli({ "storage", command, plan, "--json" });
            INFO(command << " " << plan << ": " << end.output << end.errors);
            CHECK(end.exitCode == 2);
            CHECK(end.output.empty());
            CHECK_THAT(end.errors, Contains(std::string(plan) + ": is not a storage plan"));
        }
    for (const char* command : { "init", "clean" }) {
        const ProgramEnd end = cli({ command, "storage-small" });
        INFO(end.output << end.errors);
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, Contains("write \"loadstone storage " + std::string(command) + "\""));
    }
    CHECK_THAT(cli({ "list" }).output, Contains("No runs yet"));
}

TEST_CASE(
    "databases are made, tested and removed; the last only when somebody has said so, who was told which")
{
    const Cli cli;
    const std::string data = cli.file("data"), log = cli.file("log");
    std::filesystem::create_directory(data);
    std::filesystem::create_directory(log);
    // Without direct I/O, for a temporary folder in memory.
    const std::string plan = cli.file("small.toml",
        "format = 1\nkind = \"storage\"\n[database]\ncache_minimum = \"2 MB\"\ncache_maximum = \"2 MB\"\n"
        "checkpoint_depth = \"5 MB\"\ndirect = false\n[load]\nthreads = 1\n[[groups]]\nname = "
        "\"g\"\ndatabases = [\""
            + data + "\"]\nlog = \"" + log
            + "\"\ndatabase_size = \"4 MB\"\n[[tests]]\nkind = \"checksum\"\n");
    CHECK(cli({ "storage", "clean", plan }).exitCode == 0); // nothing is there
    const ProgramEnd made = cli({ "storage", "init", plan });
    INFO(made.output << made.errors);
    REQUIRE(made.exitCode == 0);
    const ProgramEnd run = cli({ "storage", "run", plan, "--no-preflight" });
    INFO(run.output << run.errors);
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.output, Contains("g-1"));
    CHECK(cli({ "storage", "recover", plan }).exitCode == 0);
    CHECK(cli({ "storage", "verify", plan }).exitCode == 0);

    const ProgramEnd unsure = cli({ "storage", "clean", plan });
    CHECK(unsure.exitCode == 2);
    CHECK_THAT(unsure.errors,
        Contains(data + "/g-1.database") && Contains("files that Loadstone made will be removed")
            && Contains("add --yes"));
    CHECK(std::filesystem::exists(data + "/g-1.database"));
    CHECK(cli({ "storage", "clean", plan, "--yes" }).exitCode == 0);
    CHECK(std::filesystem::is_empty(data));
    CHECK(std::filesystem::is_empty(log));
}
