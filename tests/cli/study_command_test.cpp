// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using Json = nlohmann::json;

namespace {

/// A test of a device, a second long.
void writePlan(const Cli& cli, const std::string& name, int depth)
{
    static_cast<void>(cli.file(name,
        fmt::format("format = 1\nkind = \"raw\"\nseed = 3\n[health]\nkeep_processors_awake = false\n"
                    "max_slip_p99 = \"60 s\"\nmax_worker_cpu = 100\nmax_run_queue_wait = 100\n"
                    "max_throttled = 100\nmax_steal = 100\nmax_standstill = \"1 h\"\n[device]\n"
                    "path = \"{}\"\nsize = \"1 MB\"\n[io]\nblock = \"4 KB\"\n[mix]\nmeasurement = \"1 s\"\n"
                    "quiet_time = \"0 s\"\ndepth = {}\n[[mixes]]\nname = \"m\"\n",
            cli.file("raw.dat"), depth)));
}

const std::string kTwoCases =
    "kind = \"study\"\nname = \"depths\"\ntitle = \"Two depths\"\nbaseline = \"two\"\n"
    "[[case]]\nid = \"one\"\nplan = \"one.toml\"\nrepeats = 1\n"
    "[[case]]\nid = \"two\"\nplan = \"two.toml\"\nrepeats = 1\n"
    "[[comparison]]\nid = \"deeper\"\ntitle = \"Is deeper quicker?\"\nwith = [\"one\"]\n";

} // namespace

TEST_CASE("a study is checked, ordered, run, resumed, shown and compared", "[study]")
{
    const Cli cli;
    writePlan(cli, "one.toml", 1);
    writePlan(cli, "two.toml", 2);
    const std::string file =
        cli.file("study.toml", kTwoCases + "[[command]]\nwhen = \"before run\"\nrun = \"echo ready\"\n");
    const ProgramEnd checked = cli({ "study", "check", file });
    INFO(checked.errors);
    CHECK(checked.exitCode == 0);
    CHECK_THAT(
        checked.output, Contains("2 cases, 0 sets, 1 comparison, 2 runs to run") || Contains("2 cases"));
    const Json order = Json::parse(cli({ "study", "order", file, "--json" }).output);
    REQUIRE(order.size() == 2);
    CHECK(order[0]["case"] == "one");
    CHECK(order[1]["case"] == "two");
    CHECK(order[1]["run"].is_null());

    const ProgramEnd refused = cli({ "study", "run", file });
    CHECK(refused.exitCode == 2);
    CHECK_THAT(refused.errors, Contains("--allow-commands") && Contains("echo ready"));

    const ProgramEnd run = cli({ "study", "run", file, "--allow-commands", "--json" });
    INFO(run.errors << run.output);
    REQUIRE(run.exitCode == 0);
    CHECK_THAT(run.errors, Contains("agreed to: echo ready"));
    const Json made = Json::parse(run.output);
    CHECK(made["state"] == "finished");
    const Json again = Json::parse(cli({ "study", "run", file, "--allow-commands", "--json" }).output);
    CHECK(again["steps"] == made["steps"]); // nothing was missing

    const ProgramEnd shown = cli({ "study", "show", file });
    CHECK(shown.exitCode == 0);
    CHECK_THAT(shown.output,
        Contains("Two depths") && Contains("Is deeper quicker?")
            && Contains(made["steps"][0]["run"].get<std::string>()));
    const Json json = Json::parse(cli({ "study", "show", file, "--json" }).output);
    CHECK(json["questions"][0]["complete"] == true);
    CHECK(json["columns"].size() == 2);

    const ProgramEnd compared = cli({ "compare", file, "--question", "deeper", "--format", "json" });
    INFO(compared.errors);
    REQUIRE(compared.exitCode == 0);
    const Json comparison = Json::parse(compared.output);
    CHECK(comparison["title"] == "Two depths: Is deeper quicker?");
    CHECK(comparison["columns"][0]["name"] == "two");
    bool depth = false;
    for (const Json& row : comparison["configuration"])
        if (row["same"] == false && row["values"] == Json { "2", "1" })
            depth = true;
    CHECK(depth);
}

