// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "sample_suite.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <cmath>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
using Json = nlohmann::json;

namespace {

/// The shipped plan's population, a fiftieth of it.
std::string smallPlan(
    const Cli& cli, const std::string& rehearsal = "[rehearsal]\ndelivery_rate = \"0.4/s\"\n")
{
    return cli.file("users.toml",
        R"(format = 1
kind = "mail"
title = "Some users"
[target]
password = "secret"
[target.smtp]
port = 21025
[target.imap]
port = 21143
[workload]
pacing = "users"
profile = "medium-5.5"
)" + rehearsal
            + R"([[mixes]]
users = 196
ramp_up = "8 h"
measurement = "8 h"
quiet_time = "1 min"
)");
}

} // namespace

TEST_CASE("rehearse prints what a plan will ask of the server, and what its source printed")
{
    const Cli cli;
    const ProgramEnd end = cli({ "rehearse", smallPlan(cli) });
    INFO(end.errors);
    CHECK(end.exitCode == 0);
    for (const char* text : { "Rehearsal of Some users", "Profile: Medium, LoadSim 5.5", "29 September 1999",
             "Left out, because the plan names no calendar or contacts server for them: Update schedule",
             "Messages submitted", "Actions per user-day", "Check Inbox", "Published", "66.30",
             "Copies waiting for delivery" })
        CHECK_THAT(end.output, Contains(text));
    CHECK(cli({ "rehearse", smallPlan(cli), "--workers", "3" }).output == end.output);
    CHECK(cli({ "rehearse", smallPlan(cli), "--seed", "8" }).output != end.output);
}

TEST_CASE("rehearse tells programs the same in JSON")
{
    const Cli cli;
    const Json json = Json::parse(cli({ "rehearse", smallPlan(cli), "--json" }).output);
    REQUIRE(json["phases"].size() == 2);
    const Json& steady = json["phases"][1];
    CHECK(steady["kind"] == "measurement");
    CHECK(steady["userDays"] == 196);
    const double sent = steady["sent"].get<double>() / 196;
    CHECK(std::abs(sent / 14.2 - 1) < 0.2); // 196 users: chance
    CHECK(json["comparison"][0]["published"] == 14.2);
    CHECK(json["queueStays"].is_number()); // 0.45 copies a second are more than 0.4
}

TEST_CASE("rehearse tells how far chance alone moves the figures of a user-day")
{
    const Cli cli;
    const std::string plan = smallPlan(cli, "");
    CHECK_THAT(cli({ "rehearse", plan }).output, Contains(" ± ") && Contains("Within error"));
    const Json json = Json::parse(cli({ "rehearse", plan, "--json" }).output);
    const Json& row = json["comparison"][0];
    CHECK(row["steadyError"] == json["phases"][1]["errorsPerUserDay"]["sent"]);
    CHECK(row["steadyError"] > 0.3); // of 14.2 messages sent
    const double away = std::abs(row["steady"].get<double>() - 14.2);
    CHECK(row["withinError"] == (away <= 1.96 * row["steadyError"].get<double>()));
    const Json limited = Json::parse(cli({ "rehearse", smallPlan(cli), "--json" }).output);
    CHECK(limited["phases"][1]["errorsPerUserDay"].is_null());
}

