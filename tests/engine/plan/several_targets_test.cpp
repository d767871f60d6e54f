// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

#include <fmt/format.h>

using namespace loadstone;
using Catch::Matchers::Contains;

namespace {

const std::string kHead = R"(format = 1
kind = "mail"
seed = 3

[target]
password = "secret"
[target.smtp]
port = 2525

)";

std::string withTargets(const std::string& targets, const std::string& users = "100")
{
    return kHead + targets
        + fmt::format(R"(
[workload]
pacing = "users"
profile = "light-4.0"

[[mixes]]
name = "all"
users = {}
ramp_up = "1 min"
measurement = "5 min"
quiet_time = "1 min"
)",
            users);
}

const std::string kEastAndWest = R"([[targets]]
name = "East"
share = 3
imap = { host = "10.0.0.5" }

[[targets]]
name = "West"
profile = "heavy-4.0"
password = "another"
smtp = { host = "10.0.0.6" }
imap = { host = "10.0.0.6", port = 1143 }
)";

/// Two tiny profiles, which differ in how much is sent.
Result<std::string> profile(const std::string& name)
{
    return fmt::format(R"(format = 1
kind = "profile"
title = '{}'
day = "8 h"
[per_day]
send = {}
check_inbox = 10
[recipients]
per_message = 2
[[messages]]
body = "text"
size = "1 KB"
weight = 1
)",
        name, name == "heavy-4.0" ? 20 : 2);
}

} // namespace

TEST_CASE("each of several targets has its users, its server and its profile")
{
    const auto loaded = plan::parsePlan(withTargets(kEastAndWest), "p.toml", profile);
    for (const Problem& problem : loaded.problems)
        INFO(problem.format("p.toml"));
    REQUIRE(loaded.ok());
    const std::vector<plan::MailPlan> parts = plan::partsOf(*loaded.plan.mail());
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].targetName == "East");
    CHECK(parts[0].mixes[0].mailboxes() == 75);
    CHECK(parts[0].target.imap.host == "10.0.0.5");
    CHECK(parts[0].target.imap.port == 143);
    CHECK(parts[0].target.smtp.port == 2525); // that of all
    CHECK(parts[0].target.password.text == "secret");
    CHECK(parts[0].workload.profile->title == "light-4.0");
    CHECK(parts[1].mixes[0].mailboxes() == 25);
    CHECK(parts[1].target.smtp.host == "10.0.0.6");
    CHECK(parts[1].target.smtp.port == 2525);
    CHECK(parts[1].target.imap.port == 1143);
    CHECK(parts[1].target.password.text == "another");
    CHECK(parts[1].workload.profile->title == "heavy-4.0");
    CHECK(loaded.plan.mail()->mixes[0].mailboxes() == 100);
    CHECK(loaded.plan.mail()->workload.profile->title == "light-4.0");
    CHECK(parts[0].seed != parts[1].seed); // or users of equal number would act alike
}

TEST_CASE("users are divided by the shares, and none is lost to rounding")
{
    std::string targets;
    for (int i = 0; i < 7; ++i)
        targets += fmt::format("[[targets]]\nshare = {}\nimap = {{ host = \"10.0.0.{}\" }}\n"
                               "smtp = {{ host = \"10.0.0.{}\" }}\n",
            i % 3 + 1, i + 1, i + 1);
    for (const char* users : { "100", "101", "9801" }) {
        const auto loaded = plan::parsePlan(withTargets(targets, users), "p.toml", profile);
        REQUIRE(loaded.ok());
        std::uint64_t sum = 0;
        for (const plan::MailPlan& part : loaded.plan.mail()->parts)
            sum += part.mixes[0].mailboxes();
        CHECK(sum == std::stoull(users));
    }
    CHECK_FALSE(plan::parsePlan(withTargets(targets, "7"), "p.toml", profile).ok()); // one would have none
}

TEST_CASE("a plan with one entry of targets is a plan of one target")
{
    const auto loaded = plan::parsePlan(
        withTargets("[[targets]]\nname = \"East\"\nimap = { host = \"10.0.0.5\" }\n"), "p.toml", profile);
    REQUIRE(loaded.ok());
    CHECK(loaded.plan.mail()->parts.empty());
    CHECK(loaded.plan.mail()->target.imap.host == "10.0.0.5");
    CHECK(plan::partsOf(*loaded.plan.mail()).size() == 1);
}

