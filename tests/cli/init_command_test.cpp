// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"
#include "support/imap_talk.h"
#include "support/watched_program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ImapTalk;
using loadstone::test::ProgramEnd;
using loadstone::test::WatchedProgram;
using Json = nlohmann::json;

namespace {

constexpr int kMailboxes = 12, kFolders = 4, kEach = 5, kInbox = 3;
constexpr int kMessages = kMailboxes * (kFolders * kEach + kInbox);

/// The embedded server on its own, which outlives what is done to its mailboxes. One command at a time takes `serviceTime`.
struct Server {
    explicit Server(const std::string& serviceTime = "none")
        : program({ LOADSTONE_BIN_DIR "/loadstone", "target", "--imap-port", "0", "--password", "secret",
            "--service-time", serviceTime, "--capacity", "1" })
        , port(Json::parse(program.line().value_or("{}")).at("imap").get<int>())
    {
    }
    WatchedProgram program;
    int port;
};

std::string planFor(const Cli& cli, const Server& server)
{
    return cli.file("init.toml",
        fmt::format(R"(format = 1
kind = "mail"
title = "Fill"
seed = 11
[target]
user = "u{{n}}"
password = "secret"
[target.smtp]
port = 25
[target.imap]
port = {}
[workload]
pacing = "open"
rate = "1/h"
[workload.initial]
inbox = {}
folders = {}
messages_per_folder = {}
[[workload.steps]]
action = "send message"
size = "2 KB"
[[mixes]]
clients = 1
mailboxes_per_client = {}
measurement = "10 s"
)",
            server.port, kInbox, kFolders, kEach, kMailboxes));
}

/// What a command that prints JSON lines came to.
Json totalsOf(const ProgramEnd& end)
{
    const std::string last = end.output.substr(end.output.rfind('\n', end.output.size() - 2) + 1);
    return Json::parse(last).at("results").at("preparations").at(0).at("totals");
}

/// The tokens of all initial messages in all folders, as another client sees them.
std::multiset<std::string> tokensOf(const Server& server)
{
    std::multiset<std::string> tokens;
    for (int user = 0; user < kMailboxes; ++user)
        ImapTalk(server.port, fmt::format("u{}", user), "secret").collect("X-Loadstone-Initial", tokens);
    return tokens;
}

bool allDistinct(const std::multiset<std::string>& tokens)
{
    return std::set<std::string>(tokens.begin(), tokens.end()).size() == tokens.size();
}

} // namespace

TEST_CASE("init fills mailboxes once: killed in the middle and done again, no message is missing or doubled")
{
    const Cli cli;
    const Server server("constant 6 ms"); // which takes seconds for all of it
    const std::string plan = planFor(cli, server);
    {
        WatchedProgram init({ LOADSTONE_BIN_DIR "/loadstone", "init", plan, "--json", "--sessions", "4" },
            { { "LOADSTONE_HISTORY", cli.file("history") } });
        int appended = 0;
        while (appended == 0) {
            const auto line = init.line();
            REQUIRE(line);
            const Json json = Json::parse(*line);
            REQUIRE(json["event"] != "end");
            if (json.contains("preparation"))
                appended = json["preparation"]["appended"];
        }
        init.signal(SIGKILL);
        CHECK(init.wait() == 128 + SIGKILL);
    }
    const auto partly = tokensOf(server);
    CHECK(partly.size() > 0);
    REQUIRE(partly.size() < kMessages);
    CHECK(Json::parse(cli({ "show", "last", "--json" }).output)["results"]["state"] == "interrupted");

    const ProgramEnd resumed = cli({ "init", plan, "--json", "--tag", "second" });
    INFO(resumed.output << resumed.errors);
    REQUIRE(resumed.exitCode == 0);
    const Json totals = totalsOf(resumed);
    CHECK(totals["mailboxes"] == kMailboxes);
    CHECK(totals["done"] == kMailboxes);
    CHECK(totals["appended"].get<std::size_t>() + totals["found"].get<std::size_t>() == kMessages);
    CHECK(totals["found"] >= partly.size());
    const auto whole = tokensOf(server);
    CHECK(whole.size() == kMessages);
    CHECK(allDistinct(whole));
    const Json show = Json::parse(cli({ "show", "last", "--json" }).output);
    CHECK(show["phases"][0]["kind"] == "initialisation");
    const auto& commands = show["results"]["preparations"][0]["commands"];
    CHECK(std::any_of(
        commands.begin(), commands.end(), [](const Json& one) { return one["name"] == "IMAP APPEND"; }));

    const ProgramEnd again = cli({ "init", plan });
    CHECK(again.exitCode == 0);
    CHECK_THAT(again.output, Contains("Done: every mailbox is as planned"));
    CHECK(tokensOf(server) == whole);
}

