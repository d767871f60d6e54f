// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/schedule.h"
#include "mail/users/user_clock.h"
#include "support/catch.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace loadstone;
using namespace loadstone::mail;
using namespace std::chrono_literals;
using plan::ActionKind;

namespace {

const MonoTime kBegin { 5h };

plan::Profile quietProfile()
{
    plan::Profile profile;
    profile.day = 8h;
    profile.pause = 10s;
    profile.initial.folders = 4;
    profile.messages.push_back({});
    return profile;
}

plan::Workload usersOf(const plan::Profile& profile, Nanoseconds day = 8h)
{
    plan::Workload load;
    load.pacing = plan::Pacing::users;
    load.profile = profile;
    load.day = day;
    load.logonOver = 1s;
    return load;
}

plan::Mix population(std::uint32_t users)
{
    plan::Mix mix;
    mix.mailboxesPerClient = users;
    return mix;
}

void setPerDay(plan::Profile& profile, ActionKind kind, double times)
{
    profile.perDay[static_cast<std::size_t>(kind)] = times;
}

/// A server that takes `service` for everything; what a check or a browsing finds comes from `found`.
struct Played {
    Appointment action;
    MonoTime began, ended;
};
template <class Found>
std::vector<Played> play(
    Schedule& schedule, Nanoseconds length, Nanoseconds service, Found&& found,
    const std::function<bool(const Appointment&)>& good = [](const Appointment&) { return true; })
{
    std::multimap<MonoTime, Played> running;
    std::vector<Played> all;
    for (MonoTime now = kBegin; now < kBegin + length;) {
        MonoTime next = MonoTime::max();
        for (Decision decision = schedule.next(now); decision.kind != Decision::Kind::idle;
             decision = schedule.next(now)) {
            if (decision.kind == Decision::Kind::wait) {
                next = decision.until;
                break;
            }
            running.emplace(now + service, Played { std::move(decision.action), now, now + service });
        }
        if (!running.empty() && running.begin()->first <= next) {
            Played ended = std::move(running.begin()->second);
            running.erase(running.begin());
            now = ended.ended;
            const std::vector<SeenMessage> messages = found(ended.action);
            const bool settled = good(ended.action);
            if (settled && !messages.empty())
                schedule.found(ended.action, messages);
            schedule.completed(ended.action, settled, now);
            all.push_back(std::move(ended));
        } else {
            REQUIRE(next > now);
            now = next;
        }
    }
    return all;
}

std::vector<SeenMessage> nothing(const Appointment&)
{
    return {};
}

} // namespace

TEST_CASE("users do each thing as often a day as their profile says, at random")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::sendMessage, 4);
    setPerDay(profile, ActionKind::checkInbox, 12);
    const auto schedule = makeUserSchedule(usersOf(profile), population(2000), 7, {}, kBegin);
    const auto played = play(*schedule, 8h, 10ms, nothing);
    std::map<ActionKind, double> counts;
    std::vector<double> gaps; // of one user's checks, in mean gaps
    std::map<std::uint32_t, MonoTime> last;
    for (const Played& one : played) {
        ++counts[one.action.kind];
        if (one.action.kind != ActionKind::checkInbox)
            continue;
        if (const auto before = last.find(one.action.mailbox); before != last.end())
            gaps.push_back(seconds(one.action.intended - before->second) / (8 * 3600.0 / 12));
        last[one.action.mailbox] = one.action.intended;
    }
    CHECK(counts[ActionKind::logon] == 2000);
    CHECK(std::abs(counts[ActionKind::sendMessage] - 8000) < 4 * std::sqrt(8000)); // Poisson
    CHECK(std::abs(counts[ActionKind::checkInbox] - 24000) < 4 * std::sqrt(24000));
    // Exponential intervals of which both ends lie within the day, T = 12 mean ones: shorter than the mean are
    // (T (1 - 1/e) - (1 - 2/e)) / (T - 1) = 66.6 %.
    const auto shorter = std::count_if(gaps.begin(), gaps.end(), [](double gap) { return gap < 1; });
    CHECK(std::abs(static_cast<double>(shorter) / static_cast<double>(gaps.size()) - 0.666) < 0.015);
}

TEST_CASE("a compressed day has the same actions, closer together")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::checkInbox, 12);
    const auto plain =
        play(*makeUserSchedule(usersOf(profile), population(20), 7, {}, kBegin), 8h, 1ms, nothing);
    const auto compressed =
        play(*makeUserSchedule(usersOf(profile, 15min), population(20), 7, {}, kBegin), 15min, 1ms, nothing);
    const auto instants = [](const std::vector<Played>& played) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, double> at; // by user and number, in seconds
        for (const Played& one : played)
            if (one.action.kind == ActionKind::checkInbox)
                at[{ one.action.mailbox, one.action.number() }] = seconds(one.action.intended - kBegin);
        return at;
    };
    const auto slow = instants(plain), fast = instants(compressed);
    REQUIRE(slow.size() > 200);
    REQUIRE(slow.size() == fast.size());
    for (const auto& [which, at] : slow)
        CHECK(std::abs(at / 32 - fast.at(which)) < 1.01); // the first second is for logging on in both
}

