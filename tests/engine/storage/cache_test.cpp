// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/memory_device.h"
#include "storage/page/cache.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::storage;
using test::MemoryDevice;
using test::MemoryDisk;

namespace {

constexpr std::size_t kSize = 128; // of a page: nothing is in these

/// Has as many pages as the cache takes, each with a pin. False: not all of them got in.
bool fill(Cache& cache)
{
    for (std::size_t number = 0; number < cache.frames(); ++number)
        if (cache.take({ 0, static_cast<PageNumber>(number) }) == nullptr)
            return false;
    return true;
}

} // namespace

TEST_CASE("memory of a large cache is given away in portions, until there is as much as was wanted")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    Loop loop(device);
    Cache cache(loop, kSize, 50000);
    REQUIRE(fill(cache));
    for (PageNumber number = 0; number < 50000; ++number)
        cache.unpin(*cache.find({ 0, number }));
    REQUIRE(cache.free() == 0);
    const std::size_t wanted = cache.enoughFree();
    REQUIRE(wanted > 2 * Cache::kMostEvicted);
    std::vector<Frame*> toWrite;
    for (std::size_t before = 0; cache.evict(wanted, toWrite, 32); before = cache.free()) {
        CHECK(cache.free() > before);
        CHECK(cache.free() <= before + Cache::kMostEvicted);
    }
    CHECK(cache.free() == wanted);
    CHECK(toWrite.empty());
}

TEST_CASE("a cache of which nothing can be given away says that there is nothing to do")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    Loop loop(device);
    Cache cache(loop, kSize, 10);
    REQUIRE(fill(cache));
    std::vector<Frame*> toWrite;
    CHECK_FALSE(cache.evict(4, toWrite, 32)); // all are pinned
    CHECK(cache.free() == 0);
    Frame& dirty = *cache.find({ 0, 3 });
    cache.changed(dirty, 0, 100);
    cache.unpin(dirty);
    CHECK_FALSE(cache.evict(4, toWrite, 32));
    CHECK(toWrite == std::vector<Frame*> { &dirty });
}

TEST_CASE(
    "whoever needs memory for several pages waits until there is as much, and says so to those who make it")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    Loop loop(device);
    Cache cache(loop, kSize, 10);
    REQUIRE(fill(cache));
    cache.discard(*cache.find({ 0, 0 }));
    cache.discard(*cache.find({ 0, 1 }));
    cache.discard(*cache.find({ 0, 2 }));
    REQUIRE_FALSE(cache.isLow());
    bool got = false;
    const auto wait = [&]() -> Task<> {
        co_await cache.waitForMemory(5);
        got = true;
    };
    loop.spawn(wait());
    loop.turn(std::chrono::milliseconds(0));
    CHECK(cache.isLow());
    CHECK(cache.enoughFree() == 5);
    cache.discard(*cache.find({ 0, 3 }));
    loop.turn(std::chrono::milliseconds(0));
    CHECK_FALSE(got);
    cache.discard(*cache.find({ 0, 4 }));
    loop.turn(std::chrono::milliseconds(0));
    CHECK(got);
    CHECK_FALSE(cache.isLow());
}

TEST_CASE("the beginning and the end of writing a page change its count")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    Loop loop(device);
    Cache cache(loop, kSize, 10);
    REQUIRE(fill(cache));
    const PageId id { 0, 3 };
    Frame& frame = *cache.find(id);
    cache.changed(frame, 0, 100);
    const std::uint32_t before = cache.writeCount(id);
    cache.copied(frame);
    const std::uint32_t during = cache.writeCount(id);
    CHECK(during != before);
    CHECK(cache.writes(id));
    cache.written(frame);
    CHECK(cache.writeCount(id) != during);
    CHECK(cache.writeCount(id) != before);
    CHECK(cache.writeCount({ 0, 4 }) == 0);
}
