// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage_companions.h"

#include "analysis/database_series.h"
#include "analysis/io_series.h"
#include "analysis/window.h"

#include <limits>
#include <utility>

namespace loadstone::analysis {

namespace {

constexpr const char* kMaintenance = "Maintenance";
constexpr double kBusyProcessor = 90; // %
constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace

std::vector<std::uint32_t> countersOf(
    const RunHeader& header, const char* object, const char* counter, const std::string& ioClass)
{
    std::vector<std::uint32_t> ids;
    for (const CounterInfo& info : header.counters)
        if (info.object == object && info.counter == counter && info.instance != "_Total"
            && (ioClass.empty() || ioOf(info.instance).second == ioClass))
            ids.push_back(info.id);
    return ids;
}

Result<std::vector<Companion>> storageCompanions(
    const Recording& recording, const std::vector<Stretch>& samples)
{
    const RunHeader& header = recording.header();
    std::vector<Companion> companions;
    const auto add = [&](const char* name, const char* unit, const std::vector<std::uint32_t>& counters,
                         double alarming) -> Result<void> {
        auto values = meanValues(recording, counters, samples);
        if (!values)
            return values.error();
        companions.push_back({ name, unit, *std::move(values), alarming });
        return {};
    };
    for (const auto& [name, counter] : { std::pair { "checkpoint moves", kCheckpoints },
             std::pair { "pages flushed", kPagesFlushed }, std::pair { "log files begun", kLogFilesBegun },
             std::pair { kStallsCompanion, kPageFaultStalls } })
        if (const auto done = add(name, "/s", countersOf(header, kDatabaseObject, counter), kNever); !done)
            return done.error();
    if (const auto done = add(
            "maintenance reads", "/s", countersOf(header, kStorageObject, kTransfers, kMaintenance), kNever);
        !done)
        return done.error();
    std::vector<std::uint32_t> processor;
    if (const auto id = counterNamed(header, "\\Processor(_Total)\\% Processor Time"))
        processor.push_back(*id);
    if (const auto done = add("processor time here", " %", processor, kBusyProcessor); !done)
        return done.error();
    return companions;
}

} // namespace loadstone::analysis
