// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/crash_drill.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::storage;
using test::CrashDrill;

TEST_CASE("thousands of crashes lose no durable commit, leave no half transaction and no torn page")
{
    std::uint64_t crashes = 0, whileOpening = 0, lostLazy = 0, kept = 0, restored = 0, replayed = 0,
                  closes = 0, kills = 0;
    for (std::uint64_t seed = 0; crashes < LOADSTONE_CRASHES; ++seed) {
        const std::uint32_t page = 4096U << seed % 2, segment = seed / 2 % 2 == 0 ? 512 : 4096;
        CrashDrill drill(
            seed, page, segment, seed / 4 % 2 == 0 ? Durability::writeThrough : Durability::flushed);
        while (drill.crashes < LOADSTONE_CRASHES / 40) {
            const auto wrong = drill.life();
            if (wrong)
                FAIL("seed " << seed << ", crash " << drill.crashes << ": " << *wrong);
        }
        crashes += drill.crashes;
        whileOpening += drill.crashesWhileOpening;
        lostLazy += drill.lostLazy;
        kept += drill.keptUnanswered;
        restored += drill.restoredPages;
        replayed += drill.replayed;
        closes += drill.cleanCloses;
        kills += drill.kills;
        CHECK(drill.durableCommits > 10);
    }
    // The drill was one: all of what it is about has happened.
    CHECK(whileOpening > crashes / 20);
    CHECK(lostLazy > crashes / 20);
    CHECK(kept > crashes / 20);
    CHECK(restored > crashes / 100);
    CHECK(replayed > crashes);
    CHECK(closes > crashes * 3 / 100);
    CHECK(kills > crashes / 5);
}
