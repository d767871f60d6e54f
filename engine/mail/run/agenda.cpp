// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/run/agenda.h"

#include <algorithm>

namespace loadstone::mail {

namespace {

constexpr int kAbandonedBits = 20;

plan::ActionKind kindOf(const metrics::Underway::Entry& entry)
{
    return plan::kAllActions[entry.kind];
}

} // namespace

void Agenda::abandonDue()
{
    const Schedule::Tell abandon = [&](plan::ActionKind kind, MonoTime intended) {
        const std::int64_t from = intended.time_since_epoch().count() + (1 << kAbandonedBits) - 1;
        ++m_abandoned[{ kind, from >> kAbandonedBits }];
    };
    const MonoTime now = monoNow();
    m_schedule->tellDue(now, now, abandon);
    for (const metrics::Underway::Entry& entry : m_underway.entries())
        if (entry.kind != metrics::Underway::kNothing && entry.generation == m_generation)
            m_schedule->tellBehind(entry.actor, now, abandon);
}

std::unique_ptr<Schedule> Agenda::exchange(std::unique_ptr<Schedule> schedule, bool newMix)
{
    const std::lock_guard inside(m_gate);
    if (m_schedule)
        abandonDue();
    ++m_generation;
    if (newMix) {
        m_underway.endWaiting(); // nobody will try it again
        m_recorder.write([&](metrics::Slab& slab) {
            for (const auto& [what, count] : m_abandoned)
                slab[m_series.counts(what.first).givenUp] += count;
        });
        m_abandoned.clear();
        m_firstGeneration = m_generation;
    }
    m_schedule.swap(schedule);
    return schedule;
}

void Agenda::postpone(std::uint32_t place, Nanoseconds length)
{
    const std::lock_guard inside(m_gate);
    m_underway.postpone(place, length);
}

void Agenda::begin(Appointment& appointment)
{
    if (appointment.attempt() > 0) { // it has its place from the first one
        m_underway.goOn(appointment.place);
        return;
    }
    appointment.place = m_underway.begin({ .intended = appointment.intended,
        .actor = appointment.actor,
        .generation = m_generation,
        .kind = static_cast<std::uint32_t>(plan::indexOf(appointment.kind)) });
    m_recorder.count(m_series.counts(appointment.kind).begun);
}

void Agenda::finished(Appointment& appointment, const ActionOutcome& outcome, std::uint32_t generation)
{
    // What another attempt keeps is moved from.
    const std::uint32_t place = appointment.place;
    const plan::ActionKind kind = appointment.kind;
    const MonoTime intended = appointment.intended;
    const Nanoseconds pausedBefore = appointment.paused();
    if (outcome.failure && outcome.paused > Nanoseconds(0) && appointment.script() != nullptr)
        appointment.script()->left().paused += outcome.paused;
    const bool settled = (!outcome.failure && !outcome.dropped) || outcome.settled;
    const std::lock_guard inside(m_gate);
    const bool current = m_schedule && generation == m_generation;
    bool again = false;
    if (current) {
        for (const Renumbered& folder : outcome.renumbered)
            m_schedule->renumbered(appointment, folder);
        if (!outcome.found.empty())
            m_schedule->found(appointment, outcome.found);
        again = m_schedule->completed(appointment, settled, outcome.done);
    }
    if (again)
        m_underway.wait(place);
    else if (outcome.failure.kind
        != protocol::FailureKind::stopped) { // else it has not ended: it was left alone
        m_underway.end(place);
        if (!outcome.dropped)
            account(kind, intended, pausedBefore, outcome);
        if (!settled && plan::isOf(kind, plan::ActionSet::preparation))
            m_recorder.count(m_series.preparation(Quantity::mailboxesGivenUp));
    }
}

void Agenda::account(
    plan::ActionKind kind, MonoTime intended, Nanoseconds pausedBefore, const ActionOutcome& outcome)
{
    m_recorder.write([&](metrics::Slab& slab) {
        ++slab[m_series.total().ended];
        if (!outcome.failure) { // how long a failure took says nothing about service
            const MailSeries::Times& times = m_series.times(kind);
            const Nanoseconds service = outcome.done - outcome.sent - outcome.paused;
            slab[times.response].record(outcome.done - intended - outcome.paused - pausedBefore);
            slab[times.service].record(service);
            return;
        }
        ++slab[m_series.total().failed];
        ++slab[m_series.counts(kind).failed];
    });
}

void Agenda::collect(metrics::Slab& slab, MonoTime until, std::span<std::uint64_t> waiting)
{
    const auto add = [&](plan::ActionKind kind, MonoTime intended, std::uint64_t times = 1) {
        slab[m_series.age(kind)].record(std::max(until - intended, Nanoseconds(0)), times);
    };
    const Schedule::Tell tell = [&](plan::ActionKind kind, MonoTime intended) {
        add(kind, intended);
        ++waiting[plan::indexOf(kind)];
    };
    metrics::Slab* full = nullptr;
    {
        const std::lock_guard inside(m_gate);
        for (const metrics::Underway::Entry& entry : m_underway.entries()) {
            if (entry.kind == metrics::Underway::kNothing || entry.generation < m_firstGeneration)
                continue;
            add(kindOf(entry), entry.intended);
            if (m_schedule && entry.generation == m_generation)
                m_schedule->tellBehind(entry.actor, until, tell);
        }
        if (m_schedule)
            m_schedule->tellDue(until, monoNow(), tell);
        for (const auto& [what, count] : m_abandoned) {
            add(what.first, MonoTime(Nanoseconds(what.second << kAbandonedBits)), count);
            waiting[plan::indexOf(what.first)] += count;
        }
        full = &m_recorder.switchOver();
    }
    metrics::Recorder::empty(*full, slab);
}

} // namespace loadstone::mail
