// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/aligned_memory.h"
#include "storage/device/transfers.h"
#include "storage/store/verification.h"

#include <algorithm>
#include <map>

namespace loadstone::storage {
namespace {

/// Readers that take one stretch of the file after the other.
struct Reading {
    Loop& loop;
    FileId file;
    const std::string& path;
    const VerificationOptions& options;
    const DatabaseHeader& header;
    DatabaseVerification& result;
    std::vector<Page> maps;
    std::uint64_t next = 0; // page
    std::size_t running = 0;
    std::optional<Error> failure;
    Waiters ended;

    [[nodiscard]] bool isUsed(PageNumber number) const
    {
        return inUse(maps[number / stretchOf(header.pageSize)], number);
    }

    void check(PageNumber number, Page page)
    {
        ++result.seen;
        // Page 0 and its double are checked like all others: they have their numbers.
        const PageState state = page.verify(number, header.signature);
        Damage damage { Damage::Kind::badPage, path, number };
        switch (state) {
        case PageState::good:
            return;
        case PageState::correctable:
            ++result.correctable;
            damage.kind = Damage::Kind::correctable;
            break;
        case PageState::wrongPage:
            ++result.wrongPage;
            damage.kind = Damage::Kind::wrongPage;
            break;
        default:
            if (state == PageState::blank && !isUsed(number)) {
                ++result.unused;
                return;
            }
            ++result.bad;
        }
        if (result.damages.size() < options.mostDamages)
            result.damages.push_back(std::move(damage));
    }

    Task<> read()
    {
        const std::uint64_t pages = std::max<std::uint64_t>(options.readSize / header.pageSize, 1);
        const AlignedMemory memory(pages * header.pageSize);
        while (next < header.pages && !failure && !result.stopped) {
            const std::uint64_t first = next, count = std::min(pages, header.pages - first);
            next += count;
            const auto bytes = memory.bytes().first(count * header.pageSize);
            const Result<void> done =
                co_await readAt(loop, file, first * header.pageSize, bytes, options.ioClass, path);
            if (!done) {
                failure = done.error();
                break;
            }
            if (options.copy) {
                Task<Result<void>> copying = options.copy(first * header.pageSize, bytes);
                const Result<void> copied = co_await copying;
                if (!copied) {
                    failure = copied.error();
                    break;
                }
            }
            for (std::uint64_t i = 0; i < count; ++i)
                check(static_cast<PageNumber>(first + i),
                    Page(bytes.subspan(i * header.pageSize, header.pageSize)));
            result.bytes += bytes.size();
            if (options.progress && !options.progress(result))
                result.stopped = true;
        }
        --running;
        ended.wakeAll(loop);
    }
};

} // namespace

Task<Result<DatabaseVerification>> verifyDatabase(
    Loop& loop, FileId file, std::string path, VerificationOptions options)
{
    DatabaseVerification result;
    const MonoTime begin = loop.now();
    const Result<DatabaseHeader> header = co_await readDatabaseHeader(loop, file, path);
    if (!header)
        co_return header.error();
    Reading reading { loop, file, path, options, *header, result, {}, 0, 0, {}, {} };
    const PageNumber stretch = stretchOf(header->pageSize);
    const std::uint64_t mapCount = (header->pages + stretch - 1) / stretch;
    const AlignedMemory maps(mapCount * header->pageSize);
    for (std::uint64_t i = 0; i < mapCount; ++i) {
        const PageNumber number = mapOf(static_cast<PageNumber>(i * stretch), header->pageSize);
        const auto bytes = maps.bytes().subspan(i * header->pageSize, header->pageSize);
        const Result<void> read = co_await readAt(
            loop, file, std::uint64_t { number } * header->pageSize, bytes, options.ioClass, path);
        if (!read)
            co_return read.error();
        const Page map(bytes);
        const PageState state = map.verify(number, header->signature);
        // Which pages are in use is not known then: all count as such.
        if (state != PageState::good && state != PageState::correctable)
            std::fill(bytes.begin(), bytes.end(), std::byte { 0xff });
        reading.maps.push_back(map);
    }
    reading.running = options.readers;
    for (std::size_t i = 0; i < options.readers; ++i)
        loop.spawn(reading.read());
    while (reading.running > 0)
        co_await reading.ended.wait();
    if (reading.failure)
        co_return *reading.failure;
    std::sort(result.damages.begin(), result.damages.end(),
        [](const Damage& a, const Damage& b) { return a.number < b.number; });
    result.time = loop.now() - begin;
    co_return result;
}

} // namespace loadstone::storage
