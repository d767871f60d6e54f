// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/users/schedule.h"
#include "support/catch.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using std::chrono::milliseconds;
using Sec = std::chrono::seconds;

namespace {

const MonoTime kBegin { std::chrono::hours(5) };

/// An action as it was handed out.
struct Action {
    std::uint32_t actor, mailbox;
    std::uint16_t step;
    unsigned attempt;
    MonoTime intended, ready;
};
Action actionOf(const Appointment& of)
{
    return { of.actor, of.mailbox, of.step(), of.attempt(), of.intended, of.ready };
}

/// And as it was played.
struct Played {
    Action action;
    MonoTime began, ended;
};
/// How long an action takes, and whether it is good.
struct Answer {
    Nanoseconds length {};
    bool good = true;
};

/// Plays a schedule in virtual time, any number of actions at once.
std::vector<Played> playUntil(
    Schedule& schedule, MonoTime end, const std::function<Answer(const Action&)>& server)
{
    struct Running {
        Appointment appointment;
        Played played;
        bool good;
    };
    std::multimap<MonoTime, Running> running;
    std::vector<Played> all;
    MonoTime now = kBegin;
    while (now <= end) {
        MonoTime wake = MonoTime::max();
        for (;;) {
            Decision decision = schedule.next(now);
            if (decision.kind == Decision::Kind::act) {
                const Action action = actionOf(decision.action);
                const Answer answer = server(action);
                running.emplace(now + answer.length,
                    Running {
                        std::move(decision.action), { action, now, now + answer.length }, answer.good });
                continue;
            }
            if (decision.kind == Decision::Kind::wait) {
                REQUIRE(decision.until > now);
                wake = decision.until;
            }
            break;
        }
        if (running.empty() && wake == MonoTime::max())
            break;
        if (!running.empty() && running.begin()->first <= wake) {
            const auto first = running.begin();
            now = first->first;
            Running ended = std::move(first->second);
            running.erase(first);
            all.push_back(ended.played);
            schedule.completed(ended.appointment, ended.good, now);
        } else
            now = wake;
    }
    return all;
}

plan::Workload workload(plan::Pacing pacing, std::size_t steps)
{
    plan::Workload load;
    load.pacing = pacing;
    load.steps.resize(steps);
    return load;
}

plan::Mix mix(std::uint32_t clients, std::uint32_t threads, std::uint32_t mailboxes, Nanoseconds think,
    Nanoseconds rampUp)
{
    plan::Mix result;
    result.clients = clients;
    result.threadsPerClient = threads;
    result.mailboxesPerClient = mailboxes;
    result.thinkTime = think;
    result.rampUp = rampUp;
    return result;
}

/// (mailbox, step) of all that was played, sorted.
std::vector<std::pair<std::uint32_t, std::uint16_t>> what(const std::vector<Played>& played)
{
    std::vector<std::pair<std::uint32_t, std::uint16_t>> all;
    for (const Played& one : played)
        all.emplace_back(one.action.mailbox, one.action.step);
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace

TEST_CASE("in closed pacing a thread does all steps for a mailbox, rests, and goes on to its next one")
{
    const auto load = workload(plan::Pacing::closed, 2);
    const auto schedule = makeClosedSchedule(load, mix(2, 3, 9, Sec(22), Sec(60)), 1, {}, kBegin);
    const auto played = playUntil(*schedule, kBegin + Sec(600), [](const Action&) {
        return Answer { milliseconds(300), true };
    });
    std::map<std::uint32_t, std::vector<Played>> byActor;
    for (const Played& one : played)
        byActor[one.action.actor].push_back(one);
    REQUIRE(byActor.size() == 6);
    std::set<std::uint32_t> mailboxes;
    for (const auto& [actor, actions] : byActor) {
        CHECK(actions.front().began >= kBegin);
        CHECK(actions.front().began < kBegin + Sec(22));
        const std::uint32_t first = actions.front().action.mailbox;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const Played& one = actions[i];
            mailboxes.insert(one.action.mailbox);
            CHECK(one.action.step == i % 2);
            CHECK(one.action.mailbox == first + i / 2 % 3);
            CHECK(one.began == one.action.intended);
            if (i > 0)
                CHECK(
                    one.began - actions[i - 1].ended == (i % 2 == 1 ? Nanoseconds(0) : Nanoseconds(Sec(22))));
        }
    }
    CHECK(mailboxes.size() == 18);
}

TEST_CASE("threads set in evenly over the think time, or over the ramp-up where that is shorter")
{
    const auto load = workload(plan::Pacing::closed, 1);
    for (const auto& [think, rampUp] : { std::pair { Sec(10), Sec(60) }, std::pair { Sec(60), Sec(10) } }) {
        std::vector<MonoTime> starts;
        const auto schedule = makeClosedSchedule(load, mix(1, 20, 20, think, rampUp), 9, {}, kBegin);
        for (MonoTime now = kBegin; starts.size() < 20;) {
            const Decision decision = schedule->next(now);
            if (decision.kind == Decision::Kind::act)
                starts.push_back(decision.action.intended);
            else
                now = decision.until;
        }
        for (std::size_t i = 0; i < starts.size(); ++i)
            CHECK(starts[i] == kBegin + milliseconds(500) * static_cast<std::int64_t>(i));
        CHECK(schedule->next(kBegin + Sec(99)).kind == Decision::Kind::idle); // all are busy
    }
}

TEST_CASE("a failure is retried as the plan says, and never answered with haste")
{
    auto load = workload(plan::Pacing::closed, 2);
    load.retry = { 2, Sec(3) };
    const auto schedule = makeClosedSchedule(load, mix(1, 1, 2, Sec(10), {}), 1, {}, kBegin);
    const auto played = playUntil(*schedule, kBegin + Sec(60), [](const Action& action) {
        return Answer { Sec(1), action.step == 1 };
    });
    REQUIRE(played.size() > 8);
    for (std::size_t i = 0; i < 8; ++i) {
        const Action& action = played[i].action;
        CHECK(action.step == (i % 4 == 3 ? 1 : 0));
        CHECK(action.attempt == (i % 4 == 3 ? 0 : i % 4));
        CHECK(action.mailbox == i / 4);
    }
    CHECK(played[1].began - played[0].ended >= Sec(3));
    CHECK(played[2].action.intended
        == played[0].action.intended); // response time counts from the first attempt
    CHECK(played[3].action.intended > played[2].action.intended);
    CHECK(played[3].began - played[2].ended >= milliseconds(100));
    auto hasty = workload(plan::Pacing::closed, 1);
    const auto refused = makeClosedSchedule(hasty, mix(1, 1, 1, {}, {}), 1, {}, kBegin);
    CHECK(playUntil(*refused, kBegin + Sec(10),
              [](const Action&) {
                  return Answer { {}, false };
              })
              .size()
        <= 101);
}

TEST_CASE("one worker or three: the same users act at the same times")
{
    auto closed = workload(plan::Pacing::closed, 2);
    auto open = workload(plan::Pacing::open, 2);
    open.iterationsPerSecond = 0.1;
    auto poisson = open;
    poisson.arrivals = plan::Arrivals::poisson;
    const plan::Mix users = mix(3, 4, 10, Sec(5), Sec(5));
    for (const plan::Workload& load : { closed, open, poisson }) {
        std::vector<std::pair<std::int64_t, std::uint32_t>> single, three;
        const auto playShare = [&](Share share, auto& into) {
            const auto schedule = load.pacing == plan::Pacing::closed
                ? makeClosedSchedule(load, users, 4, share, kBegin)
                : makeOpenSchedule(load, users, 4, share, kBegin);
            for (const Played& one : playUntil(*schedule, kBegin + Sec(100), [](const Action& action) {
                     return Answer { milliseconds(100 + action.mailbox), true };
                 }))
                into.emplace_back(
                    (one.action.intended - kBegin).count(), one.action.mailbox * 10 + one.action.step);
        };
        playShare({ 0, 1 }, single);
        for (unsigned worker = 0; worker < 3; ++worker)
            playShare({ worker, 3 }, three);
        std::sort(single.begin(), single.end());
        std::sort(three.begin(), three.end());
        CHECK(single.size() > 100);
        CHECK(single == three);
    }
}

TEST_CASE("more threads than mailboxes share them")
{
    const auto load = workload(plan::Pacing::closed, 1);
    const auto schedule = makeClosedSchedule(load, mix(2, 5, 2, Sec(1), {}), 1, {}, kBegin);
    const auto played = playUntil(*schedule, kBegin + Sec(3), [](const Action&) { return Answer {}; });
    std::map<std::uint32_t, unsigned> count;
    for (const Played& one : played)
        ++count[one.action.mailbox];
    CHECK(count.size() == 4);
    CHECK(count.rbegin()->first == 3);
}

TEST_CASE("in open pacing every user acts exactly at the rate, however slow the server is")
{
    auto load = workload(plan::Pacing::open, 2);
    load.iterationsPerSecond = 1.0 / 60;
    const plan::Mix users = mix(10, 1, 10, {}, Sec(0));
    std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> intended;
    for (const Nanoseconds length :
        { Nanoseconds(milliseconds(1)), Nanoseconds(Sec(30)), Nanoseconds(Sec(59)) }) {
        const auto schedule = makeOpenSchedule(load, users, 1, {}, kBegin);
        Random random(2);
        const auto played =
            playUntil(*schedule, kBegin + std::chrono::hours(1) + Sec(60), [&](const Action&) {
                return Answer { Nanoseconds(static_cast<std::int64_t>(
                                    random.below(static_cast<std::uint64_t>(length.count())))),
                    true };
            });
        std::vector<std::pair<std::uint32_t, std::int64_t>> times;
        for (const Played& one : played) {
            CHECK(one.began == one.action.intended);
            if (one.action.intended < kBegin + std::chrono::hours(1))
                times.emplace_back(
                    one.action.mailbox * 2 + one.action.step, (one.action.intended - kBegin).count());
        }
        std::sort(times.begin(), times.end());
        CHECK(times.size() == 100 * 2 * 60);
        intended.push_back(std::move(times));
    }
    CHECK(intended[0] == intended[1]);
    CHECK(intended[0] == intended[2]);
}

TEST_CASE("what a slow action delays keeps the time at which it was meant to begin")
{
    auto load = workload(plan::Pacing::open, 1);
    load.iterationsPerSecond = 1;
    const auto schedule = makeOpenSchedule(load, mix(1, 1, 1, {}, {}), 1, {}, kBegin);
    int number = 0;
    const auto played = playUntil(*schedule, kBegin + Sec(30), [&](const Action&) {
        return Answer { number++ == 3 ? Nanoseconds(milliseconds(5500)) : Nanoseconds(milliseconds(10)),
            true };
    });
    REQUIRE(played.size() >= 20);
    for (std::size_t i = 1; i < played.size(); ++i)
        CHECK(played[i].action.intended - played[i - 1].action.intended
            == Sec(1)); // the frozen second loses nothing
    CHECK(played[4].began == played[3].ended);
    CHECK(played[4].ended - played[4].action.intended == milliseconds(4510));
    CHECK(played[4].action.ready == played[3].ended); // the generator itself was not late
    CHECK(played[15].began == played[15].action.intended); // caught up
}

TEST_CASE("a retried action of open pacing still counts from its first intention")
{
    auto load = workload(plan::Pacing::open, 1);
    load.iterationsPerSecond = 0.1;
    load.retry = { 1, Sec(2) };
    const auto schedule = makeOpenSchedule(load, mix(1, 1, 1, {}, {}), 1, {}, kBegin);
    const auto played = playUntil(*schedule, kBegin + Sec(60), [](const Action&) {
        return Answer { milliseconds(10), false };
    });
    REQUIRE(played.size() > 6);
    for (std::size_t i = 0; i + 1 < played.size(); i += 2) {
        CHECK(played[i].action.attempt == 0);
        CHECK(played[i + 1].action.attempt == 1);
        CHECK(played[i + 1].action.intended == played[i].action.intended);
        CHECK(played[i + 1].action.ready == played[i].ended + Sec(2));
        if (i > 0)
            CHECK(played[i].action.intended == played[i - 2].action.intended + Sec(10));
    }
}

TEST_CASE("what an attempt leaves is there for the next one, and is gone with the last one")
{
    auto closed = workload(plan::Pacing::closed, 1);
    auto open = workload(plan::Pacing::open, 1);
    open.iterationsPerSecond = 0.1;
    for (plan::Workload* load : { &closed, &open }) {
        load->retry = { 1, Sec(2) };
        const auto schedule = makeSchedule(*load, mix(1, 1, 1, {}, {}), 1, {}, kBegin);
        const auto handedOut = [&](MonoTime& now) {
            Decision decision = schedule->next(now);
            while (decision.kind == Decision::Kind::wait) {
                now = decision.until;
                decision = schedule->next(now);
            }
            REQUIRE(decision.kind == Decision::Kind::act);
            return std::move(decision.action);
        };
        MonoTime now = kBegin;
        Appointment action = handedOut(now);
        action.place = 7;
        action.script()->left().unsent = UnsentMessage { 3, { 4, 5 } };
        REQUIRE(schedule->completed(action, false, now));
        action = handedOut(now);
        CHECK(action.attempt() == 1);
        CHECK(action.place == 7);
        REQUIRE(action.script()->retry->unsent);
        CHECK(action.script()->retry->unsent->number == 3);
        CHECK(action.script()->retry->unsent->mailboxes == std::vector<std::uint32_t> { 4, 5 });
        CHECK_FALSE(schedule->completed(action, false, now)); // that was the last attempt
        action = handedOut(now);
        CHECK(action.attempt() == 0);
        CHECK(action.script()->retry == nullptr);
    }
}

TEST_CASE("Poisson arrivals have the plan's mean and an exponential's spread")
{
    auto load = workload(plan::Pacing::open, 1);
    load.iterationsPerSecond = 1;
    load.arrivals = plan::Arrivals::poisson;
    const auto schedule = makeOpenSchedule(load, mix(1, 1, 20, {}, {}), 1, {}, kBegin);
    const auto played = playUntil(*schedule, kBegin + Sec(1000), [](const Action&) { return Answer {}; });
    CHECK(played.size() == Approx(20'000).margin(600)); // four standard deviations
    std::map<std::uint32_t, MonoTime> last;
    double sum = 0, squares = 0, n = 0;
    for (const Played& one : played) {
        if (const auto before = last.find(one.action.mailbox); before != last.end()) {
            const double gap = loadstone::seconds(one.action.intended - before->second);
            sum += gap;
            squares += gap * gap;
            ++n;
        }
        last[one.action.mailbox] = one.action.intended;
    }
    CHECK(sum / n == Approx(1).epsilon(0.04));
    CHECK(squares / n - (sum / n) * (sum / n) == Approx(1).epsilon(0.1));
}

TEST_CASE("users of open pacing set in over the ramp-up")
{
    auto load = workload(plan::Pacing::open, 1);
    load.iterationsPerSecond = 10;
    const auto schedule = makeOpenSchedule(load, mix(1, 1, 1000, {}, Sec(100)), 1, {}, kBegin);
    const auto played = playUntil(*schedule, kBegin + Sec(101), [](const Action&) { return Answer {}; });
    std::map<std::uint32_t, MonoTime> first;
    for (const Played& one : played)
        first.try_emplace(one.action.mailbox, one.action.intended);
    REQUIRE(first.size() == 1000);
    for (const auto& [mailbox, when] : first) {
        CHECK(when >= kBegin + milliseconds(100) * mailbox);
        CHECK(when < kBegin + milliseconds(100) * mailbox + milliseconds(100));
    }
}

TEST_CASE("a ramp-up of a day over a million mailboxes is spread like any other")
{
    auto load = workload(plan::Pacing::open, 1);
    load.iterationsPerSecond = 1000;
    const Nanoseconds day = std::chrono::hours(24);
    for (const unsigned part : { 0U, 1U, 9U }) { // of ten workers
        const auto schedule = makeOpenSchedule(load, mix(1000, 1, 1000, {}, day), 1, { part, 10 }, kBegin);
        const Decision first = schedule->next(kBegin);
        const MonoTime begins = first.kind == Decision::Kind::wait ? first.until : first.action.intended;
        CHECK(begins >= kBegin);
        CHECK(begins <= kBegin + Sec(1)); // nobody sets in before, and the first ones at once
    }
    CHECK(pieceOf(day, 999'999, 1'000'000) == day - Nanoseconds(86'400'000));
    CHECK(pieceOf(std::chrono::hours(24 * 30), 99'999'999, 100'000'000) < std::chrono::hours(24 * 30));
}

TEST_CASE("a drain visits every mailbox once, so many at a time")
{
    const auto schedule = makeDrainSchedule({ 5, 3, 9, 1, 7 }, 2, 4, plan::ActionKind::readMailbox);
    const auto played = playUntil(*schedule, kBegin + Sec(100), [](const Action& action) {
        return Answer { Sec(1), action.mailbox != 3 };
    });
    CHECK(what(played)
        == std::vector<std::pair<std::uint32_t, std::uint16_t>> {
            { 1, 4 }, { 3, 4 }, { 5, 4 }, { 7, 4 }, { 9, 4 } });
    CHECK(played.front().action.mailbox == 5);
    CHECK(played.back().ended == kBegin + Sec(3));
    CHECK(makeDrainSchedule({}, 2, 0, plan::ActionKind::readMailbox)->next(kBegin).kind
        == Decision::Kind::idle);
}

namespace {

using Told = std::multiset<std::pair<plan::ActionKind, MonoTime>>;

/// What the schedule hands out at `now` once its caller has come, each done at once, as far as it was meant for then.
Told caughtUp(Schedule& schedule, MonoTime now)
{
    Told all;
    for (Decision next = schedule.next(now); next.kind == Decision::Kind::act; next = schedule.next(now)) {
        all.insert({ next.action.kind, next.action.intended });
        schedule.completed(next.action, true, now);
    }
    return all;
}

} // namespace

TEST_CASE("what an open actor has behind an action that hangs is told as it will be handed out", "[schedule]")
{
    for (const plan::Arrivals arrivals : { plan::Arrivals::even, plan::Arrivals::poisson }) {
        plan::Workload load = workload(plan::Pacing::open, 1);
        load.arrivals = arrivals;
        load.iterationsPerSecond = 1;
        plan::Mix mix;
        mix.mailboxesPerClient = 1;
        const auto schedule = makeOpenSchedule(load, mix, 7, {}, kBegin);
        MonoTime now = schedule->next(kBegin).until;
        Decision hangs = schedule->next(now);
        REQUIRE(hangs.kind == Decision::Kind::act);
        now = hangs.action.intended + Sec(10);
        Told told;
        const auto tell = [&](plan::ActionKind kind, MonoTime intended) { told.insert({ kind, intended }); };
        schedule->tellDue(now, now, tell);
        CHECK(told.empty()); // it is under way
        schedule->tellBehind(hangs.action.actor, now, tell);
        CHECK(told.size() >= 4);
        if (arrivals == plan::Arrivals::even)
            CHECK(told.size() == 10);
        schedule->completed(hangs.action, true, now);
        Told late;
        schedule->tellDue(now, now, [&](plan::ActionKind kind, MonoTime intended) {
            late.insert({ kind, intended });
        });
        CHECK(late == told);
        CHECK(caughtUp(*schedule, now) == told);
    }
}

TEST_CASE("what nobody began because the caller did not come in time is told, and nothing that is not due",
    "[schedule]")
{
    plan::Workload load = workload(plan::Pacing::open, 2);
    load.iterationsPerSecond = 2;
    plan::Mix mix;
    mix.mailboxesPerClient = 50;
    const auto schedule = makeOpenSchedule(load, mix, 7, {}, kBegin);
    const MonoTime now = kBegin + Sec(3);
    Told told;
    schedule->tellDue(now, now, [&](plan::ActionKind kind, MonoTime intended) {
        told.insert({ kind, intended });
    });
    CHECK(told.size() == 600); // 50 mailboxes, two steps, 3 s at 2/s
    CHECK(caughtUp(*schedule, now) == told);
    told.clear();
    schedule->tellDue(now, now, [&](plan::ActionKind kind, MonoTime intended) {
        told.insert({ kind, intended });
    });
    CHECK(told.empty());
}