TEST_CASE("the plan that is kept with a run hides every password and carries every profile")
{
    const std::string text = withTargets(kEastAndWest);
    const auto loaded = plan::parsePlan(text, "p.toml", profile);
    REQUIRE(loaded.ok());
    const std::string& kept = loaded.textWithoutSecrets;
    CHECK_THAT(kept, !Contains("\"secret\"") && !Contains("another"));
    const auto whole = plan::parsePlan(kept, "p.toml");
    const auto east = plan::partFor(whole, "East");
    const auto west = plan::partFor(whole, "West");
    REQUIRE(east.ok());
    REQUIRE(west.ok());
    CHECK(east.plan.mail()->mixes[0].mailboxes() == 75);
    CHECK(east.plan.mail()->workload.profile->title == "light-4.0");
    CHECK(west.plan.mail()->workload.profile->title == "heavy-4.0");
    CHECK(whole.plan.mail()->workload.profile->title == "light-4.0");
    CHECK_FALSE(plan::partFor(whole, "North").ok());
}

TEST_CASE("a target's own profile goes before the workload's, carried or not, and one that all have is that "
          "of all together")
{
    const auto profileOf = [](const std::string& text) {
        const auto loaded = plan::parsePlan(text, "p.toml", profile);
        for (const Problem& problem : loaded.problems)
            INFO(problem.format("p.toml"));
        REQUIRE(loaded.ok());
        std::string names = loaded.plan.mail()->workload.profile->title;
        for (const plan::MailPlan& part : loaded.plan.mail()->parts)
            names += " " + part.workload.profile->title;
        return names;
    };
    const std::string heavy = "profile = \"heavy-4.0\"\n";
    const std::string east = "[[targets]]\nimap = { host = \"10.0.0.5\" }\nsmtp = { host = \"10.0.0.5\" }\n";
    const std::string west = "[[targets]]\nimap = { host = \"10.0.0.6\" }\nsmtp = { host = \"10.0.0.6\" }\n";
    CHECK(profileOf(withTargets(east + heavy)) == "heavy-4.0");
    CHECK(profileOf(withTargets(east + heavy + west + heavy)) == "heavy-4.0 heavy-4.0 heavy-4.0");
    CHECK(profileOf(withTargets(east + west + heavy)) == "light-4.0 light-4.0 heavy-4.0");
    const std::string carried = "[profile]\ntext = '''" + *profile("light-4.0") + "'''\n";
    CHECK(profileOf(withTargets(east + west + heavy) + carried) == "light-4.0 light-4.0 heavy-4.0");
}

TEST_CASE("a plan that was kept can be used again, with another profile as well")
{
    const auto first = plan::parsePlan(withTargets(kEastAndWest), "p.toml", profile);
    std::string again = first.textWithoutSecrets;
    again.replace(again.find("profile = \"heavy-4.0\""), 21, "profile = 'other\"one'");
    const auto second = plan::parsePlan(again, "p.toml", profile);
    REQUIRE(second.ok());
    const auto kept = plan::partFor(plan::parsePlan(second.textWithoutSecrets, "p.toml"), "West");
    REQUIRE(kept.ok());
    CHECK(kept.plan.mail()->workload.profile->title == "other\"one");
}

TEST_CASE("a plan that asks for a password is read again as it was kept")
{
    std::string text = withTargets(kEastAndWest);
    text.replace(text.find("password = \"secret\""), 19, "password = { prompt = true }");
    const auto loaded = plan::parsePlan(text, "p.toml", profile);
    REQUIRE(loaded.ok());
    CHECK(plan::parsePlan(loaded.textWithoutSecrets, "p.toml").ok());
}

TEST_CASE("what stands beside the targets and is no part of a plan is refused, and no password in it is kept")
{
    const std::string whole = withTargets(kEastAndWest);
    const std::string rest = whole.substr(whole.find("[[targets]]"));
    const std::string head = "format = 1\nkind = \"mail\"\n";
    for (const std::string& beside : { std::string("[[target]]\npassword = \"S1\"\n"),
             std::string("target = \"S1\"\n"), std::string("profiles = \"S1\"\n"),
             std::string("[[profiles]]\nname = \"x\"\ntext = \"y\"\npassword = \"S1\"\n") })
        CHECK_FALSE(plan::parsePlan(head + beside + rest, "p.toml", profile).ok());
    CHECK_FALSE(plan::parsePlan(
        withTargets("[[targets]]\nname = \"_Total\"\nimap = { host = \"10.0.0.5\" }\n"), "p.toml", profile)
                    .ok());
}

TEST_CASE("notes of what is left out name the target")
{
    const auto calendars = [](const std::string& name) -> Result<std::string> {
        std::string text = *profile(name);
        return text.insert(text.find("check_inbox"), "make_appointment = 2\n");
    };
    const auto loaded = plan::parsePlan(
        withTargets(kEastAndWest + "caldav = { host = \"10.0.0.6\" }\n"), "p.toml", calendars);
    REQUIRE(loaded.ok());
    const auto notes = plan::notesOf(loaded.plan);
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0], Contains("East: "));
}
