// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/filling.h"

#include "storage/device/aligned_memory.h"
#include "storage/device/transfers.h"

#include <algorithm>
#include <set>

namespace loadstone::storage {
namespace {

/// Writers that take one stretch of pages after the other.
struct Writing {
    Loop& loop;
    FileId file;
    const std::string& path;
    const DatabaseHeader& header;
    const InitialTree& tree;
    Durability durability;
    const FillingOptions& options;
    std::uint64_t next = 0, done = 0; // pages
    std::set<std::uint64_t> begun; // stretches on their way
    std::size_t running = 0;
    bool stopped = false;
    std::optional<Error> failure;
    Waiters ended;

    /// All pages below are written.
    [[nodiscard]] std::uint64_t complete() const { return begun.empty() ? next : *begun.begin(); }

    Task<> write(std::uint64_t end)
    {
        const std::uint64_t size = header.pageSize,
                            most = std::max<std::uint64_t>(options.writeSize / size, 1);
        const AlignedMemory memory(most * size);
        while (next < end && !stopped && !failure) {
            const std::uint64_t first = next, count = std::min(most, end - first);
            next += count;
            begun.insert(first);
            for (std::uint64_t i = 0; i < count; ++i)
                tree.make(static_cast<PageNumber>(first + i), Page(memory.bytes().subspan(i * size, size)));
            const Result<void> written = co_await writeAt(loop, file, first * size,
                memory.bytes().first(count * size), IoClass::databaseWrite, path, durability);
            if (!written) {
                failure = written.error();
                break;
            }
            begun.erase(first);
            done += count;
            if (options.progress && !options.progress(done))
                stopped = true;
        }
        --running;
        ended.wakeAll(loop);
    }
};

} // namespace

Task<Result<bool>> fillDatabase(Loop& loop, FileId file, std::string path, DatabaseHeader& header,
    const InitialTree& tree, Durability durability, FillingOptions options)
{
    const std::uint64_t end = tree.end();
    if (end > header.pages)
        co_return fail(path + ": too small for the records that it must hold");
    Writing writing { loop, file, path, header, tree, durability, options, 0, 0, {}, 0, false, {}, {} };
    writing.next = std::max<std::uint64_t>(header.filledPages, kFirstMap);
    writing.done = writing.next;
    while (writing.next < end && !writing.stopped) {
        const std::uint64_t until =
            std::min(end, writing.next + std::max<std::uint64_t>(options.saveEvery / header.pageSize, 1));
        writing.running = options.writers;
        for (std::size_t i = 0; i < options.writers; ++i)
            loop.spawn(writing.write(until));
        while (writing.running > 0)
            co_await writing.ended.wait();
        if (writing.failure)
            co_return *writing.failure;
        header.filledPages = writing.complete();
        const Result<void> saved = co_await writeDatabaseHeader(loop, file, path, header, durability);
        if (!saved)
            co_return saved.error();
    }
    if (writing.next < end)
        co_return false;
    header.filled = 1;
    const Result<void> saved = co_await writeDatabaseHeader(loop, file, path, header, durability);
    if (!saved)
        co_return saved.error();
    co_return true;
}

} // namespace loadstone::storage
