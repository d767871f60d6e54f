// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/storage_tables.h"

#include "history/recording_reader.h"
#include "plan/model/plan.h"
#include "report/cells.h"
#include "report/result_tables.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace loadstone::report {

namespace {

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
                                                             : "* Test in progress: interim figures.";
        if (table.note.find(incomplete) == std::string::npos)
            table.note += (table.note.empty() ? "" : " ") + std::string(incomplete);
    }
}

/// "Database read", then "Log write", then the others.
int rankOf(const Subject& of)
{
    using enum IoClass;
    return of.empty()                                               ? 3
        : of.ioClass == databaseRead || of.ioClass == databaseWrite ? 0
        : of.ioClass == logWrite || of.ioClass == logRead           ? 1
                                                                    : 2;
}

/// The storage groups, and where there are several what they did together.
Table groupTable(const RunResults& results, FigureTable of, const char* title, const char* note)
{
    Table table { title, note, { { "Test", kText }, { "Group", kText } }, {} };
    const FigureColumns columns = figureColumns(results, of);
    addHeadings(table, columns);
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        for (const Subject& subject : subjectsOf(mix, of)) {
            if (subject.empty() && storage.groups.size() < 2)
                continue;
            std::vector<Cell> row { markedName(mix), subject.empty() ? "(All)" : subject.group };
            addFigures(row, mix.figures, columns, subject);
            table.rows.push_back(std::move(row));
        }
    });
    return table;
}

/// A row for each subject of the table's figures. `name` is the heading over what was read, `all` stands for all of it.
Table partTable(const RunResults& results, FigureTable of, const char* title, const char* note,
    const char* name, const char* all)
{
    Table table { title, note, { { "Test", kText }, { name, kText } }, {} };
    const FigureColumns columns = figureColumns(results, of);
    addHeadings(table, columns);
    addTests(table, results, [&](const MixResult& mix, const StorageResult& /*storage*/) {
        for (const Subject& subject : subjectsOf(mix, of)) {
            const std::string what = of == FigureTable::logChecksum
                ? instanceOf({ Quantity::logFilesSeen, subject })
                : nameOf(subject);
            std::vector<Cell> row { markedName(mix), subject.empty() ? std::string(all) : what };
            addFigures(row, mix.figures, columns, subject);
            table.rows.push_back(std::move(row));
        }
    });
    return table;
}

} // namespace

Table sizingTable(const RunResults& results)
{
    Table table { "Database sizing and throughput",
        "Database I/O/s are reads and writes of the databases by the load, sizes their bytes in use; files "
        "are "
        "databases. I/O/s of all classes are in the table of the disk subsystem.",
        { { "Test", kText } }, {} };
    const FigureColumns columns = figureColumns(results, FigureTable::sizing);
    addHeadings(table, columns);
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        if (storage.hasLoad())
            addFigures(table.rows.emplace_back(std::vector<Cell> { markedName(mix) }), mix.figures, columns);
    });
    return table;
}

Table groupLoadTable(const RunResults& results)
{
    return groupTable(results, FigureTable::groupLoad, "Load of the storage groups", "");
}

Table groupLogTable(const RunResults& results)
{
    return groupTable(results, FigureTable::groupLog, "Log and cache of the storage groups",
        "Stalls are pages that had to wait for memory in the cache, each second; the most of one tick.");
}

Table recordTable(const RunResults& results)
{
    return groupTable(results, FigureTable::records, "Records and commits of the storage groups",
        "Wrong are records with a right checksum that are not what was written.");
}

