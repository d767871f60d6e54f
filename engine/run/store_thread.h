// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"
#include "metrics/tick.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace loadstone::run {

/// The only writer of a run's recording: takes what is to be kept from a bounded queue, so that phases, sampling and
/// stop never wait for the disk. A write that fails is tried again until it succeeds or the run's end gives up.
class StoreThread {
public:
    static constexpr std::size_t kCapacity = 600;
    struct AuditedTick {
        std::shared_ptr<const metrics::Tick> tick;
        history::AuditAccount audit; ///< at its end
    };
    using Item = std::variant<AuditedTick, Phase, RunEvent, Transcript>;

    explicit StoreThread(history::RecordingWriter writer);
    ~StoreThread();

    /// Never waits. The caller keeps ticks back (lets the present one grow) while queued() is at kCapacity; what
    /// is rare, events and the ticks that end phases, always finds room.
    void push(Item item);
    [[nodiscard]] std::size_t queued() const;
    /// Number of the last tick that is safe on disk.
    [[nodiscard]] std::optional<std::uint64_t> lastTick() const;
    /// Why the last write failed, while it is being retried, or that one has not ended for seconds; empty otherwise.
    [[nodiscard]] std::string trouble() const;

    /// Writes what is queued and the end, then closes the recording. Gives up after `patience` on a disk that
    /// takes nothing.
    Result<void> finish(const history::RunEnd& end, Nanoseconds patience);

private:
    void work();
    Result<void> write(const Item& item);

    history::RecordingWriter m_writer;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Item> m_queue;
    std::string m_trouble;
    std::optional<MonoTime> m_writingSince;
    bool m_closing = false, m_givenUp = false;
    std::atomic<std::int64_t> m_lastTick { -1 };
    std::thread m_thread;
};

} // namespace loadstone::run
