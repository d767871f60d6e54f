// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/store_thread.h"

#include "base/thread_placement.h"

#include <loadstone/units.h>

namespace loadstone::run {

namespace {
constexpr auto kRetryPause = std::chrono::milliseconds(500);
constexpr auto kPatience = std::chrono::seconds(5); // with one write
}

StoreThread::StoreThread(history::RecordingWriter writer)
    : m_writer(std::move(writer))
    , m_thread([this] { work(); })
{
}

StoreThread::~StoreThread()
{
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_closing = m_givenUp = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void StoreThread::push(Item item)
{
    const std::lock_guard lock(m_mutex);
    m_queue.push_back(std::move(item));
    m_wake.notify_one();
}

std::size_t StoreThread::queued() const
{
    const std::lock_guard lock(m_mutex);
    return m_queue.size();
}

std::optional<std::uint64_t> StoreThread::lastTick() const
{
    const std::int64_t last = m_lastTick.load(std::memory_order_acquire);
    return last < 0 ? std::nullopt : std::optional<std::uint64_t>(static_cast<std::uint64_t>(last));
}

std::string StoreThread::trouble() const
{
    const std::lock_guard lock(m_mutex);
    const Nanoseconds writing = m_writingSince ? Nanoseconds(monoNow() - *m_writingSince) : Nanoseconds(0);
    if (m_trouble.empty() && writing > kPatience)
        return "its disk has not answered for "
            + formatDuration(std::chrono::floor<std::chrono::seconds>(writing));
    return m_trouble;
}

Result<void> StoreThread::write(const Item& item)
{
    if (const auto* const audited = std::get_if<AuditedTick>(&item)) {
        auto written = m_writer.append(*audited->tick, &audited->audit);
        if (written)
            m_lastTick.store(static_cast<std::int64_t>(audited->tick->number), std::memory_order_release);
        return written;
    }
    if (const auto* const phase = std::get_if<Phase>(&item))
        return m_writer.putPhase(*phase);
    if (const auto* const event = std::get_if<RunEvent>(&item))
        return m_writer.addEvent(*event);
    return m_writer.addTranscript(std::get<Transcript>(item));
}

void StoreThread::work()
{
    nameThisThread("store");
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [&] { return m_closing || !m_queue.empty(); });
        if (m_givenUp || (m_closing && m_queue.empty()))
            return;
        const Item item = m_queue.front(); // stays queued until it is safe
        m_writingSince = monoNow();
        lock.unlock();
        Result<void> written;
        try {
            written = write(item);
        } catch (const std::exception& e) { // no memory: tried again like any other trouble
            written = fail(e.what());
        }
        lock.lock();
        m_writingSince.reset();
        if (written) {
            m_trouble.clear();
            m_queue.pop_front();
            if (m_queue.empty())
                m_wake.notify_all(); // finish() waits for this
        } else {
            m_trouble = written.error().message;
            m_wake.wait_for(lock, kRetryPause, [&] { return m_givenUp; });
        }
    }
}

Result<void> StoreThread::finish(const history::RunEnd& end, Nanoseconds patience)
{
    const MonoTime giveUp = monoNow() + patience;
    {
        std::unique_lock lock(m_mutex);
        m_closing = true;
        m_wake.notify_all();
        m_wake.wait_until(lock, giveUp, [&] { return m_queue.empty(); });
        m_givenUp = true;
    }
    m_wake.notify_all();
    m_thread.join();
    if (!m_queue.empty())
        return fail("the recording could not be completed: " + m_trouble);
    for (;;) { // what the disk does not take now it may take in a moment, as with the ticks
        Result<void> finished = m_writer.finish(end);
        if (finished || monoNow() + kRetryPause > giveUp)
            return finished;
        std::this_thread::sleep_for(kRetryPause);
    }
}

} // namespace loadstone::run
