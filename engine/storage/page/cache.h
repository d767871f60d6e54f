// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/aligned_memory.h"
#include "storage/device/loop.h"
#include "storage/page/damage.h"
#include "storage/page/page_edit.h"

#include <queue>

#include <list>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace loadstone::storage {

/// A page's place in memory.
struct Frame {
    PageId id;
    Page page;
    std::uint32_t pins = 0; ///< may not be given away while there are any
    std::uint32_t tenancy = 0; ///< how many pages it had before
    bool loading = false; ///< its content is on its way from the disk
    bool dirty = false; ///< changed since it was last copied to be written
    bool writing = false; ///< a copy of it is on its way to the disk
    LogPosition firstChange = 0; ///< dirty: of the first change since then
    LogPosition logEnd = 0; ///< where the records of its last change end
    MonoTime last {}, lastButOne {}; ///< when it was asked for, see LRU-2
    std::list<Frame*>::iterator dirtyPlace {};
};

/// The pages of a storage group's databases that are in memory, at most as many as its memory takes. Given away is first
/// the one whose last but one use is longest ago (LRU-2: O'Neil, O'Neil and Weikum, SIGMOD 1993); uses within 100 ms of each
/// other count as one.
class Cache {
public:
    /// A database's file and what its pages are signed with.
    struct File {
        FileId file = 0;
        std::uint32_t signature = 0;
        std::string path;
    };
    struct Counts {
        std::uint64_t requests = 0, misses = 0; ///< pages asked for, and those that had to be read
        std::uint64_t stalls = 0; ///< "page fault stalls": a page that had to wait for memory
        std::uint64_t evicted = 0;
    };

    /// `frames`: how many pages.
    Cache(Loop& loop, std::size_t pageSize, std::size_t frames);
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;

    void setFiles(std::vector<File> files) { m_files = std::move(files); }
    [[nodiscard]] const File& file(std::uint8_t database) const { return m_files[database]; }
    [[nodiscard]] std::size_t databases() const noexcept { return m_files.size(); }
    [[nodiscard]] std::size_t pageSize() const noexcept { return m_pageSize; }
    [[nodiscard]] std::span<std::byte> memory() const noexcept { return m_memory.bytes(); }

    /// The frame of a page that is in memory, and counted as used now; else none.
    [[nodiscard]] Frame* find(PageId id);
    /// The same, read from the disk if need be. It has a pin more when it is returned; see unpin(). An Error names the
    /// file and says what is wrong with the page. `anyContent`: the caller can do without, so that this is no damage.
    Task<Result<Frame*>> fetch(PageId id, IoClass ioClass, bool anyContent = false);
    /// A frame for a page whose content on the disk does not matter, pinned; none where there is no free one just now.
    [[nodiscard]] Frame* take(PageId id);
    void unpin(Frame& frame);
    [[nodiscard]] bool holds(PageId id) const { return m_pages.contains(keyOf(id)); }
    /// A copy of the page is on its way to the disk.
    [[nodiscard]] bool writes(PageId id) const;
    /// Another number whenever the writing of this page begins or ends; now and then for another page's sake.
    [[nodiscard]] std::uint32_t writeCount(PageId id) const noexcept
    {
        return m_writeCounts[id.number % kWriteCounts];
    }
    /// Forgets a page that was taken, has one pin, and was not changed after all.
    void discard(Frame& frame);
    /// Reads pages that are not in memory, if there is memory for them: neighbours and those with few pages between in one
    /// transfer. For recovery, that knows what it will ask for. Pages that are damaged are left out: fetch() will say so.
    Task<> prefetch(std::vector<PageId> pages, IoClass ioClass);

    /// Counts its content as changed by records in [begin, end) of the log.
    void changed(Frame& frame, LogPosition begin, LogPosition end);
    /// A copy is being written: it is clean until it is changed again.
    void copied(Frame& frame);
    /// The copy has been written.
    void written(Frame& frame);
    /// Dirty frames, the longest so first.
    [[nodiscard]] const std::list<Frame*>& dirty() const noexcept { return m_dirty; }

    // Memory:
    [[nodiscard]] std::size_t frames() const noexcept { return m_frames.size(); }
    [[nodiscard]] std::size_t used() const noexcept { return m_frames.size() - m_free.size(); }
    [[nodiscard]] std::size_t free() const noexcept { return m_free.size(); }
    /// Gives clean pages away until `wanted` frames are free, at most kMostEvicted at once, so that a large cache stops nobody for
    /// long. Dirty ones that are in the way are put into `toWrite`; if there are any, then `mostToWrite`, so that it is worth
    /// writing them. True: there is more to do, and calling it again gets further.
    bool evict(std::size_t wanted, std::vector<Frame*>& toWrite, std::size_t mostToWrite);
    static constexpr std::size_t kMostEvicted = 256;
    /// Woken when free frames are wanted, and when some have become free.
    [[nodiscard]] Waiters& memoryWanted() noexcept { return m_memoryWanted; }
    [[nodiscard]] Waiters& memoryFree() noexcept { return m_memoryFree; }
    /// Memory is wanted: free frames are 1 % at most, or fewer than somebody waits for.
    [[nodiscard]] bool isLow() const noexcept
    {
        return m_free.size() <= m_lowFree || m_free.size() < awaited();
    }
    /// How many free frames end that: 2 %, and as many as somebody waits for.
    [[nodiscard]] std::size_t enoughFree() const noexcept { return std::max(2 * m_lowFree, awaited()); }
    /// Waits until so many frames are free. Whoever waits for more than one must hold none.
    Task<> waitForMemory(std::size_t frames = 1);
    /// Ends all waiting: what is asked for from now on fails with this.
    void failWith(Error error);
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return m_failure; }
    [[nodiscard]] const Counts& counts() const noexcept { return m_counts; }
    /// Pages that were asked for and are damaged; those with one wrong bit were put right in memory.
    [[nodiscard]] const PageDamages& damages() const noexcept { return m_damages; }

private:
    struct Candidate {
        MonoTime lastButOne, last;
        Frame* frame;
        std::uint32_t tenancy;
        bool operator>(const Candidate& other) const noexcept
        {
            return lastButOne != other.lastButOne ? lastButOne > other.lastButOne : last > other.last;
        }
    };
    static constexpr std::size_t kWriteCounts = 4096;
    static std::uint64_t keyOf(PageId id) noexcept { return std::uint64_t { id.database } << 32 | id.number; }
    [[nodiscard]] std::size_t awaited() const noexcept { return m_awaited.empty() ? 0 : *m_awaited.rbegin(); }
    void use(Frame& frame);
    void offer(Frame& frame);
    void release(Frame& frame);
    Result<void> checkLoaded(Frame& frame);
    Loop& m_loop;
    std::size_t m_pageSize, m_lowFree;
    AlignedMemory m_memory;
    std::vector<File> m_files;
    std::vector<Frame> m_frames;
    std::vector<Frame*> m_free;
    std::unordered_map<std::uint64_t, Frame*> m_pages;
    std::list<Frame*> m_dirty;
    std::vector<std::uint32_t> m_writeCounts; // of the pages with a number modulo kWriteCounts
    // Every page in use is in here once, by what its uses were when it was put in; they only grow, so that the first one
    // is looked up and put back until it is what it says.
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> m_candidates;
    std::multiset<std::size_t> m_awaited; // how many free frames those need who wait for them
    Waiters m_loaded, m_memoryWanted, m_memoryFree;
    std::optional<Error> m_failure;
    Counts m_counts;
    PageDamages m_damages;
};

} // namespace loadstone::storage
