// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loadstone;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kMegabyte = 1U << 20, kGigabyte = 1U << 30;

const char* const kGroup =
    "[[groups]]\ndatabases = [\"/data1\", \"/data2\"]\nlog = \"/log\"\ndatabase_size = \"10 GB\"\n";
const char* const kTest = "[[tests]]\nkind = \"performance\"\n";

plan::LoadedPlan parse(const std::string& top, const std::string& rest)
{
    return plan::parsePlan("format = 1\nkind = \"storage\"\n" + top + rest, "plan.toml");
}

/// Of a plan without an error.
plan::StorageTest good(const std::string& top, const std::string& rest)
{
    const plan::LoadedPlan loaded = parse(top, rest);
    for (const Problem& problem : loaded.problems)
        UNSCOPED_INFO(problem.format("plan.toml"));
    REQUIRE(loaded.ok());
    REQUIRE(loaded.plan.storage() != nullptr);
    return loaded.plan.storage()->test;
}

bool complains(const plan::LoadedPlan& loaded, const std::string& field, const std::string& fragment)
{
    return std::any_of(loaded.problems.begin(), loaded.problems.end(), [&](const Problem& problem) {
        return problem.field == field && problem.message.find(fragment) != std::string::npos;
    });
}

const std::string kThreads = "[load]\nthreads = 8\n";

} // namespace

TEST_CASE("the presets have the published values")
{
    const plan::StorageTest e2007 = good("preset = \"exchange-2007\"\n", kThreads + kGroup + kTest);
    CHECK(e2007.database.pageSize == 8192);
    CHECK(e2007.database.cacheMinimum == 256 * kMegabyte);
    CHECK(e2007.database.cacheMaximum == 2 * kGigabyte);
    CHECK(e2007.database.logBuffer == 9000 * 512);
    CHECK(e2007.database.logFile == kMegabyte);
    CHECK(e2007.database.checkpointDepth == 20 * kMegabyte);
    CHECK(e2007.load.insert == 40);
    CHECK(e2007.load.erase == 30);
    CHECK(e2007.load.replace == 5);
    CHECK(e2007.load.lazyCommits == 55);
    CHECK(e2007.threadsPerGroup() == 8);
    CHECK_FALSE(e2007.maintenance.enabled);
    CHECK(e2007.logReaders() == 0);
    CHECK(e2007.limits.strict == plan::LatencyLimits { 20ms, 10ms, 50ms, 50ms });
    CHECK(e2007.limits.lenient == plan::LatencyLimits { 20ms, 10ms, 100ms, 100ms });

    const plan::StorageTest e2013 = good("preset = \"exchange-2013\"\n", kThreads + kGroup + kGroup + kTest);
    CHECK(e2013.database.pageSize == 32768);
    CHECK(e2013.database.logFile == kMegabyte);
    CHECK(e2013.database.checkpointDepth == 100 * kMegabyte);
    CHECK(e2013.threadsPerGroup() == 4);
    CHECK(e2013.maintenance.enabled);
    CHECK(e2013.maintenance.readSize == 512 << 10);
    CHECK(e2013.maintenance.interval == 100ms);
    CHECK(e2013.logReaders() == 1);
    CHECK(e2013.limits.strict == plan::LatencyLimits { 20ms, 10ms, 100ms, 100ms });
    CHECK(e2013.limits.lenient == plan::LatencyLimits { 20ms, 10ms, 200ms, 200ms });
    for (const plan::StorageTest& test : { e2007, e2013 }) {
        CHECK(test.limits.latencyErrors == 6);
        CHECK(test.limits.margin == Approx(0.05));
        CHECK(test.database.growthReserve == Approx(0.25));
    }
}

TEST_CASE("what a plan states goes before its preset")
{
    const plan::StorageTest test = good("preset = \"exchange-2013\"\n",
        "[database]\npage_size = \"16 KB\"\ncache_maximum = \"128 MB\"\n[load]\nthreads = 2\nthreads_of = "
        "\"group\"\ninsert = 10\n[maintenance]\nenabled = false\n[log_copies]\ncount = 1\n"
        "[limits]\nmaximum_log_write = \"70 ms\"\naverage_log_write = \"5 ms\"\n"
            + std::string(kGroup) + "[[tests]]\nkind = \"stress\"\n");
    CHECK(test.database.pageSize == 16384);
    CHECK(test.database.cacheMaximum == 128 * kMegabyte);
    CHECK(test.database.cacheMinimum == 128 * kMegabyte); // cannot be more
    CHECK(test.database.checkpointDepth == 100 * kMegabyte);
    CHECK(test.threadsPerGroup() == 2);
    CHECK(test.load.insert == 10);
    CHECK_FALSE(test.maintenance.enabled);
    CHECK(test.logReaders() == 0);
    CHECK(test.limits.strict == plan::LatencyLimits { 20ms, 5ms, 100ms, 70ms });
    CHECK(test.limits.lenient == plan::LatencyLimits { 20ms, 5ms, 200ms, 200ms });
}

