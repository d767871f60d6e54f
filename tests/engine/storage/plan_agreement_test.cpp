// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/storage_test.h"
#include "storage/load/load.h"
#include "storage/page/page.h"
#include "storage/page/page_copies.h"
#include "support/catch.h"

using namespace loadstone;

TEST_CASE("what plans say of pages and records is what the page store has")
{
    for (const std::uint32_t size : { 4096U, 8192U, 16384U, 32768U }) {
        CHECK(plan::longestRecord(size) == storage::Page::longestValue(size));
        plan::StorageTest test;
        test.database.pageSize = size;
        test.groups = { { "a", { "/data" }, "/log", 0 } };
        // Beside databases of no size it is all that a group has.
        CHECK(plan::spaceNeeded(test).front().bytes >= storage::PageCopies::fileSize(size));
    }
    plan::StorageDatabase database;
    const auto same = [&] {
        const storage::RecordContent content({ database.shortPad, database.longPad, 1, 0 }, 1, 0);
        return content.size() == plan::recordSize(database)
            && content.longSize() == plan::longValueSize(database);
    };
    CHECK(same());
    database.shortPad = 17;
    CHECK(same());
    database.longPad = 18;
    CHECK(same());
    const storage::OperationMix usual;
    const plan::StorageLoad load = plan::presetOf(plan::StoragePreset::exchange2007).load;
    CHECK(load.operations == usual.operations);
    CHECK(load.insert == usual.insert);
    CHECK(load.erase == usual.erase);
    CHECK(load.replace == usual.replace);
    CHECK(load.lazyCommits == usual.lazyCommits);
}
