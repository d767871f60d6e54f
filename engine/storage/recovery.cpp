// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/log_reader.h"
#include "storage/mutants.h"
#include "storage/storage_group.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr std::size_t kAhead = 1U << 20; // bytes of log records that are looked at for pages to prefetch

/// The records of a stretch of the log.
struct Stretch {
    struct Part {
        LogPosition begin, end;
        std::size_t offset, length;
    };
    std::string bytes;
    std::vector<Part> parts;
    std::vector<PageId> pages;
};

} // namespace

Task<Result<void>> StorageGroup::recover(Checkpoint checkpoint)
{
    Recovery& recovery = m_recovery;
    const LogGeometry& geometry = m_options.log;
    recovery.needed = checkpoint.clean == 0;
    recovery.from = checkpoint.position;
    const MonoTime begin = m_loop.now();
    if (recovery.needed) {
        const Result<std::size_t> restored = co_await m_copies->restore(checkpoint.position);
        if (!restored)
            co_return restored.error();
        recovery.restoredPages = *restored;
    }
    // Once through the log to its end: pages can only be written, and memory freed, when it is known.
    LogReader scan(m_loop, m_logFiles, checkpoint);
    for (;;) {
        const Result<std::optional<LogReader::Group>> group = co_await scan.next();
        if (!group)
            co_return group.error();
        if (!*group)
            break;
    }
    recovery.to = scan.end();
    if (recovery.to > recovery.from)
        recovery.logFiles = geometry.fileOf(recovery.to - 1) - geometry.fileOf(recovery.from) + 1;
    // Nothing is written to the log before it is on the disk that a new epoch has begun.
    if (!planted(Mutant::epochKept))
        checkpoint.epoch = std::max(checkpoint.epoch, scan.epoch()) + 1;
    checkpoint.clean = 0;
    const Result<void> written = co_await m_checkpointFile->write(checkpoint);
    if (!written)
        co_return written.error();
    const std::string partial = scan.partial();
    start(scan.end(), std::as_bytes(std::span(partial)), checkpoint.epoch, checkpoint);
    const Result<void> secured = co_await m_log->secureEnd(scan.endedInShadow());
    if (!secured)
        co_return secured.error();
    m_cleaner->setReplayed(checkpoint.position);
    m_loop.spawn(runOwn(m_log->run()));
    m_loop.spawn(runOwn(m_log->prepareFiles()));
    m_loop.spawn(runOwn(m_cleaner->run()));
    m_running = 3;

    LogReader reader(m_loop, m_logFiles, checkpoint);
    LogPosition newest = 0;
    while (reader.end() < recovery.to) {
        Stretch stretch;
        while (reader.end() < recovery.to && stretch.bytes.size() < kAhead) {
            const Result<std::optional<LogReader::Group>> group = co_await reader.next();
            if (!group)
                co_return group.error();
            if (!*group)
                co_return fail("the log changed while it was replayed");
            const auto records = (*group)->records;
            stretch.parts.push_back(
                { (*group)->position, (*group)->end, stretch.bytes.size(), records.size() });
            stretch.bytes.append(reinterpret_cast<const char*>(records.data()), records.size());
            auto left = records;
            while (const std::optional<Redo> record = nextRedo(left))
                if (record->kind != RedoKind::format)
                    stretch.pages.push_back({ record->database, record->page });
        }
        std::vector<PageId> pages = std::move(stretch.pages);
        co_await m_cache.prefetch(std::move(pages), IoClass::databaseRead);
        for (const Stretch::Part& part : stretch.parts) {
            const auto records = std::as_bytes(std::span(stretch.bytes)).subspan(part.offset, part.length);
            const Result<LogPosition> replayed = co_await replay(records, part.begin, part.end);
            if (!replayed)
                co_return replayed.error();
            newest = std::max(newest, *replayed);
            recovery.filesReplayed = geometry.fileOf(part.end) - geometry.fileOf(recovery.from);
            m_cleaner->setReplayed(part.end);
            m_cleaner->changed();
        }
    }
    recovery.filesReplayed = recovery.logFiles;
    m_cleaner->setReplayed({});
    const Result<void> counted = co_await countUsedPages();
    if (!counted)
        co_return counted.error();
    if (newest > recovery.to + 1)
        co_return fail(fmt::format("{}: a page has changes that the log does not: the log has lost its end",
            m_logFiles.pathOf(geometry.fileOf(recovery.to))));
    recovery.time = m_loop.now() - begin;
    co_return Result<void>();
}

/// Makes the changes of one transaction again where its pages lack them. Gives the highest timestamp met.
Task<Result<LogPosition>> StorageGroup::replay(
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
            failure = fail(fmt::format("the log at {} names page {} of database {}, and there is none", begin,
                id.number, id.database + 1));
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

Task<Result<Frame*>> StorageGroup::fetchForReplay(PageId id, bool beginsAnew)
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
