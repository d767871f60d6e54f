// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/cache.h"

#include "storage/device/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sys/uio.h>

namespace loadstone::storage {
namespace {

constexpr auto kOneUse = std::chrono::milliseconds(100);
constexpr std::size_t kMostPieces = 64; // of one coalesced read
constexpr PageNumber kLongestGap = 4; // pages that are read along and dropped
constexpr std::size_t kMostLooked = 8 * Cache::kMostEvicted; // candidates, of one call of evict()

const char* describe(PageState state)
{
    switch (state) {
    case PageState::wrongPage:
        return "another page is in its place (wrong page number)";
    case PageState::blank:
        return "it was never written";
    default:
        return "its checksum is wrong (bad page)";
    }
}

} // namespace

Cache::Cache(Loop& loop, std::size_t pageSize, std::size_t frames)
    : m_loop(loop)
    , m_pageSize(pageSize)
    , m_lowFree(std::max<std::size_t>(frames / 100, 2))
    , m_memory(pageSize * frames)
    , m_frames(frames)
    , m_writeCounts(kWriteCounts)
{
    m_pages.reserve(frames * 2);
    for (std::size_t i = frames; i-- > 0;) {
        m_frames[i].page = Page(m_memory.bytes().subspan(i * pageSize, pageSize));
        m_free.push_back(&m_frames[i]);
    }
}

void Cache::use(Frame& frame)
{
    const MonoTime time = m_loop.now();
    if (time - frame.last >= kOneUse)
        frame.lastButOne = frame.last;
    frame.last = time;
}

void Cache::offer(Frame& frame)
{
    m_candidates.push({ frame.lastButOne, frame.last, &frame, frame.tenancy });
}

Frame* Cache::find(PageId id)
{
    ++m_counts.requests;
    const auto at = m_pages.find(keyOf(id));
    if (at == m_pages.end() || at->second->loading)
        return nullptr;
    use(*at->second);
    return at->second;
}

Frame* Cache::take(PageId id)
{
    if (const auto at = m_pages.find(keyOf(id)); at != m_pages.end()) {
        if (at->second->loading)
            return nullptr;
        ++at->second->pins;
        use(*at->second);
        return at->second;
    }
    if (isLow())
        m_memoryWanted.wakeAll(m_loop);
    if (m_free.empty())
        return nullptr;
    Frame& frame = *m_free.back();
    m_free.pop_back();
    frame.id = id;
    frame.pins = 1;
    frame.last = m_loop.now();
    frame.lastButOne = {};
    m_pages.emplace(keyOf(id), &frame);
    offer(frame);
    return &frame;
}

void Cache::unpin(Frame& frame)
{
    if (--frame.pins == 0 && isLow())
        m_memoryWanted.wakeAll(m_loop);
}

bool Cache::writes(PageId id) const
{
    const auto at = m_pages.find(keyOf(id));
    return at != m_pages.end() && at->second->writing;
}

void Cache::discard(Frame& frame)
{
    frame.pins = 0;
    release(frame);
}

void Cache::release(Frame& frame)
{
    m_pages.erase(keyOf(frame.id));
    ++frame.tenancy;
    frame.loading = false;
    m_free.push_back(&frame);
    m_memoryFree.wakeAll(m_loop);
}

Task<> Cache::waitForMemory(std::size_t frames)
{
    ++m_counts.stalls;
    const auto awaited = m_awaited.insert(frames);
    while (m_free.size() < frames && !m_failure) {
        m_memoryWanted.wakeAll(m_loop);
        co_await m_memoryFree.wait();
    }
    m_awaited.erase(awaited);
}

Result<void> Cache::checkLoaded(Frame& frame)
{
    const File& file = m_files[frame.id.database];
    const PageState state = frame.page.verify(frame.id.number, file.signature);
    if (state == PageState::correctable)
        m_damages.note(state, frame.id, file.path);
    if (state != PageState::good && state != PageState::correctable)
        return fail(fmt::format("{}, page {}: {}", file.path, frame.id.number, describe(state)));
    const PageKind kind = frame.page.header().kind;
    if ((kind == PageKind::leaf || kind == PageKind::internal) && !frame.page.wellFormed())
        return fail(fmt::format("{}, page {}: its entries are inconsistent, although its checksum is right",
            file.path, frame.id.number));
    return {};
}

Task<Result<Frame*>> Cache::fetch(PageId id, IoClass ioClass, bool anyContent)
{
    for (;;) {
        if (m_failure)
            co_return *m_failure;
        if (const auto at = m_pages.find(keyOf(id)); at != m_pages.end()) {
            Frame& frame = *at->second;
            if (frame.loading) {
                co_await m_loaded.wait();
                continue;
            }
            ++frame.pins;
            use(frame);
            co_return &frame;
        }
        Frame* const frame = take(id);
        if (frame == nullptr) {
            co_await waitForMemory();
            continue;
        }
        ++m_counts.misses;
        frame->loading = true;
        IoRequest request;
        request.ioClass = ioClass;
        request.file = m_files[id.database].file;
        request.data = frame->page.bytes().data();
        request.offset = std::uint64_t { id.number } * m_pageSize;
        request.length = static_cast<std::uint32_t>(m_pageSize);
        const int error = co_await m_loop.transfer(request);
        Result<void> sound = error == 0
            ? checkLoaded(*frame)
            : transferError(
                fmt::format("{}, page {}", m_files[id.database].path, id.number), "reading", error);
        frame->loading = false;
        m_loaded.wakeAll(m_loop);
        if (!sound) {
            if (error == 0 && !anyContent) {
                const PageState state = frame->page.verify(id.number, m_files[id.database].signature);
                m_damages.note(
                    state == PageState::good ? PageState::bad : state, id, m_files[id.database].path);
            }
            frame->pins = 0;
            release(*frame);
            co_return sound.error();
        }
        co_return frame;
    }
}

Task<> Cache::prefetch(std::vector<PageId> pages, IoClass ioClass)
{
    std::sort(pages.begin(), pages.end(), [](PageId a, PageId b) { return keyOf(a) < keyOf(b); });
    struct Run {
        std::vector<Frame*> frames;
        std::vector<iovec> pieces;
        PageId first, last;
    };
    std::vector<Run> runs;
    const AlignedMemory gap(m_pageSize);
    // A full cache has hardly a free frame. Pages that would have to be written first stay.
    const std::size_t wanted = std::min(pages.size(), m_frames.size() / 4) + enoughFree();
    std::vector<Frame*> dirty;
    while (evict(wanted, dirty, std::numeric_limits<std::size_t>::max()))
        dirty.clear();
    for (const PageId id : pages) {
        // Prefetching is no reason for anybody to wait for memory.
        if (holds(id))
            continue;
        if (m_free.size() <= enoughFree())
            break;
        Frame& frame = *take(id);
        frame.loading = true;
        const bool near = !runs.empty() && runs.back().last.database == id.database
            && id.number - runs.back().last.number <= kLongestGap + 1
            && runs.back().pieces.size() < kMostPieces;
        if (!near)
            runs.push_back({ {}, {}, id, id });
        Run& run = runs.back();
        for (PageNumber between = run.last.number + 1; near && between < id.number; ++between)
            run.pieces.push_back({ gap.data(), m_pageSize });
        run.pieces.push_back({ frame.page.bytes().data(), m_pageSize });
        run.frames.push_back(&frame);
        run.last = id;
    }
    std::vector<IoRequest> requests;
    for (const Run& run : runs) {
        IoRequest request;
        request.ioClass = ioClass;
        request.file = m_files[run.first.database].file;
        request.pieces = run.pieces;
        request.offset = std::uint64_t { run.first.number } * m_pageSize;
        request.length = static_cast<std::uint32_t>(run.pieces.size() * m_pageSize);
        requests.push_back(request);
    }
    const int error = co_await m_loop.transferAll(requests);
    for (const Run& run : runs)
        for (Frame* const frame : run.frames) {
            const bool sound = error == 0 && checkLoaded(*frame);
            frame->loading = false;
            if (sound)
                unpin(*frame);
            else
                discard(*frame); // whoever asks for it will be told what is wrong
        }
    m_counts.misses += runs.empty() ? 0 : requests.size();
    m_loaded.wakeAll(m_loop);
}

void Cache::changed(Frame& frame, LogPosition begin, LogPosition end)
{
    frame.logEnd = end;
    if (frame.dirty)
        return;
    frame.dirty = true;
    frame.firstChange = begin;
    frame.dirtyPlace = m_dirty.insert(m_dirty.end(), &frame); // changes come in the order of the log
}

void Cache::copied(Frame& frame)
{
    m_dirty.erase(frame.dirtyPlace);
    frame.dirty = false;
    frame.writing = true;
    ++m_writeCounts[frame.id.number % kWriteCounts];
}

void Cache::written(Frame& frame)
{
    frame.writing = false;
    ++m_writeCounts[frame.id.number % kWriteCounts];
}

bool Cache::evict(std::size_t wanted, std::vector<Frame*>& toWrite, std::size_t mostToWrite)
{
    wanted = std::min(wanted, m_frames.size()); // more is never free
    std::vector<Frame*> keep;
    std::size_t evicted = 0, looked = 0, moved = 0;
    // Bounds: of the time that it takes, and that no page is written long before its time.
    const std::size_t most = std::min(m_frames.size(), kMostLooked),
                      mostForDirty = std::min(most, m_frames.size() / 8);
    for (; toWrite.size() < mostToWrite && !m_candidates.empty(); ++looked) {
        const bool enough = m_free.size() >= wanted || evicted >= kMostEvicted;
        if ((enough && toWrite.empty()) || looked >= (enough ? mostForDirty : most))
            break;
        const Candidate candidate = m_candidates.top();
        Frame& frame = *candidate.frame;
        m_candidates.pop();
        if (candidate.tenancy != frame.tenancy) {
            ++moved;
            continue;
        }
        if (candidate.last != frame.last || candidate.lastButOne != frame.lastButOne) {
            offer(frame);
            ++moved;
            continue;
        }
        if (frame.pins > 0 || frame.loading || frame.writing || frame.dirty) {
            keep.push_back(&frame);
            if (frame.dirty && !frame.writing && frame.pins == 0)
                toWrite.push_back(&frame);
            continue;
        }
        ++m_counts.evicted;
        ++evicted;
        release(frame);
    }
    for (Frame* const frame : keep)
        offer(*frame);
    return m_free.size() < wanted && evicted + moved > 0;
}

void Cache::failWith(Error error)
{
    if (!m_failure)
        m_failure = std::move(error);
    m_loaded.wakeAll(m_loop);
    m_memoryFree.wakeAll(m_loop);
    m_memoryWanted.wakeAll(m_loop);
}

} // namespace loadstone::storage
