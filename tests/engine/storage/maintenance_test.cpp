// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/await.h"
#include "engine/storage/memory_device.h"
#include "storage/store/maintenance.h"
#include "support/catch.h"

#include <algorithm>

using namespace loadstone;
using namespace loadstone::storage;
using test::await;
using test::MemoryDevice;
using test::MemoryDisk;

namespace {

constexpr std::uint64_t kRecords = 40;
constexpr std::size_t kPageSize = 4096;

/// Reads for maintenance take as long as some tens of other transfers, and pages that are written meanwhile come torn.
class SlowReads : public MemoryDevice {
public:
    using MemoryDevice::MemoryDevice;

    void submit(std::span<const IoRequest> requests) override
    {
        for (const IoRequest& request : requests) {
            if (request.kind == IoKind::write)
                for (Read& read : m_reads)
                    tear(read, request);
            maintenanceReads += request.ioClass == IoClass::maintenance;
            if (request.ioClass == IoClass::maintenance)
                m_reads.push_back({ request, kDelay, {} });
            else
                MemoryDevice::submit({ &request, 1 });
        }
    }
    std::size_t reap(std::span<IoCompletion> completions, Nanoseconds wait) override
    {
        const std::size_t given = MemoryDevice::reap(completions, wait);
        for (const IoCompletion& done : completions.first(given)) {
            const auto read = std::find_if(m_reads.begin(), m_reads.end(),
                [&](const Read& one) { return one.left == 0 && one.request.tag == done.tag; });
            if (read == m_reads.end())
                continue;
            for (const std::uint64_t page : read->torn)
                for (const std::uint64_t byte : { 100, 2000 })
                    read->request.data[page * kPageSize + byte] ^= std::byte { 0xff };
            tornPages += read->torn.size();
            m_reads.erase(read);
        }
        for (Read& read : m_reads) {
            if (read.left == 0)
                continue;
            read.left -= std::min(read.left, std::max<std::size_t>(given, 1));
            if (read.left == 0)
                MemoryDevice::submit({ &read.request, 1 });
        }
        return given;
    }
    [[nodiscard]] std::size_t pending() const override
    {
        const auto waiting =
            std::count_if(m_reads.begin(), m_reads.end(), [](const Read& one) { return one.left > 0; });
        return MemoryDevice::pending() + static_cast<std::size_t>(waiting);
    }
    std::uint64_t tornPages = 0, maintenanceReads = 0;

private:
    static constexpr std::size_t kDelay = 20; // completions
    struct Read {
        IoRequest request;
        std::size_t left; // 0: the device has it
        std::vector<std::uint64_t> torn; // pages, counted from its first one
    };
    static void tear(Read& read, const IoRequest& write)
    {
        if (read.request.file != write.file)
            return;
        const std::uint64_t begin = std::max(read.request.offset, write.offset),
                            end = std::min(
                                read.request.offset + read.request.length, write.offset + write.length);
        for (std::uint64_t at = begin; at < end; at += kPageSize) {
            const std::uint64_t page = (at - read.request.offset) / kPageSize;
            if (std::find(read.torn.begin(), read.torn.end(), page) == read.torn.end())
                read.torn.push_back(page);
        }
    }
    std::vector<Read> m_reads;
};

GroupOptions options()
{
    GroupOptions group;
    group.databaseFolders = { "/data" };
    group.logFolder = "/log";
    group.signature = 4711;
    group.pageSize = kPageSize;
    group.pagesPerDatabase = 60;
    group.cacheBytes = kPageSize * 100;
    group.logBuffer = 64U << 10;
    group.checkpointDepth = 8U << 10; // so that pages are written again and again
    return group;
}

/// One session that changes records until it is told to stop.
struct LoadedGroup {
    LoadedGroup()
        : device(disk, 5)
        , loop(device)
        , group(loop, options())
        , maintenance(loop, group, 0, { std::size_t { 64 } << 10, std::chrono::milliseconds(1) })
    {
        REQUIRE(await(loop, group.create()));
        REQUIRE(await(loop, group.open()));
        for (Key key = 1; key <= kRecords; ++key)
            REQUIRE(await(loop, change(Change::Kind::insert, key, 'a')));
        loop.spawn(session());
        loop.spawn(maintenance.run());
    }
    ~LoadedGroup() { loop.abandon(); }
    Task<bool> change(Change::Kind kind, Key key, char fill)
    {
        const std::string value(900, fill);
        const Change one { kind, 0, key, 0, std::as_bytes(std::span(value)) };
        const CommitOutcome outcome = co_await group.commit(std::span(&one, 1), CommitMode::durable);
        co_return outcome == CommitOutcome::committed;
    }
    Task<> session()
    {
        Random random(3);
        bool done = true;
        while (done && !stopping)
            done = co_await change(
                Change::Kind::replace, 1 + random.below(kRecords), static_cast<char>('a' + random.below(26)));
        ended = true;
    }
    void stop()
    {
        stopping = true;
        while (!ended)
            loop.turn(std::chrono::milliseconds(1));
    }
    void runTo(std::uint64_t passes)
    {
        for (int turns = 0; maintenance.counts().passes < passes && !group.failure(); ++turns) {
            REQUIRE(turns < 1000000);
            loop.turn(std::chrono::milliseconds(1));
        }
    }
    MemoryDisk disk;
    SlowReads device;
    Loop loop;
    StorageGroup group;
    Maintenance maintenance;
    bool stopping = false, ended = false;
};

} // namespace

TEST_CASE("no page is told as bad that was written while it was read, and one that is bad still is")
{
    LoadedGroup loaded;
    loaded.runTo(10);
    REQUIRE(!loaded.group.failure());
    CHECK(loaded.device.tornPages > 10);
    CHECK(loaded.maintenance.damages().all().empty());

    loaded.stop();
    std::vector<std::byte>& bytes = loaded.disk.files.at(options().databasePath(0).string());
    for (const std::size_t byte : { 1000, 3000 })
        bytes[kRootPage * kPageSize + byte] ^= std::byte { 0xff };
    loaded.runTo(loaded.maintenance.counts().passes + 2);
    CHECK(loaded.maintenance.damages().all()
        == std::vector { Damage { Damage::Kind::badPage, options().databasePath(0).string(), kRootPage } });
    REQUIRE(loaded.group.failure()); // a page that cannot be put right ends the test
    CHECK_THAT(loaded.group.failure()->message, Catch::Contains("page 3: found damaged by the maintenance"));
}

TEST_CASE("pages that were never written are read with the others, and not once more")
{
    LoadedGroup loaded;
    loaded.stop();
    loaded.runTo(loaded.maintenance.counts().passes + 2);
    const std::uint64_t before = loaded.device.maintenanceReads;
    loaded.runTo(loaded.maintenance.counts().passes + 4);
    CHECK(loaded.device.maintenanceReads - before <= 4 * 4 + 1); // 60 pages, 16 with a read
}