TEST_CASE("SIGINT ends an init in order, with what was done so far; the next one does the rest")
{
    const Cli cli;
    const Server server("constant 6 ms");
    const std::string plan = planFor(cli, server);
    WatchedProgram init({ LOADSTONE_BIN_DIR "/loadstone", "init", plan, "--json", "--sessions", "4" },
        { { "LOADSTONE_HISTORY", cli.file("history") } });
    std::string last;
    bool asked = false;
    while (const auto line = init.line()) {
        last = *line;
        const Json json = Json::parse(last);
        if (!asked && json.contains("preparation") && json["preparation"]["appended"] > 0) {
            init.signal(SIGINT);
            asked = true;
        }
    }
    CHECK(init.wait() == 128 + SIGINT);
    const Json results = Json::parse(last).at("results");
    CHECK(results["state"] == "stopped");
    CHECK(results["preparations"][0]["complete"] == false);
    CHECK(results["preparations"][0]["totals"]["appended"] > 0);
    CHECK(results["invalidReasons"].empty());
    CHECK(cli({ "init", plan, "--quiet" }).exitCode == 0);
    const auto whole = tokensOf(server);
    CHECK(whole.size() == kMessages);
    CHECK(allDistinct(whole));
}

TEST_CASE("clean removes all that init made, and leaves and tells what is not Loadstone's")
{
    const Cli cli;
    const Server server {};
    const std::string plan = planFor(cli, server);
    REQUIRE(cli({ "init", plan, "--quiet" }).exitCode == 0);
    {
        ImapTalk foreigner(server.port, "u3", "secret");
        foreigner.command("CREATE \"Private\"");
        foreigner.append("Private", "Subject: mine\r\n\r\nkeep\r\n");
        foreigner.append("Folder 002", "Subject: mine too\r\n\r\nX-Loadstone-Initial: no header\r\n");
        foreigner.append(
            "INBOX", "Subject: and mine\r\nX-Loadstone-Initial: no token of its\r\n\r\nkeep\r\n");
    }
    const ProgramEnd unsure = cli({ "clean", plan });
    CHECK(unsure.exitCode == 2);
    CHECK_THAT(unsure.errors, Contains(fmt::format("{} mailboxes", kMailboxes)) && Contains("--yes"));
    CHECK(tokensOf(server).size() == kMessages + 1); // the last of the foreigner's has the field as well

    const ProgramEnd clean = cli({ "clean", plan, "--yes", "--json" });
    INFO(clean.output << clean.errors);
    REQUIRE(clean.exitCode == 0);
    const Json totals = totalsOf(clean);
    CHECK(totals["removed"] == kMessages);
    CHECK(totals["foreign"] == 3);
    CHECK(totals["foldersRemoved"] == kMailboxes * kFolders - 1);
    CHECK_THAT(clean.output, Contains("u3: not removed") && Contains("Private") && Contains("Folder 002"));
    for (int user = 0; user < kMailboxes; ++user) {
        ImapTalk talk(server.port, fmt::format("u{}", user), "secret");
        CAPTURE(user);
        if (user != 3) {
            CHECK(talk.folders() == std::set<std::string> { "INBOX" });
            CHECK(talk.messages("INBOX") == 0);
            continue;
        }
        CHECK(talk.folders() == std::set<std::string> { "Folder 002", "INBOX", "Private" });
        CHECK(talk.messages("INBOX") == 1);
        CHECK(talk.messages("Folder 002") == 1);
        CHECK(talk.messages("Private") == 1);
    }
    CHECK(Json::parse(cli({ "show", "last", "--json" }).output)["phases"][0]["kind"] == "clean-up");
}

TEST_CASE("appointments and contacts of a plan that names no server for them are left out, and told")
{
    const Cli cli;
    const Server server {};
    std::ifstream in(planFor(cli, server));
    std::string plan(std::istreambuf_iterator<char>(in), {});
    plan.replace(plan.find("inbox ="), 0, "appointments = 25\ncontacts = 128\n");
    const ProgramEnd end = cli({ "init", cli.file("dav.toml", plan), "--json" });
    INFO(end.output << end.errors);
    REQUIRE(end.exitCode == 0);
    CHECK(totalsOf(end)["done"] == kMailboxes);
    CHECK(totalsOf(end)["entriesMade"] == 0);
    for (const std::string& told : { end.errors, end.output })
        CHECK_THAT(
            told, Contains("25 appointments") && Contains("128 contacts") && Contains("[target.carddav]"));
}

TEST_CASE("a message that is there twice, as a session that outlived its program may leave it, is one again "
          "after init")
{
    const Cli cli;
    const Server server {};
    const std::string plan = planFor(cli, server);
    REQUIRE(cli({ "init", plan, "--quiet" }).exitCode == 0);
    const auto whole = tokensOf(server);
    {
        ImapTalk talk(server.port, "u5", "secret");
        talk.command("SELECT \"Folder 001\"");
        talk.command("COPY 2 \"Folder 001\"");
        talk.command("STORE 4 +FLAGS (\\Deleted)");
        talk.command("EXPUNGE");
    }
    const ProgramEnd again = cli({ "init", plan, "--json" });
    REQUIRE(again.exitCode == 0);
    CHECK(totalsOf(again)["appended"] == 1);
    CHECK(totalsOf(again)["doubles"] == 1);
    CHECK(tokensOf(server) == whole);
}

