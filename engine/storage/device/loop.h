// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/device.h"
#include "storage/device/task.h"

#include <queue>

#include <functional>
#include <list>
#include <vector>

namespace loadstone::storage {

class Loop;

/// Coroutines that wait for something to change. Each checks again when it is woken.
class Waiters {
public:
    struct Wait {
        Waiters& list;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiting) const { list.m_waiting.push_back(waiting); }
        void await_resume() const noexcept { }
    };
    [[nodiscard]] Wait wait() noexcept { return Wait { *this }; }
    void wakeAll(Loop& loop);
    /// The one that has waited longest, if any: where what has changed is enough for one.
    void wakeOne(Loop& loop);
    [[nodiscard]] bool empty() const noexcept { return m_waiting.empty(); }

private:
    std::vector<std::coroutine_handle<>> m_waiting;
};

/// Runs the coroutines of one worker thread over its device. Not thread-safe. I/O asked for by coroutines that run one after
/// the other goes to the device as one batch.
///
/// The order in which things go: first the coroutines, at their end or by abandon(); then what they use, as storage groups
/// with their memory; then the loop; then its device.
class Loop {
public:
    /// Sees every batch of completions before the coroutines do, to measure them.
    using Observer = std::function<void(std::span<const IoCompletion>)>;
    /// Sees every batch of requests before the device does, and may set their places.
    using Submitting = std::function<void(std::span<IoRequest>)>;
    explicit Loop(Device& device, Observer observer = {}, Submitting submitting = {});
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop(); ///< abandons what is still there
    /// Destroys all coroutines; before anything that they use. Waits for their I/O first: it goes to and from their memory.
    void abandon();

    [[nodiscard]] Device& device() noexcept { return m_device; }
    [[nodiscard]] MonoTime now() const { return m_device.now(); }

    /// Begins at the next turn. An exception that it lets out comes out of turn().
    void spawn(Task<> task);
    /// Without those that ended.
    [[nodiscard]] std::size_t spawned() const noexcept { return m_roots.size(); }
    void wake(std::coroutine_handle<> waiting) { m_ready.push_back(waiting); }

    struct Transfer {
        Loop& loop;
        IoRequest request;
        int error = 0;
        std::coroutine_handle<> waiting {};
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> handle);
        int await_resume() const noexcept { return error; }
    };
    /// `co_await` gives 0 or an errno. The tag is the loop's.
    [[nodiscard]] Transfer transfer(const IoRequest& request) noexcept { return Transfer { *this, request }; }

    /// Several at once; the span lives until all are complete. `co_await` gives 0 or the first errno.
    struct TransferAll {
        Loop& loop;
        std::span<const IoRequest> requests;
        std::size_t left = 0;
        int error = 0;
        std::coroutine_handle<> waiting {};
        bool await_ready() const noexcept { return requests.empty(); }
        void await_suspend(std::coroutine_handle<> handle);
        int await_resume() const noexcept { return error; }
    };
    [[nodiscard]] TransferAll transferAll(std::span<const IoRequest> requests) noexcept
    {
        return TransferAll { *this, requests };
    }

    struct Sleep {
        Loop& loop;
        MonoTime when;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiting) const;
        void await_resume() const noexcept { }
    };
    /// At the next turn, when that time has passed.
    [[nodiscard]] Sleep until(MonoTime when) noexcept { return Sleep { *this, when }; }

    /// Lets everything run that can, then waits for I/O and timers, at most `wait`.
    void turn(Nanoseconds wait);
    /// Waits until no I/O is pending, running nothing: who waited for it runs at the next turn. The observer does not see it.
    /// False: some still is, and none of it was completed for `patience`.
    bool drain(Nanoseconds patience = Nanoseconds::max());

private:
    struct Root;
    struct Timer {
        MonoTime when;
        std::uint64_t order;
        std::coroutine_handle<> waiting;
        bool operator>(const Timer& other) const noexcept
        {
            return when != other.when ? when > other.when : order > other.order;
        }
    };
    bool runReady();
    void wakeThoseOf(std::span<const IoCompletion> completions);
    Device& m_device;
    Observer m_observer;
    Submitting m_submitting;
    std::list<Root> m_roots;
    std::vector<std::coroutine_handle<>> m_ready, m_running;
    std::vector<IoRequest> m_asked;
    std::vector<IoCompletion> m_completions;
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> m_timers;
    std::uint64_t m_order = 0;
};

} // namespace loadstone::storage
