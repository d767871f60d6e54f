// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/storage_test.h"

#include "base/joined.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace loadstone::plan {

namespace {

// What the page store's files have beside their contents; its tests hold these against it.
constexpr std::uint64_t kPageHeader = 80, kEntryHead = 12, kRecordHead = 24, kLongHead = 16;
constexpr std::uint64_t kSpareLogFiles = 4; // being written, made ready, read by copies, and one more
constexpr std::uint64_t kCopies = 4 * 64; // pages of the double-write file
constexpr std::uint64_t kOtherFiles = 64U << 10; // checkpoint, marks, heads

std::uint64_t grown(const StorageTest& test, const StorageGroupPlan& group)
{
    return static_cast<std::uint64_t>(
        static_cast<double>(group.databaseSize) * (1 + test.database.growthReserve));
}

std::string limitsText(const LatencyLimits& limits)
{
    return fmt::format("database read {} on average, {} at most; log write {} on average, {} at most",
        formatDuration(limits.averageDatabaseRead), formatDuration(limits.maximumDatabaseRead),
        formatDuration(limits.averageLogWrite), formatDuration(limits.maximumLogWrite));
}

std::string loadText(const StorageLoad& load)
{
    switch (load.pacing) {
    case StoragePacing::threads:
        return load.targetIops > 0
            ? fmt::format("as fast as the sessions can; target: {} database transfers/s",
                fmt::format("{:.6g}", load.targetIops))
            : "as fast as the sessions can";
    case StoragePacing::rate:
        if (load.tuning)
            return fmt::format(
                "the highest rate within the limits; the search begins at {} database transfers/s",
                fmt::format("{:.6g}", load.targetIops));
        return fmt::format("{} database transfers/s, within {}", fmt::format("{:.6g}", load.targetIops),
            formatPercent(load.margin));
    case StoragePacing::mailboxes:
        break;
    }
    return fmt::format("{} mailboxes of {}, {} database transfers/s each{}: {}/s, within {}", load.mailboxes,
        formatBytes(load.quota), fmt::format("{:.4g}", load.iopsPerMailbox),
        load.headroom > 0 ? fmt::format(", {} of the target as headroom", formatPercent(load.headroom)) : "",
        fmt::format("{:.6g}", load.targetIops), formatPercent(load.margin));
}

std::string tuningText(const StorageLoad& load)
{
    if (!load.tuning)
        return "no";
    return load.pacing == StoragePacing::rate ? "yes, of the rate"
                                              : fmt::format("yes, up to {} threads", load.mostThreads);
}

} // namespace

std::size_t StorageTest::databases() const
{
    std::size_t count = 0;
    for (const StorageGroupPlan& group : groups)
        count += group.databases.size();
    return count;
}

unsigned StorageTest::ofGroup(unsigned threads) const
{
    if (!load.threadsOfHost || groups.empty())
        return threads;
    return std::max(1U, threads / static_cast<unsigned>(groups.size()));
}

unsigned StorageTest::threadsPerGroup() const
{
    return ofGroup(load.threads);
}

unsigned StorageTest::mostThreadsPerGroup() const
{
    const bool more = load.tuning && load.pacing == StoragePacing::threads;
    return ofGroup(more ? std::max(load.threads, load.mostThreads) : load.threads);
}

std::uint64_t longestRecord(std::uint32_t pageSize)
{
    return (pageSize - kPageHeader) / 2 - kEntryHead;
}

std::uint64_t recordSize(const StorageDatabase& database)
{
    return kRecordHead + database.shortPad;
}

std::uint64_t longValueSize(const StorageDatabase& database)
{
    return kLongHead + database.longPad;
}

std::uint64_t logFilesOfGroup(const StorageTest& test)
{
    std::uint64_t files = (test.database.checkpointDepth + test.database.logFile - 1) / test.database.logFile;
    for (const StorageTestStep& step : test.tests)
        if (step.kind == StorageTestKind::recovery)
            files = std::max<std::uint64_t>(files, step.logs);
    return files + kSpareLogFiles;
}

