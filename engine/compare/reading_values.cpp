// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/reading_values.h"

#include "compare/batch_means.h"

#include <loadstone/readings.h>
#include <loadstone/source.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace loadstone::compare {

namespace {

constexpr std::size_t kFewForeign = 40; // somebody chose them

/// What published reports print of a server.
bool isUsual(Quantity quantity)
{
    using enum Quantity;
    constexpr std::array kUsual { processorTime, userTime, privilegedTime, contextSwitches, availableMemory,
        pagesSwapped, diskReads, diskWrites, diskTransfers, diskBytes, diskSecondsPerRead,
        diskSecondsPerWrite, meanDiskQueue, networkBytesReceived, networkBytesSent, networkBytes,
        mailQueueLength, processProcessorTime, processWorkingSet };
    return std::ranges::find(kUsual, quantity) != kUsual.end();
}

/// Sources that the run did not measure itself: logs.
Result<std::set<std::uint32_t>> logsOf(const Recording& recording)
{
    const auto sources = sourcesOf(recording);
    if (!sources)
        return sources.error();
    std::set<std::uint32_t> logs;
    for (const SourceInfo& source : *sources)
        if (source.origin.starts_with(kLogOrigin))
            logs.insert(source.id);
    return logs;
}

/// The role where one computer of the run alone has it, else the name. A log that is attached to one of several repeats has a name of its
/// own, and does not take the role from the computer that all of them have.
std::vector<std::string> namesOf(
    const std::vector<ComputerReadings>& computers, const std::set<std::uint32_t>& logs)
{
    const auto isOfRun = [&](const ComputerReadings& one) {
        return one.own || std::ranges::any_of(one.counters, [&](const CounterReading& reading) {
            return !logs.contains(reading.source);
        });
    };
    std::map<std::string, std::size_t> roles, ofRun;
    for (const ComputerReadings& one : computers) {
        ++roles[one.role];
        ofRun[one.role] += isOfRun(one) ? 1 : 0;
    }
    std::vector<std::string> names;
    for (const ComputerReadings& one : computers) {
        const bool isAlone = roles[one.role] == 1 || (ofRun[one.role] == 1 && isOfRun(one));
        names.push_back(!one.role.empty() && isAlone ? one.role
                : !one.computer.empty()              ? one.computer
                                                     : "this machine");
    }
    return names;
}

/// Its samples are enough for a figure.
bool hasEnoughSamples(const CounterReading& reading)
{
    return reading.samples > 0 && (reading.coverage >= kEnoughCovered || restsWhileIdle(reading.counter));
}

bool isDetail(const ComputerReadings& computer, const CounterReading& reading, std::size_t foreign)
{
    if (computer.role == "generator" || (computer.own && computer.role.empty()))
        return reading.counter.key != SeriesKey(Quantity::processorTime);
    if (reading.counter.key.foreign)
        return foreign > kFewForeign;
    return !reading.counter.key.quantity || !isUsual(*reading.counter.key.quantity);
}

std::string groupOf(const std::string& computer)
{
    return computer == "sut"      ? "Server"
        : computer == "generator" ? "Generator"
        : computer == "directory" ? "Directory"
                                  : computer;
}

ComparedValue valueOf(
    const CounterReading& reading, const std::string& computer, const char* figure, double value, bool detail)
{
    ComparedValue to;
    to.key.figure = figure;
    to.key.counter = withoutHost(reading.counter.key); // the row has the computer for itself
    to.key.computer = computer;
    to.group = groupOf(computer);
    CounterInfo named = reading.counter;
    named.computer.clear();
    to.label = named.path();
    to.statistic = Statistic::mean;
    if (const auto id = findFigure(to.key.figure)) {
        to.statistic = infoOf(*id).statistic;
        to.version = infoOf(*id).version;
    }
    if (to.statistic == Statistic::maximum)
        to.label += ", maximum";
    if (std::isfinite(value) && hasEnoughSamples(reading))
        to.value = value;
    to.flags.missing = !to.value;
    to.unit = reading.unit();
    to.rounding = { Notation::rate };
    to.counts = reading.counter.counts;
    to.samples = reading.samples;
    to.detail = detail;
    if (reading.counter.key.quantity) {
        const QuantityInfo& info = infoOf(*reading.counter.key.quantity);
        to.better = info.better;
        to.version += static_cast<int>(info.version) - 1;
    }
    return to;
}

Result<void> addComputer(
    const Recording& recording, const ComputerReadings& computer, const std::string& name, ComparedMix& mix)
{
    const auto foreign = static_cast<std::size_t>(std::ranges::count_if(
        computer.counters, [](const CounterReading& one) { return one.counter.key.foreign.has_value(); }));
    // Of several sources of one counter that counts which has the most samples.
    std::map<SeriesKey, const CounterReading*> best;
    for (const CounterReading& one : computer.counters) {
        const auto [at, isNew] = best.try_emplace(withoutHost(one.counter.key), &one);
        if (!isNew && one.coverage > at->second->coverage)
            at->second = &one;
    }
    for (const CounterReading& one : computer.counters) {
        if (one.samples == 0 || best[withoutHost(one.counter.key)] != &one)
            continue;
        const bool detail = isDetail(computer, one, foreign);
        ComparedValue average = valueOf(one, name, "counter.average", one.average, detail);
        if (!detail && average.value) {
            const auto error = errorOfCounter(recording, one, mix.window);
            if (!error)
                return error.error();
            average.withinError = *error;
        }
        mix.values.push_back(std::move(average));
        mix.values.push_back(valueOf(one, name, "counter.maximum", one.maximum, true));
    }
    return {};
}

} // namespace

Result<void> addReadings(
    const Recording& recording, const std::optional<TimeWindow>& window, std::vector<ComparedMix>& mixes)
{
    const auto readings = readingsOf(recording, window);
    if (!readings)
        return readings.error();
    const auto logs = logsOf(recording);
    if (!logs)
        return logs.error();
    for (const MeasuredReadings& part : *readings)
        for (ComparedMix& mix : mixes) {
            if (mix.index != part.mix)
                continue;
            const auto names = namesOf(part.computers, *logs);
            for (std::size_t i = 0; i < part.computers.size(); ++i)
                if (auto done = addComputer(recording, part.computers[i], names[i], mix); !done)
                    return done;
        }
    return {};
}

} // namespace loadstone::compare
