// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <loadstone/result.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <sys/epoll.h>
#include <vector>

namespace loadstone::embedded {

/// CLOCK_MONOTONIC.
std::int64_t monotonicNs() noexcept;

/// Waits for descriptors and points in time, one thread. Wakes ahead of a deadline and polls the rest of the
/// way, so that a timer is late by a few microseconds only; a general-purpose timer queue would add some 60.
class Reactor {
public:
    struct Timer {
        std::int64_t atNs = 0;
        std::uint64_t key = 0;
        std::uint32_t id = 0;
    };

    Result<void> open();
    /// Events of `fd` come with `key`; `events` as for epoll_ctl. False with errno set when it cannot be
    /// watched.
    bool watch(int fd, std::uint64_t key, std::uint32_t events);
    /// Timers cannot be taken back: give each an id by which the receiver knows a stale one.
    void arm(std::int64_t atNs, std::uint64_t key, std::uint32_t id);
    /// The earliest timer, when it is due.
    std::optional<Timer> takeDue();
    /// Waits for events until the next timer is due, or not at all. Valid until the next call.
    std::span<const epoll_event> wait(bool poll);

private:
    FileDescriptor m_epoll;
    std::vector<Timer> m_timers; // a heap, earliest first
    std::array<epoll_event, 256> m_events;
};

} // namespace loadstone::embedded
