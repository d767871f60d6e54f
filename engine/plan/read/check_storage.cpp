// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/problems.h"
#include "document/table_reader.h"
#include "plan/read/read_storage.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace loadstone::plan {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostDatabases = 255; // of a group: their number is a byte in its log
constexpr std::size_t kMostGroups = 100, kMostDatabasesInAll = 2000, kMostTests = 100;
constexpr std::size_t kLongestName = 40, kLongestFolder = 3800;
constexpr std::uint64_t kSmallestDatabase = 4U << 20;
constexpr std::uint64_t kLogBlock = 4096; // files of the log are made of whole ones
// An operation holds the pages from the root to two leaves, of a record and its long value, and for splits as many new ones and a
// space map.
constexpr std::uint64_t kPagesOfSession = 24;
constexpr std::uint64_t kPagesOfBuffer = 16;
constexpr std::uint64_t kMostReadMemory = 1U << 30; // of a group's readers

std::string field(std::size_t group, const char* key)
{
    return fmt::format("groups[{}].{}", group, key);
}

void checkDatabase(const StorageDatabase& database, document::Problems& problems)
{
    if (database.cacheMinimum > database.cacheMaximum && !problems.touched("database.cache_minimum")
        && !problems.touched("database.cache_maximum"))
        problems.error("database.cache_minimum",
            fmt::format("is more than the maximum of {}", formatBytes(database.cacheMaximum)),
            "write at most the maximum, or a larger cache_maximum");
    const std::uint64_t longest = longestRecord(database.pageSize);
    const auto pad = [&](const char* key, std::uint64_t size, std::uint64_t length) {
        const std::string at = std::string("database.") + key;
        if (size <= longest || problems.touched("database.page_size") || problems.touched(at))
            return;
        problems.error(at,
            fmt::format("is too large with its header of {} bytes: a page of {} must hold two of them",
                size - length, formatBytes(database.pageSize)),
            fmt::format("write \"{} B\" or less", longest - (size - length)));
    };
    pad("short_pad", recordSize(database), database.shortPad);
    pad("long_pad", longValueSize(database), database.longPad);
    if (database.logFile % kLogBlock != 0)
        problems.error("database.log_file", "is not a multiple of 4 KB", "write it like \"1 MB\"");
    // A quarter of it has to take what one transaction logs: pages that are split or joined, of two leaves and those above.
    if (database.logBuffer < kPagesOfBuffer * database.pageSize && !problems.touched("database.log_buffer"))
        problems.error("database.log_buffer",
            fmt::format("is less than {} pages of {}", kPagesOfBuffer, formatBytes(database.pageSize)),
            fmt::format("write \"{} KB\" or more", kPagesOfBuffer * database.pageSize >> 10));
    if (database.durability == RawDurability::none)
        problems.error("database.durability", "would lose committed transactions",
            "write \"write-through\" or \"flushed\"");
    if (database.checkpointDepth < database.logFile && !problems.touched("database.checkpoint_depth")
        && !problems.touched("database.log_file"))
        problems.error("database.checkpoint_depth",
            fmt::format("is less than one log file of {}", formatBytes(database.logFile)),
            "write the size of several log files, as in \"20 MB\"");
    if (database.logBuffer > database.checkpointDepth && !problems.touched("database.log_buffer"))
        problems.error("database.log_buffer",
            fmt::format("is more than the checkpoint depth of {}", formatBytes(database.checkpointDepth)),
            "write a smaller log_buffer, or a larger checkpoint_depth");
}

