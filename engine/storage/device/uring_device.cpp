// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/uring_device.h"

#include <loadstone/units.h>

#include <climits>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <limits>
#include <sys/resource.h>

namespace loadstone::storage {
namespace {

constexpr unsigned kFileTable = 1024;
constexpr std::size_t kLargestBuffer = std::size_t { 1 } << 30; // the kernel's own bound
constexpr std::uint16_t kMostRetries = 1000;

std::size_t bytesOf(const std::vector<iovec>& memory)
{
    std::size_t bytes = 0;
    for (const iovec& piece : memory)
        bytes += piece.iov_len;
    return bytes;
}

} // namespace

Result<std::unique_ptr<UringDevice>> UringDevice::make(
    const DeviceOptions& options, std::uint32_t block, std::string note, unsigned without)
{
    auto main = Ring::make(options.depth, options.poll, without);
    if (!main)
        return main.error();
    std::optional<Ring> side;
    if (options.poll) {
        auto made = Ring::make(options.depth, false, without);
        if (!made)
            return made.error();
        side.emplace(std::move(*made));
    }
    for (const unsigned needed : { IORING_OP_READ, IORING_OP_WRITE, IORING_OP_READV, IORING_OP_WRITEV,
             IORING_OP_READ_FIXED, IORING_OP_WRITE_FIXED, IORING_OP_FSYNC })
        if (!main->has(needed))
            return fail(fmt::format("io_uring of this kernel lacks operation {}", needed));
    return std::unique_ptr<UringDevice>(
        new UringDevice(std::move(*main), std::move(side), options.depth, block, std::move(note)));
}

UringDevice::UringDevice(
    Ring main, std::optional<Ring> side, unsigned depth, std::uint32_t block, std::string note)
    : FileDevice(block)
    , m_main(std::move(main))
    , m_side(std::move(side))
    , m_table(depth)
    , m_note(std::move(note))
{
    m_goOn.reserve(depth);
    rlimit limit {};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const auto entries = static_cast<unsigned>(std::min<rlim_t>(kFileTable, limit.rlim_cur));
    if (io_uring_register_files_sparse(m_main.get(), entries) == 0) {
        m_fileTable = entries;
    } else { // before Linux 5.19: a table of gaps
        const std::vector<int> gaps(entries, -1);
        if (io_uring_register_files(m_main.get(), gaps.data(), entries) == 0)
            m_fileTable = entries;
    }
}

UringDevice::~UringDevice()
{
    // The kernel may write to memory of the caller's until its last completion.
    std::array<IoCompletion, 64> rest;
    while (m_table.pending() > 0)
        reap(rest, std::chrono::seconds(1));
}

void UringDevice::opened(FileId id)
{
    if (m_numbers.size() <= id)
        m_numbers.resize(id + std::size_t { 1 });
    int descriptor = file(id).descriptor.get();
    const bool aside = m_side && !file(id).options.direct;
    const bool registered =
        !aside && id < m_fileTable && io_uring_register_files_update(m_main.get(), id, &descriptor, 1) == 1;
    m_numbers[id] = { registered ? static_cast<int>(id) : descriptor, registered, aside };
}

void UringDevice::closing(FileId id)
{
    int gap = -1;
    if (m_numbers[id].registered)
        io_uring_register_files_update(m_main.get(), id, &gap, 1); // else the kernel keeps the file open
    m_numbers[id] = {};
}

void UringDevice::useMemory(std::span<std::byte> memory)
{
    for (std::size_t at = 0; at < memory.size(); at += kLargestBuffer)
        m_memory.push_back({ memory.data() + at, std::min(kLargestBuffer, memory.size() - at) });
    std::ranges::sort(m_memory, std::less<>(), &iovec::iov_base);
    registerMemory();
}

void UringDevice::forgetMemory(std::span<std::byte> memory)
{
    const std::size_t gone = std::erase_if(m_memory, [&](const iovec& piece) {
        const auto* const at = static_cast<const std::byte*>(piece.iov_base);
        return at >= memory.data() && at < memory.data() + memory.size();
    });
    if (gone > 0)
        registerMemory(); // the kernel would keep the pages that are gone, and none that come to lie there
}

void UringDevice::registerMemory()
{
    if (!m_registered.empty())
        io_uring_unregister_buffers(m_main.get());
    m_registered.clear();
    m_memoryRefused.clear();
    if (m_memory.empty())
        return;
    const int result =
        io_uring_register_buffers(m_main.get(), m_memory.data(), static_cast<unsigned>(m_memory.size()));
    m_registered = result == 0 ? m_memory : std::vector<iovec>();
    m_memoryRefused =
        result == 0 ? "" : boost::system::error_code(-result, boost::system::system_category()).message();
}

std::string UringDevice::description() const
{
    std::string text = "io_uring (" + m_main.flags() + (m_fileTable > 0 ? ", registered files" : "");
    if (!m_registered.empty())
        text += fmt::format(", {} of registered memory", formatBytes(bytesOf(m_registered)));
    if (!m_memoryRefused.empty())
        text += fmt::format(
            ", {} of memory not registered: {} (is the limit of locked memory, ulimit -l, too low?)",
            formatBytes(bytesOf(m_memory)), m_memoryRefused);
    if (m_pollRefused)
        text += ", but not those of every file: not all volumes can be polled";
    return text + ")" + m_note;
}

int UringDevice::registeredBuffer(const Stretch& stretch) const noexcept
{
    const auto next = std::ranges::upper_bound(
        m_registered, static_cast<void*>(stretch.data), std::less<>(), &iovec::iov_base);
    if (next == m_registered.begin())
        return -1;
    const auto buffer = std::prev(next);
    const std::byte* end = static_cast<std::byte*>(buffer->iov_base) + buffer->iov_len;
    if (stretch.data + stretch.length > end)
        return -1;
    return static_cast<int>(buffer - m_registered.begin());
}

void UringDevice::prepare(std::uint32_t slot)
{
    const RequestTable::Slot& state = m_table[slot];
    const IoRequest& request = state.request;
    const Kernel kernel = m_numbers[request.file];
    const bool aside = m_side && (request.kind == IoKind::flush || kernel.aside);
    io_uring* ring = aside ? m_side->get() : m_main.get();
    io_uring_sqe* sqe = io_uring_get_sqe(ring);
    assert(sqe != nullptr); // a ring has room for all slots
    const bool registered = kernel.registered && !aside;
    const int number = registered ? kernel.number : file(request.file).descriptor.get();
    const std::uint64_t offset = request.offset + state.done;
    const bool reads = request.kind == IoKind::read;
    if (request.kind == IoKind::flush) {
        io_uring_prep_fsync(sqe, number, IORING_FSYNC_DATASYNC);
    } else if (request.pieces.size() > 1 && state.done == 0) {
        // More than the kernel takes are a transfer that falls short.
        const auto pieces = static_cast<unsigned>(std::min<std::size_t>(request.pieces.size(), IOV_MAX));
        if (reads)
            io_uring_prep_readv(sqe, number, request.pieces.data(), pieces, offset);
        else
            io_uring_prep_writev(sqe, number, request.pieces.data(), pieces, offset);
    } else {
        const Stretch rest = restOf(request, state.done);
        const int buffer = aside ? -1 : registeredBuffer(rest);
        if (buffer >= 0 && reads)
            io_uring_prep_read_fixed(sqe, number, rest.data, rest.length, offset, buffer);
        else if (buffer >= 0)
            io_uring_prep_write_fixed(sqe, number, rest.data, rest.length, offset, buffer);
        else if (reads)
            io_uring_prep_read(sqe, number, rest.data, rest.length, offset);
        else
            io_uring_prep_write(sqe, number, rest.data, rest.length, offset);
    }
    if (registered)
        sqe->flags |= IOSQE_FIXED_FILE;
    io_uring_sqe_set_data64(sqe, slot);
}

void UringDevice::issue()
{
    if (!m_enabled) {
        m_enabled = true;
        m_main.enable();
        if (m_side)
            m_side->enable();
    }
    for (bool more = true; more;) {
        const MonoTime now = monoNow();
        unsigned batch = 0;
        for (; batch < kBatch && !m_goOn.empty(); ++batch) {
            prepare(m_goOn.back()); // issued long ago
            m_goOn.pop_back();
        }
        for (; batch < kBatch; ++batch) {
            const std::uint32_t slot = m_table.next();
            if (slot == RequestTable::kNone)
                break;
            m_table[slot].issued = now;
            prepare(slot);
        }
        more = batch == kBatch;
        // What the kernel does not take just now (EAGAIN, EBUSY) stays in the ring, and goes with the next call. Completions
        // that are there by then come with it.
        if (io_uring_sq_ready(m_main.get()) > 0)
            io_uring_submit_and_get_events(m_main.get());
        if (m_side && io_uring_sq_ready(m_side->get()) > 0)
            io_uring_submit(m_side->get());
    }
}

void UringDevice::submit(std::span<const IoRequest> requests)
{
    for (const IoRequest& request : requests)
        m_table.push(request);
    issue();
}

bool UringDevice::settle(std::uint32_t slot, int result, int& error)
{
    RequestTable::Slot& state = m_table[slot];
    const IoRequest& request = state.request;
    if (result == -EINTR || result == -EAGAIN) {
        error = -result;
        return ++state.retries > kMostRetries;
    }
    if (result == -EOPNOTSUPP && m_side && state.retries++ < 2) {
        m_numbers[request.file].aside = m_pollRefused = true; // this file's volume cannot be polled after all
        return false;
    }
    if (result < 0 || request.kind == IoKind::flush) {
        error = result < 0 ? -result : 0;
        return true;
    }
    state.retries = 0;
    state.done += static_cast<std::uint32_t>(result);
    if (state.done >= request.length) {
        error = 0;
        return true;
    }
    // Nothing more to come: the file's end. With direct I/O a part of a block is its end, too.
    const bool atEnd = result == 0
        || (request.kind == IoKind::read && file(request.file).options.direct
            && (request.offset + state.done) % block() != 0);
    error = EIO;
    return atEnd;
}

std::size_t UringDevice::harvest(io_uring* ring, std::span<IoCompletion> completions)
{
    unsigned ready = io_uring_cq_ready(ring);
    if (ready == 0) {
        // Completions that this thread must fetch itself (DEFER_TASKRUN).
        if ((IO_URING_READ_ONCE(*ring->sq.kflags) & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) == 0)
            return 0;
        io_uring_get_events(ring);
        ready = io_uring_cq_ready(ring);
        if (ready == 0)
            return 0;
    }
    const MonoTime now = monoNow();
    std::size_t given = 0;
    unsigned seen = 0;
    const unsigned mask = *ring->cq.kring_mask;
    for (unsigned head = *ring->cq.khead; seen < ready && given < completions.size(); ++seen, ++head) {
        const io_uring_cqe& cqe = ring->cq.cqes[head & mask];
        const auto slot = static_cast<std::uint32_t>(cqe.user_data);
        int error = 0;
        if (settle(slot, cqe.res, error))
            completions[given++] = m_table.finish(slot, error, now);
        else
            m_goOn.push_back(slot);
    }
    io_uring_cq_advance(ring, seen);
    return given;
}

std::size_t UringDevice::poll(std::span<IoCompletion> completions, MonoTime until)
{
    for (;;) {
        io_uring_submit_and_get_events(m_main.get()); // polls the device once
        std::size_t given = harvest(m_main.get(), completions);
        given += harvest(m_side->get(), completions.subspan(given));
        if (given > 0 || m_table.used() > 0)
            issue();
        if (given > 0 || m_table.pending() == 0 || monoNow() >= until)
            return given;
    }
}

std::size_t UringDevice::reap(std::span<IoCompletion> completions, Nanoseconds wait)
{
    if (m_table.pending() == 0 || completions.empty())
        return 0;
    if (m_side)
        return poll(completions, wait > Nanoseconds::zero() ? monoNow() + wait : MonoTime::min());
    MonoTime until = MonoTime::min();
    for (;;) {
        const std::size_t given = harvest(m_main.get(), completions);
        if (given > 0 || !m_goOn.empty() || io_uring_sq_ready(m_main.get()) > 0)
            issue(); // into the slots that are free now
        if (given > 0 || m_table.pending() == 0 || wait <= Nanoseconds::zero())
            return given;
        const MonoTime now = monoNow();
        if (until == MonoTime::min())
            until = now + std::min<Nanoseconds>(wait, std::chrono::hours(24));
        if (now >= until)
            return 0;
        const Nanoseconds left = until - now;
        __kernel_timespec time { left.count() / 1'000'000'000, left.count() % 1'000'000'000 };
        io_uring_cqe* first = nullptr;
        io_uring_submit_and_wait_timeout(m_main.get(), &first, 1, &time, nullptr);
    }
}

} // namespace loadstone::storage
