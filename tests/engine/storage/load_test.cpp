// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/await.h"
#include "engine/storage/memory_device.h"
#include "storage/load/load.h"
#include "storage/page/filling.h"
#include "storage/store/maintenance.h"
#include "support/catch.h"

#include <cerrno>

using namespace loadstone;
using namespace loadstone::storage;
using test::await;
using test::MemoryDevice;
using test::MemoryDisk;

namespace {

constexpr std::uint64_t kSeed = 5;

GroupOptions options(std::uint64_t pages)
{
    GroupOptions group;
    group.databaseFolders = { "/data" };
    group.logFolder = "/log";
    group.signature = 4711;
    group.pagesPerDatabase = pages;
    group.cacheBytes = 2U << 20;
    group.logBuffer = 256U << 10;
    group.checkpointDepth = 256U << 10;
    return group;
}

/// A group whose database is filled, open, with its load.
struct LoadedGroup {
    LoadedGroup(MemoryDisk& disk, const GroupOptions& group, const OperationMix& mix)
        : device(disk, 3)
        , loop(device)
        , content(RecordShape {}, kSeed, 0)
        , loaded(loop, group)
        , load(loop, loaded, { content }, mix, 7,
              { {}, {}, {},
                  [this](std::uint32_t, const TransactionTimes& times) { seen.push_back(times); } })
    {
        REQUIRE(await(loop, loaded.create()));
        const Result<bool> filled = await(loop, fill());
        REQUIRE(filled);
        const Result<Recovery> opened = await(loop, loaded.open());
        REQUIRE(opened);
    }
    ~LoadedGroup() { loop.abandon(); }
    Task<Result<bool>> fill()
    {
        const std::string path = loaded.options().databasePath(0).string();
        const Result<FileId> file = device.open(path, loaded.options().files());
        Result<DatabaseHeader> header = co_await readDatabaseHeader(loop, *file, path);
        if (!header)
            co_return header.error();
        const InitialTree tree(1500, header->pageSize, header->signature, content);
        co_return co_await fillDatabase(loop, *file, path, *header, tree, loaded.options().durability, {});
    }
    /// Turns until so many transactions are done, or the group has failed.
    void runTo(std::uint64_t transactions)
    {
        for (int turns = 0; load.counts().transactions < transactions && !loaded.failure(); ++turns) {
            REQUIRE(turns < 10000000);
            loop.turn(std::chrono::milliseconds(1));
        }
    }
    /// Turns until all sessions have ended.
    void end()
    {
        load.stop();
        for (int turns = 0; load.running() > 0; ++turns) {
            REQUIRE(turns < 100000);
            loop.turn(std::chrono::milliseconds(1));
        }
    }
    MemoryDevice device;
    Loop loop;
    RecordContent content;
    StorageGroup loaded;
    std::vector<TransactionTimes> seen;
    GroupLoad load;
};

} // namespace

TEST_CASE("sessions do what the mix says, every record is what was written, and a full database goes on at "
          "its size")
{
    MemoryDisk disk;
    LoadedGroup loaded(disk, options(800), {});
    loaded.load.setSessions(8);
    loaded.runTo(400);
    loaded.end();
    REQUIRE(!loaded.loaded.failure());
    const LoadCounts& counts = loaded.load.counts();
    const double all = static_cast<double>(counts.reads + counts.inserts + counts.erases + counts.replaces);
    CHECK(all == Approx(400 * 30).epsilon(0.03));
    CHECK(static_cast<double>(counts.reads) / all == Approx(0.25).epsilon(0.06));
    CHECK(static_cast<double>(counts.replaces) / all == Approx(0.05).epsilon(0.2));
    CHECK(counts.erasedForRoom > 0);
    CHECK(static_cast<double>(counts.inserts + counts.erasedForRoom) / all == Approx(0.40).epsilon(0.06));
    CHECK(static_cast<double>(counts.lazyCommits)
            / static_cast<double>(counts.lazyCommits + counts.durableCommits)
        == Approx(0.55).epsilon(0.03));
    CHECK(counts.wrongRecords == 0);
    CHECK(loaded.loaded.usedPages(0) < 800);
    CHECK(loaded.loaded.usedPages(0) > 760);
    CHECK(await(loaded.loop, loaded.loaded.close()));
}

