// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of opening a storage group that crashes at random meet too seldom.
#include "engine/storage/await.h"
#include "engine/storage/memory_device.h"
#include "storage/store/storage_group.h"
#include "storage/store/verification.h"
#include "support/catch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

using namespace loadstone;
using namespace loadstone::storage;
using test::await;
using test::MemoryDevice;
using test::MemoryDisk;

namespace {

constexpr std::size_t kOverhead = 28; // what an insertion takes in the log beside its value

GroupOptions options(Durability durability = Durability::writeThrough)
{
    GroupOptions group;
    group.databaseFolders = { "/data" };
    group.logFolder = "/log";
    group.signature = 4711;
    group.pageSize = 4096;
    group.pagesPerDatabase = 2000;
    group.cacheBytes = std::size_t { 4096 } * 100;
    group.logBuffer = 64U << 10;
    group.log.segment = 512;
    group.log.fileSize = 48U << 10;
    group.logFiles = 2;
    group.checkpointDepth = 64U << 10;
    group.durability = durability;
    return group;
}

Task<Result<LogPosition>> insert(StorageGroup& group, Key key, std::size_t length, CommitMode mode)
{
    const std::string value(length, 'v');
    const Change change { Change::Kind::insert, 0, key, 0, std::as_bytes(std::span(value)) };
    const CommitOutcome outcome = co_await group.commit(std::span(&change, 1), mode);
    if (outcome != CommitOutcome::committed)
        co_return group.failure() ? *group.failure() : fail("not committed");
    co_return group.log().end();
}

/// A group from one opening to its end, in order or not.
struct Life {
    Life(MemoryDisk& disk, const GroupOptions& how, std::uint64_t seed = 1)
        : device(disk, seed)
        , loop(device)
        , group(loop, how)
    {
    }
    ~Life() { loop.abandon(); }

    /// Inserts a record that ends exactly where a segment of the log does.
    void fillSegment(Key key, CommitMode mode)
    {
        const std::size_t payload = group.options().log.payload();
        const std::size_t length = payload - group.log().end() % payload - kOverhead;
        const Result<LogPosition> end = await(loop, insert(group, key, length, mode));
        REQUIRE(end);
        REQUIRE(*end % payload == 0);
    }
    [[nodiscard]] bool has(Key key)
    {
        const Result<std::optional<StorageGroup::Record>> found = await(loop, group.seek(0, key));
        REQUIRE(found);
        return *found && (*found)->key == key;
    }
    MemoryDevice device;
    Loop loop;
    StorageGroup group;
};

void create(MemoryDisk& disk, const GroupOptions& how)
{
    Life life(disk, how);
    REQUIRE(await(life.loop, life.group.create()));
}

std::vector<std::byte>& firstLog(MemoryDisk& disk, const GroupOptions& how)
{
    return disk.files.at(LogFiles::pathOf(how.logFolder, how.logPrefix(), 0).string());
}

/// After a life that ended in a flush of which all but its first segment got to the disk: that was the second one of the log.
void leaveRest(MemoryDisk& disk, const GroupOptions& how)
{
    create(disk, how);
    Life life(disk, how);
    REQUIRE(await(life.loop, life.group.open()));
    life.fillSegment(1, CommitMode::durable);
    life.fillSegment(2, CommitMode::lazy);
    life.fillSegment(3, CommitMode::durable);
    REQUIRE(life.group.log().durable() == 3 * how.log.payload());
    std::fill_n(firstLog(disk, how).begin() + 2 * how.log.segment, how.log.segment, std::byte {});
}

Task<Result<Checkpoint>> readCheckpoint(Loop& loop, const GroupOptions& how)
{
    const Result<FileId> file = loop.device().open(how.checkpointPath(), how.files());
    if (!file)
        co_return file.error();
    CheckpointFile checkpoints(loop, *file, how.checkpointPath().string(), how.durability);
    const Result<Checkpoint> read = co_await checkpoints.read();
    loop.device().close(*file);
    co_return read;
}

Task<> openInto(StorageGroup& group, std::optional<Result<Recovery>>& into)
{
    const Result<Recovery> opened = co_await group.open();
    into.emplace(opened);
}

} // namespace

TEST_CASE("what recovery cut off does not come back when a later life's log ends right before it")
{
    const GroupOptions how = options();
    const std::uint64_t payload = how.log.payload();
    MemoryDisk disk;
    leaveRest(disk, how);
    {
        Life life(disk, how);
        const Result<Recovery> opened = await(life.loop, life.group.open());
        REQUIRE(opened);
        CHECK(opened->to == payload);
        CHECK_FALSE(life.has(2));
        CHECK_FALSE(life.has(3));
        life.fillSegment(4, CommitMode::durable);
        REQUIRE(await(life.loop, life.group.close()));
    }
    // The third segment still is as the first life wrote it, sound and in its place.
    const auto rest = readSegment(
        std::span(firstLog(disk, how)).subspan(3 * how.log.segment, how.log.segment), how.signature);
    REQUIRE(rest);
    REQUIRE(rest->position == 2 * payload);
    for (const bool closed : { true, false }) {
        Life life(disk, how);
        const Result<Recovery> opened = await(life.loop, life.group.open());
        REQUIRE(opened);
        CHECK(opened->needed == !closed);
        CHECK(opened->to == 2 * payload);
        CHECK(life.has(1));
        CHECK_FALSE(life.has(3));
        CHECK(life.has(4));
    } // not closed, and nothing was written
}

