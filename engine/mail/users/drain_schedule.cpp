// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/retries.h"
#include "mail/users/schedule.h"

namespace loadstone::mail {

namespace {

class DrainSchedule final : public Schedule {
public:
    DrainSchedule(const std::vector<std::uint32_t>& mailboxes, std::uint32_t concurrency, std::uint16_t step,
        plan::ActionKind kind, unsigned attempts)
        : m_mailboxes(mailboxes)
        , m_retries(attempts - 1)
        , m_free(concurrency)
        , m_step(step)
        , m_kind(kind)
    {
    }

    Decision next(MonoTime now) override
    {
        Decision decision;
        const bool first = m_next < m_mailboxes.size();
        if (m_free == 0 || (!first && m_retries.empty()))
            return decision;
        --m_free;
        decision.kind = Decision::Kind::act;
        if (first)
            decision.action = { .mailbox = m_mailboxes[m_next++],
                .kind = m_kind,
                .intended = now,
                .of = ScriptAction { .step = m_step, .drains = true } };
        else
            decision.action = m_retries.pop(); // the response time counts from the first attempt
        decision.action.ready = now;
        return decision;
    }

    bool completed(Appointment& appointment, bool settled, MonoTime now) override
    {
        ++m_free;
        return !settled && m_retries.take(appointment, now);
    }

private:
    std::vector<std::uint32_t> m_mailboxes;
    std::size_t m_next = 0; // of them
    Retries m_retries; // after all others
    std::uint32_t m_free;
    std::uint16_t m_step;
    plan::ActionKind m_kind;
};

} // namespace

std::unique_ptr<Schedule> makeDrainSchedule(const std::vector<std::uint32_t>& mailboxes,
    std::uint32_t concurrency, std::uint16_t step, plan::ActionKind kind, unsigned attempts)
{
    return std::make_unique<DrainSchedule>(mailboxes, concurrency, step, kind, attempts);
}

} // namespace loadstone::mail
