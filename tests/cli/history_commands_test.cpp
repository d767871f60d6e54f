// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "engine/analysis/sample_storage.h"
#include "sample_suite.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using Json = nlohmann::json;

namespace {

const std::string kRun = "20261121-140305-7f3a";

/// A history with one imported run.
void fill(const Cli& cli)
{
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    const ProgramEnd end = cli({ "import", cli.file("sample.loadstone") });
    INFO(end.errors);
    REQUIRE(end.exitCode == 0);
    REQUIRE(end.output == kRun + "\n");
}

} // namespace

TEST_CASE("an empty history is listed as such, in no line of JSON")
{
    const Cli cli;
    CHECK(cli({ "list" }).exitCode == 0);
    CHECK_THAT(cli({ "list" }).output, Contains("No runs yet"));
    CHECK(cli({ "list", "--json" }).output.empty());
}

TEST_CASE("an imported run is listed, found by its beginning, tagged and noted")
{
    const Cli cli;
    fill(cli);
    CHECK_THAT(cli({ "list" }).output, Contains(kRun) && Contains("measured"));
    CHECK(cli({ "tag", "last", "baseline", "raid0" }).exitCode == 0);
    CHECK(cli({ "tag", "20261121", "raid0", "--remove" }).output == kRun + ": baseline\n");
    CHECK(cli({ "note", kRun, "cold cache" }).exitCode == 0);
    const Json summary = Json::parse(cli({ "list", "--json" }).output);
    CHECK(summary["run"] == kRun);
    CHECK(summary["tags"] == Json { "baseline" });
    CHECK(summary["note"] == "cold cache");
    CHECK(summary["valid"] == true);
    CHECK_THAT(cli({ "show", "last" }).output, Contains("cold cache"));
}

TEST_CASE("a storage run is listed with its I/O, and shown with its tables, without mail")
{
    using namespace std::chrono_literals;
    const Cli cli;
    loadstone::test::StorageSample sample(cli.file("storage.loadstone"));
    sample.phase(loadstone::PhaseKind::measurement, 0);
    sample.io(loadstone::IoClass::databaseRead, 123, 123 * 8192, 5ms);
    sample.ticks(30);
    sample.finish();
    REQUIRE(cli({ "import", cli.file("storage.loadstone") }).exitCode == 0);
    CHECK_THAT(cli({ "list" }).output, Contains("I/O/s") && Contains(" 123 "));
    const Json summary = Json::parse(cli({ "list", "--json" }).output);
    CHECK(summary["peakIosPerSecond"].get<double>() == Approx(123));
    const std::string shown = cli({ "show", "last" }).output;
    CHECK_THAT(shown, Contains("Database sizing and throughput") && Contains("Disk subsystem performance"));
    CHECK(shown.find("Messages") == std::string::npos);
    CHECK(shown.find("audit") == std::string::npos);
}

TEST_CASE("show prints header, phases, result tables, audit and events, of a run or of a file")
{
    const Cli cli;
    fill(cli);
    for (const std::string& name : { std::string("last"), cli.file("sample.loadstone") }) {
        const ProgramEnd end = cli({ "show", name });
        INFO(end.errors);
        CHECK(end.exitCode == 0);
        for (const char* text :
            { "20261121-140305-7f3a", "generator1", "Phases", "ramp-up", "Valid:", "delivery audit",
                "Messages over the valid phase", "560 users", "Send message", "Events", "drain begins" })
            CHECK_THAT(end.output, Contains(text));
    }
    const Json json = Json::parse(cli({ "show", "last", "--json" }).output);
    CHECK(json["results"]["mixes"].size() == 2);
    CHECK(json["header"]["run"] == kRun);
}

TEST_CASE("export writes each format, and an archive can be imported elsewhere")
{
    const Cli cli;
    fill(cli);
    for (const char* format : { "html", "json", "archive" }) {
        const std::string file = cli.file(std::string("out.") + format);
        const ProgramEnd end = cli({ "export", "last", "--format", format, "--output", file });
        INFO(end.errors);
        CHECK(end.exitCode == 0);
        CHECK(end.output == file + "\n");
        CHECK(std::filesystem::file_size(file) > 1000);
    }
    CHECK(cli({ "export", "last", "--format", "csv", "--output", cli.file("out.csv") }).exitCode == 0);
    CHECK(std::filesystem::exists(cli.file("out-results.csv")));
    CHECK(std::filesystem::exists(cli.file("out-counters.csv")));
    const ProgramEnd moved = cli({ "import", cli.file("out.archive"), "--history", cli.file("other") });
    CHECK(moved.exitCode == 0);
    CHECK_THAT(cli({ "list", "--history", cli.file("other") }).output, Contains(kRun));
}

TEST_CASE("an export that cannot be written says which file")
{
    const Cli cli;
    fill(cli);
    const ProgramEnd end = cli({ "export", "last", "--output", "/no/such/folder/report.html" });
    CHECK(end.exitCode == 1);
    CHECK_THAT(end.errors, Contains("/no/such/folder/report.html"));
}

TEST_CASE("an archive is not written over the recording that it is made of")
{
    const Cli cli;
    fill(cli);
    const std::string recording = cli.file("history/runs/" + kRun + ".loadstone");
    const auto before = std::filesystem::last_write_time(recording);
    const ProgramEnd end = cli({ "export", "last", "--format", "archive", "--output", recording });
    CHECK(end.exitCode == 1);
    CHECK_THAT(end.errors, Contains("the recording itself"));
    CHECK(std::filesystem::last_write_time(recording) == before);
    CHECK(cli({ "show", "last" }).exitCode == 0);
}

TEST_CASE("runs that are not there and files that are no recordings are exit code 2")
{
    const Cli cli;
    fill(cli);
    for (const char* command : { "show", "export" }) {
        const ProgramEnd end = cli({ command, "20250101" });
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, Contains("20250101"));
    }
    const std::string garbage = cli.file("garbage.loadstone", "this is no recording");
    CHECK(cli({ "import", garbage }).exitCode == 2);
    CHECK_THAT(cli({ "import", garbage }).errors, Contains("garbage.loadstone"));
    CHECK(cli({ "import", cli.file("sample.loadstone") }).exitCode == 2); // is there already
    CHECK(cli({ "show", garbage }).exitCode == 2);
}

TEST_CASE("a run is deleted only when --yes says so")
{
    const Cli cli;
    fill(cli);
    const ProgramEnd asked = cli({ "remove", "last" });
    CHECK(asked.exitCode == 2);
    CHECK_THAT(asked.errors, Contains(kRun) && Contains("--yes"));
    CHECK_THAT(cli({ "list" }).output, Contains(kRun));
    CHECK(cli({ "remove", "last", "--yes" }).exitCode == 0);
    CHECK_THAT(cli({ "list" }).output, Contains("No runs yet"));
}