TEST_CASE("a study with mistakes is not run, and each mistake has its line", "[study]")
{
    const Cli cli;
    const std::string bad =
        cli.file("bad.toml", kTwoCases + "[[comparison]]\nid = \"x\"\nwith = [\"three\"]\n");
    for (const char* task : { "check", "order", "run", "show" }) {
        INFO(task);
        const ProgramEnd end = cli({ "study", task, bad });
        CHECK(end.exitCode == 2);
        CHECK(end.output.empty());
        CHECK_THAT(end.errors, Contains("case[0].plan") && Contains("three"));
        const ProgramEnd missing = cli({ "study", task, "no-such-study" });
        CHECK(missing.exitCode == 2);
        CHECK_THAT(
            missing.errors, Contains("the studies that come with the program are dell-equallogic-90000"));
    }
    CHECK(cli({ "study" }).exitCode == 2);
    CHECK(cli({ "study", "check" }).exitCode == 2);
}

TEST_CASE("shipped studies are shown with their cases, sets and questions before anything is run", "[study]")
{
    const Cli cli;
    const ProgramEnd hosts = cli({ "study", "show", "dell-equallogic-90000" });
    CHECK(hosts.exitCode == 0);
    CHECK_THAT(
        hosts.output, Contains("All servers") && Contains("5:39:24") && Contains("Computed against printed"));
    CHECK_THAT(cli({ "study", "order", "vmware-dell-exchange2003" }).output,
        Contains("No case of the study has a plan to run."));
    const ProgramEnd nothing = cli({ "study", "run", "vmware-dell-exchange2003" });
    INFO(nothing.output << nothing.errors);
    CHECK(nothing.exitCode == 2);
    CHECK_THAT(nothing.errors, Contains("no case has a plan to run"));
}

TEST_CASE("a command that fails ends the queue, and the study says which", "[study]")
{
    const Cli cli;
    writePlan(cli, "one.toml", 1);
    writePlan(cli, "two.toml", 2);
    const std::string file =
        cli.file("study.toml", kTwoCases + "[[command]]\nwhen = \"before run\"\nrun = \"echo no; exit 3\"\n");
    const ProgramEnd end = cli({ "study", "run", file, "--allow-commands" });
    CHECK(end.exitCode == 1);
    CHECK_THAT(end.output, Contains("0 of 2 runs are there") && Contains("echo no"));
}

TEST_CASE("a published result is checked, shown, written as CSV and read back", "[result]")
{
    const Cli cli;
    const char* name = "etesting-exchange-scalability";
    CHECK_THAT(cli({ "result", "check", name }).output, Contains("2 systems"));
    CHECK_THAT(cli({ "result", "show", name }).output, Contains("83,300") && Contains("0.997"));
    for (const char* format : { "csv", "json", "html" })
        CHECK(cli({ "result", "show", name, "--format", format }).exitCode == 0);
    const std::string csv = cli.file("figures.csv"), back = cli.file("back.toml");
    REQUIRE(cli({ "result", "csv", name, "--output", csv }).exitCode == 0);
    const ProgramEnd imported = cli({ "result", "import", csv, "--title", "Back", "--output", back });
    INFO(imported.errors);
    REQUIRE(imported.exitCode == 0);
    CHECK(cli({ "result", "csv", back }).output == cli({ "result", "csv", name }).output);
    CHECK(cli({ "result", "import", csv, "--output", back }).exitCode == 2); // it is there already
    for (const auto& end : { cli({ "result", "check", "no-such-result" }),
             cli({ "result", "show", cli.file("bad.toml", "kind = \"result\"\n") }),
             cli({ "result", "import", cli.file("bad.csv", "nothing\n1\n") }), cli({ "result" }) }) {
        INFO(end.errors);
        CHECK(end.exitCode == 2);
        CHECK_FALSE(end.errors.empty());
    }
}
