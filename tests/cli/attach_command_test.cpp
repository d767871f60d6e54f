// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "engine/report/sample_suite.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using Json = nlohmann::json;

namespace {

const std::string kHead =
    "\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\",\"\\\\EX1\\Process(store)\\% Processor Time\","
    "\"\\\\EX1\\Database(Information Store)\\Log Record Stalls/sec\"\n";

/// A history with one run.
void fill(const Cli& cli)
{
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    REQUIRE(cli({ "import", cli.file("sample.loadstone") }).exitCode == 0);
}

} // namespace

TEST_CASE("a log of PerfMon is attached to a run and moved, and no figure and no verdict of the run changes")
{
    const Cli cli;
    fill(cli);
    const Json before = Json::parse(cli({ "show", "last", "--json" }).output);
    std::string rows;
    for (int i = 0; i < 40; ++i)
        rows += "\"11/21/2026 15:0" + std::to_string(3 + i / 20) + ":" + (i % 20 * 3 < 10 ? "0" : "")
            + std::to_string(i % 20 * 3) + ".250\",\"" + std::to_string(i) + "\",\"0.5\"\n";
    const std::string log = cli.file("ex1.csv", kHead + rows);
    CHECK_THAT(cli({ "sources", "last" }).output, Contains("Nothing is attached"));

    ProgramEnd end = cli({ "attach", "last", log, "--list", "--counter", "stalls" });
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output,
        Contains("1 of 2 counters") && Contains("Log Record Stalls/sec") && !Contains("Process(store)"));

    end = cli({ "attach", "last", log });
    INFO(end.errors);
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output, Contains("Source 1") && Contains("40 samples of 2 counters"));
    Json source = Json::parse(cli({ "sources", "last", "--json" }).output);
    CHECK(source["computer"] == "EX1");
    CHECK(source["samples"] == 40);
    CHECK(source["complete"] == true);
    CHECK(source["length_s"].get<double>() == Approx(120));
    CHECK(source["counters"][0] == R"(\\EX1\Process(store)\% Processor Time)");

    CHECK(cli({ "sources", "last", "--move", "1", "--begin", "-37 min" }).exitCode == 0);
    source = Json::parse(cli({ "sources", "last", "--json" }).output);
    CHECK(source["offset_s"] == -2220);
    CHECK(source["moves"].size() == 2);
    CHECK(Json::parse(cli({ "show", "last", "--json" }).output) == before);
}

TEST_CASE("a log without a zone wants it said, and what cannot be attached is refused with its reason")
{
    const Cli cli;
    fill(cli);
    const std::string log = cli.file("typeperf.csv",
        "\n\"(PDH-CSV 4.0)\",\"\\\\EX1\\Memory\\Available MBytes\"\n\"11/21/2026 "
        "14:03:05.000\",\"5\"\nExiting, please wait...\n");
    ProgramEnd end = cli({ "attach", "last", log });
    CHECK(end.exitCode == 1);
    CHECK_THAT(end.errors, Contains("does not say its time zone"));
    CHECK(cli({ "attach", "last", log, "--zone", "+00:00" }).exitCode == 0);
    CHECK(cli({ "attach", "last", log, "--begin", "2 min" }).exitCode == 0);
    const std::string zoned = cli.file("zoned.csv", kHead + "\"11/21/2026 15:03:05.000\",\"5\",\"1\"\n");
    CHECK_THAT(cli({ "attach", "last", zoned, "--zone", "Z" }).errors, Contains("says its zone itself"));
    CHECK_THAT(cli({ "attach", "last", log, "--zone", "CET" }).errors, Contains("is not a zone"));
    CHECK_THAT(cli({ "attach", "last", log, "--begin", "soon" }).errors, Contains("--begin"));
    CHECK_THAT(cli({ "attach", "last", log, "--zone", "Z", "--counter", "store" }).errors,
        Contains("none of its 1 counters"));
    CHECK(cli({ "attach", "last", cli.file("none.csv", "a,b\n") }).exitCode == 1);
    CHECK(cli({ "attach", "never", log, "--zone", "Z" }).exitCode == 2);
    CHECK(cli({ "sources", "last", "--move", "9", "--begin", "1 s" }).exitCode == 1);
    CHECK(cli({ "sources", "last", "--move", "1" }).exitCode == 2);
}
