// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Named workloads of a mix, and pauses that vary.
#include "mail/run/agenda.h"
#include "mail/users/pauses.h"
#include "mail/users/schedule.h"
#include "support/catch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using namespace std::chrono_literals;
using plan::ActionKind;
using Kind = plan::PauseShape::Kind;

namespace {

const MonoTime kBegin { 5h };

plan::Pause pause(Nanoseconds mean, Kind kind, Nanoseconds least = {}, Nanoseconds most = {})
{
    return { mean, { kind, least, most } };
}

/// Readers over POP3, listers over POP3, and senders, of two steps.
plan::Workload threeScripts()
{
    plan::Workload load;
    load.steps.resize(4);
    load.steps[0].kind = ActionKind::emptyMailbox;
    load.steps[1].kind = ActionKind::listMailbox;
    load.steps[2].kind = load.steps[3].kind = ActionKind::sendMessage;
    return load;
}

plan::MixScript script(
    std::uint16_t first, std::uint16_t count, std::uint32_t threads, bool pop3, plan::Pause think)
{
    plan::MixScript made;
    made.first = first;
    made.count = count;
    made.threads = threads;
    made.share = threads;
    made.pop3 = pop3;
    made.think = think;
    return made;
}

plan::Mix mixOf(std::vector<plan::MixScript> scripts)
{
    plan::Mix mix;
    mix.clients = 2;
    mix.mailboxesPerClient = 12;
    mix.threadsPerClient = 0;
    for (const plan::MixScript& one : scripts)
        mix.threadsPerClient += one.threads;
    mix.scripts = std::move(scripts);
    return mix;
}

struct Played {
    std::uint32_t mailbox = 0;
    std::uint16_t step = 0;
    MonoTime at {};
    std::uint32_t draw = 0;
    auto operator<=>(const Played&) const = default;
};

/// What all workers play until then, each action taking 10 ms; in the order of time.
std::vector<Played> play(const plan::Workload& load, const plan::Mix& mix, unsigned workers,
    Nanoseconds length, std::uint64_t seed = 1)
{
    std::vector<Played> all;
    for (unsigned worker = 0; worker < workers; ++worker) {
        const auto schedule = makeSchedule(load, mix, seed, { worker, workers }, kBegin);
        std::multimap<MonoTime, Appointment> running;
        for (MonoTime now = kBegin; now <= kBegin + length;) {
            MonoTime wake = MonoTime::max();
            for (Decision next = schedule->next(now); next.kind != Decision::Kind::idle;
                 next = schedule->next(now)) {
                if (next.kind == Decision::Kind::wait) {
                    wake = next.until;
                    break;
                }
                all.push_back({ next.action.mailbox, next.action.step(), now, next.action.script()->draw });
                running.emplace(now + 10ms, std::move(next.action));
            }
            if (!running.empty())
                wake = std::min(wake, running.begin()->first);
            now = wake;
            for (; !running.empty() && running.begin()->first <= now; running.erase(running.begin()))
                schedule->completed(running.begin()->second, true, now);
        }
    }
    std::ranges::sort(all, {}, [](const Played& one) { return std::tuple(one.at, one.mailbox, one.step); });
    return all;
}

double meanOf(const Pauses& pauses, unsigned count, Nanoseconds& least, Nanoseconds& most)
{
    Random random(42);
    double sum = 0;
    least = Nanoseconds::max();
    most = {};
    for (unsigned i = 0; i < count; ++i) {
        const Nanoseconds drawn = pauses.draw(random);
        sum += seconds(drawn);
        least = std::min(least, drawn);
        most = std::max(most, drawn);
    }
    return sum / count;
}

} // namespace

TEST_CASE("pauses have the mean that the plan states, whatever their distribution and bounds")
{
    Nanoseconds least {}, most {};
    constexpr unsigned kMany = 200'000;
    const auto check = [&](const plan::Pause& of, double deviation) {
        const double mean = meanOf(Pauses(of), kMany, least, most);
        CAPTURE(seconds(of.mean), mean);
        CHECK(std::abs(mean - seconds(of.mean)) < 4 * deviation / std::sqrt(kMany));
    };
    check(pause(21600ms, Kind::constant), 0.001);
    CHECK(least == most);
    check(pause(10s, Kind::uniform, 4s, 16s), 6 / std::sqrt(3.0));
    CHECK(least >= 4s);
    CHECK(most <= 16s);
    CHECK(most > 15900ms);
    check(pause(10s, Kind::exponential), 10);
    CHECK(most > 100s);
    check(pause(10s, Kind::exponential, 4s), 6);
    CHECK(least >= 4s);
    check(pause(10s, Kind::exponential, 1s, 60s), 10);
    CHECK(least >= 1s);
    CHECK(most <= 60s);
    CHECK(most > 55s);
    check(pause(10s, Kind::exponential, 4s, 16001ms), 6); // nearly uniform
    CHECK(most <= 16001ms);
    check(pause(1ms, Kind::exponential, 0s, 720h), 0.001);
}

