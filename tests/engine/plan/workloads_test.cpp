// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

#include <fmt/format.h>

using namespace loadstone;
using namespace std::chrono_literals;
using plan::ScriptCommand;

namespace {

using Pieces = std::vector<std::uint32_t>;

/// Two workloads and a mix, whose lines are `mix`.
plan::MailPlan planWith(
    const std::string& mix, const std::string& readers = {}, const std::string& pacing = "closed")
{
    const plan::LoadedPlan loaded = plan::parsePlan(
        fmt::format(
            "format = 1\nkind = \"mail\"\n[target]\npassword = "
            "\"secret\"\n[target.smtp]\n[target.pop3]\n[workload]\n"
            "pacing = \"{}\"\n{}[[workloads]]\nname = \"readers\"\n{}\n[[workloads.steps]]\naction = \"empty "
            "mailbox\"\n"
            "[[workloads]]\nname = \"senders\"\n[[workloads.steps]]\naction = \"SMTP session\"\nsize = \"2 "
            "KB\"\nrecipients = 3\n"
            "commands = [\"MAIL FROM:<{{sender}}>\", \"RCPT TO:<{{recipient}}>\", \"DATA\", "
            "\"{{message}}\"]\n"
            "[mix]\nclients = 2\nmailboxes_per_client = 20\nmeasurement = \"1 h\"\nthink_time = \"20 s\"\n"
            "request_pause = \"1 s\"\n[[mixes]]\n{}\n",
            pacing, pacing == "open" ? "rate = \"4/h\"\n" : "", readers, mix),
        "plan.toml");
    for (const Problem& problem : loaded.problems)
        UNSCOPED_INFO(problem.format("plan.toml"));
    REQUIRE(loaded.ok());
    return *loaded.plan.mail();
}

constexpr const char* kBoth = "workloads = [{ name = \"readers\", share = 3 }, { name = \"senders\" }]\n";

std::string wrongWith(const Result<ScriptCommand>& command)
{
    return command ? "" : command.error().message;
}

} // namespace

TEST_CASE("threads are divided by shares, what is left to the largest remainders, and nothing is lost")
{
    CHECK(plan::dividedByShares(10, { 1 }) == Pieces { 10 });
    CHECK(
        plan::dividedByShares(10, { 3, 1 }) == Pieces { 8, 2 }); // 7.5 and 2.5: of equal remainders the first
    CHECK(plan::dividedByShares(10, { 1, 1, 1 }) == Pieces { 4, 3, 3 });
    CHECK(plan::dividedByShares(10, { 2, 3, 2 }) == Pieces { 3, 4, 3 }); // 2.86, 4.29, 2.86
    CHECK(plan::dividedByShares(10, { 20, 1 }) == Pieces { 10, 0 });
    CHECK(plan::dividedByShares(0, { 1, 2 }) == Pieces { 0, 0 });
    CHECK(plan::dividedByShares(10, {}) == Pieces {});
    for (std::uint32_t whole = 0; whole < 60; ++whole) {
        const Pieces pieces = plan::dividedByShares(whole, { 7, 1, 1'000'000, 13 });
        CHECK(pieces[0] + pieces[1] + pieces[2] + pieces[3] == whole);
    }
}

TEST_CASE(
    "a mix has the workloads that it names, with their threads, and its own pauses where they state none")
{
    const plan::MailPlan plan = planWith(std::string("threads_per_client = 10\n") + kBoth,
        "think_time = \"5 s\"\nthink_distribution = \"uniform\"\nthink_least = \"2 s\"");
    const plan::Mix& mix = plan.mixes.at(0);
    REQUIRE(mix.scripts.size() == 2);
    CHECK(mix.scripts[0].name == "readers");
    CHECK(mix.scripts[0].threads == 8);
    CHECK(mix.scripts[0].pop3);
    CHECK(mix.scripts[0].think.mean == 5s);
    CHECK(mix.scripts[0].think.shape == plan::PauseShape { plan::PauseShape::Kind::uniform, 2s, 8s });
    CHECK(mix.scripts[0].request.mean == 1s);
    CHECK(mix.scripts[1].threads == 2);
    CHECK_FALSE(mix.scripts[1].pop3);
    CHECK(mix.scripts[1].think.mean == 20s);
    CHECK(
        plan::describeScripts(plan.workload, mix) == "readers (8 of 10 threads), senders (2 of 10 threads)");
    CHECK(plan::describePause(mix.scripts[0].think) == "5 s, uniform from 2 s to 8 s");
    CHECK(plan.recipientsPerMessage(mix) == 3);
    CHECK(plan.recipientsPerIteration() == 3);
    CHECK(plan.drainKind() == plan::ActionKind::emptyMailbox);
    CHECK(plan::playsStep(plan.workload, mix, 1));
    // A message, its sender, three recipients and DATA: five pauses between six requests.
    CHECK(plan::leastCycle(plan.workload, mix.scripts[1]) == 25s);
    CHECK(plan::leastCycle(plan.workload, mix.scripts[0]) == 5s);

    const plan::MailPlan one = planWith("threads_per_client = 10\nworkload = \"senders\"\n");
    REQUIRE(one.mixes[0].scripts.size() == 1);
    CHECK(one.mixes[0].scripts[0].threads == 10);
    CHECK(plan::describeScripts(one.workload, one.mixes[0]) == "senders");
    CHECK_FALSE(plan::playsStep(one.workload, one.mixes[0], 0));
}

