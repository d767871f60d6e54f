// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/storage_tables.h"

#include "plan/plan.h"
#include "report/storage_figures.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace loadstone::report {

namespace {

constexpr bool kText = false;
constexpr double kMegabyte = 1048576;

std::string nameOf(const MixResult& mix)
{
    return mix.complete ? mix.name : mix.name + " *";
}

/// The rows of all tests; below them that a test did not run to its end, or has not yet, where one with rows did not.
template <class AddRows>
void addTests(Table& table, const RunResults& results, const AddRows& addRows)
{
    for (const MixResult& mix : results.mixes) {
        if (!mix.storage)
            continue;
        const std::size_t before = table.rows.size();
        addRows(mix, *mix.storage);
        if (table.rows.size() == before || mix.complete)
            continue;
        const char* const incomplete = isOver(results.state) ? "* The test did not run to its end."
                                                             : "* The test goes on: this is as of now.";
        if (table.note.find(incomplete) == std::string::npos)
            table.note += (table.note.empty() ? "" : " ") + std::string(incomplete);
    }
}

std::string decimals(const std::optional<double>& value)
{
    return value ? grouped(*value, 2) : "-";
}

std::string rateOrNone(const std::optional<double>& value)
{
    return value ? rate(*value) : "-";
}

std::string megabytes(std::uint64_t bytes)
{
    return grouped(static_cast<double>(bytes) / kMegabyte, 2);
}

std::string secondsText(Nanoseconds time)
{
    return grouped(seconds(time), 2);
}

std::string countOrNone(const std::optional<std::uint64_t>& value)
{
    return value ? count(*value) : "-";
}

/// Where there are several groups: what they come to together.
template <class AddRow>
void addGroups(const StorageResult& storage, const AddRow& addRow)
{
    for (const StorageGroupRow& group : storage.groups)
        addRow(group.name, group);
    if (storage.groups.size() > 1)
        addRow("(All)", storage.allGroups);
}

/// "≥ 12.0 s" where only a lower bound is known.
std::string bounded(bool atLeast, Nanoseconds time)
{
    return (atLeast ? "≥ " : "") + formatLatency(time);
}

/// "Database read", then "Log write", then the others.
int rankOf(const IoRow& row)
{
    return row.name.starts_with("Database") ? 0 : row.name.starts_with("Log") ? 1 : 2;
}

std::vector<IoRow> sorted(std::vector<IoRow> rows)
{
    std::stable_sort(
        rows.begin(), rows.end(), [](const IoRow& a, const IoRow& b) { return rankOf(a) < rankOf(b); });
    return rows;
}

const char* backupGroup(const BackupRow& row)
{
    return row.group.empty() ? "(All)" : row.group.c_str();
}

} // namespace

