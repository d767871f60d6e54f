// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/await.h"
#include "engine/storage/memory_device.h"
#include "storage/filling.h"
#include "storage/load.h"
#include "storage/maintenance.h"
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
struct Subject {
    Subject(MemoryDisk& disk, const GroupOptions& group, const OperationMix& mix)
        : device(disk, 3)
        , loop(device)
        , content(RecordShape {}, kSeed, 0)
        , subject(loop, group)
        , load(loop, subject, { content }, mix, 7,
              { {}, {}, {},
                  [this](std::uint32_t, const TransactionTimes& times) { seen.push_back(times); } })
    {
        REQUIRE(await(loop, subject.create()));
        const Result<bool> filled = await(loop, fill());
        REQUIRE(filled);
        const Result<Recovery> opened = await(loop, subject.open());
        REQUIRE(opened);
    }
    ~Subject() { loop.abandon(); }
    Task<Result<bool>> fill()
    {
        const std::string path = subject.options().databasePath(0).string();
        const Result<FileId> file = device.open(path, subject.options().files());
        Result<DatabaseHeader> header = co_await readDatabaseHeader(loop, *file, path);
        if (!header)
            co_return header.error();
        const InitialTree tree(1500, header->pageSize, header->signature, content);
        co_return co_await fillDatabase(loop, *file, path, *header, tree, subject.options().durability, {});
    }
    /// Turns until so many transactions are done, or the group has failed.
    void runTo(std::uint64_t transactions)
    {
        for (int turns = 0; load.counts().transactions < transactions && !subject.failure(); ++turns) {
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
    StorageGroup subject;
    std::vector<TransactionTimes> seen;
    GroupLoad load;
};

} // namespace

TEST_CASE("sessions do what the mix says, every record is what was written, and a full database goes on at "
          "its size")
{
    MemoryDisk disk;
    Subject subject(disk, options(800), {});
    subject.load.setSessions(8);
    subject.runTo(400);
    subject.end();
    REQUIRE(!subject.subject.failure());
    const LoadCounts& counts = subject.load.counts();
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
    CHECK(subject.subject.usedPages(0) < 800);
    CHECK(subject.subject.usedPages(0) > 760);
    CHECK(await(subject.loop, subject.subject.close()));
}

TEST_CASE("in the smallest cache that a plan may ask for, sessions wait for memory and get it")
{
    MemoryDisk disk;
    GroupOptions group = options(4000);
    group.cacheBytes =
        8 * 16 * group.pageSize; // so few are free that a split finds memory for its first page only
    Subject subject(disk, group, { .insert = 90, .erase = 5, .replace = 0 });
    subject.load.setSessions(8);
    subject.runTo(60);
    subject.end();
    REQUIRE(!subject.subject.failure());
    CHECK(subject.subject.cache().counts().stalls > 0);
    CHECK(subject.load.counts().wrongRecords == 0);
    CHECK(await(subject.loop, subject.subject.close()));
}

TEST_CASE("a paced session begins what is due when it is free, and the wait counts")
{
    MemoryDisk disk;
    Subject subject(disk, options(2000), {});
    const MonoTime begin = subject.loop.now();
    subject.load.startPaced(2);
    for (int i = 0; i < 10; ++i)
        subject.load.due(begin);
    subject.runTo(10);
    CHECK(subject.load.waiting() == 0);
    REQUIRE(subject.seen.size() == 10);
    CHECK(subject.seen.back().intended == begin);
    CHECK(subject.seen.back().begun > begin);
    // Nothing is due, nothing is done.
    for (int i = 0; i < 1000; ++i)
        subject.loop.turn(std::chrono::milliseconds(1));
    CHECK(subject.load.counts().transactions == 10);
    subject.end();
}

TEST_CASE("maintenance goes through all pages under load without a false alarm, and finds planted damage; "
          "logs are copied")
{
    MemoryDisk disk;
    Subject subject(disk, options(1200), {});
    Maintenance::Options often;
    often.readSize = 64U << 10;
    often.interval = std::chrono::milliseconds(5);
    Maintenance maintenance(subject.loop, subject.subject, 0, often);
    LogCopyReader copies(subject.loop, subject.subject, 2);
    subject.load.setSessions(4);
    subject.loop.spawn(maintenance.run());
    subject.loop.spawn(copies.run());
    subject.runTo(600);
    while (maintenance.counts().passes < 2 && !subject.subject.failure())
        subject.loop.turn(std::chrono::milliseconds(1));
    REQUIRE(!subject.subject.failure());
    CHECK(maintenance.damages().all().empty());
    CHECK(copies.filesRead() + copies.filesMissed() >= 10);
    CHECK(copies.filesRead() > 5);

    // A page that nobody has in memory, so that nobody writes it again.
    PageNumber page = 500;
    while (subject.subject.cache().holds({ 0, page }))
        ++page;
    disk.files.at(subject.subject.options().databasePath(0).string())[page * 8192U + 4000] ^=
        std::byte { 16 };
    const std::uint64_t passes = maintenance.counts().passes;
    while (maintenance.counts().passes < passes + 2 && !subject.subject.failure())
        subject.loop.turn(std::chrono::milliseconds(1));
    maintenance.stop();
    copies.stop();
    subject.end();
    // Found there, once though it was passed twice; or by a session that was quicker, which wrote it anew.
    const std::vector<Damage> expected { { Damage::Kind::correctable,
        subject.subject.options().databasePath(0).string(), page } };
    CHECK((maintenance.damages().all() == expected || subject.subject.cache().damages().all() == expected));
}

TEST_CASE("a full or failing disk ends the load in order, and the message names path and cause")
{
    for (const auto& [path, error, words] : { std::tuple("database", ENOSPC, "No space left on device"),
             std::tuple(".log", EIO, "Input/output error"), std::tuple("copies", EIO, "Input/output error"),
             std::tuple("checkpoint", ENOSPC, "No space left on device") }) {
        MemoryDisk disk;
        Subject subject(disk, options(2000), {});
        subject.load.setSessions(8);
        subject.runTo(20);
        subject.device.failPath = path;
        subject.device.failWritesWith = error;
        subject.runTo(100000);
        subject.end();
        REQUIRE(subject.subject.failure());
        CHECK_THAT(subject.subject.failure()->message, Catch::Contains(path) && Catch::Contains(words));
        const Result<void> closed = await(subject.loop, subject.subject.close());
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
