// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/users/due_queue.h"
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
        , m_think(mix.thinkTime)
        , m_retries(workload.retry.attempts)
    {
        // All workers draw the same order of starts and take their own threads out of it.
        const auto threads = static_cast<std::uint32_t>(mix.threads());
        std::vector<std::uint32_t> order(threads);
        for (std::uint32_t i = 0; i < threads; ++i)
            order[i] = i;
        Random random(hashOf({ seed, 0x7374617274 }));
        for (std::uint32_t i = threads; i > 1; --i)
            std::swap(order[i - 1], order[random.below(i)]);
        const Nanoseconds spread = std::min(mix.thinkTime, mix.rampUp);
        for (std::uint32_t thread = share.worker; thread < threads; thread += share.workers) {
            const std::uint64_t client = thread / mix.threadsPerClient;
            const std::uint64_t local = thread % mix.threadsPerClient;
            std::uint64_t first = local * mix.mailboxesPerClient / mix.threadsPerClient;
            std::uint64_t last = (local + 1) * mix.mailboxesPerClient / mix.threadsPerClient;
            if (first == last) { // more threads than mailboxes, which only sending plans may have: they share
                first = local % mix.mailboxesPerClient;
                last = first + 1;
            }
            const MonoTime start = begin + pieceOf(spread, order[thread], threads);
            m_threads.push_back({ static_cast<std::uint32_t>(client * mix.mailboxesPerClient + first),
                static_cast<std::uint32_t>(last - first), 0, 0 });
            m_queue.push({ start, static_cast<std::uint32_t>(m_threads.size() - 1) });
        }
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
        decision.action = { .actor = due.actor,
            .mailbox = thread.first + thread.position,
            .kind = m_kinds[thread.step],
            .intended = due.when,
            .ready = due.when,
            .of = ScriptAction { .step = thread.step } };
        return decision;
    }

    bool completed(Appointment& appointment, bool settled, MonoTime now) override
    {
        MonoTime when = settled ? now : now + kRest;
        if (!settled && m_retries.take(appointment, when + m_pause))
            return true;
        Thread& thread = m_threads[appointment.actor];
        if (++thread.step == m_kinds.size()) {
            thread.step = 0;
            thread.position = (thread.position + 1) % thread.count;
            when += m_think;
        }
        m_queue.push({ when, appointment.actor });
        return false;
    }

private:
    struct Thread {
        std::uint32_t first, count, position; // its mailboxes and where it is
        std::uint16_t step;
    };
    static_assert(sizeof(Thread) <= 16);
    std::vector<plan::ActionKind> m_kinds; // by step
    Nanoseconds m_pause; // before another attempt
    Nanoseconds m_think;
    std::vector<Thread> m_threads;
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
