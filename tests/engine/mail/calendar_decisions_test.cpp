// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/rehearse/virtual_run.h"
#include "mail/users/calendar_decisions.h"
#include "support/catch.h"

#include <algorithm>
#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using namespace std::chrono_literals;
using plan::ActionKind;

namespace {

const plan::Target kTarget;

CalendarWorld worldOf(std::uint64_t seed, std::uint32_t run = 7)
{
    return { kTarget, seed, run, 50, 3,
        WallTime(std::chrono::sys_days(std::chrono::year(2026) / std::chrono::January / 5)) };
}

} // namespace

TEST_CASE("what a user puts into a calendar is a function of seed, user, kind and number")
{
    const CalendarWorld world = worldOf(1);
    const ObjectId id { 3, ActionKind::requestMeeting, 1, 4 };
    const auto event = decideEvent(world, id);
    CHECK(event == decideEvent(worldOf(1), id));
    CHECK(event.organizer == "u3@load.test");
    CHECK(event.attendees.size() == 3);
    CHECK(std::set<std::string>(event.attendees.begin(), event.attendees.end()).size() == 3);
    CHECK(
        std::find(event.attendees.begin(), event.attendees.end(), event.organizer) == event.attendees.end());
    CHECK(decideEvent(world, { 3, ActionKind::makeAppointment, 1, 4 }).attendees.empty());

    // Another run of the seed puts the same under another UID.
    auto again = decideEvent(worldOf(1, 8), id);
    CHECK(again.uid != event.uid);
    again.uid = event.uid;
    CHECK(again == event);

    std::set<std::string> descriptions;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        descriptions.insert(protocol::toICalendar(decideEvent(worldOf(seed), id)));
    CHECK(descriptions.size() == 20);
}

TEST_CASE("events lie in working hours of two weeks, and a change moves them without changing what they are")
{
    const CalendarWorld world = worldOf(5);
    unsigned moved = 0;
    for (std::uint32_t number = 0; number < 200; ++number) {
        const ObjectId id { 1, ActionKind::makeAppointment, 0, number };
        const auto event = decideEvent(world, id), changed = decideEvent(world, id, 1);
        for (const auto& one : { event, changed }) {
            REQUIRE(one.start >= world.today);
            REQUIRE(one.end <= world.today + std::chrono::days(14));
            const auto hour = one.start - std::chrono::floor<std::chrono::days>(one.start);
            REQUIRE(hour >= 8h);
            REQUIRE(hour <= 16h + 30min);
            REQUIRE(one.end - one.start >= 30min);
            REQUIRE(one.end - one.start <= 2h);
        }
        moved += event.start != changed.start ? 1 : 0;
        REQUIRE(changed.uid == event.uid);
        REQUIRE(changed.summary == event.summary);
        REQUIRE(changed.sequence == 1);
    }
    CHECK(moved > 190);
}

TEST_CASE("names of objects are unique and need no encoding in a URL")
{
    std::set<std::string> names;
    for (std::uint32_t series : { 1, 2 })
        for (std::uint32_t user : { 1, 12 })
            for (std::uint32_t number : { 1, 21 })
                for (const ActionKind kind : { ActionKind::makeAppointment, ActionKind::journal })
                    names.insert(uidOf(worldOf(1), { user, kind, series, number }));
    CHECK(names.size() == 16);
    for (const std::string& name : names)
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
}

TEST_CASE(
    "what lies in calendars before a run is the same in every run of a seed, and within the two weeks of any")
{
    plan::MailPlan plan;
    plan.seed = 4;
    plan.mixes.emplace_back().mailboxesPerClient = 50;
    const CalendarWorld world = initialWorld(plan);
    plan.seed = 5;
    const CalendarWorld other = initialWorld(plan);
    std::set<std::string> names, days;
    for (std::uint32_t number = 0; number < 100; ++number) {
        const ObjectId id { 3, ActionKind::makeAppointment, kInitialSeries, number };
        const auto event = decideEvent(world, id);
        CHECK(event == decideEvent(world, id));
        CHECK(event.uid != decideEvent(other, id).uid);
        CHECK(event.attendees.empty());
        // RFC 5545, 3.3.10: once in each two weeks from its first time on.
        CHECK_THAT(protocol::toICalendar(event), ContainsSubstring("\r\nRRULE:FREQ=WEEKLY;INTERVAL=2\r\n"));
        CHECK(event.start - world.today < 14 * 24h);
        days.insert(protocol::utcStamp(event.start).substr(0, 8));
        names.insert(event.uid);
    }
    CHECK(names.size() == 100);
    CHECK(days.size() == 14);
    CHECK(
        protocol::toICalendar(decideEvent(worldOf(4), { 3, ActionKind::makeAppointment, 1, 0 })).find("RRULE")
        == std::string::npos);
}

