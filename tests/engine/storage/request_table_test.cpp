// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/request_table.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::storage;

namespace {

IoRequest request(IoKind kind, std::uint64_t tag, FileId file = 0)
{
    IoRequest made;
    made.kind = kind;
    made.tag = tag;
    made.file = file;
    made.length = kind == IoKind::flush ? 0 : 4096;
    return made;
}

} // namespace

TEST_CASE("requests leave in the order in which they came, however many wait")
{
    RequestTable table(3);
    std::uint64_t pushed = 0, gone = 0;
    std::vector<std::uint32_t> out;
    for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < round; ++i)
            table.push(request(IoKind::read, pushed++));
        for (std::uint32_t slot = table.next(); slot != RequestTable::kNone; slot = table.next()) {
            CHECK(table[slot].request.tag == gone++);
            out.push_back(slot);
        }
        CHECK(table.used() == out.size());
        CHECK(out.size() <= 3);
        for (; !out.empty(); out.pop_back())
            table.finish(out.back(), 0, MonoTime());
    }
    CHECK(table.pending() == pushed - gone);
    CHECK(pushed > 1000);
}

TEST_CASE("a flush is held for the earlier writes to its file alone")
{
    RequestTable table(8);
    table.push(request(IoKind::write, 0));
    table.push(request(IoKind::write, 1, 5));
    table.push(request(IoKind::read, 2));
    table.push(request(IoKind::flush, 3)); // waits for 0
    table.push(request(IoKind::flush, 4, 9)); // waits for nothing
    table.push(request(IoKind::write, 5));
    table.push(request(IoKind::flush, 6)); // waits for 0 and 5
    std::vector<std::uint32_t> slots(7, RequestTable::kNone);
    const auto leaves = [&](std::vector<std::uint64_t> tags) {
        for (const std::uint64_t tag : tags) {
            const std::uint32_t slot = table.next();
            REQUIRE(slot != RequestTable::kNone);
            CHECK(table[slot].request.tag == tag);
            slots[tag] = slot;
        }
        CHECK(table.next() == RequestTable::kNone);
    };
    leaves({ 0, 1, 2, 4, 5 });
    table.finish(slots[2], 0, MonoTime());
    table.finish(slots[1], 0, MonoTime());
    table.finish(slots[5], 0, MonoTime());
    leaves({});
    CHECK(table.finish(slots[0], EIO, MonoTime()).error == EIO); // a failed write does not hold it for ever
    leaves({ 3, 6 });
    CHECK(table.pending() == 3);
}

TEST_CASE("a transfer that fell short goes on in the piece where it stands")
{
    std::array<std::byte, 100> memory;
    const std::array<iovec, 4> pieces { { { &memory[50], 10 }, { &memory[0], 0 }, { &memory[0], 20 },
        { &memory[90], 5 } } };
    IoRequest scattered = request(IoKind::write, 0);
    scattered.pieces = pieces;
    scattered.length = 35;
    const auto at = [&](std::uint32_t done) {
        const Stretch rest = restOf(scattered, done);
        return std::pair(rest.data - memory.data(), rest.length);
    };
    CHECK(at(0) == std::pair(std::ptrdiff_t { 50 }, 10U));
    CHECK(at(9) == std::pair(std::ptrdiff_t { 59 }, 1U));
    CHECK(at(10) == std::pair(std::ptrdiff_t { 0 }, 20U));
    CHECK(at(29) == std::pair(std::ptrdiff_t { 19 }, 1U));
    CHECK(at(30) == std::pair(std::ptrdiff_t { 90 }, 5U));
    IoRequest whole = request(IoKind::read, 0);
    whole.data = memory.data();
    whole.length = 100;
    CHECK(restOf(whole, 40).data == &memory[40]);
    CHECK(restOf(whole, 40).length == 60);
}