TEST_CASE("rehearse tells what several targets come to, each and together")
{
    const Cli cli;
    const std::string plan = cli.file("two.toml", R"(format = 1
kind = "mail"
[target]
password = "x"
[[targets]]
name = "East"
share = 3
smtp = { host = "10.0.0.5" }
imap = { host = "10.0.0.5" }
[[targets]]
name = "West"
profile = "light-4.0"
smtp = { host = "10.0.0.6" }
imap = { host = "10.0.0.6" }
[workload]
pacing = "users"
profile = "medium-5.5"
day = "8 h"
[[mixes]]
name = "all"
users = 200
ramp_up = "4 h"
measurement = "8 h"
)");
    const ProgramEnd text = cli({ "rehearse", plan });
    INFO(text.errors);
    CHECK_THAT(
        text.output, Contains("Target East") && Contains("Target West") && Contains("All targets together"));
    const Json json = Json::parse(cli({ "rehearse", plan, "--json" }).output);
    REQUIRE(json["targets"].size() == 2);
    CHECK(json["targets"][1]["profile"] != json["targets"][0]["profile"]);
    CHECK(json["targets"][0]["phases"][1]["users"] == 150);
    for (const char* figure : { "users", "sent", "recipients", "reads" }) {
        INFO(figure);
        const auto of = [&](const Json& rehearsal) { return rehearsal["phases"][1][figure].get<int>(); };
        CHECK(of(json) == of(json["targets"][0]) + of(json["targets"][1]));
        CHECK(of(json["targets"][1]) > 0);
    }
    const auto errorOf = [&](const Json& rehearsal) {
        return rehearsal["phases"][1]["errorsPerUserDay"]["sent"].get<double>();
    };
    CHECK(errorOf(json) < errorOf(json["targets"][0])); // more users, less chance
    CHECK(json["comparison"].empty()); // nothing is published of this mixture
    CHECK_FALSE(json["targets"][0]["comparison"].empty());
}

TEST_CASE("rehearse refuses what cannot be rehearsed, with reasons")
{
    const Cli cli;
    const ProgramEnd missing = cli({ "rehearse", cli.file("none.toml") });
    CHECK(missing.exitCode == 2);
    CHECK_THAT(missing.errors, Contains("none.toml"));
    const ProgramEnd bad = cli({ "rehearse", cli.file("bad.toml", "format = 1\nkind = \"mail\"\n") });
    CHECK(bad.exitCode == 2);
    CHECK_THAT(bad.errors, Contains("bad.toml") && Contains("mixes: the suite has no mix"));
    CHECK(bad.output.empty());
}

TEST_CASE("score weighs a run's response times, or those that somebody printed")
{
    const Cli cli;
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    const std::string weights = cli.file("weights.toml", "[score]\nsend = 3\n");
    const ProgramEnd whole = cli({ "score", cli.file("sample.loadstone"), "--weights", weights });
    INFO(whole.errors);
    CHECK(whole.exitCode == 0);
    CHECK_THAT(whole.output, Contains("Send message") && Contains("Formula:") && Contains("never published"));

    const ProgramEnd given =
        cli({ "score", "--given", "read=340 ms, send=711 ms, delete=651 ms, move=771 ms, submit=601 ms" });
    INFO(given.errors);
    CHECK(given.exitCode == 0);
    CHECK_THAT(given.output, Contains("452.3 ms") && Contains("(10 x 340.0 + ") && Contains("/ 15"));
    const Json json = Json::parse(cli({ "score", "--given", "read=340 ms", "--json" }).output);
    CHECK(json["score"] == 0.34);

    CHECK(cli({ "score" }).exitCode == 2);
    CHECK_THAT(cli({ "score", "last", "--from", "soon" }).errors, Contains("--from") && Contains("soon"));
    CHECK_THAT(
        cli({ "score", cli.file("sample.loadstone") }).errors, Contains("no profile to take weights from"));
}

TEST_CASE("the shipped script of commands asks for the published rates of one client", "[rehearse]")
{
    // "Microsoft Exchange: Scalability Testing" (eTesting Labs): 10 threads, 21.6 s, 1,666 mailboxes, three recipients.
    const Cli cli;
    const auto end = cli({ "rehearse", "pop-smtp-commands", "--json" });
    REQUIRE(end.exitCode == 0);
    const Json json = Json::parse(end.output);
    const Json& phase = json["phases"].back();
    REQUIRE(phase["kind"].get<std::string>() == "measurement");
    const auto perSecond = [&](const char* command) {
        return phase["commands"][command].get<double>() / phase["length"].get<double>();
    };
    CHECK(perSecond("SMTP MAIL") == Approx(0.463).epsilon(0.01));
    CHECK(perSecond("POP3 RETR") == Approx(1.389).epsilon(0.01));
    CHECK(phase["sent"].get<int>() == phase["commands"]["SMTP MAIL"].get<int>());
    CHECK(phase["reads"].get<int>() == phase["commands"]["POP3 RETR"].get<int>());
}
