// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "device_fixture.h"
#include "storage/device/loop.h"

#include <loadstone/units.h>

#include <algorithm>
#include <fstream>
#include <sys/uio.h>
#include <thread>

namespace fs = std::filesystem;
using namespace loadstone;
using namespace loadstone::storage;

namespace {

constexpr std::uint32_t kPage = 4096;

void fill(std::byte* page, std::uint64_t seed)
{
    Random random(seed);
    for (std::size_t i = 0; i < kPage; i += 8) {
        const std::uint64_t value = random();
        std::memcpy(page + i, &value, 8);
    }
}

bool holds(const std::byte* page, std::uint64_t seed)
{
    std::array<std::byte, kPage> expected;
    fill(expected.data(), seed);
    return std::memcmp(page, expected.data(), kPage) == 0;
}

} // namespace

#define FOR_EVERY_DEVICE(depth)                                                                              \
    const Kind kind = GENERATE(Kind::uring, Kind::linux519, Kind::linux511, Kind::polled, Kind::threads);    \
    CAPTURE(static_cast<int>(kind));                                                                         \
    const test::ScratchFolder folder { LOADSTONE_BIN_DIR };                                                  \
    const auto device = deviceOf(kind, depth);                                                               \
    if (!device)                                                                                             \
    return

TEST_CASE("what is written is read back, past the page cache and through it, by any of its open files")
{
    FOR_EVERY_DEVICE(4);
    const bool direct = GENERATE(true, false);
    FileOptions options;
    options.direct = direct;
    options.durability = direct ? Durability::writeThrough : Durability::flushed;
    const auto file = device->create(folder / "file", 8 * kPage, options);
    REQUIRE(file);
    CHECK(device->size(*file) == 8 * kPage);
    Buffer page(kPage);
    CHECK(carryOut(*device, transfer(IoKind::read, *file, page.at(0), 5 * kPage, kPage)).error == 0);
    CHECK(std::ranges::all_of(page.all(), [](std::byte byte) { return byte == std::byte(0); })); // reserved
    for (std::uint64_t i = 0; i < 8; ++i) {
        fill(page.at(0), i);
        CHECK(carryOut(*device, transfer(IoKind::write, *file, page.at(0), i * kPage, kPage)).error == 0);
    }
    IoRequest flush = transfer(IoKind::flush, *file, nullptr, 0, 0, 77);
    flush.ioClass = IoClass::logWrite;
    const IoCompletion flushed = carryOut(*device, flush);
    CHECK(flushed.error == 0);
    CHECK(flushed.tag == 77);
    CHECK(flushed.ioClass == IoClass::logWrite);
    CHECK(flushed.kind == IoKind::flush);

    options.writable = false;
    options.direct = !direct;
    const auto again = device->open(folder / "file", options);
    REQUIRE(again);
    CHECK(*again != *file);
    for (std::uint64_t i = 8; i-- > 0;) {
        CHECK(carryOut(*device, transfer(IoKind::read, *again, page.at(0), i * kPage, kPage)).error == 0);
        CHECK(holds(page.at(0), i));
    }
    CHECK(carryOut(*device, transfer(IoKind::write, *again, page.at(0), 0, kPage)).error == EBADF);
    device->close(*again);
    device->close(*file);
    CHECK(fs::file_size(folder / "file") == 8 * kPage);
}

TEST_CASE("any number of requests is taken over at once; each is answered once, with its three times")
{
    constexpr std::uint64_t kRequests = 300;
    FOR_EVERY_DEVICE(8);
    const auto file = device->create(folder / "file", kRequests * kPage, FileOptions());
    REQUIRE(file);
    // Some of the memory registered, some not.
    Buffer known(kRequests / 2 * kPage), unknown(kRequests / 2 * kPage);
    device->useMemory(known.all());
    if (kind == Kind::uring)
        CHECK_THAT(device->description(), ContainsSubstring("registered memory"));
    const auto page = [&](std::uint64_t i) {
        return i < kRequests / 2 ? known.at(i * kPage) : unknown.at((i - kRequests / 2) * kPage);
    };
    for (const IoKind does : { IoKind::write, IoKind::read }) {
        std::vector<IoRequest> requests;
        for (std::uint64_t i = 0; i < kRequests; ++i) {
            if (does == IoKind::write)
                fill(page(i), i);
            else
                std::memset(page(i), 0xee, kPage);
            requests.push_back(transfer(does, *file, page(i), i * kPage, kPage, i));
        }
        const MonoTime before = monoNow();
        device->submit(requests);
        CHECK(device->pending() == kRequests);
        const auto all = finish(*device);
        REQUIRE(all.size() == kRequests);
        std::vector<int> seen(kRequests);
        for (const IoCompletion& one : all) {
            REQUIRE(one.tag < kRequests);
            ++seen[one.tag];
            CHECK(one.error == 0);
            CHECK(one.file == *file);
            CHECK(one.length == kPage);
            CHECK(one.queued == requests[one.tag].queued);
            CHECK(one.issued >= before);
            CHECK(one.done >= one.issued);
        }
        CHECK(std::ranges::count(seen, 1) == kRequests);
        // Never more than the depth are with the kernel.
        for (const IoCompletion& one : all)
            CHECK(std::ranges::count_if(all, [&](const IoCompletion& other) {
                return other.issued <= one.issued && other.done > one.issued;
            }) <= 8);
    }
    for (std::uint64_t i = 0; i < kRequests; ++i)
        CHECK(holds(page(i), i));
}

