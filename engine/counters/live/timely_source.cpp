// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/timely_source.h"

#include "base/thread_placement.h"

#include <loadstone/units.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace loadstone::counters {

namespace {

/// The source and its thread, which owns it as well: it may outlive who asks.
class Reader {
public:
    explicit Reader(std::unique_ptr<LiveSource> source)
        : m_source(std::move(source))
        , m_counters(m_source->counters())
    {
    }

    /// The thread's work.
    void work()
    {
        nameThisThread("counters");
        blockBrokenPipeSignal();
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_wake.wait(lock, [&] { return m_isAsked || m_isOver; });
            if (m_isOver)
                return;
            const std::stop_token stop = m_stop.get_token();
            lock.unlock();
            auto answer = ask(stop);
            lock.lock();
            const auto& counters = m_source->counters();
            m_counters.insert(m_counters.end(),
                counters.begin() + static_cast<std::ptrdiff_t>(m_counters.size()), counters.end());
            m_answer = std::move(answer);
            m_isAsked = false;
            m_wake.notify_all();
        }
    }

    /// Another thread's. `known` grows by the counters that the answer is the first to have.
    Result<LiveReading> read(
        const std::stop_token& stop, Nanoseconds limit, Nanoseconds grace, std::vector<CounterInfo>& known)
    {
        const MonoTime end = monoNow() + limit;
        const auto hasEnded = [&] { return !m_isAsked; };
        std::unique_lock lock(m_mutex);
        if (!m_wake.wait_until(lock, stop, end, hasEnded))
            return fail("the last reading has still not ended");
        m_stop = std::stop_source();
        m_isAsked = true;
        m_isGivenUp = false;
        m_wake.notify_all();
        if (!m_wake.wait_until(lock, stop, end + grace, hasEnded) && stop.stop_requested()) {
            m_stop.request_stop();
            m_wake.wait_for(lock, grace, hasEnded);
        }
        m_isGivenUp = m_isAsked;
        if (m_isGivenUp)
            return fail("no end within " + formatDuration(limit)
                + "; a file or program that it needs does not answer, and cannot be given up");
        known.insert(
            known.end(), m_counters.begin() + static_cast<std::ptrdiff_t>(known.size()), m_counters.end());
        return *std::exchange(m_answer, std::nullopt);
    }

    /// No more is asked. Whether the thread ends now.
    bool end(Nanoseconds grace)
    {
        std::unique_lock lock(m_mutex);
        m_isOver = true;
        m_stop.request_stop();
        m_wake.notify_all();
        return m_wake.wait_for(lock, m_isGivenUp ? Nanoseconds(0) : grace, [&] { return !m_isAsked; });
    }

private:
    Result<LiveReading> ask(const std::stop_token& stop)
    {
        try { // thread entry
            return m_source->read(stop);
        } catch (const std::exception& e) {
            return fail(e.what());
        }
    }

    const std::unique_ptr<LiveSource> m_source; // of the thread
    std::mutex m_mutex; // of what follows
    std::condition_variable_any m_wake;
    std::vector<CounterInfo> m_counters;
    std::stop_source m_stop; // of the reading under way
    std::optional<Result<LiveReading>> m_answer;
    bool m_isAsked = false, m_isGivenUp = false, m_isOver = false;
};

class TimelySource final : public LiveSource {
public:
    TimelySource(std::unique_ptr<LiveSource> source, Nanoseconds timeLimit, Nanoseconds grace)
        : m_timeLimit(timeLimit)
        , m_grace(grace)
        , m_counters(source->counters())
        , m_reader(std::make_shared<Reader>(std::move(source)))
        , m_thread([reader = m_reader] { reader->work(); })
    {
    }
    ~TimelySource() override
    {
        if (m_reader->end(m_grace))
            m_thread.join();
        else
            m_thread.detach();
    }
    [[nodiscard]] const std::vector<CounterInfo>& counters() const override { return m_counters; }
    Result<LiveReading> read(std::stop_token stop) override
    {
        return m_reader->read(stop, m_timeLimit, m_grace, m_counters);
    }

private:
    const Nanoseconds m_timeLimit, m_grace;
    std::vector<CounterInfo> m_counters;
    std::shared_ptr<Reader> m_reader;
    std::thread m_thread;
};

} // namespace

std::unique_ptr<LiveSource> makeTimely(
    std::unique_ptr<LiveSource> source, Nanoseconds timeLimit, Nanoseconds grace)
{
    return std::make_unique<TimelySource>(std::move(source), timeLimit, grace);
}

} // namespace loadstone::counters
