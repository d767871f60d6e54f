// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says of runs that went wrong. The witness is never the program itself: the target's own log, the kernel's
// account of the control group, the signal that ended it.
#include "cli.h"
#include "support/catch.h"
#include "support/control_group.h"
#include "support/watched_program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ControlGroup;
using loadstone::test::ProgramEnd;
using loadstone::test::WatchedProgram;
using Json = nlohmann::json;

namespace {

/// `loadstone target`, a process of its own.
class Target {
public:
    explicit Target(const std::vector<std::string>& options)
        : m_program(commandOf(options))
    {
        const auto line = m_program.line();
        REQUIRE(line);
        m_ports = Json::parse(*line);
    }
    [[nodiscard]] int port(const char* protocol) const { return m_ports[protocol]; }

private:
    static std::vector<std::string> commandOf(const std::vector<std::string>& options)
    {
        std::vector<std::string> command { LOADSTONE_BIN_DIR "/loadstone", "target", "--smtp-port", "0",
            "--pop3-port", "0" };
        command.insert(command.end(), options.begin(), options.end());
        return command;
    }
    WatchedProgram m_program;
    Json m_ports;
};

struct PlanValues {
    std::string thinkTime = "50 ms", rampUp = "1 s", measurement = "3 s", more;
};

std::string planFor(const Cli& cli, const Target& target, const PlanValues& values)
{
    return cli.file("plan.toml",
        fmt::format(R"(format = 1
kind = "mail"
title = "Verdict"
seed = 3
drain = "2 s"
[target]
domain = "load.test"
user = "u{{n}}"
password = "secret"
[target.smtp]
port = {}
[target.pop3]
port = {}
[workload]
pacing = "closed"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 1
[[workload.steps]]
action = "empty mailbox"
[[mixes]]
name = "mix"
clients = 1
threads_per_client = 2
mailboxes_per_client = 8
think_time = "{}"
ramp_up = "{}"
measurement = "{}"
{}
)",
            target.port("smtp"), target.port("pop3"), values.thinkTime, values.rampUp, values.measurement,
            values.more));
}

/// The last line of `run --json`.
Json endOf(const ProgramEnd& end)
{
    std::istringstream in(end.output);
    Json last;
    for (std::string line; std::getline(in, line);)
        last = Json::parse(line);
    return last;
}

Json shown(const Cli& cli)
{
    return Json::parse(cli({ "show", "last", "--json" }).output);
}

/// The 99th percentile of what the target says it took to answer, in ms.
double targetsOwnP99(const std::string& log)
{
    std::ifstream in(log);
    std::string line;
    std::getline(in, line);
    std::vector<double> times;
    while (std::getline(in, line)) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');)
            cells.push_back(cell);
        times.push_back((std::stod(cells.at(7)) - std::stod(cells.at(6))) / 1e6);
    }
    REQUIRE(times.size() > 100);
    std::sort(times.begin(), times.end());
    return times[times.size() * 99 / 100];
}

