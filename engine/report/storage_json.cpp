// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/storage_json.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace loadstone::report {

namespace {

template <class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

/// All together have no name.
Json nameOrNull(const std::string& name)
{
    return name.empty() ? Json() : Json(name);
}

Json groupJson(const StorageGroupRow& row)
{
    Json json;
    json["name"] = nameOrNull(row.name);
    json["sessions"] = orNull(row.sessions);
    json["transactions"] = row.transactions;
    json["durableCommits"] = row.durableCommits;
    json["lazyCommits"] = row.lazyCommits;
    json["inserted"] = row.inserted;
    json["deleted"] = row.deleted;
    json["replaced"] = row.replaced;
    json["retrieved"] = row.retrieved;
    json["wrongRecords"] = row.wrongRecords;
    json["databaseReads"] = row.databaseReads;
    json["databaseWrites"] = row.databaseWrites;
    json["logWrites"] = row.logWrites;
    json["logBytes"] = row.logBytes;
    json["logFiles"] = row.logFiles;
    json["stalls"] = row.stalls;
    json["cacheBytes"] = orNull(row.cacheBytes);
    json["transactionsPerSecond"] = orNull(row.transactionRate);
    json["transfersPerSecond"] = orNull(row.transferRate);
    json["logWritesPerSecond"] = orNull(row.logWriteRate);
    json["stallsPerSecond"] = orNull(row.stallRate);
    json["highestStallsPerSecond"] = orNull(row.highestStallRate);
    json["readsPerWrite"] = orNull(row.readsPerWrite);
    json["transfersPerLogWrite"] = orNull(row.transfersPerLogWrite);
    json["transfersPerTransaction"] = orNull(row.transfersPerTransaction);
    json["bytesPerLogWrite"] = orNull(row.bytesPerLogWrite);
    return json;
}

Json databaseJson(const VerificationRow& row)
{
    Json json;
    json["name"] = nameOrNull(row.name);
    json["pages"] = row.pages;
    json["bad"] = row.bad;
    json["correctable"] = row.correctable;
    json["wrongPageNumber"] = row.wrongPageNumber;
    json["bytes"] = row.bytes;
    json["time"] = seconds(row.time);
    return json;
}

Json logJson(const VerificationRow& row)
{
    Json json;
    json["name"] = nameOrNull(row.name);
    json["files"] = row.files;
    json["badFiles"] = row.badFiles;
    json["segments"] = row.segments;
    json["badSegments"] = row.badSegments;
    json["bytes"] = row.bytes;
    json["time"] = seconds(row.time);
    return json;
}

Json backupJson(const BackupRow& row)
{
    Json json;
    json["group"] = nameOrNull(row.group);
    json["database"] = nameOrNull(row.database);
    json["bytes"] = row.bytes;
    json["time"] = seconds(row.time);
    json["bytesPerSecond"] = orNull(row.bytesPerSecond);
    return json;
}

Json recoveryJson(const RecoveryRow& row)
{
    Json json;
    json["group"] = nameOrNull(row.group);
    json["logs"] = row.logs;
    json["time"] = seconds(row.time);
    json["secondsPerLog"] = orNull(row.secondsPerLog);
    json["transactions"] = row.transactions;
    json["pagesRestored"] = row.pagesRestored;
    return json;
}

Json hostJson(const HostRow& row)
{
    Json json;
    json["counter"] = row.counter;
    json["unit"] = row.unit;
    json["average"] = row.average;
    json["minimum"] = row.minimum;
    json["maximum"] = row.maximum;
    return json;
}

template <class Row>
Json listOf(const std::vector<Row>& rows, Json (*toJson)(const Row&))
{
    Json json = Json::array();
    for (const Row& row : rows)
        json.push_back(toJson(row));
    return json;
}

} // namespace

std::string storageJson(const StorageResult& storage)
{
    Json json;
    json["kind"] = toString(storage.kind);
    json["databaseFiles"] = storage.databaseFiles;
    if (storage.hasLoad()) {
        json["achieved"] = orNull(storage.achieved);
        json["target"] = orNull(storage.target);
        json["bytesAtBegin"] = orNull(storage.bytesAtBegin);
        json["bytesAtEnd"] = orNull(storage.bytesAtEnd);
        json["groups"] = listOf(storage.groups, groupJson);
        json["allGroups"] = groupJson(storage.allGroups);
    }
    json["databases"] = listOf(storage.databases, databaseJson);
    json["allDatabases"] = storage.databases.empty() ? Json() : databaseJson(storage.allDatabases);
    json["logs"] = listOf(storage.logs, logJson);
    json["allLogs"] = storage.logs.empty() ? Json() : logJson(storage.allLogs);
    if (storage.kind == StorageResult::Kind::backup)
        json["backup"] = listOf(storage.backup, backupJson);
    if (storage.kind == StorageResult::Kind::recovery)
        json["recovery"] = listOf(storage.recovery, recoveryJson);
    json["host"] = listOf(storage.host, hostJson);
    // Names that are no UTF-8 are replaced, not thrown about.
    return jsonText(json);
}

} // namespace loadstone::report
