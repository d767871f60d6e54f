// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/calendar_decisions.h"

#include "base/random.h"
#include "mail/users/initial_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadstone::mail {

using plan::ActionKind;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

namespace {

constexpr std::uint64_t kDays = 14; // that events lie in, from the first day of the run
constexpr const char* kEveryTwoWeeks = "FREQ=WEEKLY;INTERVAL=2"; // kDays
constexpr std::string_view kOurs = "loadstone-", kInitial = "initial-";
constexpr std::uint64_t kSlots = 18; // half hours of a working day in which something begins, from 8:00 on

constexpr std::array<const char*, 12> kSubjects { "Weekly review", "Budget, first draft", "Interview",
    "Staff meeting", "Site visit", "Training: new clients", "Planning; next quarter", "Call with the lab",
    "Presentation", "Walk-through", "Büro: Übergabe", "Lunch" };
constexpr std::array<const char*, 8> kPlaces { "Room 1", "Room 12, second floor", "Main hall", "Laboratory",
    "Cafeteria", "Telephone", "Building 4; east", "Café Zürich" };
constexpr std::array<const char*, 16> kFamilies { "Adams", "Baker", "Castillo", "Dubois", "Eriksen",
    "Fischer", "Garcia", "Hughes", "Ivanova", "Jansen", "Kowalski", "Lindgren", "Moreau", "Nakamura",
    "Okafor", "Peters" };
constexpr std::array<const char*, 16> kGiven { "Anna", "Bruno", "Carla", "David", "Emma", "Felix", "Grace",
    "Hugo", "Irene", "Jonas", "Karin", "Leo", "Marta", "Nils", "Olga", "Paul" };
constexpr std::array<const char*, 8> kSentences { "Please bring the figures of last month. ",
    "The agenda follows, with names and times. ", "Minutes are taken in turn. ",
    "We begin on time, and end on time. ", "Open points: rooms, dates, costs. ",
    "What was decided last time stands. ", "Those who cannot come send their comments before. ",
    "Für Gäste ist gesorgt. " };

template <std::size_t N>
const char* drawOf(const std::array<const char*, N>& texts, Random& random)
{
    return texts[random.below(N)];
}

std::string prose(Random& random, std::uint64_t most)
{
    std::string text;
    for (std::uint64_t left = 1 + random.below(most); left > 0; --left) {
        text += drawOf(kSentences, random);
        if (random.below(4) == 0)
            text += "\n";
    }
    return text;
}

Random drawsFor(
    const CalendarWorld& world, std::uint64_t what, std::uint32_t user, ActionKind kind, std::uint32_t number)
{
    return Random(hashOf({ world.seed, what, user, static_cast<std::uint64_t>(kind), number }));
}

std::string addressOf(const CalendarWorld& world, std::uint32_t user)
{
    return plan::mailboxName(world.target, user) + "@" + world.target.domain;
}

} // namespace

std::string uidOf(const CalendarWorld& world, const ObjectId& id)
{
    const auto kind = static_cast<unsigned>(id.kind);
    if (id.series == kInitialSeries)
        return fmt::format("{}{}{:08x}-{}-{}-{}", kOurs, kInitial, world.runKey, id.user, kind, id.number);
    return fmt::format("{}{:08x}-{}-{}-{}-{}", kOurs, world.runKey, id.series, id.user, kind, id.number);
}

bool isObjectName(std::string_view name)
{
    if (!name.starts_with(kOurs) || !(name.ends_with(".ics") || name.ends_with(".vcf")))
        return false;
    name.remove_prefix(kOurs.size());
    name.remove_suffix(4);
    const bool initial = name.starts_with(kInitial);
    name.remove_prefix(initial ? kInitial.size() : 0);
    const auto takes = [&](std::size_t least, std::size_t most, std::string_view characters) {
        const std::size_t end = std::min(name.find_first_not_of(characters), name.size());
        name.remove_prefix(end);
        return end >= least && end <= most;
    };
    bool good = takes(8, 8, "0123456789abcdef");
    for (int numbers = initial ? 3 : 4; good && numbers > 0; --numbers)
        good = takes(1, 1, "-") && takes(1, 10, "0123456789");
    return good && name.empty();
}

