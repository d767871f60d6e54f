// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"
#include "support/watched_program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using loadstone::test::WatchedProgram;
using Json = nlohmann::json;

namespace {

/// A server that answers no more, so long after the first connection.
struct Server {
    explicit Server(const std::string& freezesAfter)
        : program({ LOADSTONE_BIN_DIR "/loadstone", "target", "--smtp-port", "0", "--imap-port", "0",
            "--pop3-port", "0", "--password", "secret", "--freeze", freezesAfter + ":1 h" })
        , ports(Json::parse(program.line().value_or("{}")))
    {
    }
    WatchedProgram program;
    Json ports;
};

std::string planFor(const Cli& cli, const Server& server, const std::string& load)
{
    return cli.file("plan.toml",
        fmt::format(R"(format = 1
kind = "mail"
title = "Right edge"
seed = 3
drain = "1 s"
final_window = "1 s"
[health]
max_slip_p99 = "10 s"
max_worker_cpu = "100 %"
max_run_queue_wait = "100 %"
max_throttled = "100 %"
max_steal = "100 %"
max_loop_lag_p99 = "10 s"
max_standstill = "1 h"
[target]
domain = "load.test"
user = "u{{n}}"
password = "secret"
[target.smtp]
port = {}
{}
[criteria]
response_time = "2500 ms"
error_rate = "0 %"
audit = false
)",
            server.ports["smtp"].get<int>(), load));
}

constexpr const char* kSends = R"(
[[workload.steps]]
action = "send message"
size = "2 KB"
)";

const Json& criterion(const Json& run, const std::string& kind)
{
    for (const Json& one : run["judgement"]["criteria"]["mixes"][0]["criteria"])
        if (one["criterion"] == kind)
            return one;
    throw std::runtime_error("no such criterion");
}

bool adds(const Json& counts)
{
    return counts["due"].get<int>()
        == counts["ended"].get<int>() + counts["failed"].get<int>() + counts["unfinished"].get<int>();
}

} // namespace

TEST_CASE("sends that were due while the server hung for good are unfinished, and the plan is not met", "[edge]")
{
    const Server server("1 s");
    const Cli cli;
    const std::string plan = planFor(cli, server,
        std::string("[workload]\npacing = \"open\"\nrate = \"8/s\"\n") + kSends
            + "[mix]\nmailboxes_per_client = 10\nramp_up = \"0 s\"\nmeasurement = \"10 s\"\n"
              "[[mixes]]\nname = \"ten\"\nclients = 1\n");
    const ProgramEnd end = cli({ "run", plan, "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 5);
    CHECK_THAT(end.output, Contains("Unfinished") && Contains("≥"));
    const Json run = Json::parse(cli({ "show", "last", "--json" }).output);
    const Json& action = run["results"]["mixes"][0]["actions"][0];
    INFO(action);
    CHECK(action["counts"]["due"] == 800);
    CHECK(action["counts"]["failed"] == 0);
    CHECK(adds(action["counts"]));
    CHECK(action["counts"]["unfinished"] > 600);
    CHECK(action["response"]["atLeast"]["p99"] == true);
    CHECK(action["response"]["p50"] > 2);
    CHECK(criterion(run, "responseTime")["met"] == false);
    CHECK(criterion(run, "responseTime")["atLeast"] == true);
    CHECK(criterion(run, "errorRate")["met"] == false);
    CHECK_THAT(criterion(run, "errorRate")["reason"].get<std::string>(), Contains("had not ended"));
}

TEST_CASE("threads that a server leaves hanging in closed pacing are unfinished with what they have begun", "[edge]")
{
    const Server server("1 s");
    const Cli cli;
    const std::string plan = planFor(cli, server,
        std::string("[workload]\npacing = \"closed\"\n") + kSends
            + "[mix]\nmailboxes_per_client = 10\nthreads_per_client = 10\nthink_time = \"100 ms\"\n"
              "ramp_up = \"100 ms\"\nmeasurement = \"5 s\"\nramp_down = \"1 s\"\n[[mixes]]\nname = \"ten\"\nclients = 1\n");
    const ProgramEnd end = cli({ "run", plan, "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 5);
    const Json run = Json::parse(cli({ "show", "last", "--json" }).output);
    const Json& action = run["results"]["mixes"][0]["actions"][0];
    INFO(action);
    CHECK(action["counts"]["unfinished"] == 10);
    CHECK(action["response"]["maximum"] > 3);
    CHECK(action["response"]["atLeast"]["maximum"] == true);
    CHECK(criterion(run, "errorRate")["met"] == false);
}

TEST_CASE("what users' clocks bring while their logon hangs is unfinished", "[edge]")
{
    const Server server("1 s");
    const Cli cli;
    const std::string plan = planFor(cli, server,
        fmt::format("[target.imap]\nport = {}\n[workload]\npacing = \"users\"\nprofile = \"medium-5.5\"\nday = \"2 min\"\n"
                    "[mix]\nramp_up = \"1 s\"\nmeasurement = \"10 s\"\n[[mixes]]\nname = \"ten\"\nusers = 10\n",
            server.ports["imap"].get<int>()));
    const ProgramEnd end = cli({ "run", plan, "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode != 0); // it may be that nothing succeeded in the measurement
    const Json run = Json::parse(cli({ "show", "last", "--json" }).output);
    const Json& counts = run["results"]["mixes"][0]["counts"];
    INFO(counts);
    CHECK(counts["unfinished"] > 10); // more than one for each user
    CHECK(counts["due"].get<int>() > counts["begun"].get<int>());
    CHECK(run["judgement"]["criteria"]["met"] == false);
}

TEST_CASE("a healthy server's plan is met with actions in flight at the measurement's end", "[edge]")
{
    const Server server("1 h");
    const Cli cli;
    const std::string plan = planFor(cli, server,
        std::string("[workload]\npacing = \"closed\"\n") + kSends
            + "[mix]\nmailboxes_per_client = 10\nthreads_per_client = 10\n"
              "ramp_up = \"100 ms\"\nmeasurement = \"3 s\"\n[[mixes]]\nname = \"ten\"\nclients = 1\n");
    const ProgramEnd end = cli({ "run", plan, "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 0);
    const Json run = Json::parse(cli({ "show", "last", "--json" }).output);
    const Json& counts = run["results"]["mixes"][0]["counts"];
    INFO(counts);
    CHECK(counts["unfinished"] <= 10);
    CHECK(run["judgement"]["criteria"]["met"] == true);
}