std::vector<SpaceNeed> spaceNeeded(const StorageTest& test)
{
    std::vector<SpaceNeed> needs;
    const auto add = [&](const std::string& folder, std::uint64_t bytes) {
        const auto it = std::find_if(
            needs.begin(), needs.end(), [&](const SpaceNeed& need) { return need.folder == folder; });
        if (it == needs.end())
            needs.push_back({ folder, bytes });
        else
            it->bytes += bytes;
    };
    std::uint64_t all = 0;
    for (const StorageGroupPlan& group : test.groups) {
        const std::uint64_t size = grown(test, group);
        all += size * group.databases.size();
        for (const std::string& folder : group.databases)
            add(folder, size + kOtherFiles);
        if (!group.databases.empty())
            add(group.databases.front(), kCopies * test.database.pageSize + kOtherFiles);
        add(group.log, logFilesOfGroup(test) * test.database.logFile + kOtherFiles);
    }
    std::set<std::string> copies; // a later backup goes over an earlier one
    for (const StorageTestStep& step : test.tests)
        if (!step.to.empty() && copies.insert(step.to).second)
            add(step.to, all + kOtherFiles);
    return needs;
}

std::string summarise(const StorageTest& test)
{
    const std::size_t count = test.databases();
    std::uint64_t least = 0, most = 0;
    for (const StorageGroupPlan& group : test.groups) {
        least = least == 0 ? group.databaseSize : std::min(least, group.databaseSize);
        most = std::max(most, group.databaseSize);
    }
    return fmt::format("{} database{} of {}{} in {} group{}", count, count == 1 ? "" : "s",
        least == most ? "" : formatBytes(least) + " to ", formatBytes(most), test.groups.size(),
        test.groups.size() == 1 ? "" : "s");
}

std::vector<std::pair<std::string, std::string>> describe(const StorageTest& test)
{
    const char* presets[] { "none", "exchange-2007", "exchange-2013" };
    const char* durabilities[] { "each write (O_DSYNC)", "by a flush after writes (fdatasync)",
        "not asked for" };
    const StorageDatabase& database = test.database;
    const StorageLoad& load = test.load;
    std::vector<std::pair<std::string, std::string>> rows {
        { "Preset", presets[static_cast<int>(test.preset)] },
        { "Databases", summarise(test) },
        { "Database page size", formatBytes(database.pageSize) },
        { "Minimum database cache", formatBytes(database.cacheMinimum) },
        { "Maximum database cache", formatBytes(database.cacheMaximum) },
        { "Log buffer", formatBytes(database.logBuffer) },
        { "Log file size", formatBytes(database.logFile) },
        { "Log sector", formatBytes(database.logSector) },
        { "Checkpoint depth", formatBytes(database.checkpointDepth) },
        { "Records",
            fmt::format("pads of {} and {} bytes, compressible {} to 1, {} with a duplicate",
                database.shortPad, database.longPad, fmt::format("{:.4g}", database.compression),
                formatPercent(database.duplication)) },
        { "Direct I/O", database.direct ? "yes" : "no: through the kernel's page cache" },
        { "Durability", durabilities[static_cast<int>(database.durability)] },
        { "Load", loadText(load) },
        { load.threadsOfHost ? "Sessions of the host" : "Sessions per group",
            fmt::format("{}", load.threads) },
        { "Operations of a transaction", fmt::format("{}", load.operations) },
        { "Insert, delete, replace, read",
            fmt::format("{} %, {} %, {} %, {} %", load.insert, load.erase, load.replace,
                100 - std::min(100U, load.insert + load.erase + load.replace)) },
        { "Lazy commits", fmt::format("{} %", load.lazyCommits) },
        { "Tuning", tuningText(load) },
        { "Database maintenance",
            test.maintenance.enabled ? fmt::format("{} every {}", formatBytes(test.maintenance.readSize),
                formatDuration(test.maintenance.interval))
                                     : "no" },
        { "Database copies", fmt::format("{}", test.copies) },
        { "Limits, strict", limitsText(test.limits.strict) },
        { "Limits, lenient", limitsText(test.limits.lenient) },
    };
    for (const StorageGroupPlan& group : test.groups)
        rows.emplace_back("Group " + group.name,
            fmt::format("{} of {} in {}; log in {}", group.databases.size(), formatBytes(group.databaseSize),
                joined(group.databases, ", "), group.log));
    return rows;
}

} // namespace loadstone::plan
