// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/raw/raw_worker.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace loadstone::storage {

void fillWithRandom(std::span<std::byte> memory, std::uint64_t seed)
{
    Random random(seed);
    for (std::size_t i = 0; i + 8 <= memory.size(); i += 8) {
        const std::uint64_t value = random();
        std::memcpy(memory.data() + i, &value, 8);
    }
}

void RawWorker::fill()
{
    const std::uint64_t blocks = m_test.size / m_test.block;
    std::uint64_t at = blocks * m_share.index / m_share.count * m_test.block;
    const std::uint64_t end = blocks * (m_share.index + 1) / m_share.count * m_test.block;
    const std::uint64_t begin = at;
    std::vector<std::uint64_t> free, offsets(kFillDepth);
    for (std::size_t i = 0; i < kFillDepth; ++i)
        free.push_back(i);
    bool flushing = false, done = false;
    while (!disturbed() && !m_failed && !done) {
        while (at < end && !free.empty()) {
            IoRequest write;
            write.tag = free.back();
            free.pop_back();
            write.data = m_fillMemory.data() + write.tag * kFillBlock;
            write.offset = offsets[write.tag] = at;
            write.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(kFillBlock, end - at));
            write.file = m_fillFile;
            write.kind = IoKind::write;
            write.ioClass = IoClass::maintenance;
            write.queued = monoNow();
            fillWithRandom({ write.data, write.length }, hashOf({ m_orders.seed, at }));
            m_device->submit({ &write, 1 });
            at += write.length;
        }
        if (at >= end && m_device->pending() == 0 && !flushing) {
            IoRequest flush;
            flush.file = m_fillFile;
            flush.kind = IoKind::flush;
            flush.queued = monoNow();
            m_device->submit({ &flush, 1 });
            flushing = true;
        }
        std::array<IoCompletion, kFillDepth> completions;
        const std::size_t given = m_device->reap(completions, kLongestWait);
        for (std::size_t i = 0; i < given; ++i) {
            const IoCompletion& one = completions[i];
            if (one.error != 0)
                fail(one, one.kind == IoKind::write ? offsets[one.tag] : begin);
            else if (one.kind == IoKind::write)
                m_recorder.write([&](metrics::Slab& slab) {
                    ++slab[m_series.schedule().fillWrites];
                    slab[m_series.schedule().fillBytes] += one.length;
                });
            if (one.kind == IoKind::write)
                free.push_back(one.tag);
            done = done || (one.kind == IoKind::flush && one.error == 0);
        }
    }
    std::array<IoCompletion, kFillDepth> rest; // of a fill that was given up
    while (m_device->pending() > 0)
        m_device->reap(rest, kLongestWait);
    m_orders.what = RawOrders::What::nothing;
    if (done)
        m_filled.store(true, std::memory_order_release);
}

} // namespace loadstone::storage
