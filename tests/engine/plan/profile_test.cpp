// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace loadstone;
using namespace std::chrono_literals;
using plan::ActionKind;

namespace {

const std::string kPlan = R"(format = 1
kind = "mail"
[target]
password = "secret"
[target.smtp]
port = 21025
[target.imap]
port = 21143
[workload]
pacing = "users"
profile = "mine"
[[mixes]]
users = 300
measurement = "15 min"
quiet_time = "10 s"
)";

const std::string kProfile = R"(format = 1
kind = "profile"
title = "Mine"
[per_day]
send = 4
check_inbox = 2.5
[per_read]
reply = "7.5 %"
)";

plan::LoadedPlan load(const std::string& profile, const std::string& text = kPlan)
{
    return plan::parsePlan(text, "plan.toml", [&](const std::string& name) -> Result<std::string> {
        if (name != "mine")
            return fail("no such profile");
        return profile;
    });
}

std::string problemsOf(const plan::LoadedPlan& loaded)
{
    std::string text;
    for (const Problem& problem : loaded.problems)
        text += problem.format("plan.toml") + "\n";
    return text;
}

} // namespace

TEST_CASE("every shipped profile is good, cites a source, and gives its users something to do")
{
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(LOADSTONE_SOURCE_DIR) / "resources/profiles")) {
        ++count;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        const plan::LoadedPlan loaded = load(text.str());
        INFO(entry.path() << "\n" << problemsOf(loaded));
        REQUIRE(loaded.ok());
        REQUIRE(loaded.plan.mail()->workload.profile);
        const plan::Profile& profile = *loaded.plan.mail()->workload.profile;
        CHECK_FALSE(profile.sources.empty());
        CHECK_FALSE(profile.description.empty());
        CHECK(profile.perDayOf(ActionKind::sendMessage) > 0);
        CHECK(profile.perDayOf(ActionKind::checkInbox) > 0);
    }
    CHECK(count >= 8);
}

TEST_CASE("a plan's users live by the profile that it names")
{
    const plan::LoadedPlan loaded = load(kProfile);
    INFO(problemsOf(loaded));
    REQUIRE(loaded.problems.empty());
    const plan::Workload& load = loaded.plan.mail()->workload;
    REQUIRE(load.profile);
    CHECK(load.profile->title == "Mine");
    CHECK(load.profile->perDayOf(ActionKind::checkInbox) == 2.5);
    CHECK(load.profile->reading.reply == Approx(0.075));
    CHECK(load.day == 8h); // the profile's, unless the plan says otherwise
    CHECK(loaded.plan.mail()->mixes[0].mailboxes() == 300);
    CHECK(loaded.plan.mail()->target.imap.present);
    CHECK(loaded.plan.mail()->readsMailboxes());
}

TEST_CASE("a plan as it is stored carries the profile itself")
{
    for (const std::string& profile : { kProfile, kProfile + "# '''odd\\\" text\n" }) {
        const std::string stored = load(profile).textWithoutSecrets;
        CHECK(stored.find("secret") == std::string::npos);
        const plan::LoadedPlan again = plan::parsePlan(stored, "stored.toml");
        INFO(stored << problemsOf(again));
        REQUIRE(again.ok());
        REQUIRE(again.plan.mail()->workload.profile);
        CHECK(again.plan.mail()->workload.profile == load(profile).plan.mail()->workload.profile);
        CHECK(again.textWithoutSecrets == stored); // once is enough
    }
}

TEST_CASE("what is wrong with a profile is told with its line, where the plan names it")
{
    const std::pair<std::string, std::string> wrong[] {
        { "format = 1\nkind = \"mail\"\n",
            "the profile's line 2, kind: \"mail\" is not a profile; write kind = \"profile\"" },
        { "format = 1\nkind = \"profile\"\n[per_day]\nsendd = 4\n",
            "line 4, per_day.sendd: this key is unknown; did you mean send?" },
        { "format = 1\nkind = \"profile\"\n[per_day]\nsend = -1\n",
            "line 4, per_day.send: -1 is out of range" },
        { kProfile + "forward = \"93 %\"\n", "reply, reply_all and forward are 100.5 % in total" },
        { kProfile + "forward = \"193 %\"\n", "is not a share from 0 % to 100 %" },
        { kProfile + "[recipients]\nlist_chance = \"30 %\"\n", "there are no distribution lists" },
        { kProfile + "[recipients.lists]\ncount = 3\naverage = 10\nmaximum = 5\n", "10 is not between" },
        { kProfile + "[[messages]]\nsize = \"1 KB\"\nattachment = \"bitmap\"\n",
            "messages[0].attachment_size: is missing" },
        { kProfile + "[[messages]]\nsize = \"1 KB\"\nweight = 0\n", "no kind of message has a weight" },
        { "format = 1\nkind = \"profile\"\nday_shape = [1]\n[per_day]\nsend = 4\n",
            "day_shape: is not a list of intensities" },
        { "format = 1\nkind = \"profile\"\n[per_day\n", "the profile's line 3" },
        { "format = 1\nkind = \"profile\"\n", "the users of this profile do nothing" },
    };
    for (const auto& [text, expected] : wrong) {
        const plan::LoadedPlan loaded = load(text);
        const std::string problems = problemsOf(loaded);
        INFO(problems);
        CHECK_FALSE(loaded.ok());
        CHECK(problems.find(expected) != std::string::npos);
        CHECK(problems.find("plan.toml:11:11: workload.profile:") != std::string::npos);
    }
}

