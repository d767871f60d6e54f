// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "engine/report/sample_suite.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using Json = nlohmann::json;

namespace {

const std::string kHead =
    "\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\",\"\\\\EX1\\Process(store)\\% Processor Time\","
    "\"\\\\EX1\\Database(Information Store)\\Log Record Stalls/sec\"\n";

/// A history with one run.
void fill(const Cli& cli, const loadstone::test::SampleSuite& suite = {})
{
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"), suite);
    REQUIRE(cli({ "import", cli.file("sample.loadstone") }).exitCode == 0);
}

} // namespace

TEST_CASE("a log of PerfMon is attached to a run and moved, and no figure and no verdict of the run changes")
{
    const Cli cli;
    fill(cli);
    Json before = Json::parse(cli({ "show", "last", "--json" }).output);
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
    CHECK(cli({ "export", "last", cli.file("moved.html") }).exitCode == 0);
    std::ostringstream report;
    report << std::ifstream(cli.file("moved.html")).rdbuf();
    CHECK_THAT(report.str(), Contains("1 time, -2212.250 s in total"));
    Json after = Json::parse(cli({ "show", "last", "--json" }).output);
    CHECK(after["readings"][0]["computers"].size()
        == 2); // what was attached stands beside the run's own counters
    CHECK(after["readings"][0]["computers"][1]["own"] == true);
    CHECK(after["readings"][0]["computers"][1] == before["readings"][0]["computers"][0]);
    REQUIRE(after["sources"].size() == 1);
    CHECK(after["sources"][0]["begin"] == -2220); // where the log lies in the run
    CHECK(before["sources"].empty());
    for (const char* ofLogs : { "readings", "sources" }) {
        after.erase(ofLogs);
        before.erase(ofLogs);
    }
    CHECK(after == before);

    CHECK(cli({ "sources", "last", "--remove", "1", "--move", "1", "--begin", "1 s" }).exitCode == 2);
    end = cli({ "sources", "last", "--remove", "1" });
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output, Contains("Nothing is attached"));
    after = Json::parse(cli({ "show", "last", "--json" }).output);
    CHECK(after["readings"][0]["computers"].size() == 1);
}

TEST_CASE("a log gives its computer a role and a name")
{
    const Cli cli;
    fill(cli);
    std::string rows;
    for (int i = 0; i < 60; ++i)
        rows += "\"11/21/2026 15:03:" + std::string(i < 10 ? "0" : "") + std::to_string(i) + ".000\",\""
            + std::to_string(i) + "\",\"0.5\"\n";
    const ProgramEnd end =
        cli({ "attach", "last", cli.file("ex1.csv", kHead + rows), "--role", "sut", "--computer", "mail1" });
    INFO(end.errors);
    REQUIRE(end.exitCode == 0);
    const Json first = Json::parse(cli({ "show", "last", "--json" }).output)["readings"][0]["computers"][0];
    CHECK(first["computer"] == "mail1");
    CHECK(first["role"] == "sut");
    CHECK_THAT(cli({ "show", "last" }).output, Contains("Counters of mail1, the system under test"));
    CHECK(cli({ "attach", "last", cli.file("ex1.csv"), "--role", "boss" }).exitCode == 2);
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
    end = cli({ "attach", "last", zoned, "--zone", "Z", "--begin", "1 s" });
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.errors, Contains("the zone that was given is not used"));
    CHECK_THAT(cli({ "attach", "last", log, "--zone", "CET" }).errors, Contains("is not a zone"));
    CHECK_THAT(cli({ "attach", "last", log, "--begin", "soon" }).errors, Contains("--begin"));
    CHECK_THAT(cli({ "attach", "last", log, "--zone", "Z", "--counter", "store" }).errors,
        Contains("none of its 1 counters"));
    CHECK(cli({ "attach", "last", cli.file("none.csv", "a,b\n") }).exitCode == 1);
    CHECK(cli({ "attach", "never", log, "--zone", "Z" }).exitCode == 2);
    CHECK(cli({ "sources", "last", "--move", "9", "--begin", "1 s" }).exitCode == 1);
    CHECK(cli({ "sources", "last", "--move", "1" }).exitCode == 2);
    CHECK(cli({ "sources", "last", "--remove", "9" }).exitCode == 1);
}

