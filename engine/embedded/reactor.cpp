// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/reactor.h"

#include <algorithm>
#include <cerrno>
#include <time.h>

namespace loadstone::embedded {

namespace {

// How long before a deadline the thread stops sleeping: more than a virtual machine takes to wake an idle
// core.
constexpr std::int64_t kAheadNs = 80'000;

bool isLater(const Reactor::Timer& left, const Reactor::Timer& right)
{
    return left.atNs > right.atNs;
}

} // namespace

std::int64_t monotonicNs() noexcept
{
    timespec t {};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

Result<void> Reactor::open()
{
    m_epoll = FileDescriptor(epoll_create1(EPOLL_CLOEXEC));
    if (!m_epoll)
        return systemError("epoll");
    return {};
}

bool Reactor::watch(int fd, std::uint64_t key, std::uint32_t events)
{
    epoll_event event {};
    event.events = events;
    event.data.u64 = key;
    return epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void Reactor::arm(std::int64_t atNs, std::uint64_t key, std::uint32_t id)
{
    m_timers.push_back({ atNs, key, id });
    std::push_heap(m_timers.begin(), m_timers.end(), isLater);
}

std::optional<Reactor::Timer> Reactor::takeDue()
{
    if (m_timers.empty() || m_timers.front().atNs > monotonicNs())
        return std::nullopt;
    std::pop_heap(m_timers.begin(), m_timers.end(), isLater);
    const Timer timer = m_timers.back();
    m_timers.pop_back();
    return timer;
}

std::span<const epoll_event> Reactor::wait(bool poll)
{
    timespec timeout {};
    bool forever = false;
    if (!poll) {
        if (m_timers.empty()) {
            forever = true;
        } else {
            const std::int64_t left =
                std::max<std::int64_t>(0, m_timers.front().atNs - monotonicNs() - kAheadNs);
            timeout.tv_sec = left / 1'000'000'000;
            timeout.tv_nsec = left % 1'000'000'000;
        }
    }
    const int n = epoll_pwait2(m_epoll.get(), m_events.data(), static_cast<int>(m_events.size()),
        forever ? nullptr : &timeout, nullptr);
    return { m_events.data(), static_cast<std::size_t>(std::max(n, 0)) };
}

} // namespace loadstone::embedded
