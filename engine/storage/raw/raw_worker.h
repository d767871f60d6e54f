// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/thread_placement.h"
#include "metrics/recorder.h"
#include "metrics/tick.h"
#include "metrics/underway.h"
#include "storage/device/aligned_memory.h"
#include "storage/device/file_device.h"
#include "storage/load/unanswered.h"
#include "storage/raw/raw_series.h"
#include "storage/raw/raw_shape.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace loadstone::storage {

/// What a worker is to do from now on.
struct RawOrders {
    enum class What : std::uint8_t { nothing, fill, load } what = What::nothing;
    plan::RawLoad load; ///< of all workers together
    MonoTime begin {}; ///< of its schedule
    std::uint64_t seed = 0;
};

/// Contents that nothing can compress or find twice.
void fillWithRandom(std::span<std::byte> memory, std::uint64_t seed);

/// One load thread of a raw device test, with a device of its own.
class RawWorker {
public:
    RawWorker(const plan::RawTest& test, const RawSeries& series, Share share);
    ~RawWorker(); ///< stops and joins

    // The control thread:
    /// Makes the device and opens the file, which exists by now.
    /// `what`: whose the file is that it opens, or which block device.
    Result<void> prepare(const FileOptions& what);
    void start();
    void obey(const RawOrders& orders);
    void stop(); ///< what is under way is finished; join() returns when it is
    void join();
    /// Adds what was recorded since the last call, and the ages at `until` of what is under way or due; what is due and not begun
    /// is counted in `waiting` as well. It is right however late the worker's thread is.
    void collect(metrics::Slab& slab, MonoTime until, std::array<std::uint64_t, RawSeries::kFlush>& waiting);
    /// (sort, errno) and how often since the last call.
    std::map<std::pair<RawSeries::Sort, int>, std::uint64_t> takeErrors();
    /// What was wrong with the first transfer that failed; empty: none did. The worker issues no more after it.
    [[nodiscard]] std::string failure() const;
    [[nodiscard]] bool filled() const noexcept { return m_filled.load(std::memory_order_acquire); }
    [[nodiscard]] std::size_t inFlight() const noexcept { return m_inFlight.load(std::memory_order_relaxed); }
    [[nodiscard]] Nanoseconds cpuTime() const { return m_clock.used(); }
    [[nodiscard]] int threadId() const noexcept
    {
        return m_threadId.load(std::memory_order_relaxed);
    } ///< 0: not started
    [[nodiscard]] std::string deviceText() const { return m_device->description(); }

private:
    static constexpr auto kLongestWait = std::chrono::milliseconds(50); // until orders are looked for again
    static constexpr auto kPatience =
        std::chrono::seconds(30); // with transfers of which none is completed, at the end
    static constexpr std::size_t kFillBlock = std::size_t { 1 } << 20;
    static constexpr std::size_t kFillDepth = 4;
    struct Slot {
        MonoTime due {};
        MonoTime issued {}; ///< of the transfer that it is at: a write, and then its flush
        std::uint64_t offset = 0;
        RawSeries::Sort sort = RawSeries::kRead, at = RawSeries::kRead; ///< at: with flushes of its own
        bool used = false;
    };
    static RawSeries::Sort draw(Random& random, double readShare);
    // The worker's own thread:
    void run();
    void takeOrders(const RawOrders& orders);
    void issue();
    void add(MonoTime due, MonoTime now);
    void await(MonoTime until);
    void settle(std::span<const IoCompletion> completions);
    void addFlush(std::uint64_t slot);
    void fill();
    void fail(const IoCompletion& completion, std::uint64_t offset);
    void waitForOrders();
    [[noreturn]] void leaveUnanswered();
    [[nodiscard]] bool disturbed() const noexcept;

    const plan::RawTest& m_test;
    const RawSeries& m_series;
    Share m_share;
    unsigned m_mostDepth = 1;
    metrics::Recorder m_recorder;
    AlignedMemory m_memory, m_fillMemory;
    std::unique_ptr<FileDevice> m_device; // after the memory: it waits for transfers to end
    FileId m_file = 0, m_fillFile = 0;

    metrics::Gate m_gate; // before orders, due times, slots, and what is recorded of a transfer's end
    RawOrders m_orders;
    unsigned m_depth = 0; // this worker's
    std::optional<DueTimes> m_due, m_scheduled; // the same, once as issued and once as the clock has them
    std::optional<Offsets> m_offsets;
    Random m_random { 0 };
    std::vector<Slot> m_slots;
    std::vector<std::uint32_t> m_free;
    std::vector<IoRequest> m_batch;
    std::vector<Nanoseconds> m_slips; // of the batch
    std::size_t m_used = 0; // slots
    MonoTime m_roomSince {}; // from when on the depth was no hindrance
    std::uint64_t m_stamp = 0;

    std::atomic<bool> m_stop { false }, m_filled { false };
    std::atomic<std::size_t> m_inFlight { 0 };
    std::atomic<std::uint64_t> m_generation { 0 }; // of the orders
    std::uint64_t m_obeyed = 0;
    mutable std::mutex m_mutex; // orders, errors, failure
    std::condition_variable m_wake;
    RawOrders m_next;
    std::map<std::pair<RawSeries::Sort, int>, std::uint64_t> m_errors;
    std::string m_failure;
    bool m_failed = false; // the worker's thread's
    ThreadEnd m_end;
    std::thread m_thread;
    ThreadClock m_clock;
    std::atomic<int> m_threadId { 0 };
};

} // namespace loadstone::storage
