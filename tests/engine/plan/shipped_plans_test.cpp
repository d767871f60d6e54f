// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"
#include "support/program.h"

#include <fstream>

using namespace loadstone;
using namespace std::chrono_literals;

namespace {

plan::LoadedPlan shipped(const std::string& name)
{
    for (const auto& file : shippedPlans())
        if (file.filename() == name)
            return plan::loadPlan(file).value();
    FAIL(name << " is not shipped");
    return {};
}

} // namespace

TEST_CASE("every shipped plan is good, without a warning")
{
    const auto files = shippedPlans();
    REQUIRE(files.size() >= 3);
    for (const auto& file : files) {
        const auto summary = checkPlan(file).value();
        INFO(file);
        for (const Problem& problem : summary.problems)
            UNSCOPED_INFO(problem.format(file.filename().string()));
        CHECK(summary.runnable());
        CHECK(summary.problems.empty());
        CHECK_FALSE(summary.description.empty());
    }
}

TEST_CASE("the suite at full scale has the published mixes")
{
    const plan::MailPlan plan = *shipped("pop-smtp-suite.toml").plan.mail();
    REQUIRE(plan.mixes.size() == 5);
    const std::uint32_t clients[] = { 20, 30, 40, 45, 50 };
    const std::uint64_t users[] = { 33320, 49980, 66640, 74970, 83300 };
    for (std::size_t i = 0; i < 5; ++i) {
        const plan::Mix& mix = plan.mixes[i];
        CHECK(mix.clients == clients[i]);
        CHECK(mix.mailboxes() == users[i]);
        CHECK(mix.threadsPerClient == 10);
        CHECK(mix.thinkTime == 21600ms); // printed as 22 s
        // The published rate is one message of each user an hour: 23.1/s of 83,300. The threads have to be able to reach it.
        CHECK(static_cast<double>(mix.threads()) / 21.6 > static_cast<double>(users[i]) / 3600);
        CHECK(mix.rampUp == 3600s);
        CHECK(mix.measurement == 14400s);
        CHECK(mix.total() == 19800s);
        CHECK(mix.rampDown == 1800s);
        CHECK(mix.quietTime == 900s);
    }
    CHECK(plan.mixes[0].name == "33,320 users");
    CHECK(plan.finalWindow == 1h);
    CHECK(plan.drain == 3h + 10s); // the delivery limit, and the visits that prove what is lost
    REQUIRE(plan.workload.steps.size() == 2);
    CHECK(plan.workload.steps[0].kind == plan::ActionKind::emptyMailbox);
    CHECK(plan.workload.steps[1].kind == plan::ActionKind::sendMessage);
    CHECK(plan.workload.steps[1].size == 10240);
    CHECK(plan.recipientsPerIteration() == 3);
    CHECK(plan.length() == 5 * 19800s + 4 * 900s + 3h + 10s);
}

TEST_CASE("the small suite keeps clients, threads and think time")
{
    const plan::MailPlan full = *shipped("pop-smtp-suite.toml").plan.mail();
    const plan::MailPlan plan = *shipped("pop-smtp-suite-small.toml").plan.mail();
    REQUIRE(plan.mixes.size() == full.mixes.size());
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(plan.mixes[i].clients == full.mixes[i].clients);
        CHECK(plan.mixes[i].threadsPerClient == full.mixes[i].threadsPerClient);
        CHECK(plan.mixes[i].thinkTime == full.mixes[i].thinkTime);
        CHECK(plan.mixes[i].mailboxesPerClient == 28);
        CHECK(plan.mixes[i].rampUp == 60s);
        CHECK(plan.mixes[i].total() == 330s);
        CHECK(plan.mixes[i].measurement == 240s);
        CHECK(plan.mixes[i].quietTime == 15s);
    }
    CHECK(plan.finalWindow == 60s);
    CHECK(plan.drain == 190s);
    REQUIRE(plan.workload.steps.size() == 2);
    CHECK(plan.workload.steps[1].size == full.workload.steps[1].size);
    CHECK(plan.workload.steps[1].recipients == 3);
    CHECK(plan.target.smtp.port == 21025);
    CHECK(plan.target.smtp.auth == plan::AuthMethod::none);
    CHECK(plan.target.pop3.port == 21110);
    CHECK(plan.target.pop3.auth == plan::AuthMethod::userPass);
    CHECK(plan::readPassword(plan.target.password).value() == "secret");
    CHECK(plan::mailboxName(plan.target, 42) == "u00042");
}

