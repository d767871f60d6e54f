// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/computer.h>
#include <loadstone/recording.h>
#include <loadstone/results.h>
#include <loadstone/source.h>

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace loadstone::ui {

/// Says what a chart's line shows, the same in every recording that has it: a counter, or a percentile of a latency series. Its text
/// is what settings remember.
struct LineKey {
    SeriesKey series;
    double percentile = 0; ///< of a latency series, 0 to 100
    std::string
        source {}; ///< the origin of the recording's source that has the counter; empty: the run's own

    static LineKey ofCounter(const CounterInfo& info);
    static LineKey ofSource(const std::string& source, const CounterInfo& info);
    static LineKey ofLatency(const HistogramInfo& info, double percentile);
    [[nodiscard]] bool isLatency() const { return series.clock.has_value(); }
    /// The path of the counter, or the name of the latency series.
    [[nodiscard]] std::string name() const;
    /// "counter:host.processor-time", "latency:95:actions.time;action=Send message;clock=response",
    /// "source:log%20ex.csv:foreign;computer=EX;object=Database;..." with the origin percent-encoded.
    [[nodiscard]] QString text() const;
    static std::optional<LineKey> parse(const QString& text);
    bool operator==(const LineKey&) const = default;
};

/// What the legend says of a line.
struct LineInfo {
    LineKey key;
    QString counter, instance, object, computer, unit, help;
    QString source {}; ///< where it is from, if it is not the run's own
    QString
        family {}; ///< the kind of object that it is of: lines of the same unit and family are drawn alike
    std::string role {}; ///< of its computer: "sut", "generator", "directory"; empty: none is known
    std::string host {}; ///< its computer by the name that plans have; empty: the run's own, or not known
    /// "% Processor Time (_Total)", "% Processor Time (_Total), log ex.csv": for boxes where object and folders would take too much room.
    /// `withObject`: "Process: % Processor Time (_Total)".
    [[nodiscard]] QString shortName(bool withObject = false) const;
};
/// Both are counters of one name and of different objects, as % Processor Time of Processor and Process: side by side their short names need
/// the object.
bool differByObject(const LineInfo& one, const LineInfo& other);

/// The processor time of a whole computer: a series of ours, or a counter of an attached log that has the same name.
bool isProcessorTime(const SeriesKey& key);

/// What the lines of each source are known by: its origin, which is made unlike those before it.
std::vector<std::string> sourceNames(const std::vector<SourceInfo>& sources);
/// "system under test" for "sut"; a role that is not known is itself.
QString roleName(const std::string& role);
/// Every line that a recording can show: its counters, rates of its actions and commands, then p50, p95 and p99 of its latency
/// series, then its sources' counters, then those that its plan or the user derives. `computers`: as computersOf() says.
std::vector<LineInfo> linesOf(const RunHeader& header, const std::vector<SourceInfo>& sources = {},
    const std::vector<ComputerFacts>& computers = {}, const std::vector<CounterInfo>& derived = {});
/// A counter of the machine, and not of the load that it makes.
bool isOfMachine(const CounterInfo& info);
/// Whether both have the same counters. A source that is being written changes with every tick; its counters seldom do.
bool haveSameLines(const std::vector<SourceInfo>& a, const std::vector<SourceInfo>& b);
/// What can be said of a line by its key alone, for a recording that does not have it.
LineInfo lineWithout(const LineKey& key);

/// Charts, boxes and legend show times in milliseconds, as all tables do. 1000 for a counter of Loadstone's own whose values are
/// seconds, else 1.
double shownFactor(const CounterInfo& info);
/// Whether the run had to do with mail, and not with storage alone; and whether it had a page store's databases.
bool hasMail(const RunHeader& header);
bool hasDatabases(const RunHeader& header);

} // namespace loadstone::ui