TEST_CASE("with open pacing a share is one of the iterations")
{
    const plan::MailPlan plan = planWith(kBoth, {}, "open");
    CHECK(plan::describeScripts(plan.workload, plan.mixes[0])
        == "readers (75 % of iterations), senders (25 % of iterations)");
}

TEST_CASE("a plan without named workloads has one script of all its steps")
{
    plan::Workload workload;
    workload.steps.resize(3);
    plan::Mix mix;
    mix.threadsPerClient = 7;
    mix.thinkTime = 4s;
    const auto scripts = plan::scriptsOf(workload, mix);
    REQUIRE(scripts.size() == 1);
    CHECK(scripts[0].first == 0);
    CHECK(scripts[0].count == 3);
    CHECK(scripts[0].threads == 7);
    CHECK(scripts[0].think.mean == 4s);
    CHECK(plan::describeScripts(workload, mix).empty());
}

TEST_CASE("commands of scripts are taken with their placeholders and the replies that they expect")
{
    const auto mail = plan::parseSmtpCommand("MAIL FROM:<{sender}> SIZE={size} BODY=8BITMIME");
    REQUIRE(mail);
    CHECK(mail->verb() == "MAIL");
    CHECK(mail->turn == ScriptCommand::Turn::once);
    CHECK(mail->expects(250));
    CHECK_FALSE(mail->expects(354));
    CHECK(plan::parseSmtpCommand("RCPT TO:<{recipient}> NOTIFY=NEVER")->turn
        == ScriptCommand::Turn::eachRecipient);
    CHECK(plan::parseSmtpCommand("DATA")->expects(354));
    CHECK_FALSE(plan::parseSmtpCommand("DATA")->expects(250));
    CHECK(plan::parseSmtpCommand("{message}")->turn == ScriptCommand::Turn::message);
    const auto verify = plan::parseSmtpCommand("VRFY {user} -> 252 or 5xx");
    REQUIRE(verify);
    CHECK(verify->text == "VRFY {user}");
    for (const auto& [code, good] :
        { std::pair(250, false), { 252, true }, { 500, true }, { 599, true }, { 450, false } })
        CHECK(verify->expects(code) == good);
    CHECK(plan::parseSmtpCommand("NOOP -> any")->expects(554));
    CHECK(plan::parsePop3Command("RETR {n}")->turn == ScriptCommand::Turn::eachMessage);
    CHECK(plan::parsePop3Command("LIST")->turn == ScriptCommand::Turn::once);
    CHECK(plan::parsePop3Command("DELE {n} -> +OK or -ERR")->expects(0));
    CHECK_FALSE(plan::parsePop3Command("DELE {n}")->expects(0));
}

TEST_CASE("a script sends no mail to strangers, and leaves connecting and logging in to the program")
{
    for (const char* text : { "RCPT TO:<victim@example.org>", "RCPT TO:<{sender}>", "RCPT TO:<{recipient}",
             "MAIL FROM:<a@b.org>", "MAIL FROM:<{sender}@x.org>", "EHLO x", "AUTH PLAIN x", "STARTTLS",
             "QUIT", "BDAT 4 LAST", "TURN", "", " NOOP", "NOOP ", "VRFY", "DATA x", "{message} x",
             "{MESSAGE}", "NOOP\r\nRCPT TO:<victim@example.org>", "VRFY a\nb", "VRFY {recipient}", "NOOP -> ",
             "NOOP -> 99", "NOOP -> 250 or", "NOOP -> 2x0", "NOOP -> 654", "VRFY {user", "VRFY }" }) {
        INFO(text);
        CHECK(wrongWith(plan::parseSmtpCommand(text)) != "");
    }
    for (const char* text : { "USER x", "PASS x", "APOP x y", "AUTH", "STLS", "QUIT", "XTND", "RETR",
             "RETR 1", "RETR {n} 2", "DELE all", "TOP {n}", "TOP {n} -1", "TOP 1 0", "LIST 1", "NOOP x",
             "STAT -> 250", "STAT -> +OK or", "RETR {m}", "RETR {n}\r\nDELE 1" }) {
        INFO(text);
        CHECK(wrongWith(plan::parsePop3Command(text)) != "");
    }
    CHECK_FALSE(plan::parseSmtpCommand("NOOP " + std::string(600, 'x')));
    CHECK_FALSE(plan::parseSmtpCommand("VRFY \xc3\xbc"));
}