TEST_CASE("what a plan says of mailboxes goes before its profile's words, and the rest stays as that has it")
{
    const std::string profile = kProfile + "[initial]\ninbox = 4\nfolders = 7\nmessages_per_folder = 11\n";
    const plan::LoadedPlan own = load(profile);
    REQUIRE(own.plan.mail()->workload.initial);
    CHECK(*own.plan.mail()->workload.initial == plan::InitialMailbox { 4, 0, 7, 11, 0, 0 });
    const plan::LoadedPlan changed =
        load(profile, kPlan + "[workload.initial]\nfolders = 2\ndeleted_items = 9\n");
    INFO(problemsOf(changed));
    REQUIRE(changed.ok());
    CHECK(*changed.plan.mail()->workload.initial == plan::InitialMailbox { 4, 9, 2, 11, 0, 0 });
    CHECK(changed.plan.mail()->workload.profile->initial
        == *changed.plan.mail()->workload.initial); // users browse these folders
}

TEST_CASE(
    "initial appointments and contacts are left out with a note where the plan names no server for them")
{
    const std::string profile = kProfile + "[initial]\nappointments = 25\ncontacts = 128\n";
    const auto notes = notesOf(load(profile).plan);
    REQUIRE(notes.size() == 2);
    CHECK_THAT(notes[0], ContainsSubstring("25 appointments") && ContainsSubstring("[target.caldav]"));
    CHECK_THAT(notes[1], ContainsSubstring("128 contacts") && ContainsSubstring("[target.carddav]"));
    const std::string servers = "[target.caldav]\nport = 5232\n[target.carddav]\nport = 5232\n";
    const plan::LoadedPlan both = load(profile, kPlan + servers);
    INFO(problemsOf(both));
    CHECK(both.ok());
    CHECK(notesOf(both.plan).empty());
    CHECK_FALSE(load(profile, kPlan + "[workload.initial]\ncontacts = 50001\n").ok());
}

TEST_CASE(
    "calendar and contact actions are played where the plan names their server, else left out with a note")
{
    const std::string profile = kProfile.substr(0, kProfile.find("[per_read]"))
        + "make_appointment = 2.8\nbrowse_calendar = 6\ncreate_contact = 1.5\n";
    const std::string caldav = "[target.caldav]\nport = 5232\n";
    const std::string carddav =
        "[target.carddav]\ntls = \"implicit\"\npath = \"/dav/{domain}/{user}/book/\"\n";

    const plan::LoadedPlan without = load(profile);
    REQUIRE(without.problems.empty());
    CHECK(without.plan.mail()->workload.leavesOut(ActionKind::makeAppointment));
    CHECK(without.plan.mail()->workload.leavesOut(ActionKind::createContact));
    CHECK_FALSE(without.plan.mail()->workload.leavesOut(ActionKind::journal)); // nobody asked for it
    CHECK_FALSE(without.plan.mail()->workload.plays(ActionKind::makeAppointment));
    CHECK(without.plan.mail()->workload.plays(ActionKind::checkInbox));
    CHECK(notesOf(without.plan)
        == std::vector<std::string> { "the profile asks for 8.8 calendar actions per user-day (Make "
                                      "appointment, Browse calendar); the plan "
                                      "names no CalDAV server ([target.caldav]): they are left out",
            "the profile asks for 1.5 contacts actions per user-day (Create contact); the plan names no "
            "CardDAV "
            "server ([target.carddav]): they are left out" });

    const plan::LoadedPlan calendars = load(profile, kPlan + caldav);
    CHECK(calendars.plan.mail()->workload.plays(ActionKind::browseCalendar));
    CHECK(calendars.plan.mail()->workload.leavesOut(ActionKind::createContact));
    CHECK(notesOf(calendars.plan).size() == 1);

    const plan::LoadedPlan both = load(profile, kPlan + caldav + carddav);
    INFO(problemsOf(both));
    REQUIRE(both.problems.empty());
    CHECK(notesOf(both.plan).empty());
    const plan::Target& target = both.plan.mail()->target;
    CHECK(target.caldav.port == 5232);
    CHECK(target.carddav.port == 443);
    CHECK(plan::collectionPath(target, target.caldav, 12) == "/u12/calendar/");
    CHECK(plan::collectionPath(target, target.carddav, 12) == "/dav/load.test/u12/book/");
    const plan::LoadedPlan stored = plan::parsePlan(both.textWithoutSecrets, "stored.toml");
    CHECK(stored.plan.mail()->target.carddav == target.carddav);
    CHECK(stored.plan.mail()->workload == both.plan.mail()->workload);

    plan::Target odd = target;
    odd.user = "a+%#{n}";
    CHECK(plan::collectionPath(odd, odd.caldav, 1) == "/a%2B%25%231/calendar/");
}
