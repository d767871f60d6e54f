// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "engine/storage/await.h"
#include "storage/device/file_device.h"
#include "storage/store/storage_group.h"
#include "storage/store/verification.h"
#include "support/catch.h"
#include "support/program.h"

#include <fmt/format.h>

#include <csignal>
#include <map>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::storage;
using test::await;

namespace {

constexpr unsigned kSessions = 8, kKeysOfOne = 5;

GroupOptions options(const std::filesystem::path& folder, const Device& device)
{
    GroupOptions group;
    group.databaseFolders = { folder, folder };
    group.logFolder = folder;
    group.signature = 4711;
    group.pagesPerDatabase = 3000;
    group.cacheBytes = 4U << 20;
    group.log.segment = std::max(512U, device.block());
    group.checkpointDepth = 2U << 20;
    return group;
}

std::unique_ptr<FileDevice> deviceFor(const std::filesystem::path& folder)
{
    DeviceOptions options;
    options.depth = 64;
    options.folders = { folder };
    auto device = makeDevice(options);
    if (!device)
        throw std::runtime_error(device.error().message);
    return std::move(*device);
}

/// One transaction puts `kKeysOfOne` records with its number into both databases, or takes them all out again.
Key keyOf(std::uint64_t transaction, unsigned i)
{
    return hashOf({ transaction, i });
}

/// The sessions of a process that will be killed. What they do is told through `out`: "+N" and "-N" after a durable commit, "?N"
/// before anything that takes a transaction's records out.
struct Victim {
    Loop& loop;
    StorageGroup& group;
    int out;
    std::uint64_t next;

