// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/storage_companions.h"

#include "analysis/window/window.h"

#include <limits>
#include <utility>

namespace loadstone::analysis {

namespace {

constexpr double kBusyProcessor = 90; // %
constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace

std::vector<std::uint32_t> groupCounters(const RunHeader& header, Quantity quantity)
{
    std::vector<std::uint32_t> ids;
    for (const CounterInfo& info : header.counters)
        if (info.key.quantity == quantity && !info.key.subject.group.empty())
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
    using enum Quantity;
    for (const auto& [name, quantity] :
        { std::pair { "checkpoint moves", checkpoints }, std::pair { "pages flushed", pagesFlushed },
            std::pair { "log files begun", logFilesBegun }, std::pair { kStallsCompanion, pageFaultStalls } })
        if (const auto done = add(name, "/s", groupCounters(header, quantity), kNever); !done)
            return done.error();
    std::vector<std::uint32_t> maintenance, processor;
    for (const CounterInfo& info : header.counters)
        if (info.key.quantity == transfers && info.key.subject.isOwnIo()
            && info.key.subject.ioClass == IoClass::maintenance)
            maintenance.push_back(info.id);
    if (const auto done = add("maintenance reads", "/s", maintenance, kNever); !done)
        return done.error();
    if (const auto id = findSeries(header.counters, processorTime))
        processor.push_back(*id);
    if (const auto done = add("processor time here", " %", processor, kBusyProcessor); !done)
        return done.error();
    return companions;
}

} // namespace loadstone::analysis
