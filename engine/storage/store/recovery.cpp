// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/store/recovery.h"

#include "storage/page/mutants.h"
#include "storage/page/redo.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr std::size_t kAhead = 1U << 20; // bytes of log records that are looked at for pages to prefetch

} // namespace

/// The records of a stretch of the log.
struct LogReplay::Stretch {
    struct Part {
        LogPosition begin, end;
        std::size_t offset, length;
    };
    std::string bytes;
    std::vector<Part> parts;
    std::vector<PageId> pages;
};

LogReplay::LogReplay(Loop& loop, Cache& cache, LogFiles& files, Cleaner& cleaner,
    const std::vector<std::uint64_t>& pages, Recovery& recovery)
    : m_loop(loop)
    , m_cache(cache)
    , m_files(files)
    , m_cleaner(cleaner)
    , m_pages(pages)
    , m_recovery(recovery)
{
}

Task<Result<LogReplay::Stretch>> LogReplay::readAhead(LogReader& reader) const
{
    Stretch stretch;
    while (reader.end() < m_recovery.to && stretch.bytes.size() < kAhead) {
        const Result<std::optional<LogReader::Group>> group = co_await reader.next();
        if (!group)
            co_return group.error();
        if (!*group)
            co_return fail("the log changed while it was replayed");
        const auto records = (*group)->records;
        stretch.parts.push_back({ (*group)->position, (*group)->end, stretch.bytes.size(), records.size() });
        stretch.bytes.append(reinterpret_cast<const char*>(records.data()), records.size());
        auto left = records;
        while (const std::optional<Redo> record = nextRedo(left))
            if (record->kind != RedoKind::format)
                stretch.pages.push_back({ record->database, record->page });
    }
    co_return stretch;
}

Task<Result<LogPosition>> LogReplay::run(Checkpoint checkpoint)
{
    const LogGeometry& geometry = m_files.geometry();
    LogReader reader(m_loop, m_files, checkpoint);
    LogPosition newest = 0;
    while (reader.end() < m_recovery.to) {
        Result<Stretch> stretch = co_await readAhead(reader);
        if (!stretch)
            co_return stretch.error();
        std::vector<PageId> pages = std::move(stretch->pages);
        co_await m_cache.prefetch(std::move(pages), IoClass::databaseRead);
        for (const Stretch::Part& part : stretch->parts) {
            const auto records = std::as_bytes(std::span(stretch->bytes)).subspan(part.offset, part.length);
            const Result<LogPosition> replayed = co_await replay(records, part.begin, part.end);
            if (!replayed)
                co_return replayed.error();
            newest = std::max(newest, *replayed);
            m_recovery.filesReplayed = geometry.fileOf(part.end) - geometry.fileOf(m_recovery.from);
            m_cleaner.setReplayed(part.end);
            m_cleaner.changed();
        }
    }
    m_recovery.filesReplayed = m_recovery.logFiles;
    m_cleaner.setReplayed({});
    co_return newest;
}

/// Makes the changes of one transaction again where its pages lack them. Gives the highest timestamp met.
Task<Result<LogPosition>> LogReplay::replay(
    std::span<const std::byte> records, LogPosition begin, LogPosition end)
{
    // First all pages, then all changes without waiting: half a transaction must not get to the disk now, either.
    struct Seen {
        Frame* frame;
        bool lacking;
    };
    std::vector<Seen> seen;
    const auto find = [&](PageId id) {
        return std::find_if(seen.begin(), seen.end(), [&](const Seen& one) { return one.frame->id == id; });
    };
    LogPosition newest = 0;
    std::optional<Error> failure;
    for (auto left = records; !failure;) {
        const std::optional<Redo> record = nextRedo(left);
        if (!record)
            break;
        const PageId id { record->database, record->page };
        if (id.database >= m_pages.size() || id.number >= m_pages[id.database]) {
            failure = fail(fmt::format("the log at {} names page {} of database {}, which does not exist",
                begin, id.number, id.database + 1));
        } else if (find(id) == seen.end()) {
            const Result<Frame*> frame = co_await fetchForReplay(id, record->kind == RedoKind::format);
            if (frame) {
                const LogPosition timestamp = (*frame)->page.header().timestamp;
                newest = std::max(newest, timestamp);
                seen.push_back({ *frame, timestamp < begin + 1 || planted(Mutant::redoAlways) });
            } else {
                failure = frame.error();
            }
        }
    }
    ++m_recovery.transactions;
    for (auto left = records; !failure;) {
        const std::optional<Redo> record = nextRedo(left);
        if (!record)
            break;
        const PageId id { record->database, record->page };
        const Seen& at = *find(id);
        if (!at.lacking) {
            ++m_recovery.skipped;
            continue;
        }
        if (!redo(*record, at.frame->page, m_cache.file(id.database).signature))
            failure = fail(fmt::format("{}, page {}: the log's record at {} does not fit what the page has",
                m_cache.file(id.database).path, id.number, begin));
        at.frame->page.header().timestamp = begin + 1;
        m_cache.changed(*at.frame, begin, end);
        ++m_recovery.records;
    }
    if (failure)
        m_cache.failWith(*failure); // before anything else runs, so that nothing of this is written
    for (const Seen& one : seen)
        m_cache.unpin(*one.frame);
    if (failure)
        co_return *failure;
    co_return newest;
}

Task<Result<Frame*>> LogReplay::fetchForReplay(PageId id, bool beginsAnew)
{
    const Result<Frame*> fetched = co_await m_cache.fetch(id, IoClass::databaseRead, beginsAnew);
    if (fetched || !beginsAnew)
        co_return fetched;
    // Most often it was never written before, and its content does not matter.
    while (!m_cache.failure()) {
        Frame* const frame = m_cache.take(id);
        if (frame != nullptr) {
            frame->page.header().timestamp = 0;
            co_return frame;
        }
        co_await m_cache.waitForMemory();
    }
    co_return *m_cache.failure();
}

} // namespace loadstone::storage
