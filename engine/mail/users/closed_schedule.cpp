// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
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
        , m_retry(workload.retry)
        , m_think(mix.thinkTime)
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
                static_cast<std::uint32_t>(last - first), 0, 0, 0, {} });
            m_queue.push({ start, static_cast<std::uint32_t>(m_threads.size() - 1) });
        }
    }

    Decision next(MonoTime now) override
    {
        Decision decision;
        if (m_queue.empty())
            return decision; // every thread is busy (or there is none)
        const Due due = m_queue.top();
        if (due.when > now) {
            decision.kind = Decision::Kind::wait;
            decision.until = due.when;
            return decision;
        }
        m_queue.pop();
        Thread& thread = m_threads[due.actor];
        if (thread.attempt
            == 0) // a retry goes on with the action: its response time counts from the first attempt
            thread.intended = due.when;
        decision.kind = Decision::Kind::act;
        decision.action = { .actor = due.actor,
            .mailbox = thread.first + thread.position,
            .kind = m_kinds[thread.step],
            .step = thread.step,
            .attempt = thread.attempt,
            .intended = thread.intended,
            .ready = due.when };
        return decision;
    }

    void completed(const Action& action, bool settled, MonoTime now) override
    {
        Thread& thread = m_threads[action.actor];
        MonoTime when = settled ? now : now + kRest;
        if (!settled && thread.attempt < m_retry.attempts) {
            ++thread.attempt;
            when += m_retry.pause;
        } else {
            thread.attempt = 0;
            if (++thread.step == m_kinds.size()) {
                thread.step = 0;
                thread.position = (thread.position + 1) % thread.count;
                when += m_think;
            }
        }
        m_queue.push({ when, action.actor });
    }

private:
    struct Thread {
        std::uint32_t first, count, position; // its mailboxes and where it is
        std::uint16_t step, attempt;
        MonoTime intended; // of the action under way
    };
    std::vector<plan::ActionKind> m_kinds; // by step
    plan::Retry m_retry;
    Nanoseconds m_think;
    std::vector<Thread> m_threads;
    Queue m_queue;
};

} // namespace

std::unique_ptr<Schedule> makeClosedSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
{
    return std::make_unique<ClosedSchedule>(workload, mix, seed, share, begin);
}

} // namespace loadstone::mail
