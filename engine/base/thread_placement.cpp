// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread_placement.h"

#include <csignal>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace loadstone {

void nameThisThread(const std::string& name)
{
    ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
}

int thisThreadId() noexcept
{
    return ::gettid();
}

Nanoseconds threadCpuTime()
{
    timespec t {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + Nanoseconds(t.tv_nsec);
}

void ThreadClock::follow(std::thread& thread)
{
    ::pthread_getcpuclockid(thread.native_handle(), &m_clock);
}

Nanoseconds ThreadClock::used() const
{
    timespec t {};
    if (m_clock == 0 || ::clock_gettime(m_clock, &t) != 0)
        return {};
    return std::chrono::seconds(t.tv_sec) + Nanoseconds(t.tv_nsec);
}

void blockBrokenPipeSignal() noexcept
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

} // namespace loadstone
