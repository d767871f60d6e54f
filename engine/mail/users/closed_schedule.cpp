// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/users/due_queue.h"
#include "mail/users/pauses.h"
#include "mail/users/retries.h"
#include "mail/users/schedule.h"

#include <algorithm>

namespace loadstone::mail {

namespace {

/// After a failure, so that a server that refuses everything is not asked as fast as the machine can.
constexpr auto kRest = std::chrono::milliseconds(100);

class ClosedSchedule final : public Schedule {
public:
    ClosedSchedule(
        const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
        : m_kinds(workload.stepKinds())
        , m_pause(workload.retry.pause)
        , m_seed(seed)
        , m_share(share)
        , m_retries(workload.retry.attempts)
    {
        std::uint32_t visiting = 0; // threads of a client that open mailboxes over POP3
        for (const plan::MixScript& script : plan::scriptsOf(workload, mix)) {
            m_scripts.emplace_back(script, std::min(plan::thinkTimeOf(workload, script), mix.rampUp));
            visiting += script.pop3 ? script.threads : 0;
        }
        for (const Script& script : m_scripts)
            m_varies = m_varies || script.think.varies() || script.request.varies();
        // All workers draw the same order of starts and take their own threads out of it.
        const auto threads = static_cast<std::uint32_t>(mix.threads());
        std::vector<std::uint32_t> order(threads);
        for (std::uint32_t i = 0; i < threads; ++i)
            order[i] = i;
        Random random(hashOf({ seed, 0x7374617274 }));
        for (std::uint32_t i = threads; i > 1; --i)
            std::swap(order[i - 1], order[random.below(i)]);
        for (std::uint32_t thread = share.worker; thread < threads; thread += share.workers) {
            const std::uint64_t client = thread / mix.threadsPerClient;
            const Place place = placeOf(thread % mix.threadsPerClient, visiting);
            const Script& script = m_scripts[place.script];
            std::uint64_t first = place.index * mix.mailboxesPerClient / place.of;
            std::uint64_t last = (place.index + 1) * mix.mailboxesPerClient / place.of;
            if (first
                == last) { // more threads than mailboxes, which only scripts without POP3 may have: they share
                first = place.index % mix.mailboxesPerClient;
                last = first + 1;
            }
            const MonoTime start = begin + pieceOf(script.spread, order[thread], threads);
            m_threads.push_back({ static_cast<std::uint32_t>(client * mix.mailboxesPerClient + first),
                static_cast<std::uint32_t>(last - first), 0, 0, place.script });
            m_queue.push({ start, static_cast<std::uint32_t>(m_threads.size() - 1) });
        }
        if (m_varies)
            m_rounds.resize(m_threads.size());
    }

    Decision next(MonoTime now) override
    {
        Decision decision;
        const bool again = m_retries.comeBefore(m_queue);
        if (!again && m_queue.empty())
            return decision; // every thread is busy (or there is none)
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
        const Thread& thread = m_threads[due.actor];
        const auto step = static_cast<std::uint16_t>(m_scripts[thread.script].first + thread.step);
        decision.action = { .actor = due.actor,
            .mailbox = thread.first + thread.position,
            .kind = m_kinds[step],
            .intended = due.when,
            .ready = due.when,
            .of = ScriptAction { .step = step, .draw = static_cast<std::uint32_t>(drawOf(due.actor)) } };
        return decision;
    }

    bool completed(Appointment& appointment, bool settled, MonoTime now) override
    {
        MonoTime when = settled ? now : now + kRest;
        if (!settled && m_retries.take(appointment, when + m_pause))
            return true;
        Thread& thread = m_threads[appointment.actor];
        const Script& script = m_scripts[thread.script];
        Random random(drawOf(appointment.actor) ^ kAfter);
        if (++thread.step == script.count) {
            thread.step = 0;
            thread.position = (thread.position + 1) % thread.count;
            when += script.think.draw(random);
            if (m_varies)
                ++m_rounds[appointment.actor];
        } else
            when += script.request.draw(random);
        m_queue.push({ when, appointment.actor });
        return false;
    }

private:
    struct Script {
        Script(const plan::MixScript& from, Nanoseconds startsOver)
            : first(from.first)
            , count(from.count)
            , threads(from.threads)
            , pop3(from.pop3)
            , spread(startsOver)
            , think(from.think)
            , request(from.request)
        {
        }
        std::uint16_t first, count; // of the workload's steps
        std::uint32_t threads; // of a client
        bool pop3;
        Nanoseconds spread; // its threads start within it
        Pauses think, request;
    };
    struct Thread {
        std::uint32_t first, count, position; // its mailboxes and where it is
        std::uint16_t step, script; // step: of the script's
    };
    static_assert(sizeof(Thread) <= 16);
    /// Which script a thread of a client plays, and which piece of the client's mailboxes is its own.
    struct Place {
        std::uint16_t script;
        std::uint64_t index, of;
    };
    static constexpr std::uint64_t kAfter = 0x6166746572; // the pause after an action, beside those within it

    /// Threads that open mailboxes over POP3 divide the mailboxes among them, whichever script they play: a mailbox is open to one
    /// session at a time. Those of any other script go through all mailboxes.
    [[nodiscard]] Place placeOf(std::uint64_t local, std::uint32_t visiting) const
    {
        std::uint64_t visitors = 0;
        for (std::size_t i = 0; i < m_scripts.size(); ++i) {
            const Script& script = m_scripts[i];
            if (local < script.threads)
                return { static_cast<std::uint16_t>(i), script.pop3 ? visitors + local : local,
                    script.pop3 ? visiting : script.threads };
            local -= script.threads;
            visitors += script.pop3 ? script.threads : 0;
        }
        return { 0, 0, 1 }; // not reached: the threads of all scripts are those of the client
    }
    /// What the present step of a thread draws from: the same for any number of workers. 0 where nothing is drawn.
    [[nodiscard]] std::uint64_t drawOf(std::uint32_t actor) const
    {
        if (!m_varies)
            return 0;
        const std::uint64_t thread = std::uint64_t { actor } * m_share.workers + m_share.worker;
        return hashOf({ m_seed, 0x7061757365, thread, m_rounds[actor], m_threads[actor].step });
    }

    std::vector<plan::ActionKind> m_kinds; // by step of the workload
    Nanoseconds m_pause; // before another attempt
    std::uint64_t m_seed;
    Share m_share;
    bool m_varies = false; // some pause does
    std::vector<Script> m_scripts;
    std::vector<Thread> m_threads;
    std::vector<std::uint32_t> m_rounds; // iterations by thread; where pauses vary
    DueQueue m_queue; // of threads that nothing is under way of
    Retries m_retries;
};

} // namespace

std::unique_ptr<Schedule> makeClosedSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
{
    return std::make_unique<ClosedSchedule>(workload, mix, seed, share, begin);
}

} // namespace loadstone::mail
