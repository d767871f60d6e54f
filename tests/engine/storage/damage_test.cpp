// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/await.h"
#include "engine/storage/memory_device.h"
#include "storage/store/storage_group.h"
#include "storage/store/verification.h"
#include "support/catch.h"

#include <fmt/format.h>

#include <functional>

using namespace loadstone;
using namespace loadstone::storage;
using test::await;
using test::MemoryDevice;
using test::MemoryDisk;

namespace {

GroupOptions options(std::uint32_t pageSize, std::uint32_t segment)
{
    GroupOptions group;
    group.databaseFolders = { "/data" };
    group.logFolder = "/log";
    group.signature = 4711;
    group.pageSize = pageSize;
    group.pagesPerDatabase = 300;
    group.cacheBytes = pageSize * 100;
    group.logBuffer = 64U << 10;
    group.log.segment = segment;
    group.log.fileSize = 48U << 10;
    group.checkpointDepth = 64U << 10;
    return group;
}

Task<Result<void>> fill(StorageGroup& group)
{
    const Result<void> created = co_await group.create();
    if (!created)
        co_return created.error();
    const Result<Recovery> opened = co_await group.open();
    if (!opened)
        co_return opened.error();
    Random random(1);
    for (int i = 0; i < 800; ++i) {
        const std::string value(random.below(500), static_cast<char>('a' + i % 26));
        const Change change { Change::Kind::insert, 0, random(), 0, std::as_bytes(std::span(value)) };
        const CommitOutcome outcome = co_await group.commit(std::span(&change, 1), CommitMode::durable);
        if (outcome != CommitOutcome::committed)
            co_return fail("not committed");
    }
    co_return co_await group.close();
}

/// A closed group with some hundred records.
MemoryDisk sample(const GroupOptions& group)
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    Loop loop(device);
    StorageGroup subject(loop, group);
    const Result<void> filled = await(loop, fill(subject));
    loop.abandon();
    REQUIRE(filled);
    return disk;
}

Task<Result<Checkpoint>> readCheckpoint(Loop& loop, const GroupOptions& group)
{
    const Result<FileId> file = loop.device().open(group.checkpointPath(), group.files());
    CheckpointFile checkpoints(loop, *file, group.checkpointPath().string(), group.durability);
    co_return co_await checkpoints.read();
}

struct Verified {
    DatabaseVerification database;
    LogVerification log;
};

Verified verify(MemoryDisk& disk, const GroupOptions& group)
{
    MemoryDevice device(disk, 1);
    Loop loop(device);
    const std::string path = group.databasePath(0).string();
    const Result<FileId> file = device.open(path, group.files());
    VerificationOptions how;
    how.readSize = 16U << 10;
    how.readers = 4;
    const auto database = await(loop, verifyDatabase(loop, *file, path, how));
    const auto checkpoint = await(loop, readCheckpoint(loop, group));
    REQUIRE(database);
    REQUIRE(checkpoint);
    const auto log =
        await(loop, verifyLog(loop, group.logFolder, group.logPrefix(), *checkpoint, group.files(), how));
    REQUIRE(log);
    return { *database, *log };
}

void flip(std::vector<std::byte>& bytes, std::uint64_t bit)
{
    bytes[bit / 8] ^= std::byte { 1 } << (bit % 8);
}

bool used(const std::vector<std::byte>& database, std::size_t pageSize, PageNumber number)
{
    std::vector<std::byte> map(database.begin() + static_cast<std::ptrdiff_t>(kFirstMap * pageSize),
        database.begin() + static_cast<std::ptrdiff_t>((kFirstMap + 1) * pageSize));
    return inUse(Page(map), number);
}

} // namespace