void checkLoad(const StorageLoad& load, std::size_t groups, document::Problems& problems)
{
    const unsigned changes = load.insert + load.erase + load.replace;
    if (changes > 100 && !problems.touched("load.insert") && !problems.touched("load.delete")
        && !problems.touched("load.replace"))
        problems.error("load", fmt::format("insert, delete and replace are {} % in total", changes),
            "write at most 100 %; the rest are reads");
    else if (load.erase > load.insert)
        problems.warning("load.delete", "is more than insert, so the database runs out of records",
            "write at least as many inserts as deletes");
    if (load.tuning && load.pacing == StoragePacing::mailboxes)
        problems.error("load.tuning", "has no effect: the mailboxes determine the load",
            "remove it, or write pacing = \"threads\" or \"rate\"");
    if (load.tuning && load.pacing == StoragePacing::threads && load.threads > load.mostThreads
        && !problems.touched("load.threads"))
        problems.error("load.most_threads", fmt::format("{} are fewer than the threads", load.mostThreads),
            "write a larger number");
    if (load.threadsOfHost && load.threads < groups && !problems.touched("load.threads"))
        problems.error("load.threads",
            fmt::format("{} for the host are fewer than its {} groups", load.threads, groups),
            "write at least one for each group, or threads_of = \"group\"");
    else if (load.threadsOfHost && groups > 0 && load.threads % groups != 0
        && !problems.touched("load.threads"))
        problems.warning("load.threads",
            fmt::format("{} cannot be divided evenly among {} groups, and each gets {}", load.threads, groups,
                load.threads / groups),
            "write a multiple of the number of groups");
}

void checkLimits(const StorageLimits& limits, document::Problems& problems)
{
    const auto order = [&](const char* key, Nanoseconds strict, Nanoseconds lenient) {
        const std::string at = std::string("limits.lenient_") + key;
        if (lenient < strict && !problems.touched(at))
            problems.error(at,
                fmt::format("{} is stricter than the strict limit, {}", formatDuration(lenient),
                    formatDuration(strict)),
                "write a longer time");
    };
    order("maximum_database_read", limits.strict.maximumDatabaseRead, limits.lenient.maximumDatabaseRead);
    order("maximum_log_write", limits.strict.maximumLogWrite, limits.lenient.maximumLogWrite);
    const auto average = [&](const char* key, Nanoseconds averageTime, Nanoseconds maximum) {
        const std::string at = std::string("limits.average_") + key;
        if (averageTime > maximum && !problems.touched(at))
            problems.error(at, "is longer than the maximum", "write a shorter time");
    };
    average("database_read", limits.strict.averageDatabaseRead, limits.strict.maximumDatabaseRead);
    average("log_write", limits.strict.averageLogWrite, limits.strict.maximumLogWrite);
}

/// The whole path of a folder that can be used as it stands.
void checkFolder(const std::string& folder, const std::string& at, document::Problems& problems)
{
    if (problems.touched(at))
        return;
    if (folder == kPlaceholder || folder.starts_with(std::string(kPlaceholder) + "/")) {
        problems.error(at, fmt::format("\"{}\" is a placeholder for a folder", document::shown(folder)),
            "write the folder on this machine, as in \"/mnt/data1\"");
        return;
    }
    const bool printable = std::ranges::none_of(folder, [](unsigned char c) { return c < ' ' || c == 0x7f; });
    const std::string closed = folder + "/";
    const bool direct = closed.find("/./") == std::string::npos && closed.find("/../") == std::string::npos
        && closed.find("//") == std::string::npos;
    if (!folder.starts_with('/') || folder.size() < 2 || folder.size() > kLongestFolder || !printable
        || !direct)
        problems.error(at, fmt::format("\"{}\" is not the full path of a folder", document::shown(folder)),
            "write it from the root, without . and .., as in \"/mnt/data1\"");
}

bool isGroupName(const std::string& name)
{
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !name.empty() && name.size() <= kLongestName && plain(name.front())
        && std::ranges::all_of(name, [&](char c) { return plain(c) || c == '-' || c == '_' || c == '.'; });
}

void checkNames(const StorageTest& test, std::size_t index, document::Problems& problems)
{
    const StorageGroupPlan& group = test.groups[index];
    if (!isGroupName(group.name)) {
        problems.error(field(index, "name"),
            fmt::format("\"{}\" cannot begin a file's name", document::shown(group.name)),
            "write at most 40 letters, digits, '-', '_' and '.', a letter or digit first");
        return;
    }
    for (std::size_t i = 0; i < index; ++i) {
        const StorageGroupPlan& other = test.groups[i];
        if (other.name == group.name)
            problems.error(field(index, "name"),
                fmt::format("\"{}\" is the name of another group as well", document::shown(group.name)),
                "give each group another name");
        else if (other.log == group.log
            && (group.name.starts_with(other.name + "-") || other.name.starts_with(group.name + "-")))
            problems.error(field(index, "name"),
                fmt::format(
                    "its log files could not be distinguished from those of \"{}\" in the same folder",
                    document::shown(other.name)),
                "write another name, or another folder for the log");
    }
}

