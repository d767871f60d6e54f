// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The storage stress test: kind = "storage". What is wrong between values is check_storage.cpp's.
#include "plan/read/read_storage.h"

#include "document/table_reader.h"
#include "plan/read/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace loadstone::plan {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kKilobyte = 1024;

const std::vector<std::pair<const char*, StoragePreset>> kPresets {
    { "exchange-2007", StoragePreset::exchange2007 },
    { "exchange-2013", StoragePreset::exchange2013 },
};

/// A folder without a '/' at its end, so that one folder is called one thing.
void tidy(std::string& folder)
{
    while (folder.size() > 1 && folder.ends_with('/'))
        folder.pop_back();
}

void readDatabase(const document::Node* node, document::Problems& problems, StorageTest& test)
{
    document::TableReader table(node, "database", problems);
    StorageDatabase& to = test.database;
    if (const auto size = table.bytes("page_size")) {
        if (*size == 4 * kKilobyte || *size == 8 * kKilobyte || *size == 16 * kKilobyte
            || *size == 32 * kKilobyte)
            to.pageSize = static_cast<std::uint32_t>(*size);
        else
            problems.error("database.page_size", "is not a page size",
                "write \"4 KB\", \"8 KB\", \"16 KB\" or \"32 KB\"");
    }
    document::assign(to.cacheMinimum, table.bytes("cache_minimum"));
    document::assign(to.cacheMaximum, table.bytes("cache_maximum"));
    if (table.has("cache_maximum") && !table.has("cache_minimum"))
        to.cacheMinimum = std::min(to.cacheMinimum, to.cacheMaximum);
    document::assign(to.logBuffer, table.bytes("log_buffer"));
    document::assign(to.logFile, table.bytes("log_file"));
    if (const auto sector = table.bytes("log_sector")) {
        if (*sector == 512 || *sector == 4 * kKilobyte)
            to.logSector = static_cast<std::uint32_t>(*sector);
        else
            problems.error("database.log_sector", "is not a sector size", "write \"512 B\" or \"4 KB\"");
    }
    document::assign(to.checkpointDepth, table.bytes("checkpoint_depth"));
    document::assign(to.shortPad, table.bytes("short_pad"));
    document::assign(to.longPad, table.bytes("long_pad"));
    document::assign(to.compression, table.real("compression"));
    document::assign(to.duplication, table.share("duplication"));
    document::assign(to.growthReserve, table.share("growth_reserve"));
    document::assign(to.direct, table.flag("direct"));
    document::assign(to.durability, readDurability(table));
    document::assign(to.backEnd, readBackEnd(table));
    document::assign(to.confirmed, table.texts("confirm"));
    std::ranges::for_each(to.confirmed, tidy);
    table.finish();
}

/// Whole per cents, as the operations of a transaction are drawn.
void assignPercent(document::TableReader& table, const char* key, unsigned& to)
{
    const auto share = table.share(key);
    if (!share)
        return;
    const double percent = *share * 100;
    to = static_cast<unsigned>(std::lround(percent));
    if (std::abs(percent - to) > 1e-6)
        table.problems().error(
            table.path(key), "is not a whole percentage", fmt::format("write \"{} %\"", to));
}

/// Whether it states a margin.
bool readLoad(const document::Node* node, document::Problems& problems, StorageTest& test)
{
    document::TableReader table(node, "load", problems);
    StorageLoad& to = test.load;
    document::assign(to.pacing,
        table.choice<StoragePacing>("pacing",
            { { "threads", StoragePacing::threads }, { "rate", StoragePacing::rate },
                { "mailboxes", StoragePacing::mailboxes } }));
    document::assign(to.threads, table.number("threads"));
    document::assign(
        to.threadsOfHost, table.choice<bool>("threads_of", { { "group", false }, { "host", true } }));
    document::assign(to.operations, table.number("operations"));
    assignPercent(table, "insert", to.insert);
    assignPercent(table, "delete", to.erase);
    assignPercent(table, "replace", to.replace);
    assignPercent(table, "lazy_commits", to.lazyCommits);
    document::assign(to.targetIops, table.real("target_iops"));
    document::assign(to.margin, table.share("margin"));
    document::assign(to.mailboxes, table.number("mailboxes"));
    document::assign(to.iopsPerMailbox, table.real("iops_per_mailbox"));
    document::assign(to.quota, table.bytes("quota"));
    document::assign(to.headroom, table.share("headroom"));
    if (to.headroom >= 1) {
        problems.error(table.path("headroom"), "leaves no part of the target for the mailboxes",
            "write less than \"100 %\"; \"20 %\" divides what they ask for by 0.8");
        to.headroom = 0;
    }
    document::assign(to.tuning, table.flag("tuning"));
    document::assign(to.mostThreads, table.number("most_threads"));
    table.finish();
    const bool any = test.load.pacing == StoragePacing::mailboxes;
    if (any && !table.has("mailboxes"))
        table.missing("mailboxes", "write how many mailboxes there are, as in mailboxes = 5000");
    if (any && !table.has("iops_per_mailbox"))
        table.missing(
            "iops_per_mailbox", "write the database transfers per second of one mailbox, as in 0.5");
    if (any && !table.has("quota"))
        table.missing("quota", "write the size of one mailbox, as in quota = \"250 MB\"");
    if (to.pacing == StoragePacing::rate && !table.has("target_iops"))
        table.missing("target_iops", "write the database reads and writes per second, as in 3000");
    if (to.pacing == StoragePacing::threads && !table.has("threads") && !to.tuning)
        table.missing("threads", "write how many sessions there are, as in threads = 8");
    const auto foreign = [&](const char* key, bool fits, const char* remedy) {
        if (table.has(key) && !fits && !problems.touched("load.pacing"))
            problems.error(table.path(key), "has no effect with this pacing", remedy);
    };
    for (const char* key : { "mailboxes", "iops_per_mailbox", "quota", "headroom" })
        foreign(key, any, "remove it, or write pacing = \"mailboxes\"");
    foreign("target_iops", !any, "remove it: the target follows from the mailboxes");
    foreign("margin", to.pacing != StoragePacing::threads, "remove it, or write pacing = \"rate\"");
    if (table.has("most_threads") && !to.tuning)
        problems.error(
            "load.most_threads", "has no effect without tuning", "remove it, or write tuning = true");
    else if (to.tuning)
        foreign("most_threads", to.pacing == StoragePacing::threads,
            "remove it: it is where the tuning of threads ends");
    return table.has("margin");
}

