// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reading_tables.h"

#include "report/cells.h"
#include "report/text_tables.h"
#include "report/wording.h"

#include <loadstone/report.h>
#include <loadstone/source.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace loadstone {
namespace report {

namespace {

constexpr std::size_t kFewCounters = 40; // no more are all shown

/// "the system under test": for titles.
std::string_view roleText(const ComputerReadings& computer)
{
    struct Role {
        std::string_view key, text;
    };
    constexpr std::array kRoles { Role { "sut", "the system under test" },
        Role { "directory", "a directory server" }, Role { "generator", "a load generator" } };
    const auto role = std::ranges::find(kRoles, computer.role, &Role::key);
    return role == kRoles.end() ? std::string_view() : role->text;
}

/// What the published reports print of a server.
bool isUsual(Quantity quantity)
{
    using enum Quantity;
    constexpr std::array kUsual { processorTime, userTime, privilegedTime, availableMemory, pagesSwapped,
        pageReads, diskReads, diskWrites, diskTransfers, diskSecondsPerRead, diskSecondsPerWrite,
        meanDiskQueue, networkBytesReceived, networkBytesSent, networkBytes, tcpConnections, mailQueueLength,
        processProcessorTime, processWorkingSet };
    return std::ranges::count(kUsual, quantity) > 0;
}

std::string titleOf(const ComputerReadings& computer, bool folded)
{
    const std::string_view role = roleText(computer);
    std::string title = fmt::format("{} of {}", folded ? "More counters" : "Counters",
        computer.computer.empty() ? "this machine" : computer.computer);
    if (computer.own)
        title += role == "a load generator" ? ", the load generator" : ", where Loadstone ran";
    if (!role.empty() && !(computer.own && computer.role == "generator"))
        title += fmt::format(", {}", role);
    return title;
}

/// Digits of a row: times in the device are fractions of a millisecond, and so may other values be small.
int decimalsOf(const CounterReading& reading)
{
    const double largest = std::max(std::abs(reading.minimum), std::abs(reading.maximum));
    return reading.unit() == "s" || (largest > 0 && largest < 0.1) ? 6 : 3;
}

Number numberOf(double value, int decimals)
{
    return { std::isnan(value) ? std::nullopt : std::optional(value), Unit::one,
        { Notation::decimals, decimals } };
}

/// The path without the computer, which the title names.
std::string shortPath(CounterInfo counter)
{
    counter.computer.clear();
    return counter.path();
}

/// Of other computers the usual counters; those from elsewhere, too, where they are few: somebody chose them.
bool isUsual(const ComputerReadings& computer, const CounterReading& reading)
{
    if (computer.own)
        return false;
    if (reading.counter.key.quantity)
        return computer.counters.size() <= kFewCounters || isUsual(*reading.counter.key.quantity);
    const auto foreign = std::ranges::count_if(
        computer.counters, [](const CounterReading& one) { return one.counter.key.foreign.has_value(); });
    return static_cast<std::size_t>(foreign) <= kFewCounters;
}

bool isChosen(const ComputerReadings& computer, const CounterReading& reading, ReadingChoice choice)
{
    return choice == ReadingChoice::all || isUsual(computer, reading) == (choice == ReadingChoice::usual);
}

/// Of one computer over one measurement.
Table tableOf(
    const MeasuredReadings& part, const ComputerReadings& computer, ReadingChoice choice, bool ofWindow)
{
    Table table { titleOf(computer, choice == ReadingChoice::others && !computer.own)
            + (part.name.empty() ? std::string() : ": " + part.name)
            + (ofWindow ? ", " + clockText(part.window.begin, part.window.end) : std::string()),
        "",
        { { "Counter", kText }, { "Unit", kText }, { "Average" }, { "Minimum" }, { "Maximum" },
            { "Samples" } },
        {} };
    table.folded = choice == ReadingChoice::others;
    const auto isShown = [&](const CounterReading& reading) { return isChosen(computer, reading, choice); };
    const bool gaps = std::ranges::any_of(computer.counters, [&](const CounterReading& reading) {
        return isShown(reading) && reading.samples > 0 && !coversAll(reading.coverage);
    });
    if (gaps)
        table.columns.push_back({ "Covered" });
    // A computer may have been looked at by several, such as the run itself and a source of the plan: under the same names.
    const bool sources = std::ranges::any_of(computer.counters, [&](const CounterReading& reading) {
        return isShown(reading) && reading.source != computer.counters.front().source;
    });
    if (sources)
        table.columns.push_back({ "Source", kText });
    std::size_t silent = 0;
    for (const CounterReading& reading : computer.counters) {
        if (!isShown(reading))
            continue;
        if (reading.samples == 0) {
            ++silent;
            continue;
        }
        const int decimals = decimalsOf(reading);
        auto& row = table.rows.emplace_back(std::vector<Cell> { shortPath(reading.counter), reading.unit(),
            numberOf(reading.average, decimals), numberOf(reading.minimum, decimals),
            numberOf(reading.maximum, decimals), countCell(reading.samples) });
        if (gaps)
            row.push_back(coverageCell(reading.coverage));
        if (sources)
            row.push_back(
                reading.source == 0 ? std::string("the run") : fmt::format("source {}", reading.source));
    }
    if (gaps)
        table.note = kCoveredNote;
    if (silent > 0)
        table.note += fmt::format("{}{} without a sample {} left out.", gaps ? " " : "",
            plural(silent, "counter"), silent == 1 ? "is" : "are");
    return table;
}

} // namespace

bool coversAll(double coverage)
{
    return coverage > 0.9995;
}

Cell coverageCell(double coverage)
{
    return Number { coverage, Unit::share, { Notation::percentDecimals, 1 } };
}

std::vector<Table> readingTables(
    const std::vector<MeasuredReadings>& readings, ReadingChoice choice, bool ofWindow)
{
    std::vector<Table> tables;
    const std::size_t computers = readings.empty() ? 0 : readings.front().computers.size();
    for (std::size_t computer = 0; computer < computers;
         ++computer) // one after the other, each with all mixes
        for (const MeasuredReadings& part : readings)
            if (Table table = tableOf(part, part.computers.at(computer), choice, ofWindow); !table.empty())
                tables.push_back(std::move(table));
    return tables;
}

Result<Table> sourceTable(const Recording& recording)
{
    Table table { "Sources of counters",
        "Other computers, commands and logs. Begin and end are since the run's start, by the place in the "
        "run that the source has now. Against its clock: by how much a log lies later in the run (below 0: "
        "earlier) than the clock of its computer says.",
        { { "No." }, { "Source", kText }, { "Computer", kText }, { "Role", kText }, { "Begins [s]" },
            { "Ends [s]" }, { "Samples" }, { "Against its clock [s]" }, { "Moved by hand", kText } },
        {} };
    const auto sources = sourcesOf(recording);
    if (!sources)
        return sources.error();
    for (const SourceInfo& source : *sources) {
        const auto moves = movesOf(recording, source.id);
        if (!moves)
            return moves.error();
        const auto at = [&](Nanoseconds own) {
            return Number { seconds(own + source.offset), Unit::one, { Notation::decimals, 3 } };
        };
        const std::size_t times = moves->empty() ? 0 : moves->size() - 1;
        const std::string moved = times == 0 ? std::string()
                                             : fmt::format("{}, {:+.3f} s in total", plural(times, "time"),
                                                 seconds(moves->back().offset - moves->front().offset));
        const auto against = againstItsClock(source, recording.header().started);
        table.rows.push_back({ countCell(source.id), source.origin, source.computer, source.role,
            at(source.begin), at(source.end), countCell(source.ticks),
            against ? Cell(Number { seconds(*against), Unit::one, { Notation::decimals, 3 } }) : Cell("-"),
            moved });
    }
    return table;
}

} // namespace report

Result<std::string> formatReadings(
    const Recording& recording, bool all, std::size_t width, const std::optional<TimeWindow>& window)
{
    using namespace report;
    const auto readings = readingsOf(recording, window);
    if (!readings)
        return readings.error();
    std::string out;
    for (const Table& table :
        readingTables(*readings, all ? ReadingChoice::all : ReadingChoice::usual, window.has_value()))
        appendTable(out, table, width);
    std::size_t hidden = 0;
    if (!all && !readings->empty())
        for (const ComputerReadings& computer : readings->front().computers)
            hidden += static_cast<std::size_t>(
                std::ranges::count_if(computer.counters, [&](const CounterReading& reading) {
                    return !computer.own && isChosen(computer, reading, ReadingChoice::others);
                }));
    if (hidden > 0)
        appendWrapped(
            out, fmt::format("{} of other computers: --all-counters", plural(hidden, "more counter")), width);
    return out;
}

} // namespace loadstone
