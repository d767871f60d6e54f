// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/schedule.h"

namespace loadstone::mail {

namespace {

class DrainSchedule final : public Schedule {
public:
    DrainSchedule(std::vector<std::uint32_t> mailboxes, std::uint32_t concurrency, std::uint16_t step,
        plan::ActionKind kind)
        : m_mailboxes(std::move(mailboxes))
        , m_free(concurrency)
        , m_step(step)
        , m_kind(kind)
    {
    }

    Decision next(MonoTime now) override
    {
        Decision decision;
        if (m_free == 0 || m_next == m_mailboxes.size())
            return decision;
        --m_free;
        decision.kind = Decision::Kind::act;
        decision.action = { 0, m_mailboxes[m_next++], m_kind, m_step, 0, now, now };
        return decision;
    }

    void completed(const Action&, bool, MonoTime) override { ++m_free; }

private:
    std::vector<std::uint32_t> m_mailboxes;
    std::size_t m_next = 0;
    std::uint32_t m_free;
    std::uint16_t m_step;
    plan::ActionKind m_kind;
};

} // namespace

std::unique_ptr<Schedule> makeDrainSchedule(std::vector<std::uint32_t> mailboxes, std::uint32_t concurrency,
    std::uint16_t step, plan::ActionKind kind)
{
    return std::make_unique<DrainSchedule>(std::move(mailboxes), concurrency, step, kind);
}

} // namespace loadstone::mail
