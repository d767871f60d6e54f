// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/file_device.h"
#include "storage/device/request_table.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace loadstone::storage {

/// Requests through a pool of threads that call pread, pwrite and fdatasync: for kernels and containers that refuse
/// io_uring. The depth is the number of threads. Each of them reads the clock around its calls.
class ThreadDevice final : public FileDevice {
public:
    static constexpr unsigned kMostThreads = 256;

    /// `why`: for the description. An Error: the threads cannot be started.
    static Result<std::unique_ptr<ThreadDevice>> make(
        const DeviceOptions& options, std::uint32_t block, std::string why);
    ~ThreadDevice() override; ///< waits for what the kernel still has

    void useMemory(std::span<std::byte> /*memory*/) override { }
    void forgetMemory(std::span<std::byte> /*memory*/) override { }
    void submit(std::span<const IoRequest> requests) override;
    std::size_t reap(std::span<IoCompletion> completions, Nanoseconds wait) override;
    [[nodiscard]] std::size_t pending() const override { return m_table.pending(); }
    [[nodiscard]] Backend backend() const noexcept override { return Backend::threads; }
    [[nodiscard]] std::string description() const override;

private:
    struct
        Job { // by slot; written by the device's thread before it is queued, by the pool's until it is done
        IoRequest request;
        int descriptor = -1;
        int error = 0;
        MonoTime issued {}, done {};
    };
    ThreadDevice(const DeviceOptions& options, std::uint32_t block, std::string why);
    void issue();
    void work();

    unsigned m_wanted; // requests at once; of which kMostThreads are under way
    RequestTable m_table;
    std::vector<Job> m_jobs;
    std::string m_why;

    std::mutex m_mutex;
    std::condition_variable m_toDo, m_someDone;
    std::vector<std::uint32_t> m_queue; // slots to do; a ring as large as the table
    std::size_t m_queueBegin = 0, m_queueCount = 0;
    std::vector<std::uint32_t> m_done; // slots
    bool m_end = false;
    std::vector<std::thread> m_threads;
};

} // namespace loadstone::storage
