// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"

namespace loadstone::analysis {

namespace {

using enum FigureTable;
using Time = Nanoseconds LatencySummary::*;
using Bound = bool AtLeast::*;

/// A time of a summary that has one.
template <Time time, Bound bound>
Measured timeOf(const LatencySummary& latency)
{
    if (latency.empty())
        return {};
    return { seconds(latency.*time), latency.count + latency.unfinished, latency.atLeast.*bound };
}

/// The least is known, whatever has not ended.
Measured leastOf(const LatencySummary& latency)
{
    return latency.empty() ? Measured {} : Measured { seconds(latency.minimum), latency.count };
}

constexpr auto kMeanOf = timeOf<&LatencySummary::mean, &AtLeast::mean>;
constexpr auto kP50Of = timeOf<&LatencySummary::p50, &AtLeast::p50>;
constexpr auto kP95Of = timeOf<&LatencySummary::p95, &AtLeast::p95>;
constexpr auto kP99Of = timeOf<&LatencySummary::p99, &AtLeast::p99>;
constexpr auto kP999Of = timeOf<&LatencySummary::p999, &AtLeast::p999>;
constexpr auto kMostOf = timeOf<&LatencySummary::maximum, &AtLeast::maximum>;
constexpr auto kCountOf = +[](const LatencySummary& latency) { return counted(latency.count); };

/// What the rows of one kind of latency share.
constexpr FigureInfo timeInfo(FigureTable table, std::string_view csvTable, std::string_view csvItem,
    std::string_view help, std::string_view key, std::string_view column, std::string_view name,
    std::string_view quantity, Statistic statistic)
{
    const bool isCount = statistic == Statistic::total;
    FigureInfo info { .key = key,
        .table = table,
        .column = column,
        .name = name,
        .unit = isCount ? Unit::one : Unit::seconds,
        .rounding = isCount ? kWhole : kLatency,
        .better = isCount ? Better::more : Better::less,
        .statistic = statistic,
        .kinds = table == delivery               ? kMail
            : table == device || table == queued ? kIo
                                                 : kAll,
        .csv = { csvTable, csvItem, quantity },
        .help = help };
    info.shown = statistic != Statistic::minimum;
    return info;
}

constexpr FigureRow kActionRows[] {
    { { .key = "actions.due",
          .table = standing,
          .column = "Due",
          .name = "Actions that were due",
          .better = Better::neither,
          .kinds = kAll,
          .csv = { "actions", "", "due" },
          .help = "Meant to begin in the measurement phase." },
        +[](const ActionCounts& c) { return counted(c.due); } },
    { { .key = "actions.begun",
          .table = standing,
          .column = "Begun",
          .name = "Actions that were begun",
          .better = Better::more,
          .kinds = kAll,
          .csv = { "actions", "", "begun" },
          .help = "Begun in the measurement phase." },
        +[](const ActionCounts& c) { return counted(c.begun); } },
    { { .key = "actions.ended-well",
          .table = standing,
          .column = "Ended well",
          .name = "Actions that ended well",
          .better = Better::more,
          .kinds = kAll,
          .csv = { "actions", "", "ended" },
          .help = "Ended well in the measurement phase." },
        +[](const ActionCounts& c) { return counted(c.ended); } },
    { { .key = "actions.ended-badly",
          .table = standing,
          .column = "Failed",
          .name = "Actions that ended badly",
          .better = Better::less,
          .kinds = kAll,
          .csv = { "actions", "", "failed" },
          .help = "Ended badly in the measurement phase." },
        +[](const ActionCounts& c) { return counted(c.failed); } },
    { { .key = "actions.unfinished",
          .table = standing,
          .column = "Unfinished",
          .name = "Unfinished actions",
          .better = Better::less,
          .kinds = kAll,
          .csv = { "actions", "", "unfinished" },
          .help = "Due by the end of the measurement phase, begun or not, and not ended by then." },
        +[](const ActionCounts& c) { return counted(c.unfinished); } },

    // Response time
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.count", "Count",
          "Response time, count", "count", Statistic::total),
        kCountOf },
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.average",
          "Average", "Response time, average", "average", Statistic::mean),
        kMeanOf },
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.minimum",
          "Minimum", "Response time, minimum", "minimum", Statistic::minimum),
        leastOf },
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.p50", "50 %",
          "Response time, 50th percentile", "p50", Statistic::percentile),
        kP50Of },
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.p95", "95 %",
          "Response time, 95th percentile", "p95", Statistic::percentile),
        kP95Of },
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.p99", "99 %",
          "Response time, 99th percentile", "p99", Statistic::percentile),
        kP99Of },
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.p99.9",
          "99.9 %", "Response time, 99.9th percentile", "p99.9", Statistic::percentile),
        kP999Of },
    { timeInfo(response, "response time", "",
          "From when it was due to its end; unfinished ones count with their age.", "response.maximum",
          "Maximum", "Response time, maximum", "maximum", Statistic::maximum),
        kMostOf },

    // Service time
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.count", "Count",
          "Service time, count", "count", Statistic::total),
        kCountOf },
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.average",
          "Average", "Service time, average", "average", Statistic::mean),
        kMeanOf },
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.minimum",
          "Minimum", "Service time, minimum", "minimum", Statistic::minimum),
        leastOf },
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.p50", "50 %",
          "Service time, 50th percentile", "p50", Statistic::percentile),
        kP50Of },
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.p95", "95 %",
          "Service time, 95th percentile", "p95", Statistic::percentile),
        kP95Of },
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.p99", "99 %",
          "Service time, 99th percentile", "p99", Statistic::percentile),
        kP99Of },
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.p99.9", "99.9 %",
          "Service time, 99.9th percentile", "p99.9", Statistic::percentile),
        kP999Of },
    { timeInfo(service, "service time", "", "From when it was begun to its end.", "service.maximum",
          "Maximum", "Service time, maximum", "maximum", Statistic::maximum),
        kMostOf },

    // Service time of a command
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.count", "Count",
          "Service time of a command, count", "count", Statistic::total),
        kCountOf },
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.average", "Average",
          "Service time of a command, average", "average", Statistic::mean),
        kMeanOf },
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.minimum", "Minimum",
          "Service time of a command, minimum", "minimum", Statistic::minimum),
        leastOf },
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.p50", "50 %",
          "Service time of a command, 50th percentile", "p50", Statistic::percentile),
        kP50Of },
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.p95", "95 %",
          "Service time of a command, 95th percentile", "p95", Statistic::percentile),
        kP95Of },
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.p99", "99 %",
          "Service time of a command, 99th percentile", "p99", Statistic::percentile),
        kP99Of },
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.p99.9", "99.9 %",
          "Service time of a command, 99.9th percentile", "p99.9", Statistic::percentile),
        kP999Of },
    { timeInfo(command, "command service time", "", "From sent to answered.", "command.maximum", "Maximum",
          "Service time of a command, maximum", "maximum", Statistic::maximum),
        kMostOf },

    // Delivery time
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.count",
          "Count", "Delivery time, count", "count", Statistic::total),
        kCountOf },
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.average",
          "Average", "Delivery time, average", "average", Statistic::mean),
        kMeanOf },
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.minimum",
          "Minimum", "Delivery time, minimum", "minimum", Statistic::minimum),
        leastOf },
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.p50", "50 %",
          "Delivery time, 50th percentile", "p50", Statistic::percentile),
        kP50Of },
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.p95", "95 %",
          "Delivery time, 95th percentile", "p95", Statistic::percentile),
        kP95Of },
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.p99", "99 %",
          "Delivery time, 99th percentile", "p99", Statistic::percentile),
        kP99Of },
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.p99.9",
          "99.9 %", "Delivery time, 99.9th percentile", "p99.9", Statistic::percentile),
        kP999Of },
    { timeInfo(delivery, "delivery time", "delivery", "From acceptance to retrieval.", "delivery.maximum",
          "Maximum", "Delivery time, maximum", "maximum", Statistic::maximum),
        kMostOf },

    // Time in the device
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.count", "Count", "Time in the device, count", "count", Statistic::total),
        kCountOf },
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.average", "Average", "Time in the device, average", "average", Statistic::mean),
        kMeanOf },
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.minimum", "Minimum", "Time in the device, minimum", "minimum", Statistic::minimum),
        leastOf },
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.p50", "50 %", "Time in the device, 50th percentile", "p50", Statistic::percentile),
        kP50Of },
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.p95", "95 %", "Time in the device, 95th percentile", "p95", Statistic::percentile),
        kP95Of },
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.p99", "99 %", "Time in the device, 99th percentile", "p99", Statistic::percentile),
        kP99Of },
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.p99.9", "99.9 %", "Time in the device, 99.9th percentile", "p99.9", Statistic::percentile),
        kP999Of },
    { timeInfo(device, "time in the device", "", "From when the kernel had the I/O to its completion.",
          "device.maximum", "Maximum", "Time in the device, maximum", "maximum", Statistic::maximum),
        kMostOf },

    // Time before the device
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.count", "Count",
          "Time before the device, count", "count", Statistic::total),
        kCountOf },
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.average", "Average",
          "Time before the device, average", "average", Statistic::mean),
        kMeanOf },
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.minimum", "Minimum",
          "Time before the device, minimum", "minimum", Statistic::minimum),
        leastOf },
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.p50", "50 %",
          "Time before the device, 50th percentile", "p50", Statistic::percentile),
        kP50Of },
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.p95", "95 %",
          "Time before the device, 95th percentile", "p95", Statistic::percentile),
        kP95Of },
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.p99", "99 %",
          "Time before the device, 99th percentile", "p99", Statistic::percentile),
        kP99Of },
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.p99.9", "99.9 %",
          "Time before the device, 99.9th percentile", "p99.9", Statistic::percentile),
        kP999Of },
    { timeInfo(queued, "time before the device", "",
          "From when the I/O was due, or asked for, to when the kernel had it.", "queued.maximum", "Maximum",
          "Time before the device, maximum", "maximum", Statistic::maximum),
        kMostOf },
};

} // namespace

std::span<const FigureRow> actionFigures()
{
    return kActionRows;
}

} // namespace loadstone::analysis