TEST_CASE("mailboxes that cannot be filled are given up, told, and the exit code says so")
{
    const Cli cli;
    std::string plan;
    {
        const Server gone;
        plan = planFor(cli, gone);
    }
    const ProgramEnd end = cli({ "init", plan, "--json" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 3);
    CHECK(totalsOf(end)["failed"] == kMailboxes);
    CHECK_THAT(end.output, Contains("12 of 12 mailboxes could not be initialised") && Contains("refused"));
}

TEST_CASE("a run that initialises begins with that phase, and keeps it out of its mixes and its audit")
{
    const Cli cli;
    const std::string plan = cli.file("both.toml", R"(format = 1
kind = "mail"
seed = 3
drain = "5 s"
[target]
password = "secret"
[target.embedded]
[workload]
initialise = true
[workload.initial]
inbox = 4
folders = 2
messages_per_folder = 3
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
[[mixes]]
clients = 2
threads_per_client = 2
mailboxes_per_client = 4
think_time = "50 ms"
measurement = "5 s"
)");
    const ProgramEnd end = cli({ "run", plan, "--json" });
    INFO(end.output << end.errors);
    CHECK((end.exitCode == 0 || end.exitCode == 3)); // a busy machine may make it invalid, and nothing else
    const Json show = Json::parse(cli({ "show", "last", "--json" }).output);
    CHECK(show["phases"][0]["kind"] == "initialisation");
    CHECK(show["phases"][1]["kind"] == "measurement");
    CHECK(show["results"]["preparations"][0]["totals"]["appended"] == 8 * (4 + 2 * 3));
    const Json& mix = show["results"]["mixes"][0];
    for (const Json& row : mix["commands"])
        CHECK(row["name"].get<std::string>().find("IMAP") == std::string::npos);
    for (const Json& row : mix["actions"])
        CHECK(row["name"] != "Initialise mailbox");
    CHECK(
        mix["measured"]["received"] >= 8 * 4); // what lay in the inboxes was retrieved, and is nobody's loss
    CHECK(show["results"]["audit"]["unknown"] == 0);
    CHECK(show["results"]["audit"]["deliveredOnce"] == show["results"]["audit"]["expected"]);
}

TEST_CASE("users live in mailboxes that were filled for them, and the oracle has nothing to say against that")
{
    const Cli cli;
    const std::string plan = cli.file("users.toml", R"(format = 1
kind = "mail"
seed = 5
[target]
password = "secret"
[target.embedded]
[workload]
pacing = "users"
profile = "medium-5.5"
day = "40 s"
initialise = true
oracle = "100 %"
[workload.initial]
inbox = 3
deleted_items = 2
folders = 3
messages_per_folder = 6
[[mixes]]
users = 8
ramp_up = "1 s"
measurement = "5 s"
quiet_time = "5 s"
)");
    const ProgramEnd end = cli({ "run", plan, "--json" });
    INFO(end.output << end.errors);
    CHECK((end.exitCode == 0 || end.exitCode == 3)); // a busy machine may make it invalid, and nothing else
    const Json results = Json::parse(cli({ "show", "last", "--json" }).output).at("results");
    CHECK(results["preparations"][0]["totals"]["appended"] == 8 * (3 + 2 + 3 * 6));
    CHECK(results["oracle"]["users"] == 8);
    CHECK(results["oracle"]["compared"] == 8);
    CHECK(results["oracle"]["findings"] == 0);
    CHECK(results["audit"]["unknown"] == 0);
    CHECK(results["audit"]["deliveredOnce"] == results["audit"]["expected"]);
}

TEST_CASE("init says what a plan lacks")
{
    const Cli cli;
    const std::string begin =
        "format = 1\nkind = \"mail\"\n[target]\npassword = \"x\"\n[target.smtp]\nport = 25\n";
    const std::string end =
        "[[workload.steps]]\naction = \"send message\"\nsize = \"2 KB\"\n[[mixes]]\nclients = 1\n"
        "threads_per_client = 1\nmailboxes_per_client = 1\nmeasurement = \"1 s\"\n";
    const ProgramEnd noImap = cli({ "init", cli.file("a.toml", begin + end) });
    CHECK(noImap.exitCode == 2);
    CHECK_THAT(noImap.errors, Contains("[target.imap]"));
    const ProgramEnd nothing =
        cli({ "init", cli.file("b.toml", begin + "[target.imap]\nport = 143\n" + end) });
    CHECK(nothing.exitCode == 2);
    CHECK_THAT(nothing.errors, Contains("[workload.initial]"));
    const ProgramEnd embedded = cli({ "init", "first-run" });
    CHECK(embedded.exitCode == 2);
    CHECK_THAT(embedded.errors, Contains("initialise = true"));
}