bool says(const Json& sentences, const std::string& text)
{
    return std::any_of(sentences.begin(), sentences.end(),
        [&](const Json& sentence) { return sentence.get<std::string>().find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("a generator that its control group starves is INVALID, and says by what; so is it when killed")
{
    const auto group = ControlGroup::make();
    if (!group) {
        fmt::print("SKIPPED: {}\n", group.error().message);
        return;
    }
    const Cli cli;
    const std::string log = cli.file("target.csv");
    const Target target({ "--password", "secret", "--log", log });
    const auto plan = planFor(cli, target, { "0 s", "1 s", "8 s", "[criteria]\nresponse_time = \"1 s\"" });
    REQUIRE(group->allow(6)); // with less a sanitizer takes a minute to begin
    const bool killed = GENERATE(false, true);
    std::vector<std::string> command { "bash", "-c", "echo $$ > \"$0\" && exec \"$@\"",
        group->processes().string() };
    if (killed)
        for (const char* word : { "timeout", "--foreground", "-s", "KILL", "12" })
            command.emplace_back(word);
    const ProgramEnd end = cli.under(command, { "run", plan, "--no-preflight", "--quiet" });
    INFO(end.output << end.errors);
    const Json json = shown(cli);
    INFO(json["results"].dump(1) << json["judgement"].dump(1));
    CHECK(group->throttledSeconds() > 3); // by the kernel's account
    CHECK(targetsOwnP99(log) < 20); // the target was quick
    CHECK(json["results"]["valid"] == false);
    CHECK(says(json["results"]["invalidReasons"], "control groups kept this process from running"));
    CHECK(says(json["results"]["invalidReasons"], "had no processor"));
    CHECK(json["judgement"]["criteria"]["met"] == false);
    CHECK(json["judgement"]["verdict"]["verdict"] == (killed ? "cut short" : "invalid"));
    CHECK(cli({ "show", "last" }).exitCode == 3);
    if (killed) {
        CHECK_THAT(cli({ "show", "last" }).output,
            Contains("CUT SHORT and INVALID") && Contains("the generator was the bottleneck"));
    } else {
        CHECK(end.exitCode == 3);
        CHECK_THAT(end.output, Contains("INVALID") && Contains("limit 1 %"));
    }
}

TEST_CASE("a target that refuses everything gives no figures: a headline and an exit code of its own, "
          "criteria or none")
{
    const Cli cli;
    const bool stated = GENERATE(false, true);
    const bool logins = GENERATE(false, true);
    const Target target(logins
            ? std::vector<std::string> { "--password", "another", "--fault", "reject:1:550" }
            : std::vector<std::string> { "--fault", "refuse:1" });
    const auto plan = planFor(cli, target,
        { "50 ms", "1 s", "2 s",
            stated ? "[criteria]\nresponse_time = \"1 s\"\nprocessor = { most = \"100 %\" }\n" : "" });
    const ProgramEnd end =
        cli({ "run", plan, "--no-preflight", "--json", "--report", cli.file("report.html") });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 6);
    const Json last = endOf(end);
    CHECK(last["judgement"]["verdict"]["verdict"] == "nothing succeeded");
    CHECK(last["judgement"]["criteria"]["met"] == false);
    CHECK(last["results"]["valid"] == false);
    for (const Json& mix : last["judgement"]["criteria"]["mixes"])
        for (const Json& criterion : mix["criteria"])
            CHECK(criterion["met"] == false);
    const ProgramEnd show = cli({ "show", "last" });
    CHECK(show.exitCode == 6);
    CHECK_THAT(show.output, Contains("NOTHING SUCCEEDED") && !Contains("Valid") && !Contains("are met"));
    CHECK_THAT(cli({ "list" }).output, Contains("nothing succeeded!"));
    CHECK(Json::parse(cli({ "list", "--json" }).output)["verdict"] == "nothing succeeded");
    std::ifstream report(cli.file("report.html"));
    std::stringstream html;
    html << report.rdbuf();
    CHECK_THAT(html.str(), Contains("verdict bad") && Contains("NOTHING SUCCEEDED"));
    REQUIRE(cli({ "export", "last", "--format", "csv", "--output", cli.file("out.csv") }).exitCode == 0);
    std::ifstream results(cli.file("out-results.csv"));
    std::stringstream csv;
    csv << results.rdbuf();
    CHECK_THAT(csv.str(),
        Contains("run,,verdict,text,,nothing succeeded,,\n") && Contains("run,,valid,flag,,0,,\n"));
}

TEST_CASE("a run that is killed, even after its last measurement, was cut short and is never valid")
{
    const Cli cli;
    // The drain waits for copies that come only later: the kill falls into it.
    const Target target({ "--password", "secret", "--delivery-delay", "60 s" });
    std::string plan =
        planFor(cli, target, { "50 ms", "1 s", "2 s", "[criteria]\nresponse_time = \"10 s\"" });
    {
        std::ifstream in(plan);
        std::stringstream text;
        text << in.rdbuf();
        std::string all = text.str();
        all.replace(all.find("drain = \"2 s\""), 13, "drain = \"60 s\"");
        plan = cli.file("killed.toml", all);
    }
    const ProgramEnd end = cli.under(
        { "timeout", "--foreground", "-s", "KILL", "8" }, { "run", plan, "--no-preflight", "--quiet" });
    CHECK(end.exitCode != 0);
    const ProgramEnd show = cli({ "show", "last" });
    INFO(show.output);
    CHECK(show.exitCode == 3);
    CHECK_THAT(show.output, Contains("CUT SHORT") && !Contains("are met") && !Contains("criterion is met"));
    const Json json = shown(cli);
    CHECK(json["results"]["state"] == "interrupted");
    CHECK(json["results"]["mixes"][0]["complete"] == true);
    CHECK(json["results"]["valid"] == false);
    CHECK(json["judgement"]["criteria"]["met"] == false);
    CHECK_THAT(cli({ "list" }).output, Contains("cut short!"));
}

TEST_CASE("a run that is stopped before its measurement has measured nothing")
{
    const Cli cli;
    const Target target({ "--password", "secret" });
    const auto plan = planFor(cli, target, { "50 ms", "60 s", "2 s", "" });
    const ProgramEnd end = cli.interrupted("3", { "run", plan, "--no-preflight", "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 130);
    CHECK_THAT(end.output, Contains("NOTHING MEASURED") && !Contains("Valid"));
    CHECK(cli({ "show", "last" }).exitCode == 3);
    CHECK_THAT(cli({ "list" }).output, Contains("nothing measured!"));
}

TEST_CASE("a generator that stood still for seconds is INVALID")
{
    const Cli cli;
    const Target target({ "--password", "secret" });
    const auto plan = planFor(cli, target, { "50 ms", "1 s", "9 s", "" });
    // Frozen once, from the fourth to the sixth second, by a shell around it.
    const ProgramEnd end = cli.under(
        { "bash", "-c",
            "\"$0\" \"$@\" & pid=$!; sleep 4; kill -STOP $pid; sleep 2.5; kill -CONT $pid; wait $pid" },
        { "run", plan, "--no-preflight", "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 3);
    CHECK_THAT(end.output, Contains("INVALID"));
    CHECK(
        says(shown(cli)["results"]["invalidReasons"], "it stood still for")); // in the table lines are broken
}

TEST_CASE("while the history cannot be written no message says that the generator is well")
{
    const Cli cli;
    const Target target({ "--password", "secret" });
    const auto plan = planFor(cli, target, { "20 ms", "1 s", "24 s", "" });
    // No file may grow beyond 200 KB, as if the disk were full.
    const ProgramEnd end = cli.under({ "bash", "-c", "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"" },
        { "run", plan, "--no-preflight", "--json" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 1);
    CHECK_THAT(end.output, Contains("\"event\":\"history\",\"written\":false"));
    const auto told = end.output.find("\"written\":false");
    CHECK(end.output.find("\"generatorHealthy\":true", told) == std::string::npos);
    CHECK(cli({ "show", "last" }).exitCode != 0);
}
