// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/device.h"

#include <sys/uio.h>
#include <vector>

namespace loadstone::storage {

/// Some of a request's memory, in one piece.
struct Stretch {
    std::byte* data = nullptr;
    std::uint32_t length = 0;
};

/// Where a request that has come as far as `done` bytes goes on: to the end of the piece of memory that it stands in.
Stretch restOf(const IoRequest& request, std::uint32_t done) noexcept;

/// The requests that a device has taken over: at most `depth` of them with the kernel, each in a slot, the others waiting in
/// order. A flush is held back until the writes to its file are complete that were submitted before it, so that it covers
/// them. The device's thread only. Allocates where more requests wait than ever before, and for the first one of a file.
class RequestTable {
public:
    struct Slot {
        IoRequest request;
        MonoTime issued {};
        std::uint64_t number = 0; ///< in the order of submission
        std::uint32_t done = 0; ///< bytes
        std::uint16_t retries = 0; ///< after EINTR and EAGAIN, one after the other
        std::uint32_t waitsFor = 0; ///< flush: writes to its file before it that are not complete
        bool used = false;
    };
    static constexpr std::uint32_t kNone = ~0U;

    explicit RequestTable(unsigned depth);

    [[nodiscard]] unsigned depth() const noexcept { return static_cast<unsigned>(m_slots.size()); }
    void push(const IoRequest& request);
    /// A slot that is to be given to the kernel now, or kNone.
    [[nodiscard]] std::uint32_t next();
    [[nodiscard]] Slot& operator[](std::uint32_t slot) noexcept { return m_slots[slot]; }
    /// Frees the slot.
    IoCompletion finish(std::uint32_t slot, int error, MonoTime done);
    /// Requests taken over and not finished.
    [[nodiscard]] std::size_t pending() const noexcept { return m_waitingCount + m_usedCount; }
    /// Requests in slots, held flushes among them.
    [[nodiscard]] std::size_t used() const noexcept { return m_usedCount; }

private:
    [[nodiscard]] std::uint32_t heldToGo();

    std::vector<Slot> m_slots;
    std::vector<std::uint32_t> m_free;
    std::vector<IoRequest> m_waiting; // a ring; its size is a power of two
    std::size_t m_waitingBegin = 0, m_waitingCount = 0, m_usedCount = 0;
    std::vector<std::uint32_t> m_held; // flushes
    std::vector<std::uint32_t> m_writes; // in slots, by file
    bool m_lookAtHeld = false;
    std::uint64_t m_number = 0;
};

} // namespace loadstone::storage
