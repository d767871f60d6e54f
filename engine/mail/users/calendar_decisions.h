// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"
#include "protocol/dav/content_lines.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone::mail {

/// What everything that users put into calendars and address books has in common.
struct CalendarWorld {
    const plan::Target& target; ///< for addresses
    std::uint64_t seed = 0;
    std::uint32_t runKey = 0; ///< in UIDs: those of two runs never meet
    std::uint32_t users = 1; ///< whom meetings are made with
    unsigned attendees = 1; ///< of a meeting, beside the user; fewer where there are not so many
    WallTime today {}; ///< midnight (UTC) of the day that the run began on
};

/// The series of what lies in calendars and address books before a run: its kinds are makeAppointment and createContact.
inline constexpr std::uint32_t kInitialSeries = 0xffffffffU;

/// Which of a user's objects: the one that this action of this kind made.
struct ObjectId {
    std::uint32_t user = 0;
    plan::ActionKind kind = plan::ActionKind::makeAppointment;
    std::uint32_t series = 0; ///< which schedule of the run numbers the actions; they begin again with each
    std::uint32_t number = 0;
    bool operator==(const ObjectId&) const = default;
};

/// Unique over runs, users, kinds and numbers; letters, digits and "-" only, so that it is the object's name in its collection
/// as well, with ".ics" or ".vcf" behind it.
std::string uidOf(const CalendarWorld& world, const ObjectId& id);
/// Whether it names an object of Loadstone's in its collection, of whatever run, seed and user.
bool isObjectName(std::string_view name);

/// That of what lies there before a run: the same for all runs of a seed.
CalendarWorld initialWorld(const plan::MailPlan& plan);

/// Half an hour to two hours in working hours of the next two weeks; with attendees for requestMeeting. What it is and when
/// is a function of the seed, user, kind and number. `changes`: how often it was altered, each time to another hour. Those of
/// the initial series take place every two weeks, so that each lies in the two weeks of any run.
protocol::CalendarEvent decideEvent(const CalendarWorld& world, const ObjectId& id, unsigned changes = 0);
protocol::JournalEntry decideJournal(const CalendarWorld& world, const ObjectId& id);
protocol::Contact decideContact(const CalendarWorld& world, const ObjectId& id);

/// A span of time that a user looks at.
struct TimeSpan {
    WallTime from {}, to {};
};
/// Seven days of the two weeks that events lie in, for browseCalendar, or one day, for checkFreeBusy.
TimeSpan decideSpan(
    const CalendarWorld& world, std::uint32_t user, plan::ActionKind kind, std::uint32_t number);
/// The family name that a user looks for.
std::string decideName(const CalendarWorld& world, std::uint32_t user, std::uint32_t number);
/// Which of `count` events a user alters; count > 0.
std::size_t decidePlace(
    const CalendarWorld& world, std::uint32_t user, std::uint32_t number, std::size_t count);

} // namespace loadstone::mail
