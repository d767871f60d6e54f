// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/schedule.h"

#include <deque>

namespace loadstone::mail {

namespace {

class DrainSchedule final : public Schedule {
public:
    DrainSchedule(const std::vector<std::uint32_t>& mailboxes, std::uint32_t concurrency, std::uint16_t step,
        plan::ActionKind kind, unsigned attempts)
        : m_attempts(attempts)
        , m_free(concurrency)
        , m_step(step)
        , m_kind(kind)
    {
        for (const std::uint32_t mailbox : mailboxes)
            m_visits.push_back({ mailbox, 0 });
    }

    Decision next(MonoTime now) override
    {
        Decision decision;
        if (m_free == 0 || m_visits.empty())
            return decision;
        --m_free;
        const Visit visit = m_visits.front();
        m_visits.pop_front();
        decision.kind = Decision::Kind::act;
        decision.action = { .mailbox = visit.mailbox,
            .kind = m_kind,
            .drains = true,
            .step = m_step,
            .attempt = visit.attempt,
            .intended = now,
            .ready = now };
        return decision;
    }

    void completed(const Action& action, bool settled, MonoTime) override
    {
        ++m_free;
        if (!settled && action.attempt + 1U < m_attempts)
            m_visits.push_back({ action.mailbox, static_cast<std::uint16_t>(action.attempt + 1) });
    }

private:
    struct Visit {
        std::uint32_t mailbox;
        std::uint16_t attempt;
    };
    std::deque<Visit> m_visits;
    unsigned m_attempts;
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