TEST_CASE("kinds of tests have their usual length and size, and names of their own")
{
    const plan::LoadedPlan loaded = parse("",
        kThreads + kGroup
            + "[[tests]]\nkind = \"performance\"\n[[tests]]\nkind = \"stress\"\n[[tests]]\nkind = "
              "\"backup\"\n"
              "[[tests]]\nkind = \"recovery\"\n[[tests]]\nkind = \"checksum\"\n[[tests]]\nkind = "
              "\"performance\"\n"
              "duration = \"10 min\"\nlimits = \"lenient\"\n");
    REQUIRE(loaded.ok());
    const auto& tests = loaded.plan.storage()->test.tests;
    REQUIRE(tests.size() == 6);
    CHECK(tests[0].duration == 2h);
    CHECK_FALSE(tests[0].lenient);
    CHECK(tests[1].duration == 24h);
    CHECK(tests[1].lenient);
    CHECK(tests[2].readSize == 128 << 10);
    CHECK(tests[2].to.empty());
    CHECK(tests[3].logs == 500);
    CHECK(tests[4].readSize == 64 << 10);
    CHECK(tests[5].lenient);
    const std::vector<plan::LoadPoint> points = loaded.plan.loadPoints();
    REQUIRE(points.size() == 6);
    CHECK(points[0].name == "Performance");
    CHECK(points[5].name == "Performance 2");
    CHECK(loaded.plan.length() == 26h + 10min);
}

TEST_CASE("a mailbox profile gives the target and the size of the databases")
{
    const plan::StorageTest test = good("preset = \"exchange-2007\"\n",
        "[load]\npacing = \"mailboxes\"\nmailboxes = 7500\niops_per_mailbox = 0.32\nquota = \"250 MB\"\n"
        "headroom = \"20 %\"\n[[groups]]\ndatabases = [\"/a\", \"/b\"]\nlog = \"/l\"\n"
            + std::string(kTest));
    CHECK(test.load.targetIops == Approx(3000)); // 0.32 / 0.8 = 0.40 a mailbox, as ESRP disclosures have it
    CHECK(test.groups[0].databaseSize == 7500ULL * 250 * kMegabyte / 2);
    const auto described = plan::describe(test);
    CHECK(std::ranges::any_of(described, [](const auto& row) {
        return row.second.find("20 % of the target as headroom: 3000/s") != std::string::npos;
    }));
}

TEST_CASE("a margin of the steering is that of the verdict, unless that has its own")
{
    const std::string load = "[load]\npacing = \"rate\"\ntarget_iops = 500\nmargin = \"3 %\"\n";
    CHECK(good("", load + kGroup + kTest).limits.margin == Approx(0.03));
    CHECK(good("", load + "[limits]\nmargin = \"8 %\"\n" + kGroup + kTest).limits.margin == Approx(0.08));
}

TEST_CASE("the space that a test needs is that of databases, growth, logs and backups, by folder")
{
    const plan::StorageTest test = good("",
        kThreads
            + "[[groups]]\ndatabases = [\"/d1\", \"/d1\", \"/d2/\"]\nlog = \"/l\"\ndatabase_size = \"10 "
              "GB\"\n"
              "[[groups]]\ndatabases = [\"/d2\"]\nlog = \"/l\"\ndatabase_size = \"2 GB\"\n"
              "[[tests]]\nkind = \"recovery\"\nlogs = 300\n[[tests]]\nkind = \"backup\"\nto = \"/b\"\n");
    const auto needs = plan::spaceNeeded(test);
    const auto at = [&](const std::string& folder) {
        for (const plan::SpaceNeed& need : needs)
            if (need.folder == folder)
                return static_cast<double>(need.bytes);
        return 0.0;
    };
    REQUIRE(needs.size() == 4);
    const double grown = 1.25 * kGigabyte;
    CHECK(at("/d1") >= 20 * grown);
    CHECK(at("/d1") == Approx(20 * grown).epsilon(0.001));
    CHECK(at("/d2") == Approx(12 * grown).epsilon(0.001));
    CHECK(at("/b") == Approx(32 * grown).epsilon(0.001));
    CHECK(at("/l") >= 2 * 300 * static_cast<double>(kMegabyte)); // of each group
    CHECK(at("/l") < 2 * 310 * static_cast<double>(kMegabyte));
    const auto notes = plan::notesOf(parse("", kThreads + kGroup + kTest).plan);
    CHECK(notes.front() == "needs 12.5 GB in /data1");
}

TEST_CASE("a group has at most 255 databases")
{
    const auto of = [](int count) {
        std::string folders;
        for (int i = 0; i < count; ++i)
            folders += fmt::format("{}\"/data{}\"", i == 0 ? "" : ", ", i);
        return parse("",
            kThreads + "[[groups]]\ndatabases = [" + folders + "]\nlog = \"/log\"\ndatabase_size = \"1 GB\"\n"
                + kTest);
    };
    CHECK(of(255).ok());
    CHECK(complains(of(256), "groups[0].databases", "256 databases"));
}