TEST_CASE("in the smallest cache that a plan may ask for, sessions wait for memory and get it")
{
    MemoryDisk disk;
    GroupOptions group = options(4000);
    group.cacheBytes =
        8 * 16 * group.pageSize; // so few are free that a split finds memory for its first page only
    LoadedGroup loaded(disk, group, { .insert = 90, .erase = 5, .replace = 0 });
    loaded.load.setSessions(8);
    loaded.runTo(60);
    loaded.end();
    REQUIRE(!loaded.loaded.failure());
    CHECK(loaded.loaded.cache().counts().stalls > 0);
    CHECK(loaded.load.counts().wrongRecords == 0);
    CHECK(await(loaded.loop, loaded.loaded.close()));
}

TEST_CASE("a paced session begins what is due when it is free, and the wait counts")
{
    MemoryDisk disk;
    LoadedGroup loaded(disk, options(2000), {});
    const MonoTime begin = loaded.loop.now();
    loaded.load.startPaced(2);
    for (int i = 0; i < 10; ++i)
        loaded.load.due(begin);
    loaded.runTo(10);
    CHECK(loaded.load.waiting() == 0);
    REQUIRE(loaded.seen.size() == 10);
    CHECK(loaded.seen.back().intended == begin);
    CHECK(loaded.seen.back().begun > begin);
    // Nothing is due, nothing is done.
    for (int i = 0; i < 1000; ++i)
        loaded.loop.turn(std::chrono::milliseconds(1));
    CHECK(loaded.load.counts().transactions == 10);
    loaded.end();
}

TEST_CASE("maintenance goes through all pages under load without a false alarm, and finds planted damage; "
          "logs are copied")
{
    MemoryDisk disk;
    LoadedGroup loaded(disk, options(1200), {});
    Maintenance::Options often;
    often.readSize = 64U << 10;
    often.interval = std::chrono::milliseconds(5);
    Maintenance maintenance(loaded.loop, loaded.loaded, 0, often);
    LogCopyReader copies(loaded.loop, loaded.loaded, 2);
    loaded.load.setSessions(4);
    loaded.loop.spawn(maintenance.run());
    loaded.loop.spawn(copies.run());
    loaded.runTo(600);
    while (maintenance.counts().passes < 2 && !loaded.loaded.failure())
        loaded.loop.turn(std::chrono::milliseconds(1));
    REQUIRE(!loaded.loaded.failure());
    CHECK(maintenance.damages().all().empty());
    CHECK(copies.filesRead() + copies.filesMissed() >= 10);
    CHECK(copies.filesRead() > 5);

    // A page that nobody has in memory, so that nobody writes it again.
    PageNumber page = 500;
    while (loaded.loaded.cache().holds({ 0, page }))
        ++page;
    disk.files.at(loaded.loaded.options().databasePath(0).string())[page * 8192U + 4000] ^=
        std::byte { 16 };
    const std::uint64_t passes = maintenance.counts().passes;
    while (maintenance.counts().passes < passes + 2 && !loaded.loaded.failure())
        loaded.loop.turn(std::chrono::milliseconds(1));
    maintenance.stop();
    copies.stop();
    loaded.end();
    // Found there, once though it was passed twice; or by a session that was quicker, which wrote it anew.
    const std::vector<Damage> expected { { Damage::Kind::correctable,
        loaded.loaded.options().databasePath(0).string(), page } };
    CHECK((maintenance.damages().all() == expected || loaded.loaded.cache().damages().all() == expected));
}

TEST_CASE("a full or failing disk ends the load in order, and the message names path and cause")
{
    for (const auto& [path, error, words] : { std::tuple("database", ENOSPC, "No space left on device"),
             std::tuple(".log", EIO, "Input/output error"), std::tuple("copies", EIO, "Input/output error"),
             std::tuple("checkpoint", ENOSPC, "No space left on device") }) {
        MemoryDisk disk;
        LoadedGroup loaded(disk, options(2000), {});
        loaded.load.setSessions(8);
        loaded.runTo(20);
        loaded.device.failPath = path;
        loaded.device.failWritesWith = error;
        loaded.runTo(100000);
        loaded.end();
        REQUIRE(loaded.loaded.failure());
        CHECK_THAT(loaded.loaded.failure()->message, Catch::Contains(path) && Catch::Contains(words));
        const Result<void> closed = await(loaded.loop, loaded.loaded.close());
        CHECK(!closed);
        // What was durable before is there when the disk is well again.
        MemoryDevice device(disk, 4);
        Loop loop(device);
        StorageGroup again(loop, options(2000));
        const Result<Recovery> opened = await(loop, again.open());
        loop.abandon();
        CHECK(opened);
    }
}
