// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/store/maintenance.h"

#include "storage/device/transfers.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr std::size_t kLogRead = 256U << 10; // bytes, of one read of a log file
constexpr auto kLogInterval =
    std::chrono::milliseconds(100); // from one look for finished log files to the next
constexpr auto kNap = std::chrono::milliseconds(100); // so long a stop may go unseen
// A page that looks bad is read again, until so many reads in a row found it bad while nobody wrote to it.
constexpr int kUndisturbedLooks = 3, kMostLooks = 100;

} // namespace

Maintenance::Maintenance(Loop& loop, StorageGroup& group, std::uint8_t database, const Options& options)
    : m_loop(loop)
    , m_group(group)
    , m_database(database)
    , m_options(options)
    , m_memory(std::max<std::size_t>(options.readSize, group.options().pageSize))
    , m_one(group.options().pageSize)
{
}

Task<> Maintenance::run()
{
    m_running = true;
    const std::uint64_t pages = m_memory.size() / m_group.options().pageSize;
    // Databases take turns within the interval: together their reads would be a burst.
    const auto databases = static_cast<int>(m_group.cache().databases());
    MonoTime due = m_loop.now() + m_options.interval * m_database / databases;
    co_await sleepUntil(due);
    while (!ending()) {
        const std::uint64_t end = m_group.pages(m_database);
        for (std::uint64_t first = 0; first < end && !ending(); first += pages) {
            const Result<void> checked = co_await check(first, std::min(pages, end - first));
            if (!checked)
                m_group.failWith(checked.error());
            // What a slow disk could not give in time is not made up for: that would be a burst.
            due = std::max(due + m_options.interval, m_loop.now());
            co_await sleepUntil(due);
        }
        m_counts.passes += !m_stopping;
    }
    m_running = false;
}

Task<> Maintenance::sleepUntil(MonoTime due)
{
    do {
        const MonoTime next = std::min(due, m_loop.now() + kNap);
        co_await m_loop.until(next);
    } while (m_loop.now() < due && !ending());
}

Task<Result<void>> Maintenance::check(std::uint64_t first, std::uint64_t count)
{
    const std::size_t size = m_group.options().pageSize;
    const Cache::File& file = m_group.cache().file(m_database);
    const auto bytes = m_memory.bytes().first(count * size);
    const Result<void> read =
        co_await readAt(m_loop, file.file, first * size, bytes, IoClass::maintenance, file.path);
    if (!read)
        co_return read.error();
    m_counts.bytes += bytes.size();
    for (std::uint64_t i = 0; i < count; ++i) {
        ++m_counts.pages;
        const PageId id { m_database, static_cast<PageNumber>(first + i) };
        const Page page(bytes.subspan(i * size, size));
        const PageState state = page.verify(id.number, file.signature);
        if (state == PageState::good)
            continue;
        // It may have been read while it was being written, and a page in use for the first time may not be written yet.
        const Result<PageState> again = co_await checkAgain(id, state);
        if (!again)
            co_return again.error();
        if (*again == PageState::good)
            continue;
        m_damages.note(*again, id, file.path);
        if (*again != PageState::correctable)
            co_return fail(
                fmt::format("{}, page {}: found damaged by the maintenance", file.path, id.number));
    }
    co_return Result<void>();
}

Task<Result<PageState>> Maintenance::checkAgain(PageId id, PageState first)
{
    const Cache::File& file = m_group.cache().file(id.database);
    const PageId mapId { id.database, mapOf(id.number, m_one.size()) };
    const Result<Frame*> map = co_await m_group.cache().fetch(mapId, IoClass::maintenance);
    if (!map)
        co_return map.error();
    const bool used = inUse((*map)->page, id.number);
    m_group.cache().unpin(**map);
    const std::uint64_t offset = std::uint64_t { id.number } * m_one.size();
    const Cache& cache = m_group.cache();
    const auto isNotYetWritten = [&](PageState state) {
        return state == PageState::blank && (!used || cache.holds(id));
    };
    if (isNotYetWritten(first)) // as the room for growth is: no reads of their own for its pages
        co_return PageState::good;
    for (int reads = 0, undisturbed = 0; reads < kMostLooks; ++reads) {
        while (cache.writes(id)) {
            const MonoTime soon = m_loop.now() + std::chrono::milliseconds(1);
            co_await m_loop.until(soon);
            if (ending())
                co_return PageState::good;
        }
        const std::uint32_t writes = cache.writeCount(id);
        const Result<void> read =
            co_await readAt(m_loop, file.file, offset, m_one.bytes(), IoClass::maintenance, file.path);
        if (!read)
            co_return read.error();
        const PageState state = Page(m_one.bytes()).verify(id.number, file.signature);
        if (state == PageState::good || isNotYetWritten(state) || ending())
            co_return PageState::good;
        if (cache.writes(id) || cache.writeCount(id) != writes)
            undisturbed = 0;
        else if (++undisturbed == kUndisturbedLooks)
            co_return state;
    }
    co_return PageState::good; // it is written all the time, so that what is read of it says nothing
}

LogCopyReader::LogCopyReader(Loop& loop, StorageGroup& group, unsigned copies)
    : m_loop(loop)
    , m_group(group)
    , m_copies(copies)
{
}

Task<> LogCopyReader::run()
{
    m_running = true;
    const LogGeometry geometry = m_group.options().log;
    const AlignedMemory memory(std::min<std::uint64_t>(kLogRead, geometry.fileSize));
    std::uint64_t next = geometry.fileOf(m_group.log().durable());
    while (!m_stopping && !m_group.failure()) {
        while (next < geometry.fileOf(m_group.log().durable()) && !m_stopping) {
            const std::optional<FileId> file = m_group.logFiles().find(next);
            m_filesMissed += !file;
            for (unsigned copy = 0; file && copy < m_copies; ++copy)
                for (std::uint64_t offset = 0; offset < geometry.fileSize; offset += memory.size()) {
                    const auto part = memory.bytes().first(
                        std::min<std::uint64_t>(memory.size(), geometry.fileSize - offset));
                    const Result<void> read = co_await readAt(
                        m_loop, *file, offset, part, IoClass::logRead, m_group.logFiles().pathOf(next));
                    if (!read) {
                        m_group.failWith(read.error());
                        break;
                    }
                }
            m_filesRead += file.has_value();
            ++next;
        }
        const MonoTime later = m_loop.now() + kLogInterval;
        co_await m_loop.until(later);
    }
    m_running = false;
}

} // namespace loadstone::storage
