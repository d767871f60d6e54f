// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/run/agenda.h"
#include "support/catch.h"

#include <array>
#include <vector>

using namespace loadstone;
using namespace loadstone::mail;
using namespace std::chrono_literals;
using plan::ActionKind;

namespace {

/// An agenda without a thread, and what each tick tells of it.
struct Desk {
    explicit Desk(const plan::MailPlan& plan, RunPurpose purpose = RunPurpose::run)
        : series(plan, purpose, 1)
        , recorder(series.list())
        , agenda(series, recorder)
    {
    }
    std::vector<Appointment> beginAll()
    {
        std::vector<Appointment> begun;
        const auto never = [](const Appointment&) { return false; };
        for (Decision next = agenda.next(monoNow(), never); next.kind == Decision::Kind::act;
             next = agenda.next(monoNow(), never))
            begun.push_back(std::move(next.action));
        return begun;
    }
    void end(Appointment& appointment, bool good)
    {
        ActionOutcome outcome;
        outcome.sent = outcome.done = monoNow();
        if (!good)
            outcome.failure.kind = protocol::FailureKind::transientReply;
        agenda.finished(appointment, outcome, agenda.generation());
    }
    void tick()
    {
        slab = metrics::Slab::of(series.list());
        waiting = {};
        agenda.collect(slab, monoNow(), waiting);
    }
    [[nodiscard]] std::uint64_t unfinished(ActionKind kind) const { return slab[series.age(kind)].count(); }

    MailSeries series;
    metrics::Recorder recorder;
    Agenda agenda;
    metrics::Slab slab; // of the last tick
    std::array<std::uint64_t, plan::kActionKinds> waiting {};
};

} // namespace

TEST_CASE(
    "each visit that is to be tried again stays unfinished until its last attempt, and is then given up")
{
    constexpr ActionKind kFill = ActionKind::initialiseMailbox;
    Desk desk({}, RunPurpose::initialise);
    desk.agenda.exchange(makeDrainSchedule({ 0, 1, 2 }, 3, 0, kFill, 2), true);
    std::vector<Appointment> first = desk.beginAll();
    REQUIRE(first.size() == 3);
    for (Appointment& visit : first)
        desk.end(visit, visit.mailbox == 0);
    desk.tick();
    CHECK(desk.unfinished(kFill) == 2); // both wait for their next attempt
    CHECK(desk.waiting[plan::indexOf(kFill)] == 0);
    CHECK(desk.slab[desk.series.counts(kFill).begun] == 3);
    CHECK(desk.slab[desk.series.total().ended] == 1);

    std::vector<Appointment> again = desk.beginAll();
    REQUIRE(again.size() == 2);
    desk.tick();
    CHECK(desk.unfinished(kFill) == 2);
    for (Appointment& visit : again) {
        CHECK(visit.attempt() == 1);
        desk.end(visit, false);
    }
    CHECK(desk.beginAll().empty());
    desk.tick();
    CHECK(desk.unfinished(kFill) == 0);
    CHECK(desk.slab[desk.series.counts(kFill).begun] == 0); // an action begins once
    CHECK(desk.slab[desk.series.counts(kFill).failed] == 2);
    CHECK(desk.series.preparationIn(desk.slab).failed == 2);
}

TEST_CASE("what is due, and what waits for another attempt, is unfinished until another mix begins")
{
    plan::MailPlan plan;
    plan.workload.pacing = plan::Pacing::open;
    plan.workload.steps.resize(1);
    plan.workload.iterationsPerSecond = 1.0 / 3600;
    plan.workload.retry = { 1, 1h };
    plan::Mix mix;
    mix.mailboxesPerClient = 1;
    const ActionKind kind = plan.workload.steps[0].kind;
    Desk desk(plan);
    const auto scheduleFrom = [&](MonoTime begin) {
        return makeOpenSchedule(plan.workload, mix, 7, {}, begin);
    };
    desk.agenda.exchange(scheduleFrom(monoNow() - 10h - 30min), true);
    std::vector<Appointment> begun = desk.beginAll();
    REQUIRE(begun.size() == 1);
    desk.tick();
    const std::uint64_t behind = desk.waiting[plan::indexOf(kind)];
    CHECK(behind >= 9);
    CHECK(desk.unfinished(kind) == behind + 1);

    desk.end(begun[0], false); // it is tried again in an hour
    CHECK(desk.beginAll().empty());
    const auto stillUnfinished = [&] {
        desk.tick();
        return desk.unfinished(kind) == behind + 1 && desk.waiting[plan::indexOf(kind)] == behind;
    };
    CHECK(stillUnfinished());
    desk.agenda.exchange(nullptr, false); // the quiet time
    CHECK(stillUnfinished());

    desk.agenda.exchange(scheduleFrom(monoNow() + 1h), true);
    desk.tick();
    CHECK(desk.unfinished(kind) == 0);
    CHECK(desk.waiting[plan::indexOf(kind)] == 0);
    CHECK(desk.slab[desk.series.counts(kind).givenUp] == behind);
}