TEST_CASE("an object is known as Loadstone's by its name, and nobody else's is")
{
    plan::MailPlan plan;
    plan.mixes.emplace_back().mailboxesPerClient = 50;
    const std::string run = uidOf(worldOf(1, 0xdeadbeef), { 4'000'000'000, ActionKind::journal, 12, 77 });
    const std::string initial =
        uidOf(initialWorld(plan), { 0, ActionKind::createContact, kInitialSeries, 0 });
    for (const std::string& uid : { run, initial }) {
        CAPTURE(uid);
        CHECK(isObjectName(uid + ".ics"));
        CHECK(isObjectName(uid + ".vcf"));
        CHECK_FALSE(isObjectName(uid));
        CHECK_FALSE(isObjectName(uid + "-1.ics"));
        CHECK_FALSE(isObjectName("my-" + uid + ".ics"));
        CHECK_FALSE(isObjectName(uid.substr(0, uid.rfind('-')) + ".ics"));
    }
    for (const char* name : { "loadstone-.ics", "loadstone-notes.ics", "loadstone-deadbeef.ics",
             "loadstone-DEADBEEF-1-1-1-1.ics", "loadstone-deadbeef-1-1-1-99999999999.ics",
             "loadstone-deadbeef-1-1-1-1/../x.ics", "loadstone-initial-1-1-1.ics", ".ics", "" }) {
        CAPTURE(name);
        CHECK_FALSE(isObjectName(name));
    }
}

TEST_CASE("what users look at lies where events are")
{
    const CalendarWorld world = worldOf(2);
    for (std::uint32_t number = 0; number < 100; ++number) {
        const TimeSpan week = decideSpan(world, 1, ActionKind::browseCalendar, number);
        const TimeSpan day = decideSpan(world, 1, ActionKind::checkFreeBusy, number);
        REQUIRE(week.to - week.from == 7 * 24h);
        REQUIRE(day.to - day.from == 24h);
        REQUIRE(std::min(week.from, day.from) >= world.today);
        REQUIRE(std::max(week.to, day.to) <= world.today + std::chrono::days(14));
    }
    std::set<std::string> sought, there;
    for (std::uint32_t number = 0; number < 300; ++number) {
        sought.insert(decideName(world, 1, number));
        there.insert(decideContact(world, { 1, ActionKind::createContact, 0, number }).family);
    }
    CHECK(sought == there);
}

TEST_CASE("a user alone meets nobody, and users of a small company meet all there are")
{
    CalendarWorld world = worldOf(1);
    world.users = 1;
    CHECK(decideEvent(world, { 0, ActionKind::requestMeeting, 0, 0 }).attendees.empty());
    world.users = 3;
    CHECK(decideEvent(world, { 0, ActionKind::requestMeeting, 0, 0 }).attendees.size() == 2);
}

TEST_CASE(
    "a rehearsal plays calendar actions as often as the profile has them, where the plan names a server")
{
    plan::MailPlan plan;
    plan.workload.pacing = plan::Pacing::users;
    plan.workload.day = 8h;
    plan::Profile profile;
    const auto perDay = [&](ActionKind kind) -> double& {
        return profile.perDay[static_cast<std::size_t>(kind)];
    };
    perDay(ActionKind::checkInbox) = 4;
    perDay(ActionKind::makeAppointment) = 2.8;
    perDay(ActionKind::createContact) = 5;
    profile.messages.emplace_back();
    plan.workload.profile = profile;
    plan.workload.calendars = true;
    plan::Mix mix;
    mix.mailboxesPerClient = 400;
    mix.measurement = 8h;
    plan.mixes.push_back(mix);
    VirtualRun run(plan, plan.mixes[0], 1, nullptr);
    REQUIRE(run.run());
    double appointments = 0;
    for (const RehearsedAction& action : run.phases().at(0).actions) {
        CHECK(action.kind != ActionKind::createContact); // no server for these
        if (action.kind == ActionKind::makeAppointment)
            appointments = static_cast<double>(action.count);
    }
    CHECK(appointments / 400 == Approx(2.8).epsilon(0.1));
}
