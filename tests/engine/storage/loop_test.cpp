// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/memory_device.h"
#include "storage/device/aligned_memory.h"
#include "storage/device/loop.h"
#include "support/catch.h"

#include <array>

using namespace loadstone;
using namespace loadstone::storage;
using test::MemoryDevice;
using test::MemoryDisk;

namespace {

/// `result` is set to 0 or an errno when it has read.
Task<> readOnce(Loop& loop, FileId file, int& result)
{
    const AlignedMemory memory(512);
    IoRequest request;
    request.file = file;
    request.data = memory.data();
    request.length = 512;
    const int error = co_await loop.transfer(request);
    result = error;
}

Task<> waitFor(Waiters& waiters, int& last, int& mine)
{
    co_await waiters.wait();
    mine = ++last;
}

} // namespace

TEST_CASE("who asked for I/O that was waited for by draining runs at the next turn")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    const Result<FileId> file = device.create("/file", 4096, FileOptions());
    REQUIRE(file);
    Loop loop(device);
    int result = -1;
    loop.spawn(readOnce(loop, *file, result));
    loop.turn(Nanoseconds(0));
    REQUIRE(device.pending() == 1);
    loop.drain();
    CHECK(device.pending() == 0);
    CHECK(result == -1);
    loop.turn(Nanoseconds(0));
    CHECK(result == 0);
    CHECK(loop.spawned() == 0);
}

TEST_CASE("a loop that goes leaves no I/O to the memory of its coroutines under way")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    const Result<FileId> file = device.create("/file", 4096, FileOptions());
    REQUIRE(file);
    int result = -1;
    {
        Loop loop(device);
        loop.spawn(readOnce(loop, *file, result));
        loop.turn(Nanoseconds(0));
        REQUIRE(device.pending() == 1);
    }
    CHECK(device.pending() == 0);
    CHECK(result == -1);
}

TEST_CASE("of those that wait one is woken, the first one first")
{
    MemoryDisk disk;
    MemoryDevice device(disk, 1);
    Loop loop(device);
    Waiters waiters;
    int last = 0;
    std::array<int, 3> woken {};
    for (int& one : woken)
        loop.spawn(waitFor(waiters, last, one));
    loop.turn(Nanoseconds(0));
    waiters.wakeOne(loop);
    loop.turn(Nanoseconds(0));
    CHECK(woken == std::array { 1, 0, 0 });
    waiters.wakeOne(loop);
    waiters.wakeOne(loop);
    loop.turn(Nanoseconds(0));
    CHECK(woken == std::array { 1, 2, 3 });
    CHECK(waiters.empty());
    waiters.wakeOne(loop); // nobody
    loop.turn(Nanoseconds(0));
    CHECK(last == 3);
}
