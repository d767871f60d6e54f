// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    /// "% Processor Time (_Total)": for boxes where the object would take too much room.
    [[nodiscard]] QString shortName() const;
};

/// What the lines of each source are known by: its origin, which is made unlike those before it.
std::vector<std::string> sourceNames(const std::vector<SourceInfo>& sources);
/// Every line that a recording can show: its counters, then p50, p95 and p99 of its latency series, then its sources' counters.
std::vector<LineInfo> linesOf(const RunHeader& header, const std::vector<SourceInfo>& sources = {});
/// Whether the run had to do with mail, and not with storage alone; and whether it had a page store's databases.
bool hasMail(const RunHeader& header);
bool hasDatabases(const RunHeader& header);
/// A sensible first choice. For a mail run: message rates, processor, sessions and the p95 of each action that occurs among
/// `latencies`. For a storage test: what the first groups read and write, how long that takes, and the processor. Without any
/// of those, the recording's first counters.
std::vector<LineKey> defaultLines(const RunHeader& header, const std::vector<LatencyRow>& latencies);

} // namespace loadstone::ui
