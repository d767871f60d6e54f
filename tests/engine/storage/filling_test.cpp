// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/await.h"
#include "engine/storage/memory_device.h"
#include "storage/page/filling.h"
#include "storage/store/storage_group.h"
#include "storage/store/verification.h"
#include "support/catch.h"

#include <zstd.h>

#include <set>

using namespace loadstone;
using namespace loadstone::storage;
using test::await;
using test::MemoryDevice;
using test::MemoryDisk;

namespace {

constexpr std::uint64_t kSeed = 5;

GroupOptions options(std::uint32_t pageSize, std::uint64_t pages)
{
    GroupOptions group;
    group.databaseFolders = { "/data" };
    group.logFolder = "/log";
    group.signature = 4711;
    group.pageSize = pageSize;
    group.pagesPerDatabase = pages;
    group.cacheBytes = pageSize * 200;
    return group;
}

/// Fills the group's database; `writes`: stop after so many.
Task<Result<bool>> fill(
    Loop& loop, const GroupOptions& group, std::uint64_t records, const RecordContent& content, int writes)
{
    const std::string path = group.databasePath(0).string();
    const Result<FileId> file = loop.device().open(path, group.files());
    if (!file)
        co_return file.error();
    Result<DatabaseHeader> header = co_await readDatabaseHeader(loop, *file, path);
    if (!header)
        co_return header.error();
    const InitialTree tree(records, group.pageSize, header->signature, content);
    FillingOptions how;
    how.writeSize = 64U << 10;
    how.saveEvery = 1U << 20;
    how.progress = [&](std::uint64_t) { return --writes > 0; };
    co_return co_await fillDatabase(loop, *file, path, *header, tree, group.durability, how);
}

struct Counted {
    std::uint64_t records = 0, longs = 0, wrong = 0;
    std::set<Key> named; // long values
};

Task<Result<Counted>> readAll(StorageGroup& group, const RecordContent& content)
{
    const Result<Recovery> opened = co_await group.open();
    if (!opened)
        co_return opened.error();
    Counted counted;
    for (Key next = 0;;) {
        const Result<std::optional<StorageGroup::Record>> found = co_await group.seek(0, next);
        if (!found)
            co_return found.error();
        if (!*found)
            co_return counted;
        const Key key = (*found)->key;
        const auto value = std::as_bytes(std::span((*found)->value));
        const bool isLong = key >= RecordContent::kLongKeys;
        ++(isLong ? counted.longs : counted.records);
        counted.wrong += isLong ? !content.checkLong(key, value) : !content.check(key, value);
        if (!isLong)
            counted.named.insert(RecordContent::headOf(value).longKey);
        next = key + 1;
    }
}

} // namespace

TEST_CASE("a filled database has every record, over one space map and several, however often filling was "
          "interrupted")
{
    for (const auto& [pageSize, records] : { std::pair(4096U, std::uint64_t { 1 }),
             std::pair(4096U, std::uint64_t { 3 }), std::pair(4096U, std::uint64_t { 70000 }),
             std::pair(8192U, std::uint64_t { 3000 }), std::pair(32768U, std::uint64_t { 20000 }) }) {
        RecordShape shape;
        shape.shortPad = 50;
        shape.longPad = records > 50000 ? 700 : 300;
        const RecordContent content(shape, kSeed, 0);
        const std::uint64_t pages =
            records * (Page::cost(content.size()) + Page::cost(content.longSize())) / pageSize * 3 / 2 + 60;
        const GroupOptions group = options(pageSize, pages);
        MemoryDisk disk;
        {
            MemoryDevice device(disk, 1);
            Loop loop(device);
            StorageGroup subject(loop, group);
            REQUIRE(await(loop, subject.create()));
        }
        int interruptions = 0;
        for (bool done = false; !done;) {
            MemoryDevice device(disk, static_cast<std::uint64_t>(interruptions));
            Loop loop(device);
            const Result<bool> filled = await(loop, fill(loop, group, records, content, 100));
            REQUIRE(filled);
            done = *filled;
            device.crash();
            interruptions += !done;
        }
        CHECK((interruptions > 3) == (records > 50000));
        MemoryDevice device(disk, 1);
        Loop loop(device);
        const std::string path = group.databasePath(0).string();
        const auto verified = await(loop, verifyDatabase(loop, *device.open(path, group.files()), path, {}));
        REQUIRE(verified);
        CHECK(verified->sound());
        CHECK(verified->unused < verified->seen);
        StorageGroup subject(loop, group);
        const Result<Counted> counted = await(loop, readAll(subject, content));
        loop.abandon();
        REQUIRE(counted);
        CHECK(counted->records == records);
        CHECK(counted->longs == records);
        CHECK(counted->named.size() == records);
        CHECK(counted->wrong == 0);
    }
}