void readMaintenance(const document::Node* node, document::Problems& problems, StorageTest& test)
{
    document::TableReader table(node, "maintenance", problems);
    document::assign(test.maintenance.enabled, table.flag("enabled"));
    document::assign(test.maintenance.readSize, table.bytes("read_size"));
    document::assign(test.maintenance.interval, table.duration("interval"));
    const bool says = table.has("read_size") || table.has("interval");
    table.finish();
    if (says && !test.maintenance.enabled)
        problems.warning("maintenance", "is not enabled, so its other keys have no effect",
            "write enabled = true, or remove the table");
}

void readLimits(
    const document::Node* node, document::Problems& problems, StorageTest& test, bool marginStated)
{
    document::TableReader table(node, "limits", problems);
    StorageLimits& to = test.limits;
    const auto time = [&](const char* key, Nanoseconds& value) {
        document::assign(value, table.duration(key));
    };
    time("average_database_read", to.strict.averageDatabaseRead);
    time("average_log_write", to.strict.averageLogWrite);
    to.lenient.averageDatabaseRead = to.strict.averageDatabaseRead;
    to.lenient.averageLogWrite = to.strict.averageLogWrite;
    time("maximum_database_read", to.strict.maximumDatabaseRead);
    time("maximum_log_write", to.strict.maximumLogWrite);
    time("lenient_maximum_database_read", to.lenient.maximumDatabaseRead);
    time("lenient_maximum_log_write", to.lenient.maximumLogWrite);
    document::assign(to.latencyErrors, table.number("latency_errors"));
    document::assign(to.pageFaultStalls, table.real("page_fault_stalls"));
    if (marginStated)
        to.margin = test.load.margin;
    document::assign(to.margin, table.share("margin"));
    table.finish();
}

void readGroup(const document::Node& node, std::size_t index, document::Problems& problems, StorageTest& test)
{
    document::TableReader table(&node, fmt::format("groups[{}]", index), problems);
    StorageGroupPlan group;
    group.name = table.text("name").value_or(fmt::format("group-{}", index + 1));
    document::assign(group.databases, table.texts("databases"));
    document::assign(group.log, table.text("log"));
    document::assign(group.databaseSize, table.bytes("database_size"));
    document::assign(group.item, table.text("item"));
    document::assign(group.logItem, table.text("log_item"));
    const bool noDatabases = !table.has("databases"), noLog = !table.has("log");
    const bool noSize = !table.has("database_size");
    table.finish();
    if (noDatabases)
        table.missing("databases", "write the folder of each, as in databases = [\"/data1\", \"/data2\"]");
    if (noLog)
        table.missing("log", "write the folder of the log, as in log = \"/log1\"");
    if (noSize && test.load.pacing != StoragePacing::mailboxes)
        table.missing("database_size", "write the size of each database, as in database_size = \"80 GB\"");
    if (!noSize && test.load.pacing == StoragePacing::mailboxes && !problems.touched("load.pacing"))
        problems.error(table.path("database_size"), "follows from the mailboxes and their quota",
            "remove it, or write pacing = \"rate\" and target_iops");
    tidy(group.log);
    std::ranges::for_each(group.databases, tidy);
    test.groups.push_back(std::move(group));
}

struct KindOfTest {
    const char* name;
    StorageTestKind kind;
    const char* title;
};
constexpr KindOfTest kKinds[] {
    { "performance", StorageTestKind::performance, "Performance" },
    { "stress", StorageTestKind::stress, "Stress" },
    { "backup", StorageTestKind::backup, "Streaming backup" },
    { "recovery", StorageTestKind::recovery, "Soft recovery" },
    { "checksum", StorageTestKind::checksum, "Checksum" },
};