void checkGroup(const StorageTest& test, std::size_t index, document::Problems& problems)
{
    const StorageGroupPlan& group = test.groups[index];
    checkNames(test, index, problems);
    if (group.databases.empty() && !problems.touched(field(index, "databases")))
        problems.error(field(index, "databases"), "names no folder", "write one for each database");
    if (group.databases.size() > kMostDatabases) {
        problems.error(field(index, "databases"),
            fmt::format("are {} databases that would share one log", group.databases.size()),
            "write at most 255, and put the others into further groups");
        return;
    }
    if (!problems.touched(field(index, "databases")))
        for (std::size_t i = 0; i < group.databases.size(); ++i)
            checkFolder(group.databases[i], fmt::format("groups[{}].databases[{}]", index, i), problems);
    if (!problems.touched(field(index, "log")))
        checkFolder(group.log, field(index, "log"), problems);
    const double pages =
        static_cast<double>(group.databaseSize) * (1 + test.database.growthReserve) / test.database.pageSize;
    if (pages >= static_cast<double>(std::numeric_limits<std::uint32_t>::max()))
        problems.error(field(index, "database_size"),
            fmt::format("the database and its growth reserve have more pages of {} than can be numbered",
                formatBytes(test.database.pageSize)),
            "write a smaller size, or a larger page_size");
}

/// What so many mailboxes ask for, spread evenly.
void settleMailboxes(StorageTest& test, document::Problems& problems)
{
    StorageLoad& load = test.load;
    if (load.pacing != StoragePacing::mailboxes || test.databases() == 0)
        return;
    load.targetIops = static_cast<double>(load.mailboxes) * load.iopsPerMailbox / (1 - load.headroom);
    if (load.targetIops > kMostIops && !problems.touched("load"))
        problems.error("load.iops_per_mailbox",
            fmt::format("gives a target of {:.6g} database transfers/s", load.targetIops),
            fmt::format("write less, or fewer mailboxes or less headroom: at most {:.0f}/s", kMostIops));
    const double bytes = static_cast<double>(load.mailboxes) * static_cast<double>(load.quota)
        / static_cast<double>(test.databases());
    if (bytes > 1e14 || bytes < kSmallestDatabase) {
        if (!problems.touched("load"))
            problems.error("load.quota",
                fmt::format("gives databases of {}", bytes > 1e14 ? "more than 90 TB" : "less than 4 MB"),
                "write another quota, or another number of mailboxes or databases");
        return;
    }
    const std::uint64_t page = test.database.pageSize;
    for (StorageGroupPlan& group : test.groups)
        group.databaseSize = (static_cast<std::uint64_t>(bytes) + page - 1) / page * page;
}

/// So many requests of one group the kernel takes at once; further ones would wait for others, unmeasured.
void checkSessions(const StorageTest& test, document::Problems& problems)
{
    const bool tuned = test.mostThreadsPerGroup() > test.threadsPerGroup();
    const char* const key = tuned ? "load.most_threads" : "load.threads";
    if (test.groups.empty() || problems.touched("load") || test.mostThreadsPerGroup() <= kMostSessionsOfGroup)
        return;
    problems.error(key, fmt::format("{} sessions of a group are too many", test.mostThreadsPerGroup()),
        fmt::format("write at most {} for each group", kMostSessionsOfGroup));
}

void checkCache(const StorageTest& test, document::Problems& problems)
{
    if (test.groups.empty() || problems.touched("database") || problems.touched("load")
        || problems.touched("groups"))
        return;
    const StorageDatabase& database = test.database;
    const bool tuned = test.mostThreadsPerGroup() > test.threadsPerGroup();
    const std::uint64_t threads = tuned ? test.load.mostThreads : test.load.threads;
    const std::uint64_t sessions = test.load.threadsOfHost ? threads : threads * test.groups.size();
    const std::uint64_t needed =
        std::max<std::uint64_t>(sessions, 4 * test.groups.size()) * kPagesOfSession * database.pageSize;
    if (database.cacheMaximum < needed)
        problems.error("database.cache_maximum",
            fmt::format("{} cannot hold the pages that {} sessions use at once",
                formatBytes(database.cacheMaximum), sessions),
            fmt::format("write \"{} MB\" or more, or a smaller load.{}", (needed + (1U << 20) - 1) >> 20,
                tuned ? "most_threads" : "threads"));
    double data = 0;
    for (const StorageGroupPlan& group : test.groups)
        data += static_cast<double>(group.databaseSize) * static_cast<double>(group.databases.size());
    if (data <= static_cast<double>(database.cacheMaximum))
        problems.warning("database.cache_maximum",
            fmt::format("the cache of {} holds all databases, so little is read from the disk",
                formatBytes(database.cacheMaximum)),
            "write a smaller cache, or larger databases: Exchange's are many times its cache");
}

