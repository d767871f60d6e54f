// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace loadstone::storage {

/// Transfers that a device does not answer may still go to or from the memory that they were given: what holds it is kept until
/// the process ends, where a leak checker sees that it is meant. Any thread.
template <class T>
void keepForEver(T held)
{
    static std::mutex mutex;
    static auto* const kept = new std::vector<T>;
    const std::lock_guard lock(mutex);
    kept->push_back(std::move(held));
}

/// How a thread ends. The kernel lets none end before its transfers have: who waited for such a one would wait for
/// the device.
class ThreadEnd {
public:
    /// The thread: it ends now, and touches nothing more.
    void reached() { become(State::reached); }
    /// The thread: it stays until the process ends, and touches nothing more.
    [[noreturn]] void never();
    /// Another thread: waits for either; then joins it, or leaves it alone.
    void await(std::thread& thread);

private:
    enum class State { running, reached, never };
    void become(State state);
    std::mutex m_mutex;
    std::condition_variable m_changed;
    State m_state = State::running;
};

} // namespace loadstone::storage
