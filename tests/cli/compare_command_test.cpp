// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "sample_suite.h"
#include "support/catch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using Json = nlohmann::json;

namespace {

constexpr const char* kOnline = "microsoft-exchange2003-online";
constexpr const char* kCases = "vmware-dell-exchange2003";
constexpr const char* kHosts = "dell-equallogic-90000";

/// What a comparison says, as JSON.
Json compared(const Cli& cli, std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "compare");
    arguments.insert(arguments.end(), { "--format", "json" });
    const ProgramEnd end = cli(arguments);
    INFO(end.errors);
    REQUIRE(end.exitCode == 0);
    return Json::parse(end.output);
}

std::vector<std::string> columnsOf(const Json& comparison)
{
    std::vector<std::string> names;
    for (const Json& column : comparison["columns"])
        names.push_back(column["name"]);
    return names;
}

/// The changes of a row in per cent, with one decimal.
std::vector<std::string> changesOf(const Json& comparison, const std::string& label)
{
    std::vector<std::string> texts;
    for (const Json& mix : comparison["mixes"])
        for (const Json& row : mix["rows"])
            if (row["label"] == label)
                for (const Json& cell : row["columns"])
                    if (!cell["change"].is_null())
                        texts.push_back(fmt::format("{:+.1f}", 100 * cell["change"].get<double>()));
    return texts;
}

std::string ratioOf(const Json& comparison, const std::string& label)
{
    for (const Json& mix : comparison["mixes"])
        for (const Json& row : mix["rows"])
            if (row["label"] == label)
                return fmt::format("{:.3f}", row["columns"].back()["ratio"].get<double>());
    return "no such row";
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("compare lays the systems of a published result side by side, in every format", "[compare]")
{
    const Cli cli;
    const Json json = compared(cli, { kOnline });
    CHECK(json["columns"].size() == 4);
    CHECK(changesOf(json, "% Processor Time") == Texts { "+1.3", "+0.0", "-24.0" });
    CHECK(changesOf(compared(cli, { kOnline, "--baseline", "2" }), "% Processor Time").back() == "-25.0");
    for (const char* format : { "text", "markdown", "csv", "html" }) {
        INFO(format);
        const ProgramEnd end = cli({ "compare", kOnline, "--format", format });
        CHECK(end.exitCode == 0);
        CHECK_THAT(end.output, Contains("Columns") && Contains("% Processor Time"));
    }
    const std::string book = cli.file("book.xlsx");
    CHECK(cli({ "compare", kOnline, "--output", book }).exitCode == 0);
    CHECK(std::filesystem::file_size(book) > 5000);
    const ProgramEnd nowhere = cli({ "compare", kOnline, "--format", "xlsx" });
    CHECK(nowhere.exitCode == 2);
    CHECK_THAT(nowhere.errors, Contains("--output"));
}

TEST_CASE("compare has a study's baseline, its questions and its sets", "[compare]")
{
    const Cli cli;
    const Json all = compared(cli, { kCases });
    CHECK(all["columns"].size() == 7);
    CHECK(all["columns"][0]["baseline"] == true);
    CHECK(all["title"] == "Exchange 2003, physical and virtual");
    const std::vector<std::pair<const char*, const char*>> ratios { { "overhead-up", "0.765" },
        { "overhead-smp", "0.710" }, { "scale-up", "1.692" }, { "scale-out-two", "1.846" },
        { "scale-out-four", "3.077" }, { "scale-out-smp", "1.818" } };
    for (const auto& [question, ratio] : ratios) {
        INFO(question);
        CHECK(ratioOf(compared(cli, { kCases, "--question", question }), "Users supported") == ratio);
    }
    // Twelve hosts, their sum, and what was printed are too many at once.
    const ProgramEnd many = cli({ "compare", kHosts });
    CHECK(many.exitCode == 2);
    CHECK_THAT(
        many.errors, Contains("has 14 columns") && Contains("at most 12") && Contains("--question: printed"));
    const Json printed = compared(cli, { kHosts, "--question", "printed" });
    CHECK(columnsOf(printed) == Texts { "As printed", "All servers" });
    std::size_t rows = 0;
    for (const Json& mix : printed["mixes"])
        rows += mix["rows"].size();
    CHECK(rows == 7); // the question's figures and no others
    CHECK(ratioOf(printed, "Average Log Disk Writes/sec") == "0.999");
    const Json some = compared(
        cli, { std::string(kHosts) + ":fog", "Mine=" + std::string(kHosts) + ":all", "--baseline", "Mine" });
    CHECK(columnsOf(some) == Texts { "FOG", "Mine" });
    CHECK(some["columns"][1]["baseline"] == true);
}

TEST_CASE("compare takes what matters, the confidence and the baseline from a study, unless they are given",
    "[compare]")
{
    const Cli cli;
    std::string study = "kind = \"study\"\nname = \"s\"\nbaseline = \"b\"\nmatters = \"5 %\"\n"
                        "confidence = \"90 %\"\n";
    for (const char* id : { "a", "b" })
        study += fmt::format("[[case]]\nid = \"{}\"\nresult = \"{}\"\nsystem = \"{}\"\n", id, kCases,
            *id == 'a' ? "up-vm" : "smp-vm");
    const std::string file = cli.file("s.toml", study);
    const Json json = compared(cli, { file });
    CHECK(json["options"]["baseline"] == 1);
    CHECK(json["options"]["matters"] == 0.05);
    CHECK(json["options"]["level"].get<double>() == Approx(0.1));
    const Json given =
        compared(cli, { file, "--matters", "1", "--confidence", "99", "--baseline", "1", "--rows", "users" });
    CHECK(given["options"]["baseline"] == 0);
    CHECK(given["options"]["matters"] == 0.01);
    CHECK(given["options"]["level"].get<double>() == Approx(0.01));
    // Beside another column the first one is the baseline.
    CHECK(compared(cli, { std::string(kCases) + ":two-up-vms", file })["options"]["baseline"] == 0);
}

TEST_CASE("compare refuses what it cannot compare and says what would be right", "[compare]")
{
    const Cli cli;
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    REQUIRE(cli({ "import", cli.file("sample.loadstone") }).exitCode == 0);
    const std::string plan = cli.file("plan.toml", "kind = \"mail\"\n");
    const std::string empty = cli.file(
        "empty.toml", "kind = \"study\"\nname = \"s\"\n[[case]]\nid = \"a\"\nplan = \"first-run\"\n");
    const std::string bad = cli.file("bad.toml", "kind = \"study\"\nname = \"a b\"\n");
    struct Wrong {
        std::vector<std::string> arguments;
        const char* says;
    };
    const std::vector<Wrong> all {
        { {}, "columns" },
        { { "last" }, "2 to 12 columns" },
        { { "last", "20990101" }, "20990101" },
        { { "last", "no-such-file.toml" }, "no-such-file.toml" },
        { { "last", plan }, "a comparison is of runs, studies and results" },
        { { "last", empty }, "none of its cases has a run yet" },
        { { "last", empty + ":a" }, "those with runs are none" },
        { { bad }, "bad.toml: case: is missing" },
        { { std::string(kCases) + ":nothing" }, "no case" },
        { { std::string(kOnline) + ":nothing" }, "its systems are" },
        { { "x=" + std::string(kOnline) }, "a name is for one column" },
        { { kCases, "--question", "nothing" }, "its comparisons are overhead-up" },
        { { "last", "last", "--question", "scale-up" }, "asks one study alone" },
        { { kOnline, "--baseline", "9" }, "its number from 1 to 4" },
        { { kOnline, "--control", "1" }, "not the baseline" },
        { { kOnline, "--per", "users" }, "users/processors" },
        { { kOnline, "--curve", "nothing" }, "no figure with" },
        { { kOnline, "--percentiles", "Send" }, "no action" },
        { { kOnline, "--format", "pdf" }, "pdf" },
        { { kOnline, "--matters", "-3" }, "matters" },
        { { kOnline, "--match", "weight" }, "match" },
        { { "--trend", "no-such-plan" }, "no run of a plan" },
        { { "--trend", "x", kOnline }, "excludes" },
    };
    for (const Wrong& wrong : all) {
        std::vector<std::string> arguments { "compare" };
        arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
        const ProgramEnd end = cli(arguments);
        INFO(fmt::format("{}", fmt::join(arguments, " ")) << '\n' << end.errors << end.output);
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, Contains(wrong.says));
        CHECK(end.output.empty());
    }
    // A run stands in both columns: it is compared, and no word is said.
    const Json same = compared(cli, { "one=last", "two=last" });
    CHECK(same["marked"] == 0);
    CHECK(columnsOf(same) == Texts { "one", "two" });
}