TEST_CASE("what users do does not depend on how they are divided among workers")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::sendMessage, 9);
    setPerDay(profile, ActionKind::browseFolder, 9);
    using Intent = std::tuple<std::uint32_t, ActionKind, std::uint32_t, MonoTime, std::uint16_t, double>;
    const auto intents = [&](unsigned workers) {
        std::set<Intent> all;
        for (unsigned worker = 0; worker < workers; ++worker) {
            const auto schedule =
                makeUserSchedule(usersOf(profile), population(50), 3, { worker, workers }, kBegin);
            for (const Played& one : play(*schedule, 8h, 10ms, nothing))
                all.insert({ one.action.mailbox, one.action.kind, one.action.number(), one.action.intended,
                    one.action.folder(), one.action.pick() });
        }
        return all;
    };
    const auto one = intents(1);
    CHECK(one.size() > 600);
    CHECK(intents(4) == one);
}

TEST_CASE("what follows from reading a message is done before the next one is read")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::checkInbox, 1);
    profile.reading.reply = 1;
    profile.reading.remove = 1;
    profile.reading.loadAttachment = 1;
    const auto schedule = makeUserSchedule(usersOf(profile, 10min), population(1), 1, {}, kBegin);
    bool first = true;
    const auto played = play(*schedule, 60min, 10ms, [&](const Appointment& action) {
        std::vector<SeenMessage> messages;
        if (action.kind == ActionKind::checkInbox && std::exchange(first, false))
            messages = { { 1, 10, 500, kInbox, true }, { 2, 11, 500, kInbox, false } };
        return messages;
    });
    std::vector<std::pair<ActionKind, std::uint64_t>> done;
    for (const Played& one : played)
        if (one.action.kind != ActionKind::logon && one.action.kind != ActionKind::checkInbox)
            done.emplace_back(one.action.kind, one.action.message().id);
    using Done = std::vector<std::pair<ActionKind, std::uint64_t>>;
    CHECK(done
        == Done { { ActionKind::readMessage, 1 }, { ActionKind::loadAttachment, 1 }, { ActionKind::reply, 1 },
            { ActionKind::deleteMessage, 1 }, { ActionKind::readMessage, 2 }, { ActionKind::reply, 2 },
            { ActionKind::deleteMessage, 2 } });
}

TEST_CASE("what was to follow on messages of another UIDVALIDITY is not done, and all else is")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::checkInbox, 1);
    profile.reading.remove = 1;
    const auto schedule = makeUserSchedule(usersOf(profile, 10min), population(1), 1, {}, kBegin);
    bool first = true, listed = true;
    const auto played = play(*schedule, 60min, 10ms, [&](const Appointment& action) {
        std::vector<SeenMessage> messages;
        if (action.kind == ActionKind::checkInbox && std::exchange(first, false))
            messages = { { 1, 10, 500, kInbox, true, 5 }, { 2, 11, 500, kInbox, false, 5 },
                { 3, 12, 500, kInbox, false, 6 }, { 4, 13, 500, kDeletedItems, false, 5 },
                { 5, 14, 500, kInbox, false, 0 } };
        else if (action.kind == ActionKind::readMessage && std::exchange(listed, false))
            schedule->renumbered(action, { kInbox, 6 });
        return messages;
    });
    std::vector<std::uint64_t> read;
    for (const Played& one : played)
        if (one.action.kind == ActionKind::readMessage)
            read.push_back(one.action.message().id);
    CHECK(read == std::vector<std::uint64_t> { 1, 3, 4, 5 });
}

TEST_CASE("a message that a user came upon twice is not looked for where it no longer is")
{
    plan::Profile profile = quietProfile();
    profile.pause = 10min; // so that the second browsing comes before the first one's reading is over
    profile.reading.disposalOf = plan::ReadsMeant::all;
    profile.reading.move = 1;
    setPerDay(profile, ActionKind::browseFolder, 60);
    const auto schedule = makeUserSchedule(usersOf(profile), population(1), 5, {}, kBegin);
    const auto played = play(*schedule, 8h, 1ms, [](const Appointment& action) {
        std::vector<SeenMessage> messages; // always the same one
        if (action.kind == ActionKind::browseFolder)
            messages.push_back({ 1, 10, 500, 3, false, 5 });
        return messages;
    });
    unsigned waiting = 0, forgotten = 0; // readings
    for (const Played& one : played)
        switch (one.action.kind) {
        case ActionKind::browseFolder:
            ++waiting;
            break;
        case ActionKind::readMessage:
            REQUIRE(waiting > 0); // one that was forgotten is not done
            --waiting;
            break;
        case ActionKind::moveMessage:
            forgotten += waiting;
            waiting = 0;
            break;
        default:
            break;
        }
    CHECK(forgotten > 0);
}

