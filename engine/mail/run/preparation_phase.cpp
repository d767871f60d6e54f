// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/run/mail_workload.h"

#include <algorithm>
#include <utility>

/// The phase of a mail run in which mailboxes are filled or cleaned.
namespace loadstone::mail {

void MailWorkload::enterPreparation(MonoTime begin)
{
    const plan::ActionKind kind =
        m_kind == PhaseKind::cleanUp ? plan::ActionKind::cleanMailbox : plan::ActionKind::initialiseMailbox;
    const auto mailboxes = static_cast<std::uint32_t>(m_setup->plan.largestMix());
    const auto workers = static_cast<std::uint32_t>(m_workers.size());
    m_users = 0;
    m_prepared = false;
    m_notes = 0;
    m_told = false;
    const bool fills = m_kind == PhaseKind::initialisation;
    const std::uint64_t entries = m_setup->initialEntries(false) + m_setup->initialEntries(true);
    m_preparation.begin(mailboxes, fills ? m_setup->plan.workload.initial->messages() + entries : 0, begin);
    for (std::uint32_t i = 0; i < workers; ++i) {
        const std::uint32_t sessions = std::max(1U,
            m_setup->preparationSessions / workers + (i < m_setup->preparationSessions % workers ? 1 : 0));
        m_workers[i]->play(
            [i, workers, mailboxes, sessions, kind] {
                std::vector<std::uint32_t> share;
                for (std::uint32_t mailbox = i; mailbox < mailboxes; mailbox += workers)
                    share.push_back(mailbox);
                return makeDrainSchedule(share, sessions, 0, kind, kPreparationAttempts);
            },
            mailboxes, m_phase);
    }
}

void MailWorkload::collectPreparation(run::WorkloadTick& tick, const metrics::Slab& slab, bool idle)
{
    if (!std::exchange(m_told, true) && m_kind == PhaseKind::initialisation)
        for (std::string& note : plan::leftOutOfInitial(m_setup->plan))
            tick.events.push_back({ monoNow() - m_origin, Severity::info, std::move(note) });
    m_preparation.add(m_series.preparationIn(slab), monoNow());
    tick.values[m_series.toDo().value().id()] = static_cast<double>(m_preparation.toDo());
    tick.preparation = m_preparation.totals();
    tick.phaseLeft = m_preparation.left();
    m_prepared = idle;
}

} // namespace loadstone::mail