TEST_CASE("every kind of planted damage is found and classed exactly, in 1,000 cases")
{
    Random random(11);
    int cases = 0;
    for (const std::uint32_t pageSize : { 4096U, 8192U, 16384U, 32768U }) {
        const GroupOptions group = options(pageSize, pageSize == 8192 ? 512 : 4096);
        const MemoryDisk sound = sample(group);
        MemoryDisk disk = sound;
        const Verified before = verify(disk, group);
        REQUIRE(before.database.sound());
        REQUIRE(before.log.sound());
        CHECK(before.database.seen == 300);
        CHECK(before.log.segments > 20);
        const std::string database = group.databasePath(0).string();
        const auto anyPage = [&] {
            for (;;) {
                // Not the maps: what they say decides on the others.
                const auto number = static_cast<PageNumber>(kRootPage + random.below(300 - kRootPage));
                if (used(sound.files.at(database), pageSize, number))
                    return number;
            }
        };
        for (int i = 0; i < 250; ++i, ++cases) {
            disk = sound;
            std::vector<Damage> expected;
            std::vector<std::byte>& bytes = disk.files.at(database);
            const PageNumber page = anyPage();
            const std::uint64_t firstBit = std::uint64_t { page } * pageSize * 8;
            switch (i % 5) {
            case 0:
                flip(bytes, firstBit + random.below(pageSize * 8));
                expected.push_back({ Damage::Kind::correctable, database, page });
                break;
            case 1: {
                const std::uint64_t one = random.below(pageSize * 8);
                flip(bytes, firstBit + one);
                flip(bytes, firstBit + (one + 1 + random.below(pageSize * 8 - 1)) % (pageSize * 8));
                expected.push_back({ Damage::Kind::badPage, database, page });
                break;
            }
            case 2: {
                const PageNumber other = anyPage();
                if (other == page)
                    continue;
                std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(std::size_t { page } * pageSize),
                    bytes.begin() + static_cast<std::ptrdiff_t>((std::size_t { page } + 1) * pageSize),
                    bytes.begin() + static_cast<std::ptrdiff_t>(std::size_t { other } * pageSize));
                expected.push_back({ Damage::Kind::wrongPage, database, std::min(page, other) });
                expected.push_back({ Damage::Kind::wrongPage, database, std::max(page, other) });
                break;
            }
            case 3: {
                // A sector of the log, in a segment that is part of it: the whole of the last file may not be.
                const std::uint64_t segments = before.log.segments;
                const std::uint64_t nth = random.below(segments);
                std::uint64_t left = nth;
                for (std::size_t slot = 0;; ++slot) {
                    const std::string path =
                        LogFiles::pathOf(group.logFolder, group.logPrefix(), slot).string();
                    auto& log = disk.files.at(path);
                    const auto header = readLogHeader(std::span(log).first(group.log.segment));
                    if (!header || group.log.beginOf(header->number) >= before.log.end)
                        continue;
                    const std::uint64_t here = std::min<std::uint64_t>(group.log.segmentsPerFile(),
                        (before.log.end - group.log.beginOf(header->number) + group.log.payload() - 1)
                            / group.log.payload());
                    if (left >= here) {
                        left -= here;
                        continue;
                    }
                    const std::uint64_t segment = 1 + left;
                    // With its shadow, where it has one: that alone would do.
                    for (std::uint64_t place = segment; place <= segment + (segment == here); ++place)
                        for (int byte = 0; byte < 40; ++byte)
                            flip(log,
                                (place * group.log.segment + random.below(group.log.segment)) * 8
                                    + random.below(8));
                    expected.push_back({ Damage::Kind::badSegment, path, segment });
                    break;
                }
                break;
            }
            default: {
                const std::string path =
                    LogFiles::pathOf(group.logFolder, group.logPrefix(), random.below(2)).string();
                auto& log = disk.files.at(path);
                const std::uint64_t size = group.log.fileSize - 1 - random.below(group.log.segment);
                log.resize(size);
                expected.push_back({ Damage::Kind::cut, path, size });
            }
            }
            const Verified after = verify(disk, group);
            std::vector<Damage> found = after.database.damages;
            found.insert(found.end(), after.log.damages.begin(), after.log.damages.end());
            if (found != expected) {
                std::string all;
                for (const Damage& damage : found)
                    all +=
                        fmt::format(" {}:{}:{}", static_cast<int>(damage.kind), damage.path, damage.number);
                FAIL("case " << i << " with pages of " << pageSize << ": found" << all << ", planted "
                             << static_cast<int>(expected[0].kind) << ":" << expected[0].path << ":"
                             << expected[0].number);
            }
        }
    }
    CHECK(cases > 950);
}

