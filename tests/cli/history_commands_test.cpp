// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "engine/analysis/sample_storage.h"
#include "sample_suite.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

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
    // Only what the run has now.
    CHECK(cli({ "note", kRun, "warm cache\nsecond disk" }).exitCode == 0);
    CHECK(cli({ "tag", kRun, "raid5" }).exitCode == 0);
    const std::string shown = cli({ "show", "last" }).output;
    CHECK_THAT(shown, Contains("note       warm cache\n           second disk\n") && !Contains("cold cache"));
    CHECK_THAT(shown, Contains("tags       baseline, raid5\n") && !Contains("raid0"));
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
                "Messages over the measurement", "560 users", "Send message", "Events", "drain begins" })
            CHECK_THAT(end.output, Contains(text));
    }
    const Json json = Json::parse(cli({ "show", "last", "--json" }).output);
    CHECK(json["results"]["mixes"].size() == 2);
    CHECK(json["header"]["run"] == kRun);
}

TEST_CASE("show and export take a window, and say so")
{
    const Cli cli;
    fill(cli); // mixes of 4 + 20 + 3 s with quiet times of 3 s; measurements from 0:04 to 0:24 and from 0:34 to 0:54
    const auto sent = [](const Json& json) {
        std::vector<std::pair<double, std::uint64_t>> all;
        for (const Json& mix : json["results"]["mixes"])
            all.emplace_back(mix["measured"]["begin"].get<double>(), mix["measured"]["sent"].get<std::uint64_t>());
        return all;
    };
    const auto json = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), { "show", "last", "--json" });
        const ProgramEnd end = cli(arguments);
        INFO(end.errors);
        REQUIRE(end.exitCode == 0);
        return Json::parse(end.output);
    };
    const auto whole = sent(json({}));
    REQUIRE(whole.size() == 2);
    const Json second = json({ "--phase", "measurement 2" });
    REQUIRE(sent(second).size() == 1);
    CHECK(sent(second)[0] == whole[1]);
    CHECK(second["window"]["end"] == 54);
    CHECK(second["readings"][0]["window"] == Json { { "begin", 34 }, { "end", 54 } });
    const auto firstHalf = sent(json({ "--from", "0:00:04", "--to", "+10s" }));
    const auto otherHalf = sent(json({ "--from", "14 s", "--to", "24 s" }));
    CHECK(firstHalf[0].second + otherHalf[0].second == whole[0].second);

    const ProgramEnd shown = cli({ "show", "last", "--from", "10s", "--to", "20s", "--all-counters" });
    INFO(shown.errors);
    CHECK(shown.exitCode == 0);
    CHECK_THAT(shown.output,
        Contains("Window     00:10 to 00:20 of the run") && Contains("Messages over the window 00:10 - 00:20")
            && Contains("Counters of generator1") && Contains("\\Processor(_Total)\\% Processor Time"));
    CHECK(shown.output.find("drain begins") == std::string::npos);
    CHECK_THAT(cli({ "show", "last", "--from", "0s", "--to", "20s" }).output,
        Contains("Messages over 00:04 - 00:20, what was measured of the window 00:00 - 00:20"));
    CHECK_THAT(cli({ "show", "last" }).output, !Contains("Counters of generator1"));

    CHECK(cli({ "export", "last", "--phase", "measurement 2", "--format", "csv", "--output", cli.file("w.csv") }).exitCode == 0);
    std::ifstream counters(cli.file("w-counters.csv"));
    CHECK(std::count(std::istreambuf_iterator<char>(counters), {}, '\n') == 1 + 20);
    CHECK(cli({ "export", "last", "--from", "10s", "--output", cli.file("w.html") }).exitCode == 0);
    const ProgramEnd archive = cli({ "export", "last", "--from", "10s", "--format", "archive" });
    CHECK(archive.exitCode == 2);
    CHECK_THAT(archive.errors, Contains("holds the whole run"));
}

TEST_CASE("a window is kept with its reason, and a wrong one is refused")
{
    const Cli cli;
    fill(cli);
    CHECK(cli({ "show", "last", "--phase", "measurement 1", "--keep", "cache was warm" }).exitCode == 0);
    CHECK_THAT(cli({ "show", "last" }).output, Contains("00:04 to 00:24 of the run") && Contains("cache was warm"));
    for (const auto& [arguments, why] : {
             std::pair { std::vector<std::string> { "--from", "noon" }, "is not a time of a run" },
             std::pair { std::vector<std::string> { "--from", "2h" }, "long" },
             std::pair { std::vector<std::string> { "--phase", "sprint" }, "measurement 1" },
             std::pair { std::vector<std::string> { "--from", "1s", "--steady" }, "--steady" },
             std::pair { std::vector<std::string> { "--keep", "for nothing" }, "--phase" } }) {
        std::vector<std::string> all { "show", "last" };
        all.insert(all.end(), arguments.begin(), arguments.end());
        const ProgramEnd end = cli(all);
        INFO(end.errors);
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, Contains(why));
    }
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
