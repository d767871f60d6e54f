// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace loadstone::storage {

namespace detail {

struct PromiseBase {
    std::coroutine_handle<> continuation; // who awaits it, when it did not end at once
    std::exception_ptr failure;

    struct Final {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> ended) const noexcept
        {
            if (const auto continuation = ended.promise().continuation)
                continuation.resume(); // which may destroy this coroutine
        }
        void await_resume() const noexcept { }
    };
    std::suspend_always initial_suspend() const noexcept { return {}; }
    Final final_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { failure = std::current_exception(); }
};

template <class T>
struct Promise : PromiseBase {
    std::optional<T> value;
    template <class U>
    void return_value(U&& result)
    {
        value.emplace(std::forward<U>(result));
    }
    T take()
    {
        if (failure)
            std::rethrow_exception(failure);
        return std::move(*value);
    }
};

template <>
struct Promise<void> : PromiseBase {
    void return_void() const noexcept { }
    void take() const
    {
        if (failure)
            std::rethrow_exception(failure);
    }
};

} // namespace detail

/// A coroutine of one worker thread. It begins when it is awaited, and gives its result to who awaits it; destroying it
/// destroys what it waits for. Parameters by value, or references that outlive the await.
template <class T = void>
class [[nodiscard]] Task {
public:
    struct promise_type : detail::Promise<T> {
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    };

    Task(Task&& other) noexcept
        : m_handle(std::exchange(other.m_handle, {}))
    {
    }
    Task& operator=(Task&&) = delete;
    ~Task()
    {
        if (m_handle)
            m_handle.destroy();
    }

    bool await_ready() const noexcept { return false; }
    // No symmetric transfer: it is a tail call in optimised builds only, and in others a loop of tasks that end without
    // waiting would use up the stack. Here the stack is as deep as tasks are nested.
    bool await_suspend(std::coroutine_handle<> waiting) noexcept
    {
        m_handle.resume();
        if (m_handle.done())
            return false;
        m_handle.promise().continuation = waiting;
        return true;
    }
    T await_resume() { return m_handle.promise().take(); }

private:
    explicit Task(std::coroutine_handle<promise_type> handle)
        : m_handle(handle)
    {
    }
    std::coroutine_handle<promise_type> m_handle;
};

} // namespace loadstone::storage
