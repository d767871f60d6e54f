// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using Json = nlohmann::json;

namespace {

/// A few seconds against the embedded target.
std::string shortPlan(const Cli& cli, const std::string& measurement, const std::string& fault = "")
{
    return cli.file("short.toml",
        fmt::format(R"(format = 1
kind = "mail"
title = "Short"
seed = 3
final_window = "1 s"
drain = "6 s"
delivery_limit = "3 s"
[target]
domain = "load.test"
user = "u{{n}}"
password = "secret"
[target.embedded]
service_time = "constant 1 ms"
{}
[workload]
pacing = "closed"
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 3
[mix]
threads_per_client = 2
mailboxes_per_client = 6
think_time = "50 ms"
ramp_up = "1 s"
measurement = "{}"
[[mixes]]
name = "6 users"
clients = 1
)",
            fault.empty() ? "" : "faults = [\"" + fault + "\"]", measurement));
}

std::vector<Json> jsonLines(const std::string& text)
{
    std::vector<Json> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        all.push_back(Json::parse(line));
    return all;
}

} // namespace

TEST_CASE("run --json prints every tick once and in order, and ends with the results")
{
    const Cli cli;
    const ProgramEnd end = cli({ "run", shortPlan(cli, "2 s"), "--json", "--tag", "quick", "--note",
        "from a test", "--report", cli.file("report.html") });
    INFO(end.output << end.errors);
    const auto lines = jsonLines(end.output);
    REQUIRE(lines.size() > 5);
    CHECK(lines.front()["event"] == "start");
    CHECK(lines.back()["event"] == "end");
    CHECK(lines.back()["exitCode"] == end.exitCode);
    std::uint64_t next = 0;
    std::vector<std::string> phases;
    for (const Json& line : lines) {
        if (line["event"] == "tick")
            CHECK(line["tick"] == next++);
        if (line["event"] == "phase")
            phases.push_back(line["kind"]);
    }
    CHECK(next >= 3);
    REQUIRE(phases.size() >= 2);
    CHECK(phases[0] == "ramp-up");
    CHECK(phases[1] == "measurement");
    const Json& results = lines.back()["results"];
    CHECK(results["state"] == "finished");
    CHECK(results["mixes"][0]["measured"]["sent"] > 10);
    CHECK(results["audit"]["lost"] == 0);
    CHECK((end.exitCode == 0 || end.exitCode == 3)); // a busy machine may make it invalid, and nothing else
    CHECK(std::filesystem::file_size(cli.file("report.html")) > 10000);
    const Json summary = Json::parse(cli({ "list", "--json" }).output);
    CHECK(summary["tags"] == Json { "quick" });
    CHECK(summary["note"] == "from a test");
}

TEST_CASE("run without a terminal prints plain lines, the result table and where the recording is")
{
    const Cli cli;
    const ProgramEnd end = cli({ "run", shortPlan(cli, "1 s") });
    INFO(end.errors);
    CHECK_THAT(end.output, Contains("measurement \"6 users\" begins") && Contains("sent/s"));
    CHECK_THAT(end.output, Contains("Messages over the measurement") && Contains("Recording: "));
    CHECK(end.output.find('\r') == std::string::npos);
    CHECK(end.output.find('\x1b') == std::string::npos);
}

TEST_CASE("SIGINT ends a run in order: exit code 130, results printed, what was measured kept")
{
    const Cli cli;
    const ProgramEnd end = cli.interrupted("4", { "run", shortPlan(cli, "60 s"), "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 130);
    CHECK_THAT(end.output, Contains("stopped before the plan's end") && Contains("6 users *"));
    const Json json = Json::parse(cli({ "show", "last", "--json" }).output);
    CHECK(json["results"]["state"] == "stopped");
    CHECK(json["results"]["mixes"][0]["measured"]["sent"] > 10);
}

TEST_CASE("a signal that was ignored at the start, as nohup does it, ends nothing")
{
    const Cli cli;
    const ProgramEnd end = cli.under({ "timeout", "--preserve-status", "--signal=INT", "1", "sh", "-c",
                                         "trap '' INT; exec \"$0\" \"$@\"" },
        { "run", shortPlan(cli, "2 s"), "--quiet" });
    INFO(end.output << end.errors);
    CHECK((end.exitCode == 0 || end.exitCode == 3));
    CHECK(Json::parse(cli({ "show", "last", "--json" }).output)["results"]["state"] == "finished");
}

TEST_CASE("a reader of the output that goes away takes neither the report nor the exit code with it")
{
    const Cli cli;
    for (const char* form : { "--json", "--quiet" }) {
        const std::string report = cli.file(std::string("report") + form + ".html");
        const ProgramEnd end = cli.under({ "bash", "-o", "pipefail", "-c", "\"$0\" \"$@\" | :" },
            { "run", shortPlan(cli, "1 s"), form, "--report", report });
        INFO(end.errors);
        CHECK((end.exitCode == 0 || end.exitCode == 3));
        CHECK(end.errors.find("internal error") == std::string::npos);
        CHECK(std::filesystem::file_size(report) > 10000);
    }
}

TEST_CASE("messages that the target loses fail the audit: exit code 4")
{
    const Cli cli;
    const ProgramEnd end = cli({ "run", shortPlan(cli, "2 s", "lose:0.1"), "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 4);
    CHECK_THAT(end.output, Contains("FAILED") && Contains("lost"));
}
