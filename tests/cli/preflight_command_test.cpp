// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"
#include "support/endless_server.h"
#include "support/watched_program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::EndlessServer;
using loadstone::test::ProgramEnd;
using loadstone::test::WatchedProgram;
using Json = nlohmann::json;

namespace {

/// The embedded server as a program of its own: a server like any other.
struct Server {
    explicit Server(std::vector<std::string> more = {})
        : program([&] {
            std::vector<std::string> command { LOADSTONE_BIN_DIR "/loadstone", "target", "--smtp-port", "0",
                "--pop3-port", "0", "--password", "secret" };
            command.insert(command.end(), more.begin(), more.end());
            return command;
        }())
        , ports(Json::parse(program.line().value_or("{}")))
    {
    }
    WatchedProgram program;
    Json ports;
};

std::string planFor(const Cli& cli, int smtp, int pop3, const std::string& password = "secret")
{
    return cli.file("plan.toml",
        fmt::format(R"(format = 1
kind = "mail"
title = "Look first"
drain = "1 s"
[target]
password = "{}"
[target.smtp]
port = {}
[target.pop3]
port = {}
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
[[mixes]]
clients = 3
threads_per_client = 1
mailboxes_per_client = 2
measurement = "1 s"
quiet_time = "1 s"
)",
            password, smtp, pop3));
}

} // namespace

TEST_CASE("preflight looks at the plan's servers as its clients will", "[preflight]")
{
    const Cli cli;
    const Server server;
    const std::string plan = planFor(cli, server.ports.at("smtp"), server.ports.at("pop3"));
    const ProgramEnd look = cli({ "preflight", "--json", plan });
    INFO(look.output << look.errors);
    CHECK(look.exitCode == 0);
    const Json found = Json::parse(look.output);
    CHECK(found.at("passed") == true);
    const std::string all = found.dump();
    CHECK_THAT(all, Contains("u0 and u5 can log in"));
    CHECK_THAT(all, Contains("takes the 3 connections at once that the plan holds"));
    CHECK_THAT(all, Contains("takes mail from u0@load.test for u0@load.test and u5@load.test"));
    CHECK_THAT(all,
        Contains("a message of 2 KB for u0@load.test was in the mailbox after")
            && Contains("and is removed again"));
    const ProgramEnd second = cli({ "preflight", plan }); // of the first nothing is there
    CHECK(second.exitCode == 0);
    CHECK_THAT(cli({ "preflight", "--help" }).output,
        Contains("one message") && Contains("0 nothing prevents the run, 2"));
}

TEST_CASE("a run that is bound to fail is not begun, unless one insists", "[preflight]")
{
    const Cli cli;
    const Server server;
    const std::string plan = planFor(cli, server.ports.at("smtp"), server.ports.at("pop3"), "wrong");
    const ProgramEnd look = cli({ "preflight", plan });
    CHECK(look.exitCode == 2);
    CHECK_THAT(look.output, Contains("u0 cannot log in") && Contains("every login of the run fails"));
    const ProgramEnd refused = cli({ "run", "--quiet", plan });
    CHECK(refused.exitCode == 2);
    CHECK_THAT(refused.errors, Contains("u0 cannot log in") && Contains("--no-preflight"));
    CHECK(cli({ "list", "--json" }).output.empty());
    const ProgramEnd insisted = cli({ "run", "--quiet", "--no-preflight", plan });
    CHECK_THAT(insisted.output, Contains("authentication"));
    CHECK_FALSE(cli({ "list", "--json" }).output.empty());
}

TEST_CASE("a server that is not there is named, with what fails", "[preflight]")
{
    const Cli cli;
    const std::string plan = planFor(cli, 1, 1); // nobody serves there
    const ProgramEnd look = cli({ "preflight", plan });
    CHECK(look.exitCode == 2);
    CHECK_THAT(look.output,
        Contains("SMTP 127.0.0.1:1: cannot be reached") && Contains("every action over POP3 fails"));
}

TEST_CASE("a look at a server whose answer never ends can be given up", "[preflight]")
{
    const Cli cli;
    const std::string command = GENERATE(as<std::string>(), "preflight", "run");
    const EndlessServer server;
    const std::string plan = cli.file("plan.toml",
        fmt::format(R"(format = 1
kind = "mail"
drain = "1 s"
[target]
password = "secret"
[target.imap]
port = {}
[[workload.steps]]
action = "IMAP session"
commands = ["NOOP"]
[[mixes]]
clients = 1
threads_per_client = 1
mailboxes_per_client = 1
measurement = "1 s"
)",
            server.port));
    const ProgramEnd end = cli.interrupted("2", { command, plan });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 130);
}
