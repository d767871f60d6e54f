// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/charts.h"

#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

Chart timeChart(const Recording& recording, const char* title, AxisUnit quantity)
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

/// The curve of a counter that has no subject, if it was recorded.
Result<void> addCounter(const Recording& recording, Quantity quantity, Chart& chart)
{
    const auto counter = findSeries(recording.header().counters, quantity);
    if (!counter)
        return {};
    auto curve = counterCurve(recording, *counter, std::string(infoOf(quantity).counter));
    if (!curve)
        return curve.error();
    if (hasValue(*curve))
        chart.curves.push_back(*std::move(curve));
    return {};
}

/// One curve for each series of these quantities on this machine; those with the largest values when there are many.
Result<void> addSubjects(const Recording& recording, std::initializer_list<Quantity> quantities, Chart& chart)
{
    std::vector<Curve> curves;
    for (const CounterInfo& info : recording.header().counters) {
        const bool wanted =
            std::ranges::any_of(quantities, [&](Quantity quantity) { return info.key.quantity == quantity; });
        if (!wanted || !info.key.subject.host.empty())
            continue;
        auto curve = counterCurve(recording, info.id, instanceOf(info.key));
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
            if (point.y > 0 && !chart.isAside(point)) {
                least = std::min(least, point.y);
                most = std::max(most, point.y);
            }
    constexpr double kApart = 20;
    chart.logarithmic = most > least * kApart;
}

} // namespace

Result<Chart> messageRateChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Messages per second", AxisUnit::number);
    for (const auto& [quantity, name] :
        { std::pair(Quantity::messagesSent, "sent"), std::pair(Quantity::messagesReceived, "received") }) {
        const auto counter = findSeries(recording.header().counters, quantity);
        if (!counter)
            continue;
        auto curve = counterCurve(recording, *counter, name);
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
    Chart chart = timeChart(recording, title.c_str(), AxisUnit::seconds);
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
    Chart chart = timeChart(recording, "Processors of the generator's machine", AxisUnit::percent);
    if (const auto added = addCounter(recording, Quantity::processorTime, chart); !added)
        return added.error();
    const std::size_t kept = chart.curves.size();
    for (const Quantity quantity :
        { Quantity::userTime, Quantity::privilegedTime, Quantity::ioWaitTime, Quantity::stealTime })
        if (const auto added = addCounter(recording, quantity, chart); !added)
            return added.error();
    // Lines on the floor of the chart only hide each other.
    chart.curves.erase(std::remove_if(chart.curves.begin() + static_cast<std::ptrdiff_t>(kept),
                           chart.curves.end(), [](const Curve& curve) { return largest(curve) < 1; }),
        chart.curves.end());
    return chart;
}

Result<Chart> loadThreadChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Processor time of the load threads", AxisUnit::percent);
    if (const auto added =
            addSubjects(recording, { Quantity::busiestWorker, Quantity::workerProcessorTime }, chart);
        !added)
        return added.error();
    return chart;
}

Result<Chart> contextSwitchChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Context switches per second", AxisUnit::number);
    if (const auto added = addCounter(recording, Quantity::contextSwitches, chart); !added)
        return added.error();
    return chart;
}

Result<Chart> diskChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Disk transfers per second", AxisUnit::number);
    if (const auto added = addSubjects(recording, { Quantity::diskTransfers }, chart); !added)
        return added.error();
    return chart;
}

Result<Chart> ioRateChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "I/O per second", AxisUnit::number);
    if (const auto added = addSubjects(recording, { Quantity::transfers }, chart); !added)
        return added.error();
    return chart;
}

Result<Chart> transactionChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Transactions per second", AxisUnit::number);
    if (const auto added = addSubjects(recording, { Quantity::transactions }, chart); !added)
        return added.error();
    return chart;
}

Result<Chart> networkChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Network, bytes sent and received", AxisUnit::bytesPerSecond);
    if (const auto added = addSubjects(recording, { Quantity::networkBytes }, chart); !added)
        return added.error();
    return chart;
}

Result<Chart> failureChart(const Recording& recording)
{
    Chart chart = timeChart(recording, "Failed actions per second", AxisUnit::number);
    const auto failures = analysis::attemptsIn(recording.header()).failed;
    if (!failures)
        return chart;
    auto curve = counterCurve(recording, *failures, "failed");
    if (!curve)
        return curve.error();
    if (largest(*curve) > 0)
        chart.curves.push_back(*std::move(curve));
    return chart;
}

namespace {

/// The mixes that measured something, by their number of users; none where all have as many, as mixes of more and more threads.
std::vector<const MixResult*> byUsers(const RunResults& results)
{
    std::vector<const MixResult*> mixes;
    for (const MixResult& mix : results.mixes)
        if (mix.measured.end > mix.measured.begin && mix.mailboxes > 0)
            mixes.push_back(&mix);
    std::stable_sort(
        mixes.begin(), mixes.end(), [](auto* a, auto* b) { return a->mailboxes < b->mailboxes; });
    if (!mixes.empty() && mixes.front()->mailboxes == mixes.back()->mailboxes)
        mixes.clear();
    return mixes;
}

Chart usersChart(const char* title, AxisUnit quantity)
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
    Chart chart = usersChart("Average response time by users", AxisUnit::seconds);
    const auto mixes = byUsers(results);
    if (mixes.size() < 2)
        return chart;
    std::vector<SeriesKey> keys; // of the actions that the curves are about
    for (const MixResult* mix : mixes)
        for (const LatencyRow& action : mix->actions) {
            if (!action.response || action.response->count == 0)
                continue;
            const auto curve = static_cast<std::size_t>(std::ranges::find(keys, action.key) - keys.begin());
            if (curve == keys.size()) {
                if (keys.size() == kMostCurves)
                    continue;
                keys.push_back(action.key);
                chart.curves.push_back({ action.name, {}, true });
            }
            chart.curves[curve].points.push_back(
                { static_cast<double>(mix->mailboxes), seconds(action.response->mean) });
        }
    return chart;
}

Chart ratesByUsersChart(const RunResults& results)
{
    Chart chart = usersChart(results.window ? "Messages per second by users, window"
                                            : "Messages per second by users, measurements",
        AxisUnit::number);
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

Chart processorByUsersChart(const RunResults& results, const std::vector<MeasuredReadings>& readings)
{
    Chart chart = usersChart("Mean processor time of servers by users", AxisUnit::percent);
    const auto mixes = byUsers(results);
    if (mixes.size() < 2)
        return chart;
    std::map<std::string, Curve> curves; // by computer
    for (const MixResult* mix : mixes)
        for (const MeasuredReadings& part : readings) {
            if (part.mix != mix->mix)
                continue;
            for (const ComputerReadings& computer : part.computers) {
                const CounterReading* best = nullptr; // of several sources
                for (const CounterReading& reading : computer.counters) {
                    Subject whole;
                    whole.host = reading.counter.key.subject.host;
                    const bool processor = reading.counter.key == SeriesKey(Quantity::processorTime, whole);
                    if (!processor || computer.role.empty() || computer.role == "generator"
                        || reading.samples == 0 || reading.coverage < kEnoughCovered)
                        continue;
                    if (best == nullptr || reading.coverage > best->coverage)
                        best = &reading;
                }
                if (best != nullptr)
                    curves[computer.computer].points.push_back(
                        { static_cast<double>(mix->mailboxes), best->average });
            }
        }
    for (auto& [computer, curve] : curves) {
        curve.name = computer;
        curve.marked = true;
        if (chart.curves.size() < kMostCurves)
            chart.curves.push_back(std::move(curve));
    }
    return chart;
}

} // namespace loadstone::report
