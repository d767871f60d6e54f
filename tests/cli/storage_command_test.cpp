// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"

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
    CHECK_THAT(end.errors, Contains("groups[1].log: \"/CHANGE-ME/F\" stands for a folder"));
    CHECK_THAT(end.output, Contains("mend what is named above"));
    CHECK(cli({ "check", plan }).exitCode == 2);

    const ProgramEnd again = cli({ "storage", "import", kSample, "-o", plan });
    CHECK(again.exitCode == 2);
    CHECK_THAT(again.errors, Contains("is there already"));
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
    CHECK_THAT(cli({ "storage", "import", broken }).errors, Contains("broken.xml:2: no well-formed XML"));
}

TEST_CASE("a storage plan is checked, and nothing runs it yet")
{
    const Cli cli;
    const ProgramEnd check = cli({ "check", "storage-small" });
    CHECK(check.exitCode == 0);
    CHECK_THAT(check.output, Contains("4 tests, 10:00, 4 databases of 1 GB in 2 groups"));
    for (const std::vector<std::string>& command :
        { std::vector<std::string> { "run", "storage-small" }, { "run", "storage-small", "--no-preflight" },
            { "preflight", "storage-small" }, { "rehearse", "storage-small" } }) {
        const ProgramEnd end = cli(command);
        INFO(end.output << end.errors);
        CHECK(end.exitCode == 2);
        CHECK_THAT(
            end.errors, Contains(command[0] == "rehearse" ? "cannot be rehearsed" : "cannot be run yet"));
        CHECK_THAT(end.errors, !Contains("--no-preflight"));
    }
}