TEST_CASE("what a report or a study says cannot act on the terminal or in a page", "[compare]")
{
    const Cli cli;
    std::string result = R"#(kind = "result"
title = "<script>alert(1)</script>"
[[figure]]
id = "f"
name = "=cmd|x'!A1<b>&amp;"
[[system]]
id = "one"
name = "<img src=x>|[a](b)"
[[system]]
id = "two"
name = "=HYPERLINK(\"http://x\")"
[[table]]
columns = ["one", "two"]
rows = [{ figure = "f", cells = ["1", "2"] }]
)#";
    const std::string file = cli.file("hostile.toml", result);
    for (const char* format : { "text", "markdown", "csv", "html", "json" }) {
        INFO(format);
        const ProgramEnd end = cli({ "compare", file, "--format", format });
        REQUIRE(end.exitCode == 0);
        CHECK(end.output.find('\x1b') == std::string::npos);
        CHECK(end.output.find('\x07') == std::string::npos);
        if (std::string(format) == "html") {
            CHECK(end.output.find("<img") == std::string::npos);
            CHECK(end.output.find("A1<b>") == std::string::npos);
            CHECK(end.output.find("<script>alert") == std::string::npos);
        }
        if (std::string(format) == "markdown") {
            CHECK_THAT(end.output, Contains("\\<img src=x\\>\\|\\[a\\]") && Contains("A1\\<b\\>"));
            CHECK(end.output.find("| <img") == std::string::npos);
        }
        if (std::string(format) == "csv") {
            CHECK(end.output.find(",=") == std::string::npos);
            CHECK(end.output.find("\n=") == std::string::npos);
            CHECK(end.output.find("\"=") == std::string::npos);
        }
    }
    // What acts on a terminal is refused, and the message does not act, either.
    const ProgramEnd refused = cli(
        { "compare", cli.file("escape.toml", "kind = \"result\"\ntitle = \"\\u001b]0;owned\\u0007\"\n") });
    CHECK(refused.exitCode == 2);
    CHECK(refused.errors.find('\x1b') == std::string::npos);
}
