// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/remarks.h"
#include "plan/model/plan.h"
#include "support/catch.h"

using namespace loadstone;

namespace {

/// The remarks on a test of this kind with these records and this processor time, of a plan of 40 % inserts and 30 % deletes.
std::vector<std::string> remarksOn(const StorageGroupRow& records, double processor,
    StorageResult::Kind kind = StorageResult::Kind::performance)
{
    MixResult mix;
    mix.name = "Performance";
    mix.storage.emplace();
    mix.storage->kind = kind;
    mix.storage->allGroups = records;
    mix.storage->host = { { "% Processor Time", "%", processor, 0, 100, Quantity::processorTime } };
    return analysis::remarksOf({ mix }, plan::Plan { plan::StoragePlan {} });
}

StorageGroupRow records(
    std::uint64_t inserted, std::uint64_t deleted, std::uint64_t replaced, std::uint64_t retrieved)
{
    StorageGroupRow row;
    row.inserted = inserted;
    row.deleted = deleted;
    row.replaced = replaced;
    row.retrieved = retrieved;
    return row;
}

} // namespace

TEST_CASE("a storage test on busy processors has a remark")
{
    CHECK(remarksOn({}, 94.9).empty());
    CHECK(remarksOn({}, 99.5)
        == std::vector<std::string> {
            "In \"Performance\" the processors of this machine were busy for 99.5 % of the "
            "time: its times include waiting for them." });
    CHECK(remarksOn({}, 99.5, StorageResult::Kind::checksum).empty()); // which is as fast as it can be
}

TEST_CASE("inserts that became deletes have a remark, and chance has none")
{
    CHECK(remarksOn(records(40'000, 30'000, 5'000, 25'000), 10).empty());
    CHECK(remarksOn(records(39'300, 30'700, 5'000, 25'000), 10).empty()); // less than a point
    CHECK(remarksOn(records(36, 34, 5, 25), 10).empty()); // as it may come in a hundred
    CHECK(remarksOn(records(34'900, 34'800, 5'100, 25'100), 10)
        == std::vector<std::string> {
            "In \"Performance\" 34.9 % of the operations were inserts and 34.8 % deletes; "
            "the plan has 40 % and 30 %. In full databases inserts become deletes." });
    CHECK(remarksOn(records(45'000, 25'000, 5'000, 25'000), 10).empty());
}
