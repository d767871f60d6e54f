// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/loop.h"

#include <algorithm>

namespace loadstone::storage {

/// A coroutine that nobody awaits.
struct Loop::Root {
    struct promise_type {
        bool ended = false;
        std::exception_ptr failure;
        Root get_return_object() { return Root(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() noexcept
        {
            ended = true;
            return {};
        }
        void return_void() const noexcept { }
        void unhandled_exception() noexcept { failure = std::current_exception(); }
    };
    explicit Root(std::coroutine_handle<promise_type> coroutine)
        : handle(coroutine)
    {
    }
    Root(Root&& other) noexcept
        : handle(std::exchange(other.handle, {}))
    {
    }
    Root& operator=(Root&&) = delete;
    ~Root()
    {
        if (handle)
            handle.destroy();
    }
    static Root run(Task<> task) { co_await task; }

    std::coroutine_handle<promise_type> handle;
};

namespace {

constexpr std::size_t kMostCompletions = 256; // in one batch
constexpr std::uint64_t kOneOfMany =
    1; // in a tag: it points to a TransferAll, else to a Transfer; both are aligned to 8
constexpr std::size_t kMostRounds = 64; // of ready coroutines before completions are looked for

} // namespace

void Waiters::wakeAll(Loop& loop)
{
    for (const auto waiting : m_waiting)
        loop.wake(waiting);
    m_waiting.clear();
}

void Waiters::wakeOne(Loop& loop)
{
    if (m_waiting.empty())
        return;
    loop.wake(m_waiting.front());
    m_waiting.erase(m_waiting.begin());
}

Loop::Loop(Device& device, Observer observer, Submitting submitting)
    : m_device(device)
    , m_observer(std::move(observer))
    , m_submitting(std::move(submitting))
    , m_completions(kMostCompletions)
{
}

Loop::~Loop()
{
    abandon();
}

void Loop::abandon()
{
    drain();
    m_roots.clear();
    m_ready.clear();
    m_asked.clear();
    m_timers = {};
}

void Loop::spawn(Task<> task)
{
    m_roots.push_back(Root::run(std::move(task)));
    wake(m_roots.back().handle);
}

void Loop::Transfer::await_suspend(std::coroutine_handle<> handle)
{
    waiting = handle;
    request.tag = reinterpret_cast<std::uintptr_t>(
        this); // this awaiter lives in the coroutine's frame until it is resumed
    request.queued = loop.now();
    loop.m_asked.push_back(request);
}

void Loop::TransferAll::await_suspend(std::coroutine_handle<> handle)
{
    waiting = handle;
    left = requests.size();
    const MonoTime time = loop.now();
    for (const IoRequest& request : requests) {
        loop.m_asked.push_back(request);
        loop.m_asked.back().queued = time;
        loop.m_asked.back().tag = reinterpret_cast<std::uintptr_t>(this) | kOneOfMany;
    }
}

void Loop::Sleep::await_suspend(std::coroutine_handle<> waiting) const
{
    loop.m_timers.push({ when, loop.m_order++, waiting });
}

/// Whether one that was spawned has ended: somebody may have waited for that.
bool Loop::runReady()
{
    bool ended = false;
    for (std::size_t round = 0; round < kMostRounds && !m_ready.empty(); ++round) {
        m_running.swap(m_ready);
        for (const auto handle : m_running)
            handle.resume();
        m_running.clear();
    }
    for (auto root = m_roots.begin(); root != m_roots.end();) {
        const auto& promise = root->handle.promise();
        const std::exception_ptr failure = promise.failure;
        ended = ended || promise.ended;
        root = promise.ended ? m_roots.erase(root) : std::next(root);
        if (failure)
            std::rethrow_exception(failure);
    }
    return ended;
}

void Loop::turn(Nanoseconds wait)
{
    if (!m_timers.empty()) {
        const MonoTime time = now();
        while (!m_timers.empty() && m_timers.top().when <= time) {
            wake(m_timers.top().waiting);
            m_timers.pop();
        }
    }
    if (runReady())
        wait = Nanoseconds(0);
    if (!m_timers.empty()) // those that were just set among them
        wait = std::min(wait, std::max<Nanoseconds>(m_timers.top().when - now(), Nanoseconds(0)));
    if (!m_asked.empty()) {
        if (m_submitting)
            m_submitting(m_asked);
        m_device.submit(m_asked);
        m_asked.clear();
    }
    if (!m_ready.empty())
        wait = Nanoseconds(0);
    if (m_device.pending() == 0 && wait > Nanoseconds(0)) {
        m_device.sleepUntil(now() + wait);
        return;
    }
    const std::size_t done = m_device.reap(m_completions, wait);
    const auto completions = std::span<const IoCompletion>(m_completions).first(done);
    if (done > 0 && m_observer)
        m_observer(completions);
    wakeThoseOf(completions);
}

void Loop::wakeThoseOf(std::span<const IoCompletion> completions)
{
    for (const IoCompletion& completion : completions) {
        if ((completion.tag & kOneOfMany) != 0) {
            auto* const many = reinterpret_cast<TransferAll*>(completion.tag & ~kOneOfMany);
            if (many->error == 0)
                many->error = completion.error;
            if (--many->left == 0)
                wake(many->waiting);
        } else {
            auto* const one = reinterpret_cast<Transfer*>(completion.tag);
            one->error = completion.error;
            wake(one->waiting);
        }
    }
}

bool Loop::drain(Nanoseconds patience)
{
    for (MonoTime last = now(); m_device.pending() > 0;) {
        const std::size_t done =
            m_device.reap(m_completions, std::min<Nanoseconds>(patience, std::chrono::seconds(1)));
        wakeThoseOf(std::span<const IoCompletion>(m_completions).first(done));
        if (done > 0)
            last = now();
        else if (now() - last >= patience)
            return false;
    }
    return true;
}

} // namespace loadstone::storage
