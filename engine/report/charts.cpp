// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/charts.h"

#include "analysis/database_series.h"
#include "analysis/io_series.h"
#include "history/recording_reader.h"
#include "history/recording_writer.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone::report {

namespace {

constexpr std::size_t kStretches = 240; ///< points per curve: one per 4 pixels of a page
constexpr std::size_t kMostCurves = 6;

TimeWindow wholeRun(const Recording& recording)
{
    // A tick belongs to (begin, end]: the first one ends after 0.
    return { Nanoseconds(0), recording.length() };
}

std::vector<Band> bandsOf(const Recording& recording)
{
    std::vector<Band> bands;
    for (const Phase& phase : recording.phases()) {
        const Nanoseconds end = phase.open ? recording.length() : phase.end;
        if (end <= phase.begin)
            continue;
        Band band { seconds(phase.begin), seconds(end), phase.kind, "", "" };
        if (phase.kind == PhaseKind::measurement || phase.kind == PhaseKind::drain)
            band.label = phase.mixName.empty() ? toString(phase.kind) : phase.mixName;
        band.title = fmt::format("{}{}{}, {} to {}", phase.mixName, phase.mixName.empty() ? "" : ": ",
            toString(phase.kind), formatClock(phase.begin), formatClock(end));
        bands.push_back(std::move(band));
    }
    return bands;
}

Chart timeChart(const Recording& recording, const char* title, Quantity quantity)
{
    Chart chart;
    chart.title = title;
    chart.xTitle = "time since the run's start";
    chart.quantity = quantity;
    chart.bands = bandsOf(recording);
    return chart;
}

Result<Curve> counterCurve(const Recording& recording, std::uint32_t id, std::string name)
{
    const auto bands = recording.counterBands(id, wholeRun(recording), kStretches);
    if (!bands)
        return bands.error();
    Curve curve;
    curve.name = std::move(name);
    for (const CounterBand& band : *bands)
        curve.points.push_back({ seconds(band.begin + band.end) / 2, band.average });
    return curve;
}

bool hasValue(const Curve& curve)
{
    return std::any_of(
        curve.points.begin(), curve.points.end(), [](const Point& p) { return !std::isnan(p.y); });
}

double largest(const Curve& curve)
{
    double most = 0;
    for (const Point& point : curve.points)
        most = std::isnan(point.y) ? most : std::max(most, point.y);
    return most;
}

/// This machine's counter of that name, if it was recorded.
const CounterInfo* find(
    const Recording& recording, const char* object, const char* instance, const char* counter)
{
    for (const CounterInfo& info : recording.header().counters)
        if (info.computer.empty() && info.object == object && info.instance == instance
            && info.counter == counter)
            return &info;
    return nullptr;
}

Result<void> addCounter(const Recording& recording, const char* object, const char* counter, Chart& chart)
{
    const CounterInfo* info =
        find(recording, object, object == std::string("Processor") ? "_Total" : "", counter);
    if (info == nullptr)
        return {};
    auto curve = counterCurve(recording, info->id, info->counter);
    if (!curve)
        return curve.error();
    if (hasValue(*curve))
        chart.curves.push_back(*std::move(curve));
    return {};
}

/// One curve per instance of an object; those with the largest values when there are many.
Result<void> addInstances(const Recording& recording, const char* object, const char* counter, Chart& chart)
{
    std::vector<Curve> curves;
    for (const CounterInfo& info : recording.header().counters) {
        if (!info.computer.empty() || info.object != object || info.counter != counter)
            continue;
        auto curve = counterCurve(recording, info.id, info.instance);
        if (!curve)
            return curve.error();
        if (largest(*curve) > 0)
            curves.push_back(*std::move(curve));
    }
    std::stable_sort(
        curves.begin(), curves.end(), [](const Curve& a, const Curve& b) { return largest(a) > largest(b); });
    if (curves.size() > kMostCurves) {
        chart.note = fmt::format("The {} busiest of {}.", kMostCurves, curves.size());
        curves.resize(kMostCurves);
    }
    chart.curves = std::move(curves);
    return {};
}

/// A logarithmic axis where the curves lie more than a factor of 20 apart.
void chooseScale(Chart& chart)
{
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const Curve& curve : chart.curves)
        for (const Point& point : curve.points)
            if (point.y > 0) {
                least = std::min(least, point.y);
                most = std::max(most, point.y);
            }
    constexpr double kApart = 20;
    chart.logarithmic = most > least * kApart;
}

} // namespace

Result<Chart> messageRateChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Messages per second", Quantity::number);
    const history::ResultSeries& series = recording.impl().series();
    for (const auto& [id, name] :
        { std::pair(series.sent, "sent"), std::pair(series.received, "received") }) {
        if (id == history::kNoCounter)
            continue;
        auto curve = counterCurve(recording, id, name);
        if (!curve)
            return curve.error();
        chart.curves.push_back(*std::move(curve));
    }
    return chart;
}

