// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/database_file.h"

#include "storage/device/aligned_memory.h"
#include "storage/device/transfers.h"
#include "storage/page/space_map.h"

#include <fmt/format.h>

#include <cstring>

namespace loadstone::storage {

Task<Result<void>> writeDatabaseHeader(
    Loop& loop, FileId file, std::string path, DatabaseHeader header, Durability durability)
{
    std::memcpy(header.magic, kDatabaseMagic, sizeof kDatabaseMagic);
    const AlignedMemory memory(header.pageSize);
    for (const PageNumber number :
        { kNoPage, kHeaderDouble }) { // one after the other: one of them is always whole
        const Page page(memory.bytes());
        page.format(number, header.signature, PageKind::header, 0);
        std::memcpy(memory.data() + sizeof(PageHeader), &header, sizeof header);
        page.seal();
        const Result<void> written = co_await writeAt(loop, file, std::uint64_t { number } * header.pageSize,
            memory.bytes(), IoClass::databaseWrite, path, durability);
        if (!written)
            co_return written.error();
    }
    co_return Result<void>();
}

Task<Result<void>> formatDatabase(
    Loop& loop, FileId file, std::string path, DatabaseHeader header, Durability durability)
{
    const AlignedMemory memory(header.pageSize);
    const Page page(memory.bytes());
    const auto write = [&](PageNumber number) {
        page.seal();
        return writeAt(loop, file, std::uint64_t { number } * header.pageSize, memory.bytes(),
            IoClass::databaseWrite, path, durability);
    };
    const PageNumber stretch = stretchOf(header.pageSize);
    for (std::uint64_t first = 0; first < header.pages; first += stretch) {
        const PageNumber map = mapOf(static_cast<PageNumber>(first), header.pageSize);
        page.format(map, header.signature, PageKind::spaceMap, 0);
        for (unsigned bit = 0; bit < (first == 0 ? kFirstFreePage : 1); ++bit)
            memory.bytes()[sizeof(PageHeader)] |= std::byte { 1 } << bit;
        const Result<void> written = co_await write(map);
        if (!written)
            co_return written.error();
    }
    page.format(kRootPage, header.signature, PageKind::leaf, 0);
    const Result<void> written = co_await write(kRootPage);
    if (!written)
        co_return written.error();
    co_return co_await writeDatabaseHeader(loop, file, path, header, durability);
}

Task<Result<DatabaseHeader>> readDatabaseHeader(Loop& loop, FileId file, std::string path)
{
    // The page size is in the header; its first 4096 bytes, where a checksum of a small page would end, tell it.
    const AlignedMemory memory(kLargestPage);
    const std::uint64_t size = loop.device().size(file);
    DatabaseHeader header;
    for (std::size_t pageSize = kSmallestPage; pageSize <= kLargestPage; pageSize *= 2) {
        for (const PageNumber number : { kNoPage, kHeaderDouble }) {
            if ((number + 1) * pageSize > size)
                continue;
            const Result<void> read = co_await readAt(
                loop, file, number * pageSize, memory.bytes().first(pageSize), IoClass::databaseRead, path);
            if (!read)
                co_return read.error();
            std::memcpy(&header, memory.data() + sizeof(PageHeader), sizeof header);
            const PageState state = Page(memory.bytes().first(pageSize)).verify(number, header.signature);
            std::memcpy(
                &header, memory.data() + sizeof(PageHeader), sizeof header); // which may have put a bit right
            if ((state == PageState::good || state == PageState::correctable) && header.pageSize == pageSize
                && std::memcmp(header.magic, kDatabaseMagic, sizeof kDatabaseMagic) == 0) {
                if (header.pages * pageSize > size)
                    co_return fail(
                        fmt::format("{}: {} bytes long, and its header says {} pages of {} bytes: it was cut",
                            path, size, header.pages, pageSize));
                co_return header;
            }
        }
    }
    co_return fail(path + ": not a database of Loadstone, or both copies of its header are damaged");
}

} // namespace loadstone::storage
