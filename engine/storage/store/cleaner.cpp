// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/store/cleaner.h"

#include "storage/device/transfers.h"
#include "storage/page/mutants.h"

#include <algorithm>
#include <cstring>

namespace loadstone::storage {
namespace {

constexpr std::size_t kLongestWrite = 1U << 20; // of one transfer

} // namespace

Cleaner::Cleaner(Loop& loop, Cache& cache, LogWriter& log, PageCopies& copies, CheckpointFile& file,
    Checkpoint checkpoint, std::uint64_t depth, Durability durability)
    : m_loop(loop)
    , m_cache(cache)
    , m_log(log)
    , m_copies(copies)
    , m_file(file)
    , m_checkpoint(checkpoint)
    , m_depth(depth)
    , m_durability(durability)
    , m_batches(PageCopies::kSlots)
{
}

LogPosition Cleaner::oldest() const noexcept
{
    LogPosition position = m_cache.dirty().empty() ? horizon() : m_cache.dirty().front()->firstChange;
    for (const Batch& batch : m_batches)
        if (batch.busy && !planted(Mutant::checkpointTooFar))
            position = std::min(position, batch.oldest);
    return position;
}

bool Cleaner::overdue() const noexcept
{
    return m_stopping || m_cache.isLow()
        || (!m_cache.dirty().empty() && horizon() - m_cache.dirty().front()->firstChange > m_depth);
}

void Cleaner::stop()
{
    m_stopping = true;
    m_cache.memoryWanted().wakeAll(m_loop);
}

std::vector<Frame*> Cleaner::choose()
{
    std::vector<Frame*> chosen;
    m_evicting = m_evicting || m_cache.isLow();
    if (m_evicting) {
        m_evicting = m_cache.evict(m_cache.enoughFree(), chosen, PageCopies::kMostPages / 2);
        m_counts.forMemory += chosen.size();
    }
    // From the oldest change on. A page whose last copy is still on its way comes another time: it must not overtake that.
    const LogPosition end = horizon();
    for (Frame* const frame : m_cache.dirty()) {
        if (chosen.size() == PageCopies::kMostPages || (!m_stopping && end - frame->firstChange <= m_depth))
            break;
        if (!frame->writing && std::find(chosen.begin(), chosen.end(), frame) == chosen.end())
            chosen.push_back(frame);
    }
    return chosen;
}

void Cleaner::copy(std::size_t slot, std::vector<Frame*> frames)
{
    std::sort(frames.begin(), frames.end(), [](const Frame* a, const Frame* b) {
        return a->id.database != b->id.database ? a->id.database < b->id.database
                                                : a->id.number < b->id.number;
    });
    Batch& batch = m_batches[slot];
    batch.busy = true;
    batch.oldest = horizon();
    batch.copied = horizon();
    batch.logEnd = 0;
    batch.ids.clear();
    const auto pages = m_copies.pages(slot);
    const std::size_t size = m_cache.pageSize();
    for (std::size_t i = 0; i < frames.size(); ++i) {
        Frame& frame = *frames[i];
        const Page copy(pages.subspan(i * size, size));
        std::memcpy(copy.bytes().data(), frame.page.bytes().data(), size);
        copy.seal();
        batch.ids.push_back(frame.id);
        batch.oldest = std::min(batch.oldest, frame.firstChange);
        batch.logEnd = std::max(batch.logEnd, frame.logEnd);
        m_cache.copied(frame);
    }
    batch.frames = std::move(frames);
}

Task<> Cleaner::run()
{
    for (;;) {
        if (m_cache.failure()) {
            while (m_writing > 0) // their memory is still being read
                co_await m_written.wait();
            co_return;
        }
        const auto free =
            std::find_if(m_batches.begin(), m_batches.end(), [](const Batch& b) { return !b.busy; });
        if (free == m_batches.end()) {
            co_await m_written.wait();
            continue;
        }
        std::vector<Frame*> frames = choose();
        if (!frames.empty()) {
            const auto slot = static_cast<std::size_t>(free - m_batches.begin());
            copy(slot, std::move(frames));
            ++m_writing;
            m_loop.spawn(write(slot));
            continue;
        }
        if (m_evicting) { // there is more to do, and others want to run, too
            const MonoTime soon = m_loop.now();
            co_await m_loop.until(soon);
            continue;
        }
        const bool writing =
            std::any_of(m_batches.begin(), m_batches.end(), [](const Batch& b) { return b.busy; });
        if (m_stopping && !writing) {
            if (!m_cache.dirty().empty())
                continue;
            // Lazy commits whose pages were all written are on the disk, too.
            const LogPosition end = m_log.end();
            co_await m_log.makeDurable(end);
            if (m_log.failure())
                co_return failWith(*m_log.failure());
            while (m_writingCheckpoint)
                co_await m_written.wait();
            const Result<void> moved = co_await moveCheckpoint(true);
            if (!moved)
                failWith(moved.error());
            co_return;
        }
        if (writing && (m_stopping || m_cache.isLow()))
            co_await m_written.wait();
        else
            co_await m_cache.memoryWanted().wait(); // or changed()
    }
}

Task<> Cleaner::write(std::size_t slot)
{
    co_await writeBatch(slot);
    --m_writing;
    m_written.wakeAll(m_loop);
}

Task<> Cleaner::writeBatch(std::size_t slot)
{
    Batch& batch = m_batches[slot];
    const Result<void> written = co_await writeInPlace(slot);
    if (!written)
        co_return failWith(written.error());
    for (Frame* const frame : batch.frames)
        m_cache.written(*frame);
    m_counts.pages += batch.frames.size();
    ++m_counts.batches;
    batch.busy = false;
    // The checkpoint file is written for every quarter of its depth, or for every half of a log file.
    const std::uint64_t step = std::min(m_depth / 4, m_checkpoint.fileSize / 2);
    if (!m_holding && !m_writingCheckpoint && !m_cache.failure() && oldest() > m_checkpoint.position + step) {
        const Result<void> moved = co_await moveCheckpoint(false);
        if (!moved)
            co_return failWith(moved.error());
    }
}

Task<Result<void>> Cleaner::writeInPlace(std::size_t slot)
{
    const Batch& batch = m_batches[slot];
    if (!planted(Mutant::pageBeforeLog)) {
        co_await m_log.makeDurable(batch.logEnd);
        if (m_log.failure())
            co_return *m_log.failure();
    }
    if (!planted(Mutant::noDoubleWrite)) {
        const Result<void> copied = co_await m_copies.write(slot, batch.ids, batch.copied);
        if (!copied)
            co_return copied.error();
    }
    const std::size_t size = m_cache.pageSize();
    const auto pages = m_copies.pages(slot);
    std::vector<IoRequest> requests;
    for (std::size_t first = 0; first < batch.ids.size();) {
        std::size_t last = first + 1;
        while (last < batch.ids.size() && batch.ids[last].database == batch.ids[first].database
            && batch.ids[last].number == batch.ids[last - 1].number + 1
            && (last + 1 - first) * size <= kLongestWrite)
            ++last;
        IoRequest request;
        request.kind = IoKind::write;
        request.ioClass = IoClass::databaseWrite;
        request.file = m_cache.file(batch.ids[first].database).file;
        request.data = pages.data() + first * size;
        request.offset = std::uint64_t { batch.ids[first].number } * size;
        request.length = static_cast<std::uint32_t>((last - first) * size);
        requests.push_back(request);
        first = last;
    }
    m_counts.transfers += requests.size();
    int error = co_await m_loop.transferAll(requests);
    if (error == 0 && m_durability == Durability::flushed) {
        for (IoRequest& request : requests)
            request.kind = IoKind::flush;
        requests.erase(std::unique(requests.begin(), requests.end(),
                           [](const IoRequest& a, const IoRequest& b) { return a.file == b.file; }),
            requests.end());
        error = co_await m_loop.transferAll(requests);
    }
    if (error != 0)
        co_return transferError(m_cache.file(batch.ids.front().database).path, "writing", error);
    co_return Result<void>();
}

Task<Result<void>> Cleaner::moveCheckpoint(bool clean)
{
    m_writingCheckpoint = true;
    Checkpoint next = m_checkpoint;
    next.position = std::min(oldest(), m_log.durable());
    next.clean = clean;
    // This life's part of the log is all of its epoch, and sound segments of others in it are what recovery cut off. But
    // the segment that it begins in may stand there as the last life wrote it.
    const LogPosition begin = m_log.begin();
    if (next.position > begin || (next.position == begin && begin == next.geometry().segmentBegin(begin)))
        next.positionEpoch = next.epoch;
    const Result<void> written = co_await m_file.write(next);
    m_writingCheckpoint = false;
    if (!written)
        co_return written.error();
    m_checkpoint = next;
    ++m_counts.checkpoints;
    co_return Result<void>();
}

void Cleaner::failWith(const Error& error)
{
    m_cache.failWith(error);
    m_written.wakeAll(m_loop);
}

} // namespace loadstone::storage
