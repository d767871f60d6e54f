// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/phase_clock.h"

#include <algorithm>
#include <utility>

namespace loadstone::run {

PhaseClock::PhaseClock(std::vector<PlannedPhase> planned)
    : m_planned(std::move(planned))
{
    skipEmpty();
}

void PhaseClock::skipEmpty()
{
    while (!over() && m_planned[m_index].length <= Nanoseconds(0))
        ++m_index;
}

Phase PhaseClock::current() const
{
    const PlannedPhase& phase = planned();
    const Nanoseconds end = phase.endIsOpen() ? m_begin : phaseEnd();
    return { m_recorded, phase.mix, phase.mixName, phase.kind, m_begin, end, true };
}

Nanoseconds PhaseClock::runEnd() const
{
    if (over())
        return m_begin;
    Nanoseconds end = phaseEnd();
    for (std::size_t i = m_index + 1; i < m_planned.size(); ++i)
        if (!m_planned[i].endIsOpen())
            end += std::max(m_planned[i].length, Nanoseconds(0)); // empty ones are skipped
    return end;
}

bool PhaseClock::endIsOpen() const
{
    for (std::size_t i = m_index + 1; i < m_planned.size(); ++i)
        if (m_planned[i].endIsOpen() && m_planned[i].length > Nanoseconds(0))
            return true;
    return false;
}

Phase PhaseClock::advance(Nanoseconds when)
{
    Phase ended = current();
    ended.end = when;
    ended.open = false;
    m_begin = when;
    ++m_index;
    ++m_recorded;
    skipEmpty();
    return ended;
}

Phase PhaseClock::finish(Nanoseconds when)
{
    Phase ended = advance(when);
    m_index = m_planned.size();
    return ended;
}

} // namespace loadstone::run