TEST_CASE("a transfer goes to and comes from scattered memory, in order")
{
    FOR_EVERY_DEVICE(2);
    const std::size_t pieces = GENERATE(1, 3, 1100); // the last is more than one call of the kernel takes
    const auto size = static_cast<std::uint32_t>(pieces * kPage);
    const auto file = device->create(folder / "file", size + kPage, FileOptions());
    REQUIRE(file);
    Buffer from(2 * pieces * kPage), to(pieces * kPage);
    std::vector<iovec> scattered;
    for (std::size_t i = 0; i < pieces; ++i) {
        std::byte* page = from.at((2 * (pieces - 1 - i) + 1) * kPage);
        fill(page, i);
        scattered.push_back({ page, kPage });
    }
    IoRequest write = transfer(IoKind::write, *file, nullptr, kPage, size);
    write.pieces = scattered;
    CHECK(carryOut(*device, write).error == 0);
    std::vector<iovec> halves { { to.at(0), kPage / 2 }, { to.at(kPage / 2), size - kPage / 2 } };
    IoRequest read = transfer(IoKind::read, *file, nullptr, kPage, size);
    read.pieces = halves;
    CHECK(carryOut(*device, read).error == 0);
    for (std::size_t i = 0; i < pieces; ++i)
        CHECK(holds(to.at(i * kPage), i));
}

TEST_CASE("a flush covers the writes that were submitted before it, and lets later ones pass")
{
    FOR_EVERY_DEVICE(8);
    FileOptions options;
    options.durability = Durability::flushed;
    const auto file = device->create(folder / "file", 64 * kPage, options);
    const auto other = device->create(folder / "other", 64 * kPage, options);
    REQUIRE(file);
    REQUIRE(other);
    Buffer page(kPage);
    std::vector<IoRequest> requests;
    for (std::uint64_t i = 0; i < 60; ++i) {
        if (i % 20 == 19)
            requests.push_back(transfer(IoKind::flush, *file, nullptr, 0, 0, i));
        else
            requests.push_back(
                transfer(IoKind::write, i % 3 == 0 ? *other : *file, page.at(0), i * kPage, kPage, i));
    }
    device->submit(requests);
    const auto all = finish(*device);
    REQUIRE(all.size() == requests.size());
    for (const IoCompletion& flush : all) {
        CHECK(flush.error == 0);
        if (flush.kind == IoKind::flush)
            for (const IoCompletion& write : all)
                if (write.kind == IoKind::write && write.file == *file && write.tag < flush.tag)
                    CHECK(write.done <= flush.issued);
    }
}

TEST_CASE("a read past the end of a file is an error, also where only its end is past it")
{
    FOR_EVERY_DEVICE(2);
    const auto file = device->create(folder / "file", 3 * kPage, FileOptions());
    REQUIRE(file);
    Buffer pages(4 * kPage);
    CHECK(carryOut(*device, transfer(IoKind::read, *file, pages.at(0), 2 * kPage, kPage)).error == 0);
    CHECK(carryOut(*device, transfer(IoKind::read, *file, pages.at(0), 3 * kPage, kPage)).error == EIO);
    CHECK(carryOut(*device, transfer(IoKind::read, *file, pages.at(0), 2 * kPage, 2 * kPage)).error == EIO);
    std::ofstream(folder / "odd") << std::string(kPage + 700, 'x');
    for (const bool direct : { true, false }) {
        FileOptions options;
        options.direct = direct;
        const auto odd = device->open(folder / "odd", options);
        REQUIRE(odd);
        CHECK(carryOut(*device, transfer(IoKind::read, *odd, pages.at(0), 0, kPage)).error == 0);
        CHECK(carryOut(*device, transfer(IoKind::read, *odd, pages.at(0), 0, 2 * kPage)).error == EIO);
        CHECK(carryOut(*device, transfer(IoKind::read, *odd, pages.at(0), kPage, kPage)).error == EIO);
        device->close(*odd);
    }
}

TEST_CASE("a file grows by zeros, keeps what it has, and is not made smaller")
{
    FOR_EVERY_DEVICE(2);
    const auto file = device->create(folder / "file", kPage, FileOptions());
    REQUIRE(file);
    Buffer page(kPage);
    fill(page.at(0), 9);
    CHECK(carryOut(*device, transfer(IoKind::write, *file, page.at(0), 0, kPage)).error == 0);
    REQUIRE(device->grow(*file, 100 * kPage));
    CHECK(device->size(*file) == 100 * kPage);
    CHECK(fs::file_size(folder / "file") == 100 * kPage);
    REQUIRE(device->grow(*file, 10 * kPage));
    CHECK(device->size(*file) == 100 * kPage);
    CHECK(carryOut(*device, transfer(IoKind::read, *file, page.at(0), 0, kPage)).error == 0);
    CHECK(holds(page.at(0), 9));
    CHECK(carryOut(*device, transfer(IoKind::read, *file, page.at(0), 99 * kPage, kPage)).error == 0);
    CHECK(std::ranges::all_of(page.all(), [](std::byte byte) { return byte == std::byte(0); }));
}

