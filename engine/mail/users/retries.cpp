// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/retries.h"

#include <algorithm>
#include <utility>

namespace loadstone::mail {

bool Retries::isLater(const Waiting& one, const Waiting& other)
{
    return one.due > other.due || (!(other.due > one.due) && one.number > other.number);
}

bool Retries::take(Appointment& appointment, MonoTime when)
{
    ScriptAction* const script = appointment.script();
    if (script == nullptr || appointment.attempt() >= m_attempts)
        return false;
    ++script->left().attempts;
    const Due due { when, appointment.actor };
    // All users may wait at once: a vector that doubles would keep room for as many again.
    if (m_waiting.size() == m_waiting.capacity())
        m_waiting.reserve(m_waiting.size() + m_waiting.size() / 8 + 16);
    m_waiting.push_back({ due, m_taken++, std::move(appointment) });
    std::push_heap(m_waiting.begin(), m_waiting.end(), isLater);
    return true;
}

Appointment Retries::pop()
{
    std::pop_heap(m_waiting.begin(), m_waiting.end(), isLater);
    Appointment next = std::move(m_waiting.back().appointment);
    next.ready = m_waiting.back().due.when;
    m_waiting.pop_back();
    return next;
}

} // namespace loadstone::mail