/// What a kind of test does where the plan does not say otherwise.
void setDefaults(StorageTestStep& step)
{
    switch (step.kind) {
    case StorageTestKind::performance:
        step.duration = 2h;
        break;
    case StorageTestKind::stress:
        step.duration = 24h;
        step.lenient = true;
        break;
    case StorageTestKind::backup: // 202 MB/s at 1625 reads/s of 5 ms are 8 reads of 128 KB
        step.readers = 8;
        step.readSize = 128 * kKilobyte;
        break;
    case StorageTestKind::checksum:
        step.readers = 32;
        step.readSize = 64 * kKilobyte;
        break;
    case StorageTestKind::recovery:
        break;
    }
}

void readTest(const document::Node& node, std::size_t index, document::Problems& problems, StorageTest& test)
{
    document::TableReader table(&node, fmt::format("tests[{}]", index), problems);
    StorageTestStep step;
    step.line = node.begin.line;
    std::vector<std::pair<const char*, StorageTestKind>> kinds;
    for (const KindOfTest& kind : kKinds)
        kinds.emplace_back(kind.name, kind.kind);
    const auto kind = table.choice<StorageTestKind>("kind", kinds);
    document::assign(step.kind, kind);
    setDefaults(step);
    step.name = table.text("name").value_or(kKinds[static_cast<int>(step.kind)].title);
    if (step.name.empty() || step.name != document::shown(step.name))
        problems.error(table.path("name"), "is empty, too long or has control characters",
            "write a short name on one line, such as \"Performance\"");
    document::assign(step.duration, table.duration("duration"));
    document::assign(step.warmUp, table.duration("warm_up"));
    document::assign(
        step.lenient, table.choice<bool>("limits", { { "strict", false }, { "lenient", true } }));
    document::assign(step.logs, table.number("logs"));
    if (const auto to = table.text("to")) {
        step.to = *to;
        tidy(step.to);
    }
    document::assign(step.readers, table.number("readers"));
    document::assign(step.readSize, table.bytes("read_size"));
    const bool noKind = !table.has("kind");
    table.finish();
    if (noKind)
        table.missing(
            "kind", "write kind = \"performance\", \"stress\", \"backup\", \"recovery\" or \"checksum\"");
    if (kind) {
        const bool loads = step.isLoad();
        const bool reads = *kind == StorageTestKind::backup || *kind == StorageTestKind::checksum;
        const auto onlyFor = [&](const char* key, bool fits, const char* whose) {
            if (table.has(key) && !fits)
                problems.error(table.path(key), "has no effect on this test",
                    fmt::format("remove it; it belongs to {}", whose));
        };
        for (const char* key : { "duration", "warm_up", "limits" })
            onlyFor(key, loads, "\"performance\" and \"stress\"");
        onlyFor("logs", *kind == StorageTestKind::recovery, "\"recovery\"");
        onlyFor("to", *kind == StorageTestKind::backup, "\"backup\"");
        for (const char* key : { "readers", "read_size" })
            onlyFor(key, reads, "\"backup\" and \"checksum\"");
    }
    test.tests.push_back(std::move(step));
}

/// Several tests of one kind are told apart.
void nameApart(StorageTest& test)
{
    std::map<std::string, unsigned> seen;
    for (StorageTestStep& step : test.tests)
        if (const unsigned times = ++seen[step.name]; times > 1)
            step.name += fmt::format(" {}", times);
}

} // namespace

void readStorageTest(document::TableReader& top, document::Problems& problems, StorageTest& test)
{
    StoragePreset preset = StoragePreset::none;
    document::assign(preset, top.choice<StoragePreset>("preset", kPresets));
    test = presetOf(preset);
    readDatabase(top.table("database"), problems, test);
    const bool marginStated = readLoad(top.table("load"), problems, test);
    readMaintenance(top.table("maintenance"), problems, test);
    document::TableReader copies(top.table("log_copies"), "log_copies", problems);
    document::assign(test.copies, copies.number("count"));
    copies.finish();
    readLimits(top.table("limits"), problems, test, marginStated);
    const auto each = [&](const char* key, const char* remedy, auto&& read) {
        const std::size_t most = top.most(key);
        const document::Node* list = top.tables(key);
        const std::size_t count = list == nullptr ? 0 : list->items.size();
        for (std::size_t i = 0; i < std::min(count, most); ++i)
            read(list->items[i], i);
        if (count > most)
            problems.error(
                fmt::format("{}[{}]", key, most), "is one too many", fmt::format("write at most {}", most));
        if (count == 0 && !problems.touched(key))
            problems.error(key, "the plan has none", remedy);
    };
    each("groups", "add [[groups]] with databases = [\"/data1\"], log = \"/log1\" and so on",
        [&](const document::Node& node, std::size_t i) { readGroup(node, i, problems, test); });
    each("tests", "add [[tests]] with kind = \"performance\" and so on",
        [&](const document::Node& node, std::size_t i) { readTest(node, i, problems, test); });
    nameApart(test);
    checkStorageTest(test, problems);
}

} // namespace loadstone::plan
