// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <ctime>
#include <string>
#include <thread>

namespace loadstone {

/// Names the calling thread as `top -H` shows it; at most 15 characters.
void nameThisThread(const std::string& name);
/// The kernel's number of the calling thread.
int thisThreadId() noexcept;
/// CPU time that the calling thread has used.
Nanoseconds threadCpuTime();

/// Processor time of a thread, for another one.
class ThreadClock {
public:
    /// Before the thread may end.
    void follow(std::thread& thread);
    /// So far; 0 of no thread, and of one that has ended.
    [[nodiscard]] Nanoseconds used() const;

private:
    clockid_t m_clock = 0;
};

/// A write to a connection that the other side has closed is an error on this thread, not the signal SIGPIPE: OpenSSL writes
/// without saying so to the kernel.
void blockBrokenPipeSignal() noexcept;

} // namespace loadstone