TEST_CASE("a log segment of an earlier life in the place of a later one's is told as bad")
{
    const GroupOptions how = options();
    MemoryDisk disk;
    leaveRest(disk, how);
    std::vector<std::byte>& log = firstLog(disk, how);
    const auto place = log.begin() + 3 * how.log.segment;
    const std::vector<std::byte> rest(place, place + how.log.segment);
    {
        Life life(disk, how);
        REQUIRE(await(life.loop, life.group.open()));
        life.fillSegment(4, CommitMode::durable);
        life.fillSegment(5, CommitMode::durable);
        REQUIRE(await(life.loop, life.group.close()));
    }
    MemoryDevice device(disk, 1);
    Loop loop(device);
    const auto checkpoint = await(loop, readCheckpoint(loop, how));
    REQUIRE(checkpoint);
    const auto verify = [&] {
        return await(loop, verifyLog(loop, how.logFolder, how.logPrefix(), *checkpoint, how.files(), {}));
    };
    const Result<LogVerification> before = verify();
    REQUIRE(before);
    CHECK(before->sound());
    CHECK(before->segments == 3);
    std::copy(rest.begin(), rest.end(), place);
    const Result<LogVerification> after = verify();
    REQUIRE(after);
    REQUIRE(after->damages.size() == 1);
    const std::string path = LogFiles::pathOf(how.logFolder, how.logPrefix(), 0).string();
    CHECK(after->damages[0] == Damage { Damage::Kind::badSegment, path, 3 });
}

TEST_CASE("what an opening found stays, though the power goes before anything else is written")
{
    const GroupOptions how = options(Durability::flushed);
    const std::uint64_t payload = how.log.payload();
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        MemoryDisk disk;
        create(disk, how);
        {
            Life life(disk, how, seed);
            REQUIRE(await(life.loop, life.group.open()));
            life.fillSegment(1, CommitMode::durable);
            life.fillSegment(2, CommitMode::lazy);
            life.device.holdFlushes = true;
            life.loop.spawn(life.group.log().makeDurable(life.group.log().end()));
            for (int turn = 0; turn < 50; ++turn)
                life.loop.turn(std::chrono::milliseconds(1));
            REQUIRE(life.group.log().durable() == payload);
            life.device.kill();
        }
        REQUIRE_FALSE(disk.unflushed.empty());
        for (int opening = 0; opening < 2; ++opening) {
            Life life(disk, how, seed);
            const Result<Recovery> opened = await(life.loop, life.group.open());
            REQUIRE(opened);
            CHECK(opened->to == 2 * payload);
            CHECK(life.has(2));
            life.device.crash();
        }
    }
}

TEST_CASE(
    "with the checkpoint held as many log files are replayed as were written, and it shows how many are done")
{
    GroupOptions how = options();
    how.log.fileSize = 256U << 10;
    MemoryDisk disk, held;
    std::uint64_t files = 0;
    create(disk, how);
    {
        Life life(disk, how);
        REQUIRE(await(life.loop, life.group.open()));
        Cleaner& cleaner = life.group.cleaner();
        cleaner.holdCheckpoint(true);
        Key key = 1;
        for (; how.log.fileOf(life.group.log().end()) < 9; ++key)
            REQUIRE(await(life.loop, insert(life.group, key, 1000, CommitMode::durable)));
        CHECK(cleaner.counts().pages > 100);
        CHECK(cleaner.onDisk() == 0);
        files = how.log.fileOf(life.group.log().end() - 1) + 1;
        CHECK(life.group.logFiles().count() >= files);
        held = disk;
        cleaner.holdCheckpoint(false);
        for (const Key last = key + 500; key < last && cleaner.onDisk() == 0; ++key)
            REQUIRE(await(life.loop, insert(life.group, key, 1000, CommitMode::durable)));
        CHECK(cleaner.onDisk() > 0);
    }
    Life life(held, how);
    std::optional<Result<Recovery>> result;
    life.loop.spawn(openInto(life.group, result));
    std::set<std::uint64_t> seen { 0 };
    while (!result) {
        life.loop.turn(std::chrono::milliseconds(1));
        const Recovery& now = life.group.recovering();
        if (now.filesReplayed < *seen.rbegin() || now.filesReplayed > now.logFiles)
            FAIL("after " << *seen.rbegin() << " files " << now.filesReplayed << " of " << now.logFiles);
        seen.insert(now.filesReplayed);
    }
    REQUIRE(*result);
    CHECK((*result)->from == 0);
    CHECK((*result)->logFiles == files);
    CHECK((*result)->filesReplayed == files);
    CHECK(seen.size() > 3);
}