TEST_CASE(
    "a log file that is missing, or has lost its header, is told, and one that was being made is no harm")
{
    const GroupOptions group = options(4096, 512);
    const MemoryDisk sound = sample(group);
    MemoryDisk first = sound;
    const Verified before = verify(first, group);
    const std::uint64_t needed = group.log.fileOf(before.log.end - 1);
    std::string lastPart;
    std::size_t slots = 0;
    for (;; ++slots) {
        const std::string path = LogFiles::pathOf(group.logFolder, group.logPrefix(), slots).string();
        if (!sound.files.contains(path))
            break;
        const auto header = readLogHeader(std::span(sound.files.at(path)).first(group.log.segment));
        if (header && header->number == needed)
            lastPart = path;
    }
    REQUIRE(!lastPart.empty());
    const auto open = [&](MemoryDisk& disk) {
        MemoryDevice device(disk, 1);
        Loop loop(device);
        StorageGroup subject(loop, group);
        const Result<Recovery> opened = await(loop, subject.open());
        loop.abandon();
        return opened ? std::string() : opened.error().message;
    };
    SECTION("without its header")
    {
        MemoryDisk disk = sound;
        std::fill_n(disk.files.at(lastPart).begin(), group.log.segment, std::byte { 7 });
        const Verified after = verify(disk, group);
        REQUIRE(after.log.damages.size() == 1);
        CHECK(after.log.damages[0] == Damage { Damage::Kind::badHeader, lastPart, 0 });
        CHECK_THAT(open(disk), Catch::Contains(lastPart) && Catch::Contains("header is damaged"));
    }
    SECTION("missing between others")
    {
        MemoryDisk disk = sound;
        disk.files.erase(LogFiles::pathOf(group.logFolder, group.logPrefix(), 0).string());
        CHECK_THAT(open(disk), Catch::Contains("000001.log: this log file is missing"));
        CHECK(!verify(disk, group).log.sound());
    }
    SECTION("made when all ended")
    {
        MemoryDisk disk = sound;
        const std::string made = LogFiles::pathOf(group.logFolder, group.logPrefix(), slots).string();
        disk.files[made].resize(1000);
        CHECK(open(disk).empty());
        CHECK(!disk.files.contains(made));
    }
}

TEST_CASE("what was found damaged is told, even if the rest cannot be read")
{
    const GroupOptions group = options(4096, 512);
    MemoryDisk disk = sample(group);
    const std::string path = group.databasePath(0).string();
    for (const std::uint64_t bit : { 8 * (2 * 4096 + 1000), 8 * (2 * 4096 + 3000) })
        flip(disk.files.at(path), bit);
    MemoryDevice device(disk, 1);
    Loop loop(device);
    const Result<FileId> file = device.open(path, group.files());
    VerificationOptions how;
    how.readSize = 16U << 10;
    how.readers = 1;
    std::vector<Damage> told;
    how.progress = [&](const DatabaseVerification& found) {
        told = found.damages;
        device.failReadsWith = EIO;
        return true;
    };
    const auto verified = await(loop, verifyDatabase(loop, *file, path, how));
    REQUIRE_FALSE(verified);
    CHECK_THAT(verified.error().message, Catch::Contains(path) && Catch::Contains("reading failed"));
    CHECK(told == std::vector { Damage { Damage::Kind::badPage, path, 2 } });
}

TEST_CASE("a stored record is read past one wrong bit, and a page that is worse says where it lies")
{
    const GroupOptions group = options(4096, 512);
    const auto readAll = [](StorageGroup& subject) -> Task<Result<std::uint64_t>> {
        const Result<Recovery> opened = co_await subject.open();
        if (!opened)
            co_return opened.error();
        std::uint64_t records = 0;
        for (Key next = 0;;) {
            const Result<std::optional<StorageGroup::Record>> found = co_await subject.seek(0, next);
            if (!found)
                co_return found.error();
            if (!*found)
                co_return records;
            next = (*found)->key + 1;
            ++records;
        }
    };
    for (const bool worse : { false, true }) {
        MemoryDisk disk = sample(group);
        std::vector<std::byte>& bytes = disk.files.at(group.databasePath(0).string());
        flip(bytes, std::uint64_t { kRootPage } * 4096 * 8 + 5000);
        if (worse)
            flip(bytes, std::uint64_t { kRootPage } * 4096 * 8 + 9000);
        MemoryDevice device(disk, 1);
        Loop loop(device);
        StorageGroup subject(loop, group);
        const Result<std::uint64_t> records = await(loop, readAll(subject));
        loop.abandon();
        if (!worse) {
            REQUIRE(records);
            CHECK(*records == 800);
            CHECK(subject.cache().damages().all()
                == std::vector {
                    Damage { Damage::Kind::correctable, group.databasePath(0).string(), kRootPage } });
        } else {
            REQUIRE(!records);
            CHECK_THAT(records.error().message,
                Catch::Contains("group-1-1.database, page 3") && Catch::Contains("bad page"));
            CHECK(subject.cache().damages().all()
                == std::vector {
                    Damage { Damage::Kind::badPage, group.databasePath(0).string(), kRootPage } });
        }
    }
}
