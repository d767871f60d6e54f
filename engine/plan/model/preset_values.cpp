// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The values of presets as plans state them, for forms; the values themselves are presetOf()'s.
#include "plan/model/storage_test.h"

#include <loadstone/preset_value.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <array>

namespace loadstone {

namespace {

using plan::StorageTest;

std::string flag(bool on)
{
    return on ? "true" : "false";
}

std::string percent(unsigned share)
{
    return fmt::format("{} %", share);
}

struct Value {
    std::string_view path;
    std::string (*of)(const StorageTest& test);
};

/// All keys in which presets differ from each other or from the defaults.
constexpr std::array<Value, 26> kValues { {
    { "database.page_size", [](const StorageTest& test) { return formatBytes(test.database.pageSize); } },
    { "database.cache_minimum",
        [](const StorageTest& test) { return formatBytes(test.database.cacheMinimum); } },
    { "database.cache_maximum",
        [](const StorageTest& test) { return formatBytes(test.database.cacheMaximum); } },
    { "database.log_buffer",
        [](const StorageTest& test) { return fmt::format("{} KB", test.database.logBuffer / 1024); } },
    { "database.log_file", [](const StorageTest& test) { return formatBytes(test.database.logFile); } },
    { "database.log_sector", [](const StorageTest& test) { return formatBytes(test.database.logSector); } },
    { "database.checkpoint_depth",
        [](const StorageTest& test) { return formatBytes(test.database.checkpointDepth); } },
    { "database.short_pad",
        [](const StorageTest& test) { return fmt::format("{} B", test.database.shortPad); } },
    { "database.long_pad",
        [](const StorageTest& test) { return fmt::format("{} B", test.database.longPad); } },
    { "load.threads_of",
        [](const StorageTest& test) { return std::string(test.load.threadsOfHost ? "host" : "group"); } },
    { "load.operations", [](const StorageTest& test) { return fmt::format("{}", test.load.operations); } },
    { "load.insert", [](const StorageTest& test) { return percent(test.load.insert); } },
    { "load.delete", [](const StorageTest& test) { return percent(test.load.erase); } },
    { "load.replace", [](const StorageTest& test) { return percent(test.load.replace); } },
    { "load.lazy_commits", [](const StorageTest& test) { return percent(test.load.lazyCommits); } },
    { "maintenance.enabled", [](const StorageTest& test) { return flag(test.maintenance.enabled); } },
    { "maintenance.read_size",
        [](const StorageTest& test) { return formatBytes(test.maintenance.readSize); } },
    { "maintenance.interval",
        [](const StorageTest& test) { return formatDuration(test.maintenance.interval); } },
    { "log_copies.count", [](const StorageTest& test) { return fmt::format("{}", test.copies); } },
    { "limits.average_database_read",
        [](const StorageTest& test) { return formatDuration(test.limits.strict.averageDatabaseRead); } },
    { "limits.average_log_write",
        [](const StorageTest& test) { return formatDuration(test.limits.strict.averageLogWrite); } },
    { "limits.maximum_database_read",
        [](const StorageTest& test) { return formatDuration(test.limits.strict.maximumDatabaseRead); } },
    { "limits.maximum_log_write",
        [](const StorageTest& test) { return formatDuration(test.limits.strict.maximumLogWrite); } },
    { "limits.lenient_maximum_database_read",
        [](const StorageTest& test) { return formatDuration(test.limits.lenient.maximumDatabaseRead); } },
    { "limits.lenient_maximum_log_write",
        [](const StorageTest& test) { return formatDuration(test.limits.lenient.maximumLogWrite); } },
    { "limits.latency_errors",
        [](const StorageTest& test) { return fmt::format("{}", test.limits.latencyErrors); } },
} };

} // namespace

std::optional<std::string> presetValue(std::string_view preset, std::string_view path)
{
    const plan::StoragePreset known = preset == "exchange-2007" ? plan::StoragePreset::exchange2007
        : preset == "exchange-2013"                             ? plan::StoragePreset::exchange2013
                                                                : plan::StoragePreset::none;
    if (known == plan::StoragePreset::none)
        return std::nullopt;
    for (const Value& value : kValues)
        if (value.path == path)
            return value.of(plan::presetOf(known));
    return std::nullopt;
}

} // namespace loadstone