TEST_CASE("threads that open mailboxes divide them, and those of any other workload go through all of them")
{
    const plan::Workload load = threeScripts();
    const plan::Mix mix = mixOf({ script(0, 1, 3, true, { 1s, {} }), script(1, 1, 1, true, { 1s, {} }),
        script(2, 2, 2, false, { 1s, {} }) });
    const auto played = play(load, mix, 1, 60s);
    std::map<std::uint16_t, std::set<std::uint32_t>> mailboxes; // by step
    for (const Played& one : played)
        mailboxes[one.step].insert(one.mailbox);
    REQUIRE(mailboxes.size() == 4);
    CHECK(mailboxes[0].size() == 2 * 9);
    CHECK(mailboxes[1].size() == 2 * 3);
    for (const std::uint32_t mailbox : mailboxes[1])
        CHECK_FALSE(mailboxes[0].contains(mailbox)); // POP3 gives it to one session at a time
    CHECK(mailboxes[2].size() == 24);
    CHECK(mailboxes[3].size() == 24);
    CHECK(*mailboxes[0].rbegin() < 24);
}

TEST_CASE("each workload has its own think time, and pauses lie between the steps of an iteration")
{
    const plan::Workload load = threeScripts();
    plan::Mix mix = mixOf({ script(0, 1, 1, true, { 2s, {} }), script(2, 2, 1, false, { 5s, {} }) });
    mix.clients = 1;
    mix.scripts[1].request = { 3s, {} };
    std::vector<Played> sends, visits;
    for (const Played& one : play(load, mix, 1, 120s))
        (one.step == 0 ? visits : sends).push_back(one);
    REQUIRE(visits.size() > 20);
    REQUIRE(sends.size() > 20);
    for (std::size_t i = 1; i < visits.size(); ++i)
        CHECK(visits[i].at - visits[i - 1].at == 2s + 10ms);
    for (std::size_t i = 1; i < sends.size(); ++i)
        CHECK(sends[i].at - sends[i - 1].at == (sends[i].step == 3 ? 3s : 5s) + 10ms);
}

TEST_CASE("pauses that vary are those of the seed, for any number of workers")
{
    const plan::Workload load = threeScripts();
    plan::Mix mix = mixOf({ script(0, 1, 3, true, pause(2s, Kind::exponential)),
        script(2, 2, 4, false, pause(2s, Kind::uniform, 1s, 3s)) });
    mix.scripts[1].request = pause(1s, Kind::exponential, 500ms, 10s);
    const auto one = play(load, mix, 1, 300s);
    REQUIRE(one.size() > 500);
    CHECK(one == play(load, mix, 3, 300s));
    CHECK(one != play(load, mix, 1, 300s, 2));
    std::set<std::uint32_t> draws;
    for (const Played& action : one)
        draws.insert(action.draw);
    CHECK(draws.size() == one.size()); // sessions draw their own pauses
    // 14 threads: of readers 6 with a round of 2.01 s, of senders 8 with one of 3.02 s and two steps.
    CHECK(static_cast<double>(one.size()) == Approx(300 * (6 / 2.01 + 2 * 8 / 3.02)).epsilon(0.1));
}

TEST_CASE("with open pacing each workload has its share of every mailbox's iterations")
{
    plan::Workload load = threeScripts();
    load.pacing = plan::Pacing::open;
    load.iterationsPerSecond = 0.1;
    plan::Mix mix = mixOf({ script(0, 1, 3, true, {}), script(2, 2, 1, false, {}) });
    std::map<std::uint16_t, std::map<std::uint32_t, unsigned>> counts; // by step and mailbox
    for (const Played& one : play(load, mix, 1, 4000s))
        ++counts[one.step][one.mailbox];
    for (const auto& [step, share] : { std::pair(0, 0.75), std::pair(2, 0.25), std::pair(3, 0.25) }) {
        auto& of = counts[static_cast<std::uint16_t>(step)];
        CHECK(of.size() == 24);
        for (const auto& [mailbox, count] : of)
            CHECK(std::abs(count - 400 * share) <= 2);
    }
    CHECK(counts.size() == 3);
}

TEST_CASE("what a session pauses by its plan is no part of its times, nor of its age")
{
    plan::MailPlan plan;
    plan.workload.steps.resize(1);
    plan.workload.steps[0].kind = ActionKind::imapSession;
    plan::Mix mix;
    mix.thinkTime = 1h;
    plan.mixes.push_back(mix);
    const MailSeries series(plan, RunPurpose::run, 1);
    metrics::Recorder recorder(series.list());
    Agenda agenda(series, recorder);
    const MonoTime begin = monoNow() - 100s;
    agenda.exchange(makeClosedSchedule(plan.workload, mix, 1, {}, begin), true);
    Decision decision = agenda.next(monoNow(), [](const Appointment&) { return false; });
    REQUIRE(decision.kind == Decision::Kind::act);
    const auto tick = [&](MonoTime until) {
        metrics::Slab slab = metrics::Slab::of(series.list());
        std::array<std::uint64_t, plan::kActionKinds> waiting {};
        agenda.collect(slab, until, waiting);
        return slab;
    };
    agenda.postpone(decision.action.place, 30s);
    const auto age = series.age(ActionKind::imapSession);
    CHECK(seconds(tick(begin + 90s)[age].maximum()) == Approx(60).epsilon(0.01));
    CHECK(tick(begin + 10s)[age].maximum() == 0s); // in the middle of the pause
    ActionOutcome outcome;
    outcome.sent = begin;
    outcome.done = begin + 95s;
    outcome.paused = 30s;
    agenda.finished(decision.action, outcome, agenda.generation());
    const metrics::Slab slab = tick(begin + 96s);
    const MailSeries::Times& times = series.times(ActionKind::imapSession);
    CHECK(seconds(slab[times.response].maximum()) == Approx(65).epsilon(0.01));
    CHECK(seconds(slab[times.service].maximum()) == Approx(65).epsilon(0.01));
    CHECK(slab[age].count() == 0);
}