    void tell(char what, std::uint64_t transaction) const
    {
        const std::string line = fmt::format("{}{}\n", what, transaction);
        if (::write(out, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            ::_exit(3);
    }
    Task<bool> change(std::uint64_t transaction, bool erase, bool durable)
    {
        if (erase)
            tell('?', transaction);
        const std::string value = fmt::format("{:020}", transaction) + std::string(transaction % 900, 'v');
        std::vector<Change> changes;
        for (unsigned i = 0; i < kKeysOfOne; ++i)
            changes.push_back(
                { erase ? Change::Kind::erase : Change::Kind::insert, static_cast<std::uint8_t>(i % 2),
                    keyOf(transaction, i), 0, std::as_bytes(std::span(value)) });
        const CommitOutcome outcome =
            co_await group.commit(changes, durable ? CommitMode::durable : CommitMode::lazy);
        if (outcome != CommitOutcome::committed)
            co_return false;
        if (durable)
            tell(erase ? '-' : '+', transaction);
        co_return true;
    }
    Task<> session(std::uint64_t seed)
    {
        Random random(seed);
        std::vector<std::uint64_t> mine;
        for (;;) {
            const bool erase = mine.size() > 20 && random.below(2) == 0;
            const std::uint64_t transaction = erase ? mine[random.below(mine.size())] : next++;
            const bool durable = random.below(3) == 0;
            const bool done = co_await change(transaction, erase, durable);
            if (!done)
                ::_exit(4);
            if (erase)
                std::erase(mine, transaction);
            else
                mine.push_back(transaction);
        }
    }
};

[[noreturn]] void liveUntilKilled(const std::filesystem::path& folder, int out, std::uint64_t first)
{
    const auto device = deviceFor(folder);
    Loop loop(*device);
    StorageGroup group(loop, options(folder, *device));
    const Result<Recovery> opened = await(loop, group.open());
    if (!opened)
        ::_exit(5);
    Victim victim { loop, group, out, first };
    for (unsigned i = 0; i < kSessions; ++i)
        loop.spawn(victim.session(hashOf({ first, i })));
    for (;;)
        loop.turn(std::chrono::milliseconds(50));
}

/// How many records of each transaction there are.
Task<Result<std::map<std::uint64_t, unsigned>>> count(StorageGroup& group)
{
    std::map<std::uint64_t, unsigned> found;
    for (std::uint8_t database = 0; database < 2; ++database)
        for (Key next = 0;;) {
            const Result<std::optional<StorageGroup::Record>> record = co_await group.seek(database, next);
            if (!record)
                co_return record.error();
            if (!*record)
                break;
            ++found[std::stoull((*record)->value.substr(0, 20))];
            if ((*record)->key == ~Key { 0 })
                break;
            next = (*record)->key + 1;
        }
    co_return found;
}

} // namespace

TEST_CASE("fifty kills under load lose no durable commit, leave no half transaction, and every page and log "
          "segment is sound")
{
    const test::ScratchFolder folder;
    {
        const auto device = deviceFor(folder.path());
        Loop loop(*device);
        StorageGroup group(loop, options(folder.path(), *device));
        const Result<void> created = await(loop, group.create());
        INFO((created ? "" : created.error().message));
        REQUIRE(created);
    }
    Random random(20);
    std::map<std::uint64_t, char> last; // what was told of a transaction last
    std::uint64_t next = 1;
    std::uint64_t recoveries = 0, replayed = 0, told = 0;
    for (int kill = 0; kill < 50; ++kill) {
        std::array<int, 2> pipe {};
        REQUIRE(::pipe(pipe.data()) == 0);
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            ::close(pipe[0]);
            liveUntilKilled(folder.path(), pipe[1], next);
        }
        ::close(pipe[1]);
        // Until it has told of so many; now and then it is killed while it recovers.
        const std::uint64_t enough = random.below(10) == 0 ? 0 : 1 + random.below(30);
        std::string text;
        std::array<char, 512> part;
        std::uint64_t lines = 0;
        while (lines < enough) {
            const ssize_t n = ::read(pipe[0], part.data(), part.size());
            REQUIRE(n > 0);
            text.append(part.data(), static_cast<std::size_t>(n));
            lines += static_cast<std::uint64_t>(std::count(part.data(), part.data() + n, '\n'));
        }
        ::kill(child, SIGKILL);
        for (ssize_t n = 1; n > 0;) { // what it told before it died
            n = ::read(pipe[0], part.data(), part.size());
            if (n > 0)
                text.append(part.data(), static_cast<std::size_t>(n));
        }
        ::close(pipe[0]);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));
        for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
             begin = end + 1) {
            const std::uint64_t transaction = std::stoull(text.substr(begin + 1, end - begin - 1));
            last[transaction] = text[begin];
            next = std::max(next, transaction + 1);
            ++told;
        }

        const auto device = deviceFor(folder.path());
        Loop loop(*device);
        const GroupOptions how = options(folder.path(), *device);
        StorageGroup group(loop, how);
        const Result<Recovery> opened = await(loop, group.open());
        INFO("kill " << kill << (opened ? "" : ": " + opened.error().message));
        REQUIRE(opened);
        recoveries += opened->needed;
        replayed += opened->records;
        const auto found = await(loop, count(group));
        REQUIRE(found);
        for (const auto& [transaction, records] : *found) {
            if (records != kKeysOfOne)
                FAIL("transaction " << transaction << " has " << records << " of " << kKeysOfOne
                                    << " records");
            next = std::max(next, transaction + 1);
        }
        for (auto& [transaction, what] : last) {
            const bool there = found->contains(transaction);
            if (what == '+' && !there)
                FAIL("transaction " << transaction << " was durable, and is lost");
            if (what == '-' && there)
                FAIL("transaction " << transaction << " was durably taken out, and is there");
            what = there ? '+' : '-'; // nobody changes it any more
        }
        const Result<void> closed = await(loop, group.close());
        REQUIRE(closed);
        loop.abandon();
        for (std::size_t i = 0; i < 2; ++i) {
            const std::string path = how.databasePath(i).string();
            const auto file = device->open(path, how.files());
            REQUIRE(file);
            const auto verified = await(loop, verifyDatabase(loop, *file, path, {}));
            REQUIRE(verified);
            CHECK(verified->sound());
            device->close(*file);
        }
    }
    CHECK(recoveries > 35);
    CHECK(replayed > 200);
    CHECK(told > 600);
}
