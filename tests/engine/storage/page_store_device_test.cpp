// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The page store over real devices; what it does with one that loses writes stands in crash_test.cpp.
#include "device_fixture.h"
#include "engine/storage/await.h"
#include "storage/store/storage_group.h"

#include <map>

namespace fs = std::filesystem;
using namespace loadstone;
using namespace loadstone::storage;
using test::await;

namespace {

struct Life {
    Life(Device& device, const GroupOptions& options)
        : loop(device)
        , group(loop, options)
    {
    }
    ~Life()
    {
        loop.drain();
        loop.abandon();
    }
    Loop loop;
    StorageGroup group;
};

std::string valueOf(Key key)
{
    return std::to_string(key * 7919) + std::string(300 + key % 500, static_cast<char>('a' + key % 26));
}

Task<Result<void>> insertMany(StorageGroup& group, Key first, Key count)
{
    for (Key key = first; key < first + count; ++key) {
        const std::string value = valueOf(key);
        const Change change { Change::Kind::insert, 0, key, 0, std::as_bytes(std::span(value)) };
        const CommitMode mode = key + 1 == first + count ? CommitMode::durable : CommitMode::lazy;
        const CommitOutcome outcome = co_await group.commit({ &change, 1 }, mode);
        if (outcome != CommitOutcome::committed)
            co_return group.failure() ? *group.failure() : fail("not committed");
    }
    co_return Result<void>();
}

Task<Result<std::map<Key, std::string>>> readAll(StorageGroup& group)
{
    std::map<Key, std::string> all;
    for (Key next = 0;;) {
        const Result<std::optional<StorageGroup::Record>> found = co_await group.seek(0, next);
        if (!found)
            co_return found.error();
        if (!*found)
            co_return all;
        all.emplace((*found)->key, (*found)->value);
        next = (*found)->key + 1;
    }
}

} // namespace

TEST_CASE("the page store keeps its records on every back end, closed in order and not")
{
    const Kind kind = GENERATE(Kind::uring, Kind::polled, Kind::threads);
    const auto durability = GENERATE(Durability::writeThrough, Durability::flushed);
    CAPTURE(static_cast<int>(kind), static_cast<int>(durability));
    const test::ScratchFolder folder { LOADSTONE_BIN_DIR };
    fs::create_directory(folder / "data");
    fs::create_directory(folder / "log");
    GroupOptions options;
    options.databaseFolders = { folder / "data" };
    options.logFolder = folder / "log";
    options.signature = 31;
    options.pagesPerDatabase = 500;
    options.cacheBytes = std::size_t { 64 } * options.pageSize; // a small part of what is written
    options.durability = durability;
    const auto device = deviceOf(kind, 16);
    if (!device)
        return;
    constexpr Key kRecords = 3000;
    {
        Life life(*device, options);
        const Result<void> created = await(life.loop, life.group.create());
        REQUIRE(created);
    }
    {
        Life life(*device, options);
        REQUIRE(await(life.loop, life.group.open()));
        const Result<void> inserted = await(life.loop, insertMany(life.group, 1, kRecords));
        REQUIRE(inserted);
    } // not closed
    for (const bool after : { true, false }) {
        Life life(*device, options);
        const Result<Recovery> opened = await(life.loop, life.group.open());
        REQUIRE(opened);
        CHECK(opened->needed == after);
        const Result<std::map<Key, std::string>> all = await(life.loop, readAll(life.group));
        REQUIRE(all);
        REQUIRE(all->size() == kRecords);
        for (const auto& [key, value] : *all)
            CHECK(value == valueOf(key));
        REQUIRE(await(life.loop, life.group.close()));
    }
    CHECK_THAT(
        device->description(), !ContainsSubstring("registered memory")); // that of groups which are gone
}
