// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/request_table.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace loadstone::storage {

Stretch restOf(const IoRequest& request, std::uint32_t done) noexcept
{
    if (request.pieces.empty())
        return { request.data + done, request.length - done };
    std::uint32_t passed = 0;
    for (const iovec& piece : request.pieces) {
        const auto length = static_cast<std::uint32_t>(piece.iov_len);
        if (done - passed < length)
            return { static_cast<std::byte*>(piece.iov_base) + (done - passed), length - (done - passed) };
        passed += length;
    }
    return {};
}

RequestTable::RequestTable(unsigned depth)
    : m_slots(depth)
    , m_waiting(std::bit_ceil(std::size_t { 2 } * depth))
{
    m_free.reserve(depth);
    for (unsigned slot = depth; slot-- > 0;)
        m_free.push_back(slot);
    m_held.reserve(depth);
}

void RequestTable::push(const IoRequest& request)
{
    assert(request.kind == IoKind::flush || request.length > 0);
    if (m_waitingCount == m_waiting.size()) {
        std::rotate(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(m_waitingBegin),
            m_waiting.end());
        m_waitingBegin = 0;
        m_waiting.resize(2 * m_waiting.size());
    }
    m_waiting[(m_waitingBegin + m_waitingCount++) & (m_waiting.size() - 1)] = request;
}

std::uint32_t RequestTable::heldToGo()
{
    const auto first =
        std::ranges::find_if(m_held, [&](std::uint32_t slot) { return m_slots[slot].waitsFor == 0; });
    if (first == m_held.end()) {
        m_lookAtHeld = false;
        return kNone;
    }
    const std::uint32_t slot = *first;
    m_held.erase(first);
    return slot;
}

std::uint32_t RequestTable::next()
{
    if (m_lookAtHeld)
        if (const std::uint32_t held = heldToGo(); held != kNone)
            return held;
    while (m_waitingCount > 0 && !m_free.empty()) {
        const std::uint32_t index = m_free.back();
        m_free.pop_back();
        Slot& slot = m_slots[index];
        slot.request = m_waiting[m_waitingBegin];
        slot.number = m_number++;
        slot.done = 0;
        slot.retries = 0;
        slot.used = true;
        m_waitingBegin = (m_waitingBegin + 1) & (m_waiting.size() - 1);
        --m_waitingCount;
        ++m_usedCount;
        const FileId file = slot.request.file;
        if (m_writes.size() <= file)
            m_writes.resize(file + std::size_t { 1 });
        slot.waitsFor = slot.request.kind == IoKind::flush ? m_writes[file] : 0;
        m_writes[file] += slot.request.kind == IoKind::write;
        if (slot.waitsFor == 0)
            return index;
        m_held.push_back(index);
    }
    return kNone;
}

IoCompletion RequestTable::finish(std::uint32_t index, int error, MonoTime done)
{
    Slot& slot = m_slots[index];
    assert(slot.used);
    const IoRequest& request = slot.request;
    if (request.kind == IoKind::write) {
        --m_writes[request.file];
        for (const std::uint32_t held : m_held) {
            Slot& flush = m_slots[held];
            if (flush.request.file != request.file || flush.number < slot.number)
                continue;
            if (--flush.waitsFor == 0)
                m_lookAtHeld = true;
        }
    }
    slot.used = false;
    --m_usedCount;
    m_free.push_back(index);
    return { request.tag, error, request.file, request.kind, request.ioClass, request.length, request.queued,
        slot.issued, done, request.place };
}

} // namespace loadstone::storage
