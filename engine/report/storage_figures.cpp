// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/storage_figures.h"

#include <algorithm>
#include <utility>

namespace loadstone::report {

namespace {

/// Takes the figures of one test down.
class Figures {
public:
    void at(const char* table, std::string item)
    {
        m_table = table;
        m_item = std::move(item);
    }
    void add(const char* quantity, const std::string& unit, std::optional<double> value)
    {
        m_figures.push_back({ m_table, m_item, quantity, unit, value });
    }
    void add(const char* quantity, const std::string& unit, std::uint64_t value)
    {
        add(quantity, unit, std::optional<double>(static_cast<double>(value)));
    }
    void add(const char* quantity, const std::string& unit, const std::optional<std::uint64_t>& value)
    {
        add(quantity, unit, value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt);
    }
    void add(const char* quantity, Nanoseconds time)
    {
        add(quantity, "s", std::optional<double>(seconds(time)));
    }
    std::vector<StorageFigure> take() { return std::move(m_figures); }

private:
    const char* m_table = "";
    std::string m_item;
    std::vector<StorageFigure> m_figures;
};

void addGroup(Figures& figures, const StorageGroupRow& row)
{
    figures.at("storage group", row.name);
    figures.add("transactions", "", row.transactions);
    figures.add("transactions", "/s", row.transactionRate);
    figures.add("database reads", "", row.databaseReads);
    figures.add("database writes", "", row.databaseWrites);
    figures.add("database transfers", "/s", row.transferRate);
    figures.add("transfers per transaction", "", row.transfersPerTransaction);
    figures.add("reads:writes", "", row.readsPerWrite);
    figures.add("database:log", "", row.transfersPerLogWrite);
    figures.add("log writes", "", row.logWrites);
    figures.add("log writes", "/s", row.logWriteRate);
    figures.add("bytes per log write", "bytes", row.bytesPerLogWrite);
    figures.add("log files", "", row.logFiles);
    figures.add("page fault stalls", "/s", row.stallRate);
    figures.add("page fault stalls at most", "/s", row.highestStallRate);
    figures.add("cache", "bytes", row.cacheBytes);
    figures.add("sessions", "", row.sessions);
    figures.add("records inserted", "", row.inserted);
    figures.add("records deleted", "", row.deleted);
    figures.add("records replaced", "", row.replaced);
    figures.add("records read", "", row.retrieved);
    figures.add("wrong records", "", row.wrongRecords);
    figures.add("durable commits", "", row.durableCommits);
    figures.add("lazy commits", "", row.lazyCommits);
}

void addDatabase(Figures& figures, const VerificationRow& row)
{
    figures.at("checksum of a database", row.name);
    figures.add("pages seen", "", row.pages);
    figures.add("bad pages", "", row.bad);
    figures.add("correctable pages", "", row.correctable);
    figures.add("wrong page numbers", "", row.wrongPageNumber);
    figures.add("read", "bytes", row.bytes);
    figures.add("time", row.time);
}

void addLog(Figures& figures, const VerificationRow& row)
{
    figures.at("checksum of a log", row.name);
    figures.add("files seen", "", row.files);
    figures.add("bad files", "", row.badFiles);
    figures.add("segments seen", "", row.segments);
    figures.add("bad segments", "", row.badSegments);
    figures.add("read", "bytes", row.bytes);
    figures.add("time", row.time);
}

void addIo(Figures& figures, const IoRow& row)
{
    figures.at("disk", row.volume + ": " + row.name);
    figures.add("transfers", "", row.count);
    figures.add("failed transfers", "", row.failures);
    figures.add("transfers", "/s", std::optional<double>(row.perSecond));
    figures.add("bytes", "/s", std::optional<double>(row.bytesPerSecond));
    figures.add("bytes per transfer", "bytes", bytesPerTransfer(row));
    figures.add("unfinished transfers", "", row.unfinished);
    if (row.longestSample)
        figures.add(
            row.longestAtLeast ? "longest sample in the device at least" : "longest sample in the device",
            *row.longestSample);
}

} // namespace

std::optional<double> bytesPerTransfer(const IoRow& row)
{
    const std::uint64_t good = row.count - std::min(row.count, row.failures);
    if (good == 0 || row.bytes == 0)
        return std::nullopt;
    return static_cast<double>(row.bytes) / static_cast<double>(good);
}

IoRow togetherOf(const MixResult& mix)
{
    IoRow all;
    all.volume = "(All)";
    all.name = "Reads and writes";
    for (const IoRow& row : mix.io) {
        if (directionOf(row.name) == IoDirection::neither)
            continue;
        all.count += row.count;
        all.failures += row.failures;
        all.bytes += row.bytes;
        all.unfinished += row.unfinished;
        all.bytesPerSecond += row.bytesPerSecond;
    }
    all.perSecond = mix.iosPerSecond();
    return all;
}

std::vector<StorageFigure> storageFigures(const MixResult& mix)
{
    Figures figures;
    for (const IoRow& row : mix.io)
        addIo(figures, row);
    if (!mix.io.empty()) {
        figures.at("disk", "");
        figures.add("reads", "/s", std::optional<double>(mix.iosPerSecond(IoDirection::read)));
        figures.add("writes", "/s", std::optional<double>(mix.iosPerSecond(IoDirection::write)));
        figures.add("reads and writes", "/s", std::optional<double>(mix.iosPerSecond()));
    }
    if (!mix.storage)
        return figures.take();
    const StorageResult& storage = *mix.storage;
    if (storage.hasLoad()) {
        figures.at("database sizing and throughput", "");
        figures.add("achieved transfers", "/s", storage.achieved);
        figures.add("target transfers", "/s", storage.target);
        figures.add("initial size", "bytes", storage.bytesAtBegin);
        figures.add("final size", "bytes", storage.bytesAtEnd);
        figures.add("database files", "", storage.databaseFiles);
        for (const StorageGroupRow& row : storage.groups)
            addGroup(figures, row);
        addGroup(figures, storage.allGroups);
    }
    for (const VerificationRow& row : storage.databases)
        addDatabase(figures, row);
    if (!storage.databases.empty())
        addDatabase(figures, storage.allDatabases);
    for (const VerificationRow& row : storage.logs)
        addLog(figures, row);
    if (!storage.logs.empty())
        addLog(figures, storage.allLogs);
    for (const BackupRow& row : storage.backup) {
        figures.at("backup", row.database.empty() ? row.group : row.database);
        figures.add("read", "bytes", row.bytes);
        figures.add("time", row.time);
        figures.add("read", "bytes/s", row.bytesPerSecond);
    }
    for (const RecoveryRow& row : storage.recovery) {
        figures.at("recovery", row.group);
        figures.add("log files", "", row.logs);
        figures.add("time", row.time);
        figures.add("time per log file", "s", row.secondsPerLog);
        figures.add("transactions", "", row.transactions);
        figures.add("pages restored", "", row.pagesRestored);
    }
    for (const HostRow& row : storage.host) {
        figures.at("host", row.counter);
        figures.add("average", row.unit, std::optional<double>(row.average));
        figures.add("minimum", row.unit, std::optional<double>(row.minimum));
        figures.add("maximum", row.unit, std::optional<double>(row.maximum));
    }
    return figures.take();
}

} // namespace loadstone::report
