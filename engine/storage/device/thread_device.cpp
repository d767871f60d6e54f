// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/thread_device.h"

#include "base/thread_placement.h"

#include <climits>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <unistd.h>

namespace loadstone::storage {
namespace {

/// The whole of a request; errno or 0. A transfer that falls short is continued.
int carryOut(const IoRequest& request, int descriptor)
{
    if (request.kind == IoKind::flush) {
        int result = 0;
        do
            result = ::fdatasync(descriptor);
        while (result != 0 && errno == EINTR);
        return result == 0 ? 0 : errno;
    }
    const bool reads = request.kind == IoKind::read;
    for (std::uint32_t done = 0; done < request.length;) {
        const auto offset = static_cast<off_t>(request.offset + done);
        ssize_t n = 0;
        if (request.pieces.size() > 1 && done == 0) {
            const auto pieces = static_cast<int>(std::min<std::size_t>(request.pieces.size(), IOV_MAX));
            n = reads ? ::preadv(descriptor, request.pieces.data(), pieces, offset)
                      : ::pwritev(descriptor, request.pieces.data(), pieces, offset);
        } else {
            const Stretch rest = restOf(request, done);
            n = reads ? ::pread(descriptor, rest.data, rest.length, offset)
                      : ::pwrite(descriptor, rest.data, rest.length, offset);
        }
        if (n < 0 && errno == EINTR)
            continue;
        // EINVAL in the middle: the file ends within a block, and direct I/O cannot go on from there.
        if (n < 0)
            return done > 0 && errno == EINVAL ? EIO : errno;
        if (n == 0)
            return EIO;
        done += static_cast<std::uint32_t>(n);
    }
    return 0;
}

} // namespace

ThreadDevice::ThreadDevice(const DeviceOptions& options, std::uint32_t block, std::string why)
    : FileDevice(block)
    , m_wanted(options.depth)
    , m_table(std::min(options.depth, kMostThreads))
    , m_jobs(m_table.depth())
    , m_why(std::move(why))
    , m_queue(m_table.depth())
{
    m_done.reserve(m_table.depth());
    m_threads.reserve(m_table.depth());
}

Result<std::unique_ptr<ThreadDevice>> ThreadDevice::make(
    const DeviceOptions& options, std::uint32_t block, std::string why)
{
    std::unique_ptr<ThreadDevice> made(new ThreadDevice(options, block, std::move(why)));
    ThreadDevice* const device = made.get();
    const unsigned wanted = device->m_table.depth();
    try {
        for (unsigned i = 0; i < wanted; ++i)
            device->m_threads.emplace_back([device] { device->work(); });
    } catch (const std::system_error& error) {
        return fail(
            fmt::format(
                "{} threads for storage I/O are needed, and only {} could be started: {}; raise the limit"
                " of processes (ulimit -u, or the container's), or ask for a smaller depth, fewer threads or "
                "readers",
                wanted, device->m_threads.size(), error.code().message()),
            boost::system::error_code(error.code().value(), boost::system::system_category()));
    } // those that were started end with the device
    return std::unique_ptr<ThreadDevice>(made.release());
}

ThreadDevice::~ThreadDevice()
{
    std::array<IoCompletion, 64> rest;
    while (m_table.pending() > 0)
        reap(rest, std::chrono::seconds(1));
    {
        const std::lock_guard lock(m_mutex);
        m_end = true;
    }
    m_toDo.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

std::string ThreadDevice::description() const
{
    return fmt::format("{} threads of pread and pwrite{}, {}", m_threads.size(),
        m_wanted > m_threads.size()
            ? fmt::format(" for the {} transfers that may be asked for at once", m_wanted)
            : std::string(),
        m_why);
}

void ThreadDevice::issue()
{
    std::size_t added = 0;
    for (;;) {
        const std::uint32_t slot = m_table.next();
        if (slot == RequestTable::kNone)
            break;
        m_jobs[slot].request = m_table[slot].request;
        m_jobs[slot].descriptor = file(m_table[slot].request.file).descriptor.get();
        const std::lock_guard lock(m_mutex);
        m_queue[(m_queueBegin + m_queueCount++) % m_queue.size()] = slot;
        ++added;
    }
    for (std::size_t i = 0; i < added; ++i)
        m_toDo.notify_one();
}

void ThreadDevice::submit(std::span<const IoRequest> requests)
{
    for (const IoRequest& request : requests)
        m_table.push(request);
    issue();
}

std::size_t ThreadDevice::reap(std::span<IoCompletion> completions, Nanoseconds wait)
{
    if (m_table.pending() == 0 || completions.empty())
        return 0;
    std::size_t given = 0;
    {
        std::unique_lock lock(m_mutex);
        const auto some = [&] { return !m_done.empty(); };
        if (!some() && wait > Nanoseconds::zero())
            m_someDone.wait_until(
                lock, monoNow() + std::min<Nanoseconds>(wait, std::chrono::hours(24)), some);
        given = std::min(m_done.size(), completions.size());
        for (std::size_t i = 0; i < given; ++i) {
            const std::uint32_t slot = m_done[i];
            m_table[slot].issued = m_jobs[slot].issued;
            completions[i] = m_table.finish(slot, m_jobs[slot].error, m_jobs[slot].done);
        }
        m_done.erase(m_done.begin(), m_done.begin() + static_cast<std::ptrdiff_t>(given));
    }
    if (given > 0)
        issue();
    return given;
}

void ThreadDevice::work()
{
    nameThisThread("storage io");
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_toDo.wait(lock, [&] { return m_end || m_queueCount > 0; });
        if (m_queueCount == 0)
            return;
        const std::uint32_t slot = m_queue[m_queueBegin];
        m_queueBegin = (m_queueBegin + 1) % m_queue.size();
        --m_queueCount;
        lock.unlock();
        Job& job = m_jobs[slot];
        job.issued = monoNow();
        job.error = carryOut(job.request, job.descriptor);
        job.done = monoNow();
        lock.lock();
        m_done.push_back(slot);
        if (m_done.size() == 1)
            m_someDone.notify_one();
    }
}

} // namespace loadstone::storage