CalendarWorld initialWorld(const plan::MailPlan& plan)
{
    constexpr WallTime kAnyMonday = std::chrono::sys_days(std::chrono::year(2026) / 1 / 5);
    return { plan.target, hashOf({ plan.seed, 0x696e697463616c }), initialKey(plan.seed),
        static_cast<std::uint32_t>(plan.largestMix()), 0, kAnyMonday };
}

protocol::CalendarEvent decideEvent(const CalendarWorld& world, const ObjectId& id, unsigned changes)
{
    Random random = drawsFor(world, 0x6576656e74, id.user, id.kind, id.number);
    protocol::CalendarEvent event;
    event.uid = uidOf(world, id);
    event.stamp = world.today;
    event.summary = drawOf(kSubjects, random);
    event.location = drawOf(kPlaces, random);
    event.description = prose(random, 8);
    event.sequence = changes;
    event.recurrence = id.series == kInitialSeries ? kEveryTwoWeeks : "";
    const auto length = minutes(30 * static_cast<int>(1 + random.below(4)));
    Random time(hashOf({ random(), changes }));
    event.start = world.today + days(time.below(kDays)) + hours(8) + minutes(30) * time.below(kSlots);
    event.end = event.start + length;
    if (id.kind != ActionKind::requestMeeting)
        return event;
    event.organizer = addressOf(world, id.user);
    const std::size_t wanted = std::min<std::size_t>(world.attendees, world.users - 1);
    std::vector<std::uint32_t> others;
    while (others.size() < wanted) {
        const auto drawn = static_cast<std::uint32_t>(random.below(world.users - 1));
        const std::uint32_t other = drawn < id.user ? drawn : drawn + 1;
        if (std::find(others.begin(), others.end(), other) == others.end())
            others.push_back(other);
    }
    for (const std::uint32_t other : others)
        event.attendees.push_back(addressOf(world, other));
    return event;
}

protocol::JournalEntry decideJournal(const CalendarWorld& world, const ObjectId& id)
{
    Random random = drawsFor(world, 0x6a6f75726e, id.user, id.kind, id.number);
    protocol::JournalEntry entry;
    entry.uid = uidOf(world, id);
    entry.stamp = world.today;
    entry.start = world.today + hours(8) + minutes(30) * random.below(kSlots);
    entry.summary = drawOf(kSubjects, random);
    entry.description = prose(random, 4);
    return entry;
}

protocol::Contact decideContact(const CalendarWorld& world, const ObjectId& id)
{
    Random random = drawsFor(world, 0x636f6e74, id.user, id.kind, id.number);
    protocol::Contact contact;
    contact.uid = uidOf(world, id);
    contact.stamp = world.today;
    contact.given = drawOf(kGiven, random);
    contact.family = drawOf(kFamilies, random);
    contact.organization = fmt::format("Company {}; Ltd.", 1 + random.below(100));
    contact.email = fmt::format("{}.{}.{}@{}", contact.given, contact.family, id.number, world.target.domain);
    contact.phone = fmt::format("+49 30 {:07}", random.below(10'000'000));
    contact.note = prose(random, 3);
    return contact;
}

TimeSpan decideSpan(const CalendarWorld& world, std::uint32_t user, ActionKind kind, std::uint32_t number)
{
    Random random = drawsFor(world, 0x7370616e, user, kind, number);
    const bool week = kind == ActionKind::browseCalendar;
    const auto length = days(week ? 7 : 1);
    const WallTime from = world.today + days(random.below(kDays - (week ? 7 : 1) + 1));
    return { from, from + length };
}

std::string decideName(const CalendarWorld& world, std::uint32_t user, std::uint32_t number)
{
    Random random = drawsFor(world, 0x6e616d65, user, ActionKind::browseContacts, number);
    return drawOf(kFamilies, random);
}

std::size_t decidePlace(
    const CalendarWorld& world, std::uint32_t user, std::uint32_t number, std::size_t count)
{
    return drawsFor(world, 0x616c746572, user, ActionKind::updateSchedule, number).below(count);
}

} // namespace loadstone::mail