void checkTests(const StorageTest& test, document::Problems& problems)
{
    for (std::size_t i = 0; i < test.tests.size(); ++i) {
        const StorageTestStep& step = test.tests[i];
        const std::string at = fmt::format("tests[{}]", i);
        if (step.kind == StorageTestKind::recovery
            && test.load.insert + test.load.erase + test.load.replace == 0 && !problems.touched("load"))
            problems.error(at + ".kind", "replays changes, and the load makes none",
                "remove the test, or write load.insert, load.delete or load.replace");
        if (const std::uint64_t memory = step.readers * step.readSize; memory > kMostReadMemory)
            problems.error(at + ".readers",
                fmt::format("{} reads of {} at once are {} of memory for each group", step.readers,
                    formatBytes(step.readSize), formatBytes(memory)),
                fmt::format(
                    "write fewer, or a smaller read_size: {} together", formatBytes(kMostReadMemory)));
        if (!step.to.empty())
            checkFolder(step.to, at + ".to", problems);
        if (step.readSize % test.database.pageSize != 0 && !problems.touched("database.page_size"))
            problems.error(at + ".read_size", "is not a multiple of the page size",
                fmt::format("write a multiple of {}", formatBytes(test.database.pageSize)));
        if (step.kind == StorageTestKind::performance && step.duration > 6h && !step.lenient)
            problems.warning(at + ".duration",
                "is the duration of a stress test, and those have lenient limits",
                "write kind = \"stress\" or limits = \"lenient\", or at most \"6 h\"");
    }
}

void checkConfirmed(const StorageTest& test, document::Problems& problems)
{
    std::vector<std::string> used;
    for (const SpaceNeed& need : spaceNeeded(test))
        used.push_back(need.folder);
    if (problems.touched("groups") || problems.touched("tests"))
        return;
    for (std::size_t i = 0; i < test.database.confirmed.size(); ++i)
        if (const std::string& folder = test.database.confirmed[i];
            std::find(used.begin(), used.end(), folder) == used.end())
            problems.error(fmt::format("database.confirm[{}]", i),
                fmt::format("\"{}\" is not a folder of the plan", document::shown(folder)),
                "write the folder as in its group, or remove it");
}

} // namespace

void checkStorageTest(StorageTest& test, document::Problems& problems)
{
    // First: what follows compares each with each.
    if (test.groups.size() > kMostGroups || test.databases() > kMostDatabasesInAll) {
        problems.error("groups",
            fmt::format("are {} with {} databases", test.groups.size(), test.databases()),
            fmt::format(
                "write at most {} groups, and {} databases in total", kMostGroups, kMostDatabasesInAll));
        return;
    }
    if (test.database.confirmed.size() > kMostDatabasesInAll + kMostGroups + kMostTests) {
        problems.error("database.confirm", fmt::format("are {} folders", test.database.confirmed.size()),
            "write those that the plan names, each once");
        return;
    }
    checkDatabase(test.database, problems);
    checkLoad(test.load, test.groups.size(), problems);
    if (test.maintenance.readSize % test.database.pageSize != 0)
        problems.error("maintenance.read_size", "is not a multiple of the page size",
            fmt::format("write a multiple of {}", formatBytes(test.database.pageSize)));
    checkLimits(test.limits, problems);
    settleMailboxes(test, problems);
    for (std::size_t i = 0; i < test.groups.size(); ++i)
        checkGroup(test, i, problems);
    checkTests(test, problems);
    checkSessions(test, problems);
    checkCache(test, problems);
    checkConfirmed(test, problems);
}

} // namespace loadstone::plan