Result<Chart> latencyChart(const Recording& recording, const HistogramInfo& series)
{
    const std::string title =
        fmt::format("{}{}{} time", series.name, series.scope == LatencyScope::delivery ? "" : ": ",
            series.scope == LatencyScope::delivery ? "" : toString(series.clock));
    Chart chart = timeChart(recording, title.c_str(), Quantity::seconds);
    const auto stretch = std::max<Nanoseconds>(std::chrono::seconds(1), recording.length() / kStretches);
    for (const auto& [percentile, name] : { std::pair(50.0, "50th percentile"),
             std::pair(95.0, "95th percentile"), std::pair(99.0, "99th percentile") }) {
        const auto points = recording.latencyCurve(series.id, percentile, wholeRun(recording), stretch);
        if (!points)
            return points.error();
        Curve curve;
        curve.name = name;
        Nanoseconds before {}; // a point stands for the stretch since the one before
        for (const CounterPoint& point : *points) {
            curve.points.push_back({ seconds(before + point.at) / 2, point.value });
            before = point.at;
        }
        if (hasValue(curve))
            chart.curves.push_back(std::move(curve));
    }
    chooseScale(chart);
    return chart;
}

Result<Chart> processorChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Processors of the generator's machine", Quantity::percent);
    for (const char* counter :
        { "% Processor Time", "% User Time", "% Privileged Time", "% I/O Wait Time", "% Steal Time" })
        if (const auto added = addCounter(recording, "Processor", counter, chart); !added)
            return added.error();
    // Lines on the floor of the chart only hide each other.
    std::erase_if(chart.curves,
        [](const Curve& curve) { return largest(curve) < 1 && curve.name != "% Processor Time"; });
    return chart;
}

Result<Chart> loadThreadChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Processor time of the load threads", Quantity::percent);
    if (const auto added = addInstances(recording, "Loadstone Generator", "% Processor Time", chart); !added)
        return added.error();
    return chart;
}

Result<Chart> contextSwitchChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Context switches per second", Quantity::number);
    if (const auto added = addCounter(recording, "System", "Context Switches/sec", chart); !added)
        return added.error();
    return chart;
}

Result<Chart> diskChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Disk transfers per second", Quantity::number);
    if (const auto added = addInstances(recording, "LogicalDisk", "Disk Transfers/sec", chart); !added)
        return added.error();
    return chart;
}

Result<Chart> ioRateChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "I/O per second", Quantity::number);
    if (const auto added = addInstances(recording, analysis::kStorageObject, analysis::kTransfers, chart);
        !added)
        return added.error();
    return chart;
}

Result<Chart> transactionChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Transactions per second", Quantity::number);
    if (const auto added = addInstances(recording, analysis::kDatabaseObject, analysis::kTransactions, chart);
        !added)
        return added.error();
    return chart;
}

Result<Chart> networkChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Network, bytes sent and received", Quantity::bytesPerSecond);
    if (const auto added = addInstances(recording, "Network Interface", "Bytes Total/sec", chart); !added)
        return added.error();
    return chart;
}

Result<Chart> failureChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Failed actions per second", Quantity::number);
    auto curve = counterCurve(recording, recording.impl().series().failures, "failed");
    if (!curve)
        return curve.error();
    if (largest(*curve) > 0)
        chart.curves.push_back(*std::move(curve));
    return chart;
}

namespace {

/// The mixes that measured something, by their number of users.
std::vector<const MixResult*> byUsers(const RunResults& results)
{
    std::vector<const MixResult*> mixes;
    for (const MixResult& mix : results.mixes)
        if (mix.measured.end > mix.measured.begin && mix.mailboxes > 0)
            mixes.push_back(&mix);
    std::stable_sort(
        mixes.begin(), mixes.end(), [](auto* a, auto* b) { return a->mailboxes < b->mailboxes; });
    return mixes;
}

Chart usersChart(const char* title, Quantity quantity)
{
    Chart chart;
    chart.title = title;
    chart.quantity = quantity;
    chart.timeAxis = false;
    chart.xTitle = "simulated users";
    return chart;
}

} // namespace

Chart responseByUsersChart(const RunResults& results)
{
    Chart chart = usersChart("Average response time by users", Quantity::seconds);
    const auto mixes = byUsers(results);
    if (mixes.size() < 2)
        return chart;
    for (const MixResult* mix : mixes)
        for (const LatencyRow& action : mix->actions) {
            if (!action.response || action.response->count == 0)
                continue;
            auto curve = std::find_if(chart.curves.begin(), chart.curves.end(),
                [&](const Curve& c) { return c.name == action.name; });
            if (curve == chart.curves.end()) {
                if (chart.curves.size() == kMostCurves)
                    continue;
                chart.curves.push_back({ action.name, {}, true });
                curve = std::prev(chart.curves.end());
            }
            curve->points.push_back({ static_cast<double>(mix->mailboxes), seconds(action.response->mean) });
        }
    return chart;
}

Chart ratesByUsersChart(const RunResults& results)
{
    Chart chart = usersChart("Messages per second by users, valid phase", Quantity::number);
    const auto mixes = byUsers(results);
    if (mixes.size() < 2)
        return chart;
    Curve sent { "sent", {}, true }, received { "received", {}, true };
    for (const MixResult* mix : mixes) {
        const auto users = static_cast<double>(mix->mailboxes);
        sent.points.push_back({ users, mix->measured.sentPerSecond });
        received.points.push_back({ users, mix->measured.receivedPerSecond });
    }
    chart.curves = { std::move(sent), std::move(received) };
    return chart;
}

} // namespace loadstone::report