Table sizingTable(const RunResults& results)
{
    Table table { "Database sizing and throughput",
        "Database I/O/s are reads and writes of the databases by the load, sizes their bytes in use; files are "
        "databases. I/O/s of all classes stand with the disk subsystem.",
        { { "Test", kText }, { "Database I/O/s" }, { "Target" }, { "Of target" }, { "Initial size" },
            { "Final size" }, { "Files" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        if (!storage.hasLoad())
            return;
        const bool comparable = storage.achieved && storage.target && *storage.target > 0;
        table.rows.push_back({ nameOf(mix), decimals(storage.achieved), decimals(storage.target),
            comparable ? fmt::format("{:.2f} %", *storage.achieved / *storage.target * 100) : "-",
            countOrNone(storage.bytesAtBegin), countOrNone(storage.bytesAtEnd),
            count(storage.databaseFiles) });
    });
    return table;
}

Table groupLoadTable(const RunResults& results)
{
    Table table { "Load of the storage groups", "",
        { { "Test", kText }, { "Group", kText }, { "Sessions" }, { "Trans./s" }, { "Database I/O/s" },
            { "I/O per trans." }, { "Reads:writes" }, { "Database:log" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        addGroups(storage, [&](const std::string& name, const StorageGroupRow& group) {
            table.rows.push_back(
                { nameOf(mix), name, countOrNone(group.sessions), rateOrNone(group.transactionRate),
                    rateOrNone(group.transferRate), decimals(group.transfersPerTransaction),
                    ratio(group.readsPerWrite), ratio(group.transfersPerLogWrite) });
        });
    });
    return table;
}

Table groupLogTable(const RunResults& results)
{
    Table table { "Log and cache of the storage groups",
        "Stalls are pages that had to wait for memory in the cache, each second; the most of one tick.",
        { { "Test", kText }, { "Group", kText }, { "Log writes/s" }, { "Bytes/write" }, { "Log files" },
            { "Stalls/s" }, { "At most" }, { "Cache" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        addGroups(storage, [&](const std::string& name, const StorageGroupRow& group) {
            table.rows.push_back(
                { nameOf(mix), name, rateOrNone(group.logWriteRate), rateOrNone(group.bytesPerLogWrite),
                    count(group.logFiles), rateOrNone(group.stallRate), rateOrNone(group.highestStallRate),
                    group.cacheBytes ? formatBytes(*group.cacheBytes) : "-" });
        });
    });
    return table;
}

Table recordTable(const RunResults& results)
{
    Table table { "Records and commits of the storage groups",
        "Wrong are records with a right checksum that are not what was written.",
        { { "Test", kText }, { "Group", kText }, { "Inserted" }, { "Deleted" }, { "Replaced" }, { "Read" },
            { "Durable" }, { "Lazy" }, { "Wrong" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        addGroups(storage, [&](const std::string& name, const StorageGroupRow& group) {
            table.rows.push_back({ nameOf(mix), name, count(group.inserted), count(group.deleted),
                count(group.replaced), count(group.retrieved), count(group.durableCommits),
                count(group.lazyCommits), count(group.wrongRecords) });
        });
    });
    return table;
}

Table diskTable(const RunResults& results)
{
    Table table { "Disk subsystem performance",
        "Times in the device: the average, and the longest average of a sample of 15 seconds, or of 5 in "
        "measurements of less than 10 minutes. Reads and writes: all classes but flushes. "
        "Unfinished: with the device at the end of the measurement; with ≥ the figure is at least that.",
        { { "Test", kText }, { "Volume", kText }, { "I/O", kText }, { "Average" }, { "Longest" }, { "I/O/s" },
            { "Bytes/IO" }, { "Bytes/s" }, { "Failed" }, { "Unfinished" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& /*storage*/) {
        for (const IoRow& row : sorted(mix.io))
            table.rows.push_back({ nameOf(mix), row.volume, row.name,
                row.device.empty() ? "-" : bounded(row.device.atLeast.mean, row.device.mean),
                row.longestSample ? bounded(row.longestAtLeast, *row.longestSample) : "-",
                rate(row.perSecond), rateOrNone(bytesPerTransfer(row)),
                formatBytes(static_cast<std::uint64_t>(row.bytesPerSecond)), count(row.failures),
                count(row.unfinished) });
        if (mix.io.size() > 1) {
            const IoRow all = togetherOf(mix);
            table.rows.push_back({ nameOf(mix), all.volume, all.name, "-", "-", rate(all.perSecond),
                rateOrNone(bytesPerTransfer(all)),
                formatBytes(static_cast<std::uint64_t>(all.bytesPerSecond)), count(all.failures),
                count(all.unfinished) });
        }
    });
    return table;
}

Table hostPerformanceTable(const RunResults& results)
{
    Table table { "Host system performance", "",
        { { "Test", kText }, { "Counter", kText }, { "Average" }, { "Minimum" }, { "Maximum" } }, {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        for (const HostRow& row : storage.host)
            table.rows.push_back({ nameOf(mix), row.counter, grouped(row.average, 3), grouped(row.minimum, 3),
                grouped(row.maximum, 3) });
    });
    return table;
}

Table checksumTable(const RunResults& results)
{
    Table table { "Checksums of the databases",
        "The sum of the seconds is of databases that may have been read at once.",
        { { "Test", kText }, { "Database", kText }, { "Pages seen" }, { "Bad" }, { "Correctable" },
            { "Wrong page no." }, { "MB" }, { "Seconds" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        const auto add = [&](const std::string& name, const VerificationRow& row) {
            table.rows.push_back(
                { nameOf(mix), name, count(row.pages), count(row.bad), count(row.correctable),
                    count(row.wrongPageNumber), megabytes(row.bytes), secondsText(row.time) });
        };
        for (const VerificationRow& row : storage.databases)
            add(row.name, row);
        if (!storage.databases.empty())
            add("(Sum)", storage.allDatabases);
    });
    return table;
}

Table logChecksumTable(const RunResults& results)
{
    Table table { "Checksums of the logs", "",
        { { "Test", kText }, { "Log", kText }, { "Files seen" }, { "Bad files" }, { "Segments seen" },
            { "Bad segments" }, { "MB" }, { "Seconds" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        const auto add = [&](const std::string& name, const VerificationRow& row) {
            table.rows.push_back({ nameOf(mix), name, count(row.files), count(row.badFiles),
                count(row.segments), count(row.badSegments), megabytes(row.bytes), secondsText(row.time) });
        };
        for (const VerificationRow& row : storage.logs)
            add(row.name, row);
        if (!storage.logs.empty())
            add("(Sum)", storage.allLogs);
    });
    return table;
}

Table backupTable(const RunResults& results)
{
    Table table { "Backup",
        "Of several databases the seconds are from the first one's begin to the last one's end; a copy is "
        "ended when it is durable.",
        { { "Test", kText }, { "Group", kText }, { "Database", kText }, { "MB" }, { "Seconds" }, { "MB/s" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        for (const BackupRow& row : storage.backup)
            table.rows.push_back({ nameOf(mix), backupGroup(row),
                row.database.empty() ? "(Sum)" : row.database, megabytes(row.bytes), secondsText(row.time),
                row.bytesPerSecond ? decimals(*row.bytesPerSecond / kMegabyte) : "-" });
    });
    return table;
}

Table recoveryTable(const RunResults& results)
{
    Table table { "Recovery",
        "Of all groups: the time from the first one's begin to the last one's end, and that over the logs of "
        "all.",
        { { "Test", kText }, { "Group", kText }, { "Log files" }, { "Seconds" }, { "Seconds per log" },
            { "Transactions" }, { "Pages restored" } },
        {} };
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        for (const RecoveryRow& row : storage.recovery)
            table.rows.push_back({ nameOf(mix), row.group.empty() ? "(All)" : row.group, count(row.logs),
                secondsText(row.time), row.secondsPerLog ? fmt::format("{:.3f}", *row.secondsPerLog) : "-",
                count(row.transactions), count(row.pagesRestored) });
    });
    return table;
}

namespace {

std::optional<plan::StorageTest> storagePlan(const RunHeader& header)
{
    plan::LoadedPlan loaded = plan::parseKeptPlan(header.planText, header.planName, header.target);
    if (!loaded.ok())
        return std::nullopt;
    return std::move(loaded.plan.storage);
}

/// What a test does, in words.
std::string stepText(const plan::StorageTestStep& step)
{
    switch (step.kind) {
    case plan::StorageTestKind::performance:
    case plan::StorageTestKind::stress:
        return fmt::format("{} after a warm-up of at most {}, {} limits", formatDuration(step.duration),
            formatDuration(step.warmUp), step.lenient ? "lenient" : "strict");
    case plan::StorageTestKind::backup:
        return fmt::format("{} of {} at once of each database, {}", plural(step.readers, "read"),
            formatBytes(step.readSize), step.to.empty() ? "to nowhere" : "to " + step.to);
    case plan::StorageTestKind::recovery:
        return fmt::format("{} of each group", plural(step.logs, "log file"));
    case plan::StorageTestKind::checksum:
        return fmt::format(
            "{} of {} at once of each database", plural(step.readers, "read"), formatBytes(step.readSize));
    }
    return "?";
}

} // namespace

Table programmeTable(const RunHeader& header)
{
    Table table { "Programme", "", { { "Test", kText }, { "Kind", kText }, { "What it does", kText } }, {} };
    if (const auto test = storagePlan(header))
        for (const plan::StorageTestStep& step : test->tests)
            table.rows.push_back(
                { step.name, toString(static_cast<StorageResult::Kind>(step.kind)), stepText(step) });
    return table;
}

Table parameterTable(const RunHeader& header)
{
    Table table { "System parameters", "", { { "Parameter", kText }, { "Value", kText } }, {} };
    const auto test = storagePlan(header);
    if (!test)
        return table;
    for (const auto& [name, value] : plan::describe(*test))
        table.rows.push_back({ name, value });
    table.rows.push_back({ "Random seed", fmt::format("{}", header.seed) });
    return table;
}

Table testLogTable(const RunHeader& header, const std::vector<RunEvent>& events)
{
    constexpr std::size_t kMost = 1000;
    Table table { "Test log", "",
        { { "Time (UTC)", kText }, { "At" }, { "Severity", kText }, { "Event", kText } }, {} };
    if (events.size() > kMost)
        table.note = fmt::format(
            "The first {} of {}; the JSON export has the others.", count(kMost), count(events.size()));
    for (std::size_t i = 0; i < std::min(kMost, events.size()); ++i) {
        const RunEvent& event = events[i];
        table.rows.push_back({ formatIso8601(header.started + event.at), formatClock(event.at),
            toString(event.severity), event.text });
    }
    return table;
}

} // namespace loadstone::report

namespace loadstone {

std::vector<ReportTable> storageTables(const RunResults& results)
{
    using namespace report;
    std::vector<ReportTable> tables { sizingTable(results), groupLoadTable(results), groupLogTable(results),
        recordTable(results), diskTable(results), hostPerformanceTable(results), checksumTable(results),
        logChecksumTable(results), backupTable(results), recoveryTable(results) };
    std::erase_if(tables, [](const ReportTable& table) { return table.empty(); });
    return tables;
}

} // namespace loadstone