TEST_CASE("where a log belongs is proposed with its curve, and accepted")
{
    const Cli cli;
    loadstone::test::SampleSuite once; // of two mixes one looks like the other
    once.mixes = 1;
    once.rampUp = 30;
    once.measurement = 60;
    once.rampDown = 20;
    once.quiet = 30;
    fill(cli, once);
    const std::string exported = cli.file("exported.csv", "");
    // The run's own network bytes, on a clock that is 20 minutes ahead and in a zone of its own.
    ProgramEnd end = cli({ "export", "last", "--counters", "pdh", exported, "--match", "Network Interface" });
    INFO(end.errors);
    REQUIRE(end.exitCode == 0);
    CHECK_THAT(end.output, Contains("rows of 2 counters"));
    std::string text;
    {
        std::ifstream in(exported, std::ios::binary);
        std::ostringstream all;
        all << in.rdbuf();
        text = all.str();
    }
    text.replace(text.find("(UTC)(0)"), 8, "(Ahead)(-20)");
    const std::string log = cli.file("ahead.csv", text);

    end = cli({ "attach", "last", log, "--propose" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output,
        Contains("By clocks  -0:20:00") && Contains("<- peak") && Contains("with correlation 1.000")
            && Contains("Proposed   --begin"));
    CHECK_THAT(cli({ "sources", "last" }).output, Contains("Nothing is attached"));
    end = cli({ "attach", "last", log, "--accept" });
    CHECK(end.exitCode == 0);
    const Json source = Json::parse(cli({ "sources", "last", "--json" }).output);
    CHECK(std::abs(source["offset_s"].get<double>()) <= 1.001);

    const std::string flat = cli.file("flat.csv",
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\Memory\\Pages/sec\"\n\"11/21/2026 "
        "14:03:15.000\",\"5\"\n\"11/21/2026 14:03:16.000\",\"5\"\n");
    end = cli({ "attach", "last", flat, "--accept" });
    CHECK(end.exitCode == 1);
    CHECK_THAT(end.errors, Contains("no counter of network or disk bytes"));
    end = cli({ "attach", "last", flat, "--accept", "--like", "Pages" });
    CHECK(end.exitCode == 1);
    CHECK_THAT(end.output, Contains("Nothing is proposed: the log's values do not vary"));
    CHECK(cli({ "attach", "last", flat, "--propose", "--accept" }).exitCode == 2);
    CHECK(cli({ "attach", "last", flat, "--propose", "--reach", "far" }).exitCode == 1);
}

TEST_CASE("counters are exported in a window, and derived ones are shown")
{
    const Cli cli;
    fill(cli);
    const std::string out = cli.file("out", "");
    ProgramEnd end = cli({ "export", "last", "--counters", "openmetrics", "--match", "Processor(_Total)",
        "--from", "10 s", "--to", "20 s", "--output", out });
    INFO(end.errors);
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output, Contains("40 samples of 4 counters"));
    CHECK(cli({ "export", "last", "--match", "x" }).exitCode == 2); // of counters alone
    CHECK(cli({ "export", "last", "--counters", "pdh", "--from", "soon", out }).exitCode == 2);
    CHECK_THAT(cli({ "export", "last", "--counters", "csv", "--match", "no such", out }).errors,
        Contains("no counter has a name"));

    end = cli({ "show", "last", "--derive",
        "CPU per user [%] = \"\\Processor(_Total)\\% Processor Time\" / users" });
    CHECK_THAT(end.output, Contains("Derived counters over each measurement") && Contains("CPU per user"));
    end = cli({ "show", "last", "--derive", "x = sum(" });
    CHECK(end.exitCode == 2);
    CHECK_THAT(end.errors, Contains("--derive") && Contains("column"));
}

TEST_CASE("a log of several computers is refused until those of one are chosen")
{
    const Cli cli;
    fill(cli);
    const std::string log = cli.file("two.csv",
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\Memory\\Available MBytes\",\"\\\\EX2\\Memory\\Available "
        "MBytes\"\n"
        "\"11/21/2026 14:03:06.000\",\"1\",\"2\"\n\"11/21/2026 14:03:07.000\",\"3\",\"4\"\n");
    const ProgramEnd end = cli({ "attach", "last", log });
    CHECK(end.exitCode != 0);
    CHECK_THAT(end.errors, Contains("EX1 and EX2") && Contains(R"(--counter '\\EX1\*')"));
    CHECK(cli({ "attach", "last", log, "--counter", R"(\\EX1\*)" }).exitCode == 0);
    CHECK(Json::parse(cli({ "sources", "last", "--json" }).output)["computer"] == "EX1");
}