TEST_CASE("as many threads as tuning may come to have to fit the cache")
{
    const std::string database = "[database]\ncache_maximum = \"16 MB\"\n";
    CHECK(parse("", database + "[load]\nthreads = 8\n" + kGroup + kTest).ok());
    CHECK(complains(parse("", database + "[load]\ntuning = true\nmost_threads = 500\n" + kGroup + kTest),
        "database.cache_maximum", "500 sessions"));
}

TEST_CASE("what says nothing is told: threads of a rate's tuning, and those of the host that no group gets")
{
    const std::string rate = "[load]\npacing = \"rate\"\ntarget_iops = 500\ntuning = true\n";
    CHECK(complains(
        parse("", "[load]\ntuning = true\nthreads = 300\nmost_threads = 200\n" + std::string(kGroup) + kTest),
        "load.most_threads", "200 are fewer than the threads"));
    CHECK(parse("", rate + "threads = 300\n" + kGroup + kTest).ok());
    CHECK(complains(parse("", rate + "most_threads = 300\n" + kGroup + kTest), "load.most_threads",
        "has no effect with this pacing"));
    const std::string two =
        kGroup + std::string("[[groups]]\ndatabases = [\"/d\"]\nlog = \"/l\"\ndatabase_size = \"1 GB\"\n");
    const std::string host = "[load]\nthreads_of = \"host\"\nthreads = ";
    CHECK(complains(parse("", host + "5\n" + two + kTest), "load.threads", "each gets 2"));
    CHECK(parse("", host + "6\n" + two + kTest).problems.empty());
}

TEST_CASE("more sessions of a group than the kernel has room for are refused")
{
    CHECK(complains(
        parse("", "[load]\nthreads = 3701\n" + std::string(kGroup) + kTest), "load.threads", "3701"));
    CHECK(parse("", "[load]\nthreads = 3700\n" + std::string(kGroup) + kTest).ok());
    CHECK(complains(parse("", "[load]\ntuning = true\nmost_threads = 5000\n" + std::string(kGroup) + kTest),
        "load.most_threads", "5000"));
    CHECK(parse("",
        "[load]\nthreads = 7400\nthreads_of = \"host\"\n" + std::string(kGroup)
            + "[[groups]]\ndatabases = [\"/d\"]\nlog = \"/l\"\ndatabase_size = \"1 GB\"\n" + kTest)
              .ok());
}

TEST_CASE("a recovery test needs changes, and readers memory that there may be")
{
    const std::string reads = "[load]\nthreads = 8\ninsert = 0\ndelete = 0\nreplace = 0\n";
    const std::string recovery = "[[tests]]\nkind = \"recovery\"\n";
    CHECK(complains(parse("", reads + kGroup + recovery), "tests[0].kind", "the load makes none"));
    CHECK(parse("", reads + kGroup + kTest).ok());
    CHECK(complains(
        parse(
            "", kThreads + kGroup + "[[tests]]\nkind = \"backup\"\nreaders = 1024\nread_size = \"16 MB\"\n"),
        "tests[0].readers", "16 GB of memory"));
}

TEST_CASE("a rate that is looked for is no target; one that is kept, or that threads are judged by, is")
{
    const std::string rate = "[load]\npacing = \"rate\"\ntarget_iops = 500\n";
    CHECK(good("", rate + kGroup + kTest).load.target() == 500.0);
    CHECK_FALSE(good("", rate + "tuning = true\n" + kGroup + kTest).load.target());
    CHECK(good("", kThreads + "target_iops = 500\ntuning = true\n" + kGroup + kTest).load.target() == 500.0);
    CHECK_FALSE(good("", kThreads + kGroup + kTest).load.target());
}

TEST_CASE("a cache that takes all data is warned of")
{
    const auto loaded = parse("",
        kThreads + "[[groups]]\ndatabases = [\"/data\"]\nlog = \"/log\"\ndatabase_size = \"1 GB\"\n" + kTest);
    CHECK(loaded.ok());
    CHECK(complains(loaded, "database.cache_maximum", "holds all databases"));
}

TEST_CASE("a storage plan is kept with a run and read again as it was")
{
    const plan::LoadedPlan loaded =
        parse("seed = 7\npreset = \"exchange-2007\"\n", kThreads + kGroup + kTest);
    CHECK(plan::parsePlan(loaded.textWithoutSecrets, "plan.toml").plan == loaded.plan);
    CHECK(loaded.plan.head().seed == 7);
    CHECK(loaded.plan.kind() == RunKind::storage);
    const auto rows = plan::describe(loaded.plan.storage()->test);
    CHECK(std::find(rows.begin(), rows.end(), std::pair<std::string, std::string>("Sessions per group", "8"))
        != rows.end());
    CHECK(plan::summarise(loaded.plan.storage()->test) == "2 databases of 10 GB in 1 group");
}