TEST_CASE("what the clock brings while a user waits for the server counts from when it was meant")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::sendMessage, 480); // one a minute
    const auto schedule = makeUserSchedule(usersOf(profile), population(1), 5, {}, kBegin);
    const auto played = play(*schedule, 8h, 5min, nothing); // and each takes five
    REQUIRE(played.size() > 50);
    for (std::size_t i = 1; i < played.size(); ++i)
        CHECK(played[i].began >= played[i - 1].ended); // one at a time
    CHECK(played.back().began - played.back().action.intended > 4h);
    CHECK(played.back().action.ready == played[played.size() - 2].ended); // the generator is not to blame
}

TEST_CASE("a user who pauses does at once what the clock brings")
{
    plan::Profile profile = quietProfile();
    profile.pause = 1h;
    setPerDay(profile, ActionKind::checkInbox, 8);
    setPerDay(profile, ActionKind::sendMessage, 100);
    const auto schedule = makeUserSchedule(usersOf(profile), population(1), 5, {}, kBegin);
    std::uint32_t uid = 0;
    const auto played = play(*schedule, 8h, 1ms, [&](const Appointment& action) {
        std::vector<SeenMessage> messages;
        if (action.kind == ActionKind::checkInbox)
            messages.push_back({ ++uid, uid, 500, kInbox, false });
        return messages;
    });
    for (const Played& one : played)
        CHECK(one.began - one.action.intended < 10ms);
}

TEST_CASE("after logging off, and after a refused logon, a user logs on again before the next action, and "
          "none is left out")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::sendMessage, 50);
    setPerDay(profile, ActionKind::logoff, 10);
    const auto order = [&](const std::function<bool(const Appointment&)>& good) {
        const auto schedule = makeUserSchedule(usersOf(profile), population(1), 5, {}, kBegin);
        return play(*schedule, 8h, 10ms, nothing, good);
    };
    const auto well = order([](const Appointment&) { return true; });
    bool present = false;
    std::size_t offs = 0;
    for (const Played& one : well) {
        const ActionKind kind = one.action.kind;
        CHECK((kind == ActionKind::logon) != present); // only who is away logs on, and does so first
        present = kind != ActionKind::logoff;
        offs += kind == ActionKind::logoff ? 1 : 0;
    }
    CHECK(offs > 3);

    const auto refused = order([](const Appointment& action) { return action.kind != ActionKind::logon; });
    const auto countOf = [](const std::vector<Played>& played, ActionKind kind) {
        return std::count_if(
            played.begin(), played.end(), [&](const Played& one) { return one.action.kind == kind; });
    };
    CHECK(countOf(refused, ActionKind::sendMessage) == countOf(well, ActionKind::sendMessage));
    CHECK(countOf(refused, ActionKind::logon) > 20);
}

TEST_CASE("a day's shape moves actions, and does not change how many there are")
{
    plan::Profile profile = quietProfile();
    profile.dayShape = { 0, 3, 1, 0 };
    const UserClock clock(profile, 8h, 1);
    CHECK(clock.at(0) == Nanoseconds(2h)); // the first quarter has none
    CHECK(clock.at(0.75) == Nanoseconds(4h));
    CHECK(clock.at(0.999999) < Nanoseconds(6h));
    CHECK(clock.at(0.999999) > Nanoseconds(6h) - 1s);
    CHECK(clock.at(1) == Nanoseconds(10h)); // the next day begins as late
    CHECK(clock.at(2.375) == Nanoseconds(19h));
    profile.dayShape.clear();
    CHECK(UserClock(profile, 4h, 1).at(1.5) == Nanoseconds(6h));
}

TEST_CASE(
    "what a user's clock has brought while the logon hangs is told as it will be handed out", "[schedule]")
{
    plan::Profile profile = quietProfile();
    setPerDay(profile, ActionKind::checkInbox, 8 * 60);
    setPerDay(profile, ActionKind::sendMessage, 8 * 30);
    const auto schedule = makeUserSchedule(usersOf(profile), population(3), 11, {}, kBegin);
    using Told = std::multiset<std::pair<ActionKind, MonoTime>>;
    Told told;
    const auto tell = [&](ActionKind kind, MonoTime intended) { told.insert({ kind, intended }); };
    // Nobody has come to play it: three logons are due, and all that the clock has.
    MonoTime now = kBegin + 10min;
    schedule->tellDue(now, now, tell);
    const std::size_t late = told.size();
    CHECK(late > 30);
    std::vector<Appointment> logons;
    for (Decision next = schedule->next(now); next.kind == Decision::Kind::act; next = schedule->next(now))
        logons.push_back(std::move(next.action));
    REQUIRE(logons.size() == 3);
    now += 10min; // in which they hang
    told.clear();
    schedule->tellDue(now, now, tell); // the clock's, while nobody asks for what is next
    for (const Appointment& logon : logons)
        schedule->tellBehind(logon.actor, now, tell);
    CHECK(told.size() > late);
    Told caught;
    for (Appointment& logon : logons)
        schedule->completed(logon, true, now);
    for (Decision next = schedule->next(now); next.kind == Decision::Kind::act; next = schedule->next(now)) {
        caught.insert({ next.action.kind, next.action.intended });
        schedule->completed(next.action, true, now);
    }
    CHECK(caught == told);
}
