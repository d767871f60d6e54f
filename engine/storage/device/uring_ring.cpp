// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/uring_device.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <span>

namespace loadstone::storage {
namespace {

struct Flags {
    unsigned bits;
    const char* words;
};

// The best first; kernels answer EINVAL to what they do not know.
constexpr Flags kFlags[] = {
    { IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN
            | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
        "single issuer, deferred completion work" }, // Linux 6.1
    { IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
        "cooperative completion work" }, // 5.19
    { 0, "plain" },
};

std::string whyRefused(int error)
{
    std::string text =
        "io_uring_setup: " + boost::system::error_code(error, boost::system::system_category()).message();
    if (error == EPERM || error == EACCES)
        text += " (kernel.io_uring_disabled is set, or the container's seccomp profile forbids it)";
    else if (error == ENOSYS)
        text += " (a kernel before 5.1 or built without it, or a container's seccomp profile forbids it)";
    else if (error == ENOMEM)
        text += " (the limit of locked memory, ulimit -l, is too low)";
    return text;
}

/// The kernel unmaps a ring's memory before it maps another's at the same address, maybe in another thread; what it orders, this
/// orders for those who look for races (ThreadSanitizer does not see liburing's system calls).
std::atomic<unsigned> unmapped = 0;

} // namespace

Result<Ring> Ring::make(unsigned entries, bool polled, unsigned without)
{
    Ring made;
    int result = -EINVAL;
    for (const Flags& flags : std::span(kFlags).subspan(without)) {
        io_uring_params parameters {};
        parameters.flags = flags.bits | IORING_SETUP_R_DISABLED | (polled ? IORING_SETUP_IOPOLL : 0U);
        result = io_uring_queue_init_params(entries, &made.m_ring, &parameters);
        if (result == -EINVAL)
            continue;
        if (result == 0) {
            made.m_mine = true;
            made.m_flags = flags.words + std::string(polled ? ", completions polled" : "");
        }
        break;
    }
    static_cast<void>(unmapped.load(std::memory_order_acquire));
    if (result != 0)
        return fail(
            whyRefused(-result), boost::system::error_code(-result, boost::system::system_category()));
    if ((made.m_ring.features & IORING_FEAT_EXT_ARG) == 0)
        return fail("io_uring of this kernel cannot wait with a timeout (Linux 5.11 can)");
    io_uring_probe* probe = io_uring_get_probe_ring(&made.m_ring);
    for (unsigned opcode = 0; probe != nullptr && opcode < made.m_opcodes.size(); ++opcode)
        made.m_opcodes[opcode] = io_uring_opcode_supported(probe, static_cast<int>(opcode)) != 0;
    io_uring_free_probe(probe);
    return made;
}

Ring::Ring(Ring&& other) noexcept
    : m_ring(other.m_ring)
    , m_mine(std::exchange(other.m_mine, false))
    , m_flags(std::move(other.m_flags))
    , m_opcodes(std::move(other.m_opcodes))
{
}

Ring::~Ring()
{
    if (!m_mine)
        return;
    unmapped.fetch_add(1, std::memory_order_release);
    io_uring_queue_exit(&m_ring);
}

void Ring::enable()
{
    // Not io_uring_enable_rings(): the library of Debian 12 does not export it.
    io_uring_register(static_cast<unsigned>(m_ring.ring_fd), IORING_REGISTER_ENABLE_RINGS, nullptr, 0);
    io_uring_register_ring_fd(&m_ring); // saves a look-up a call; where it is refused, it is not needed
}

} // namespace loadstone::storage