TEST_CASE("memory that goes is forgotten, and what comes after it is registered in its place")
{
    FOR_EVERY_DEVICE(4);
    const auto file = device->create(folder / "file", 8 * kPage, FileOptions());
    REQUIRE(file);
    for (std::uint64_t life = 1; life <= 3; ++life) {
        Buffer first(life * kPage), second(kPage);
        device->useMemory(first.all());
        device->useMemory(second.all());
        if (kind == Kind::uring)
            CHECK_THAT(device->description(),
                ContainsSubstring(formatBytes((life + 1) * kPage) + " of registered memory"));
        device->forgetMemory(first.all());
        if (kind == Kind::uring)
            CHECK_THAT(
                device->description(), ContainsSubstring(formatBytes(kPage) + " of registered memory"));
        for (Buffer* const buffer : { &first, &second }) {
            fill(buffer->at(0), life);
            CHECK(carryOut(*device, transfer(IoKind::write, *file, buffer->at(0), 0, kPage)).error == 0);
            std::memset(buffer->at(0), 0, kPage);
            CHECK(carryOut(*device, transfer(IoKind::read, *file, buffer->at(0), 0, kPage)).error == 0);
            CHECK(holds(buffer->at(0), life));
        }
        device->forgetMemory(second.all());
        CHECK_THAT(device->description(), !ContainsSubstring("registered memory"));
    }
}

TEST_CASE("a device that is made by one thread belongs to the one that first submits")
{
    FOR_EVERY_DEVICE(2);
    const auto file = device->create(folder / "file", kPage, FileOptions());
    REQUIRE(file);
    Buffer page(kPage);
    device->useMemory(page.all());
    int error = -1;
    std::thread([&] {
        const IoRequest request = transfer(IoKind::read, *file, page.at(0), 0, kPage);
        device->submit({ &request, 1 });
        IoCompletion done;
        if (device->reap({ &done, 1 }, std::chrono::seconds(20)) == 1)
            error = done.error;
    }).join();
    CHECK(error == 0);
    device->close(*file);
}

TEST_CASE("a loop whose coroutines wait for the time alone sleeps until then, and does not ask again and again")
{
    FOR_EVERY_DEVICE(2);
    Loop loop(*device);
    bool done = false;
    const auto sleeper = [](Loop& on, bool& into) -> Task<> {
        const MonoTime later = on.now() + std::chrono::milliseconds(20);
        co_await on.until(later);
        into = true;
    };
    loop.spawn(sleeper(loop, done));
    int turns = 0;
    while (!done && turns < 100) {
        loop.turn(std::chrono::seconds(1));
        ++turns;
    }
    CHECK(done);
    CHECK(turns == 2);
}

TEST_CASE("waiting for nothing returns at once, and what is not waited for comes with a later look")
{
    FOR_EVERY_DEVICE(2);
    std::array<IoCompletion, 4> completions;
    CHECK(device->reap(completions, std::chrono::hours(1)) == 0);
    const auto file = device->create(folder / "file", kPage, FileOptions());
    REQUIRE(file);
    Buffer page(kPage);
    const IoRequest request = transfer(IoKind::read, *file, page.at(0), 0, kPage, 3);
    device->submit({ &request, 1 });
    std::size_t given = 0;
    const MonoTime limit = monoNow() + std::chrono::seconds(20);
    while (given == 0 && monoNow() < limit)
        given = device->reap(completions, Nanoseconds(0));
    CHECK(given == 1);
    CHECK(completions[0].tag == 3);
    CHECK(device->pending() == 0);
}

TEST_CASE("files go and their numbers are used again")
{
    FOR_EVERY_DEVICE(2);
    const auto first = device->create(folder / "first", kPage, FileOptions());
    const auto second = device->create(folder / "second", 2 * kPage, FileOptions());
    REQUIRE(first);
    REQUIRE(second);
    CHECK(device->exists(folder / "first"));
    device->close(*first);
    REQUIRE(device->remove(folder / "first"));
    CHECK_FALSE(device->exists(folder / "first"));
    CHECK_FALSE(fs::exists(folder / "first"));
    const auto third = device->create(folder / "third", 3 * kPage, FileOptions());
    REQUIRE(third);
    CHECK(*third == *first);
    CHECK(device->size(*third) == 3 * kPage);
    CHECK(device->size(*second) == 2 * kPage);
    Buffer page(kPage);
    CHECK(carryOut(*device, transfer(IoKind::read, *third, page.at(0), 2 * kPage, kPage)).error == 0);
    CHECK_FALSE(device->remove(folder / "first"));
}
