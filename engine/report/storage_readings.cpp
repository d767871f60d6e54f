// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/storage_readings.h"

#include <utility>

namespace loadstone::report {

namespace {

/// Takes the numbers of one test down.
class Readings {
public:
    void at(const char* table, std::string item)
    {
        m_table = table;
        m_item = std::move(item);
    }
    void add(const char* quantity, const std::string& unit, std::optional<double> value)
    {
        m_readings.push_back({ m_table, m_item, quantity, unit, value });
    }
    void add(const char* quantity, const std::string& unit, std::uint64_t value)
    {
        add(quantity, unit, std::optional<double>(static_cast<double>(value)));
    }
    void add(const char* quantity, Nanoseconds time)
    {
        add(quantity, "s", std::optional<double>(seconds(time)));
    }
    std::vector<StorageReading> take() { return std::move(m_readings); }

private:
    const char* m_table = "";
    std::string m_item;
    std::vector<StorageReading> m_readings;
};

void addDatabase(Readings& readings, const VerificationRow& row)
{
    readings.at("checksum of a database", row.name);
    readings.add("pages seen", "", row.pages);
    readings.add("bad pages", "", row.bad);
    readings.add("correctable pages", "", row.correctable);
    readings.add("wrong page numbers", "", row.wrongPageNumber);
    readings.add("read", "bytes", row.bytes);
    readings.add("time", row.time);
}

void addLog(Readings& readings, const VerificationRow& row)
{
    readings.at("checksum of a log", row.name);
    readings.add("files seen", "", row.files);
    readings.add("bad files", "", row.badFiles);
    readings.add("segments seen", "", row.segments);
    readings.add("bad segments", "", row.badSegments);
    readings.add("read", "bytes", row.bytes);
    readings.add("time", row.time);
}

} // namespace

std::vector<StorageReading> storageReadings(const MixResult& mix)
{
    Readings readings;
    if (!mix.storage)
        return readings.take();
    const StorageResult& storage = *mix.storage;
    for (const VerificationRow& row : storage.databases)
        addDatabase(readings, row);
    if (!storage.databases.empty())
        addDatabase(readings, storage.allDatabases);
    for (const VerificationRow& row : storage.logs)
        addLog(readings, row);
    if (!storage.logs.empty())
        addLog(readings, storage.allLogs);
    for (const BackupRow& row : storage.backup) {
        readings.at("backup", row.database.empty() ? row.group : row.database);
        readings.add("read", "bytes", row.bytes);
        readings.add("time", row.time);
        readings.add("read", "bytes/s", row.bytesPerSecond);
    }
    for (const RecoveryRow& row : storage.recovery) {
        readings.at("recovery", row.group);
        readings.add("log files", "", row.logs);
        readings.add("time", row.time);
        readings.add("time per log file", "s", row.secondsPerLog);
        readings.add("transactions", "", row.transactions);
        readings.add("pages restored", "", row.pagesRestored);
    }
    for (const HostRow& row : storage.host) {
        readings.at("host", row.counter);
        readings.add("average", row.unit, std::optional<double>(row.average));
        readings.add("minimum", row.unit, std::optional<double>(row.minimum));
        readings.add("maximum", row.unit, std::optional<double>(row.maximum));
    }
    return readings.take();
}

} // namespace loadstone::report
