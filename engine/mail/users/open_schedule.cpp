// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/users/due_queue.h"
#include "mail/users/retries.h"
#include "mail/users/schedule.h"

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

namespace {

class OpenSchedule final : public Schedule {
public:
    OpenSchedule(
        const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
        : m_kinds(workload.stepKinds())
        , m_share(share)
        , m_seed(seed)
        , m_pause(workload.retry.pause)
        , m_poisson(workload.arrivals == plan::Arrivals::poisson)
        , m_retries(workload.retry.attempts)
    {
        // Of a mix with several scripts each has its share of a mailbox's iterations, at times of its own.
        const std::vector<plan::MixScript> scripts = plan::scriptsOf(workload, mix);
        double shares = 0;
        for (const plan::MixScript& script : scripts)
            shares += script.share;
        for (const plan::MixScript& script : scripts)
            for (std::uint32_t i = 0; i < script.count; ++i)
                m_slots.push_back({ static_cast<std::uint16_t>(script.first + i),
                    1e9 / workload.iterationsPerSecond * shares / script.share });
        m_steps = static_cast<std::uint32_t>(m_slots.size());
        const std::uint64_t mailboxes = mix.mailboxes();
        std::vector<Due> dues;
        for (std::uint64_t mailbox = share.worker; mailbox < mailboxes; mailbox += share.workers) {
            const Nanoseconds setIn = pieceOf(mix.rampUp, mailbox, mailboxes);
            for (std::uint32_t step = 0; step < m_steps; ++step) {
                const auto actor = static_cast<std::uint32_t>(m_actors.size());
                const MonoTime first = begin + setIn + gap(actor, 0);
                m_actors.push_back({ first, 0 });
                dues.push_back({ first, actor });
            }
        }
        m_queue = DueQueue({}, std::move(dues));
    }

    Decision next(MonoTime now) override
    {
        Decision decision;
        const bool again = m_retries.comeBefore(m_queue);
        if (!again && m_queue.empty())
            return decision;
        const Due due = again ? m_retries.front() : m_queue.top();
        if (due.when > now) {
            decision.kind = Decision::Kind::wait;
            decision.until = due.when;
            return decision;
        }
        decision.kind = Decision::Kind::act;
        if (again) {
            decision.action = m_retries.pop();
            return decision;
        }
        m_queue.pop();
        const std::uint16_t step = m_slots[due.actor % m_steps].step;
        decision.action = { .actor = due.actor,
            .mailbox = mailboxOf(due.actor),
            .kind = m_kinds[step],
            .intended = m_actors[due.actor].intended,
            .ready = due.when,
            .of = ScriptAction { .step = step } };
        return decision;
    }

    bool completed(Appointment& appointment, bool settled, MonoTime now) override
    {
        if (!settled && m_retries.take(appointment, now + m_pause))
            return true;
        Actor& actor = m_actors[appointment.actor];
        ++actor.done;
        actor.intended += gapBefore(appointment.actor, actor.done);
        m_queue.push({ std::max(actor.intended, now), appointment.actor });
        return false;
    }

    void tellDue(MonoTime until, MonoTime now, const Tell& tell) const override
    {
        m_queue.eachUntil(
            now, [&](const Due& due) { // what is late stands there under the time when that was known
                const MonoTime intended = m_actors[due.actor].intended;
                if (intended <= until)
                    tell(kindOf(due.actor), intended);
                tellBehind(due.actor, until, tell);
            });
    }

    void tellBehind(std::uint32_t number, MonoTime until, const Tell& tell) const override
    {
        const Actor& actor = m_actors[number];
        MonoTime next = actor.intended;
        for (std::uint32_t done = actor.done + 1; (next += gapBefore(number, done)) <= until; ++done)
            tell(kindOf(number), next);
    }

private:
    struct Actor {
        MonoTime intended; // of its next action
        std::uint32_t done;
    };
    static_assert(sizeof(Actor) + sizeof(Due) <= 32, "a million of them are played on one machine");

    /// A step that each mailbox carries out, and its mean interval, ns.
    struct Slot {
        std::uint16_t step;
        double interval;
    };
    [[nodiscard]] plan::ActionKind kindOf(std::uint32_t actor) const
    {
        return m_kinds[m_slots[actor % m_steps].step];
    }
    [[nodiscard]] std::uint32_t mailboxOf(std::uint32_t actor) const
    {
        return actor / m_steps * m_share.workers + m_share.worker;
    }
    /// The n-th interval of an actor; with even arrivals only the first is drawn, as the phase.
    [[nodiscard]] Nanoseconds gap(std::uint32_t actor, std::uint32_t n) const
    {
        Random random(hashOf({ m_seed, 0x676170, mailboxOf(actor), actor % m_steps, n }));
        const double interval = m_slots[actor % m_steps].interval;
        return Nanoseconds(
            std::llround(m_poisson ? random.exponential(interval) : random.uniform() * interval));
    }

    [[nodiscard]] Nanoseconds gapBefore(std::uint32_t actor, std::uint32_t n) const
    {
        return m_poisson ? gap(actor, n) : Nanoseconds(std::llround(m_slots[actor % m_steps].interval));
    }

    std::vector<plan::ActionKind> m_kinds; // by step
    std::vector<Slot> m_slots; // of a mailbox
    std::uint32_t m_steps = 0; // how many these are
    Share m_share;
    std::uint64_t m_seed;
    Nanoseconds m_pause; // before another attempt
    bool m_poisson;
    std::vector<Actor> m_actors;
    DueQueue m_queue; // of actors that nothing is under way of
    Retries m_retries;
};

} // namespace

std::unique_ptr<Schedule> makeOpenSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
{
    return std::make_unique<OpenSchedule>(workload, mix, seed, share, begin);
}

} // namespace loadstone::mail