TEST_CASE("a filled database is as full as its size says, and no fuller")
{
    for (const std::uint32_t pageSize : { 8192U, 32768U }) {
        const RecordContent content(RecordShape {}, kSeed, 0);
        for (const std::uint64_t pages : { 200ULL, 131072ULL, 40000000ULL }) {
            const InitialTree tree(
                InitialTree::recordsFor(pages, pageSize, content.size(), content.longSize()), pageSize, 1,
                content);
            CHECK(tree.end() <= pages);
            CHECK(static_cast<double>(tree.end()) >= 0.98 * static_cast<double>(pages));
        }
    }
}

TEST_CASE("records are as compressible and as alike as declared, and no two databases are alike")
{
    const auto bytesOf = [](const RecordShape& shape, std::uint32_t database) {
        const RecordContent content(shape, kSeed, database);
        std::vector<std::byte> all;
        std::vector<std::byte> value(content.size()), longValue(content.longSize());
        for (Key key = 0; key < 500; ++key) {
            content.make(key, RecordContent::kLongKeys + key, 0, value);
            content.makeLong(RecordContent::kLongKeys + key, 0, longValue);
            all.insert(all.end(), value.begin(), value.end());
            all.insert(all.end(), longValue.begin(), longValue.end());
        }
        return all;
    };
    const auto compressed = [](const std::vector<std::byte>& bytes) {
        std::vector<std::byte> into(ZSTD_compressBound(bytes.size()));
        const std::size_t size = ZSTD_compress(into.data(), into.size(), bytes.data(), bytes.size(), 1);
        return static_cast<double>(bytes.size()) / static_cast<double>(size);
    };
    RecordShape shape;
    CHECK(compressed(bytesOf(shape, 0)) == Approx(1).epsilon(0.02));
    for (const double declared : { 1.5, 2.0, 4.0 }) {
        shape.compression = declared;
        CHECK(compressed(bytesOf(shape, 0)) == Approx(declared).epsilon(0.1));
    }
    shape = {};
    shape.duplication = 0.5;
    const auto duplicated = bytesOf(shape, 0);
    std::set<std::vector<std::byte>> pads;
    const std::size_t both =
        RecordContent(shape, kSeed, 0).size() + RecordContent(shape, kSeed, 0).longSize();
    for (std::size_t end = both; end <= duplicated.size(); end += both)
        pads.emplace(duplicated.begin() + static_cast<std::ptrdiff_t>(end - shape.longPad),
            duplicated.begin() + static_cast<std::ptrdiff_t>(end));
    CHECK(pads.size() > 220);
    CHECK(pads.size() < 360); // about half of 500, and the 64 that come again
    CHECK(bytesOf(shape, 0) != bytesOf(shape, 1));
}

TEST_CASE("a byte that nobody wrote is told, of records and long values of every version")
{
    const RecordContent content(RecordShape {}, kSeed, 0);
    const Key longKey = RecordContent::kLongKeys + 5;
    for (const std::uint32_t version : { 0U, 9U }) {
        std::vector<std::byte> value(content.size()), longValue(content.longSize());
        content.make(77, longKey, version, value);
        content.makeLong(longKey, version, longValue);
        CHECK(content.check(77, value));
        CHECK(!content.check(78, value));
        CHECK(content.checkLong(longKey, longValue));
        CHECK(!content.checkLong(longKey + 1, longValue));
        CHECK(RecordContent::headOf(value).version == version);
        CHECK(RecordContent::headOf(value).longKey == longKey);
        for (const std::size_t at : { 0, 9, 17, 100, 223 }) {
            auto wrong = value;
            wrong[at] ^= std::byte { 4 };
            CHECK(!content.check(77, wrong));
        }
        for (const std::size_t at : { 0, 9, 100, 1000, 2015 }) {
            auto wrong = longValue;
            wrong[at] ^= std::byte { 4 };
            CHECK(!content.checkLong(longKey, wrong));
        }
    }
}
