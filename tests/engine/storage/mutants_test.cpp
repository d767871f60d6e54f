// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/crash_drill.h"
#include "storage/page/mutants.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::storage;
using test::CrashDrill;

Mutant loadstone::storage::plantedMutant = Mutant::none;

namespace {

/// How many crashes it took until something was wrong; nothing, if `most` were not enough.
std::optional<std::uint64_t> crashesUntilFound(Mutant mutant, std::uint64_t most, std::string& how)
{
    plantedMutant = mutant;
    std::uint64_t crashes = 0;
    std::optional<std::uint64_t> found;
    for (std::uint64_t seed = 0; crashes < most && !found; ++seed) {
        const std::uint32_t page = 4096U << seed % 2, segment = seed / 2 % 2 == 0 ? 512 : 4096;
        CrashDrill drill(
            seed, page, segment, seed / 4 % 2 == 0 ? Durability::writeThrough : Durability::flushed);
        while (drill.crashes < 50 && !found)
            if (const auto wrong = drill.life()) {
                found = crashes + drill.crashes + 1;
                how = *wrong;
            }
        crashes += drill.crashes;
    }
    plantedMutant = Mutant::none;
    return found;
}

} // namespace

TEST_CASE("the crash drill finds every fault that is planted in the page store")
{
    const std::pair<Mutant, const char*> mutants[] {
        { Mutant::commitBeforeFlush, "a durable commit does not wait for the log" },
        { Mutant::pageBeforeLog, "a page is written before its log records" },
        { Mutant::noShadow, "the last segment of the log has no shadow" },
        { Mutant::rewriteWithRest, "the last segment is written anew over its shadow" },
        { Mutant::noDoubleWrite, "pages are written without a copy" },
        { Mutant::checkpointTooFar, "the checkpoint passes pages on their way" },
        { Mutant::logReusedEarly, "a log file is used again too early" },
        { Mutant::epochKept, "recovery goes on in the same epoch" },
        { Mutant::redoAlways, "recovery does not look at timestamps" },
        { Mutant::noFlushOnOpen, "opening builds on what is not durable" },
    };
    std::string sound;
    const auto nothing = crashesUntilFound(Mutant::none, 5000, sound);
    INFO("nothing planted: " << sound);
    CHECK(!nothing);
    for (const auto& [mutant, what] : mutants) {
        std::string how;
        const auto found = crashesUntilFound(mutant, 20000, how);
        INFO(what << ": "
                  << (found ? "found after " + std::to_string(*found) + " crashes: " + how : "not found"));
        CHECK(found.has_value());
    }
}
