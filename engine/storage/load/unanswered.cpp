// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/load/unanswered.h"

#include <unistd.h>

namespace loadstone::storage {

void ThreadEnd::become(State state)
{
    const std::lock_guard lock(m_mutex);
    m_state = state;
    m_changed.notify_all();
}

void ThreadEnd::never()
{
    become(State::never);
    for (;;)
        ::pause();
}

void ThreadEnd::await(std::thread& thread)
{
    if (!thread.joinable())
        return;
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_state != State::running; });
        if (m_state == State::never)
            return thread.detach();
    }
    thread.join();
}

} // namespace loadstone::storage