TEST_CASE("the script of commands is one client of the published suite")
{
    const plan::MailPlan full = *shipped("pop-smtp-suite.toml").plan.mail();
    const plan::MailPlan plan = *shipped("pop-smtp-commands.toml").plan.mail();
    REQUIRE(plan.mixes.size() == 1);
    const plan::Mix& mix = plan.mixes[0];
    CHECK(mix.clients == 1);
    CHECK(mix.threadsPerClient == full.mixes[0].threadsPerClient);
    CHECK(mix.mailboxesPerClient == full.mixes[0].mailboxesPerClient);
    CHECK(mix.thinkTime == full.mixes[0].thinkTime);
    REQUIRE(plan.workload.steps.size() == 2);
    CHECK(plan.workload.steps[0].deletes());
    CHECK(plan.workload.steps[1].messages() == 1);
    CHECK(plan.workload.steps[1].size == full.workload.steps[1].size);
    CHECK(plan.recipientsPerMessage(mix) == 3);
    CHECK(plan.drainKind() == full.drainKind());
}

TEST_CASE("the small storage stress has two groups of two databases and the whole programme")
{
    const plan::Plan plan = shipped("storage-small.toml").plan;
    REQUIRE(plan.storage() != nullptr);
    const plan::StorageTest& test = plan.storage()->test;
    REQUIRE(test.groups.size() == 2);
    for (const plan::StorageGroupPlan& group : test.groups) {
        CHECK(group.databases.size() == 2);
        CHECK(group.databaseSize == 1ULL << 30);
        for (const std::string& folder : group.databases)
            CHECK(folder != group.log);
    }
    CHECK(test.database.cacheMaximum == 64U << 20);
    REQUIRE(test.tests.size() == 4);
    CHECK(test.tests[0].kind == plan::StorageTestKind::performance);
    CHECK(test.tests[0].duration == 10min);
    CHECK(test.tests[1].kind == plan::StorageTestKind::backup);
    CHECK(test.tests[2].kind == plan::StorageTestKind::recovery);
    CHECK(test.tests[2].logs == 100);
    CHECK(test.tests[3].kind == plan::StorageTestKind::checksum);
    const auto summary = checkPlan(findPlan("storage-small")).value();
    CHECK(summary.kind == RunKind::storage);
}

TEST_CASE("a shipped plan is found by its name, a file by its path")
{
    CHECK(findPlan("first-run") == shippedPlans().front());
    CHECK(findPlan("first-run.toml") == shippedPlans().front());
    const test::ScratchFolder folder;
    const auto mine = folder.path() / "first-run";
    std::ofstream(mine) << "mine";
    CHECK(findPlan(mine.string()) == mine);
    CHECK(findPlan("no such plan") == "no such plan"); // and is missed by that name
}

TEST_CASE("the first run takes about three minutes against the embedded target")
{
    const auto summary = checkPlan(shippedPlans().front()).value();
    CHECK(summary.file.filename() == "first-run.toml");
    CHECK(summary.target == "embedded target");
    CHECK(summary.kind == RunKind::mail);
    CHECK(summary.length >= 150s);
    CHECK(summary.length <= 200s);
    const plan::MailPlan plan = *shipped("first-run.toml").plan.mail();
    CHECK(plan.target.smtp.present);
    CHECK(plan.target.pop3.present);
}