TEST_CASE("a group that is closed, or cannot be opened, or goes, leaves its device no file and no memory")
{
    const GroupOptions how = options();
    MemoryDisk disk;
    create(disk, how);
    MemoryDevice device(disk, 1);
    Loop loop(device);
    SECTION("closed")
    {
        StorageGroup group(loop, how);
        REQUIRE(await(loop, group.open()));
        CHECK(device.openFiles() >= 5); // checkpoint, database, copies, two of the log
        CHECK(await(loop, group.close()));
        CHECK(device.openFiles() == 0);
    }
    SECTION("not closed")
    {
        StorageGroup group(loop, how);
        REQUIRE(await(loop, group.open()));
        CHECK(device.memory.size() == 2);
        loop.abandon();
    }
    SECTION("without its copies")
    {
        disk.files.erase(how.copiesPath().string());
        StorageGroup group(loop, how);
        const Result<Recovery> opened = await(loop, group.open());
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message, Catch::Contains("group-1.copies"));
        CHECK(device.openFiles() == 0);
    }
    SECTION("with a log file that cannot be read")
    {
        device.failReadsWith = EIO;
        device.failPath = "000002.log";
        StorageGroup group(loop, how);
        const Result<Recovery> opened = await(loop, group.open());
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message, Catch::Contains("group-1-000002.log: reading failed"));
        CHECK(device.openFiles() == 0);
    }
    SECTION("with a damaged space map, which is found when all else is running")
    {
        std::vector<std::byte>& database = disk.files.at(how.databasePath(0).string());
        std::fill_n(database.begin() + kFirstMap * 4096 + 1000, 100, std::byte { 0x5a });
        StorageGroup group(loop, how);
        const Result<Recovery> opened = await(loop, group.open());
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message, Catch::Contains("page 2") && Catch::Contains("bad page"));
        CHECK(device.openFiles() == 0);
        CHECK_FALSE(await(loop, group.close()));
    }
    SECTION("whose log is verified and cannot be read")
    {
        const auto checkpoint = await(loop, readCheckpoint(loop, how));
        REQUIRE(checkpoint);
        device.failReadsWith = EIO;
        CHECK_FALSE(
            await(loop, verifyLog(loop, how.logFolder, how.logPrefix(), *checkpoint, how.files(), {})));
    }
    CHECK(device.openFiles() == 0);
    CHECK(device.memory.empty());
    CHECK(device.pending() == 0);
}

TEST_CASE("a group that cannot be made leaves nothing behind, and what was there before alone")
{
    const GroupOptions how = options();
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    Loop loop(device);
    StorageGroup group(loop, how);
    for (const char* const path : { ".database", "000002.log", ".checkpoint" }) {
        device.failWritesWith = ENOSPC;
        device.failPath = path;
        const Result<void> created = await(loop, group.create());
        REQUIRE_FALSE(created);
        CHECK_THAT(
            created.error().message, Catch::Contains(path) && Catch::Contains("No space left on device"));
        CHECK(disk.files.empty());
        CHECK(device.openFiles() == 0);
    }
    device.failWritesWith = 0;
    const std::string precious = LogFiles::pathOf(how.logFolder, how.logPrefix(), 1).string();
    disk.files[precious].resize(8);
    CHECK_FALSE(await(loop, group.create()));
    CHECK(disk.files.size() == 1);
    CHECK(disk.files.contains(precious));
    disk.files.clear();
    CHECK(await(loop, group.create()));
    CHECK(disk.files.size() == 5);
    CHECK(device.openFiles() == 0);
}

TEST_CASE("a log that lacks the file that it has to write to says so, and writes to no other")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    REQUIRE(device.create("/data/other", 64U << 10, FileOptions()));
    Loop loop(device);
    LogFiles files(loop, "/log", "group-1-", LogGeometry(), 1, FileOptions());
    const std::array<std::byte, 10> partial {};
    LogWriter log(
        loop, files, 64U << 10, partial.size(), 1, partial, [] { return LogPosition { 0 }; },
        Durability::writeThrough);
    const Result<void> secured = await(loop, log.secureEnd(false));
    REQUIRE_FALSE(secured);
    CHECK_THAT(secured.error().message, Catch::Contains("/log/group-1-*.log: file 1 of the log"));
    const std::vector<std::byte>& other = disk.files.at("/data/other");
    CHECK(std::all_of(other.begin(), other.end(), [](std::byte byte) { return byte == std::byte {}; }));
}