Table diskTable(const RunResults& results)
{
    Table table { "Disk subsystem performance",
        "Times in the device: the average, and the longest average of a sample of 15 seconds, or of 5 in "
        "measurements of less than 10 minutes. Reads and writes: all classes but flushes. "
        "Unfinished: with the device at the end of the measurement; with ≥ the figure is at least that.",
        { { "Test", kText }, { "Volume", kText }, { "I/O", kText } }, {} };
    FigureColumns columns = figureColumns(results, FigureTable::io);
    // The average stands beside the longest of a sample.
    columns.insert(std::ranges::find(columns, "io.longest-sample", &FigureInfo::key),
        &infoOf(*findFigure("device.average")));
    addHeadings(table, columns);
    if (std::ranges::any_of(
            results.mixes, [](const MixResult& mix) { return mix.storage && !mix.storage->hasLoad(); }))
        table.note +=
            " Rates of a backup, recovery or checksum are over the whole seconds of its phase; those of "
            "its work alone are in the table of its own.";
    addTests(table, results, [&](const MixResult& mix, const StorageResult& /*storage*/) {
        std::vector<Subject> subjects = subjectsOf(mix, FigureTable::io);
        std::ranges::stable_sort(subjects, {}, rankOf);
        for (const Subject& subject : subjects)
            if (!subject.empty() || mix.io.size() > 1) {
                table.rows.push_back(ioNames(mix, subject));
                addFigures(table.rows.back(), mix.figures, columns, subject);
            }
    });
    return table;
}

Table hostPerformanceTable(const RunResults& results)
{
    Table table { "Host system performance", "", { { "Test", kText }, { "Counter", kText } }, {} };
    const FigureColumns columns = figureColumns(results, FigureTable::readings);
    addHeadings(table, columns);
    addTests(table, results, [&](const MixResult& mix, const StorageResult& storage) {
        for (const HostRow& row : storage.host) {
            table.rows.push_back({ markedName(mix), row.counter });
            addFigures(table.rows.back(), mix.figures, columns, {}, row.quantity);
        }
    });
    return table;
}

Table checksumTable(const RunResults& results)
{
    return partTable(results, FigureTable::checksum, "Checksums of the databases",
        "The sum of the seconds is of databases that may have been read at once.", "Database", "(Sum)");
}

Table logChecksumTable(const RunResults& results)
{
    return partTable(results, FigureTable::logChecksum, "Checksums of the logs", "", "Log", "(Sum)");
}

Table backupTable(const RunResults& results)
{
    Table table { "Backup",
        "Of several databases the seconds are from the begin of the first to the end of the last; a copy "
        "ends when it is durable.",
        { { "Test", kText }, { "Group", kText }, { "Database", kText } }, {} };
    const FigureColumns columns = figureColumns(results, FigureTable::backup);
    addHeadings(table, columns);
    addTests(table, results, [&](const MixResult& mix, const StorageResult& /*storage*/) {
        for (const Subject& subject : subjectsOf(mix, FigureTable::backup)) {
            table.rows.push_back({ markedName(mix), subject.empty() ? "(All)" : subject.group,
                subject.database ? nameOf(subject) : "(Sum)" });
            addFigures(table.rows.back(), mix.figures, columns, subject);
        }
    });
    return table;
}

Table recoveryTable(const RunResults& results)
{
    return partTable(results, FigureTable::recovery, "Recovery",
        "All groups: the time from the begin of the first to the end of the last, and that time over the "
        "logs of all groups.",
        "Group", "(All)");
}

namespace {

/// Null where the plan is not one of storage, or this version cannot read it.
const plan::StorageTest* plannedTest(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const plan::StoragePlan* storage = loaded.ok() ? loaded.plan.storage() : nullptr;
    return storage != nullptr ? &storage->test : nullptr;
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

Table programmeTable(const Recording& recording)
{
    Table table { "Programme", "", { { "Test", kText }, { "Kind", kText }, { "What it does", kText } }, {} };
    if (const plan::StorageTest* test = plannedTest(recording))
        for (const plan::StorageTestStep& step : test->tests)
            table.rows.push_back(
                { step.name, toString(static_cast<StorageResult::Kind>(step.kind)), stepText(step) });
    return table;
}

Table parameterTable(const Recording& recording)
{
    Table table { "System parameters", "", { { "Parameter", kText }, { "Value", kText } }, {} };
    const plan::StorageTest* test = plannedTest(recording);
    if (!test)
        return table;
    for (const auto& [name, value] : plan::describe(*test))
        table.rows.push_back({ name, value });
    table.rows.push_back({ "Random seed", fmt::format("{}", recording.header().seed) });
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
        table.rows.push_back({ formatIso8601(header.started + event.at), clockCell(event.at),
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
