// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/traffic_curve.h"

#include "session/log_axis.h"

#include <loadstone/counter_log.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace loadstone::session {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostSamples = 4'000'000;

/// How other programs name bytes that a computer moves; those of the first line that are there count, added up.
struct KnownBytes {
    Traffic traffic;
    std::vector<std::string> patterns;
};
const std::vector<KnownBytes>& knownBytes()
{
    using enum Traffic;
    static const std::vector<KnownBytes> known { { network, { "*\\Network Interface(*)\\Bytes Total/sec" } },
        { network, { "*\\Network Adapter(*)\\Bytes Total/sec" } },
        { network,
            { "*\\Network Interface(*)\\Bytes Received/sec", "*\\Network Interface(*)\\Bytes Sent/sec" } },
        { network,
            { "*\\Network Port(*)\\MBits Received/sec", "*\\Network Port(*)\\MBits Transmitted/sec" } },
        { network, { "*\\sar*(*)\\rxkB*", "*\\sar*(*)\\txkB*" } },
        { network, { "*network.interface.total.bytes*" } },
        { network, { "*network.interface.in.bytes*", "*network.interface.out.bytes*" } },
        { disk, { "*\\LogicalDisk(_Total)\\Disk Bytes/sec" } },
        { disk, { "*\\PhysicalDisk(_Total)\\Disk Bytes/sec" } },
        { disk, { "*\\LogicalDisk(*)\\Disk Bytes/sec" } },
        { disk, { "*\\LogicalDisk(*)\\Disk Read Bytes/sec", "*\\LogicalDisk(*)\\Disk Write Bytes/sec" } },
        { disk, { "*\\Physical Disk(*)\\MBytes Read/sec", "*\\Physical Disk(*)\\MBytes Written/sec" } },
        { disk, { "*\\iostat(*)\\rkB/s", "*\\iostat(*)\\wkB/s" } },
        { disk, { "*\\sar*(*)\\rkB*", "*\\sar*(*)\\wkB*" } },
        { disk, { "*\\sar*\\bread*", "*\\sar*\\bwrtn*" } }, { disk, { "*\\vmstat\\bi", "*\\vmstat\\bo" } },
        { disk, { "*disk.all.total_bytes*" } },
        { disk, { "*disk.all.read_bytes*", "*disk.all.write_bytes*" } } };
    return known;
}

/// Which columns; empty: none fits. What other computers of the log than those of the wanted counters move has nothing to say of them.
std::vector<std::size_t> columnsOf(const std::vector<ForeignCounter>& counters, RunKind kind,
    const OffsetOptions& options, TrafficCurve& curve)
{
    if (!options.ofLog.empty())
        return chooseCounters(counters, options.ofLog);
    std::set<std::string> computers;
    for (const std::size_t wanted : chooseCounters(counters, options.attached))
        computers.insert(counters[wanted].computer);
    const auto isOfOthers = [&](std::size_t column) {
        return !computers.contains(counters[column].computer);
    };
    // Tests of storage have no traffic on the network.
    const auto order = kind == RunKind::mail ? std::array { Traffic::network, Traffic::disk }
                                             : std::array { Traffic::disk, Traffic::network };
    for (const Traffic traffic : order)
        for (const KnownBytes& bytes : knownBytes())
            if (bytes.traffic == traffic)
                if (auto columns = chooseCounters(counters, bytes.patterns);
                    std::erase_if(columns, isOfOthers), !columns.empty()) {
                    curve.traffic = traffic;
                    return columns;
                }
    return {};
}

Error noneFits(const std::string& of, const OffsetOptions& options, std::size_t counters)
{
    return fail(of
        + (options.ofLog.empty()
                ? ": has no counter of network or disk bytes that is known; name one that follows the load"
                : fmt::format(": none of its {} counters has a name that fits", counters)));
}

} // namespace

std::string sumName(const std::string& first, std::size_t count)
{
    return count > 1 ? fmt::format("{} and {} more", first, count - 1) : first;
}

double sumOfKnown(double sum, double value)
{
    return std::isnan(sum) ? value : std::isnan(value) ? sum : sum + value;
}

Result<TrafficCurve> readTraffic(
    counters::CounterLog& log, const std::string& file, RunKind kind, const OffsetOptions& options)
{
    TrafficCurve curve;
    const counters::LogHead& head = log.head();
    const std::vector<std::size_t> columns = columnsOf(head.columns, kind, options, curve);
    if (columns.empty())
        return noneFits(file, options, head.columns.size());
    curve.name = sumName(pathOf(SeriesKey(head.columns[columns.front()])), columns.size());
    log.select(columns);
    for (;;) {
        counters::LogSample sample;
        const auto more = log.next(sample);
        if (!more)
            return more.error();
        if (!*more)
            break;
        if (curve.at.size() == kMostSamples)
            return fail(fmt::format("{}: has more than {} samples", file, kMostSamples));
        double sum = kMissing;
        for (const double value : sample.values)
            sum = sumOfKnown(sum, value);
        curve.at.push_back(sample.at);
        curve.values.push_back(sum);
    }
    if (curve.at.empty())
        return fail(file + ": has no row that can be read");
    curve.interval = usualInterval(curve.at);
    curve.zero = curve.at.front() - curve.interval;
    for (Nanoseconds& at : curve.at)
        at -= curve.zero;
    return curve;
}

Result<TrafficCurve> readTraffic(
    const history::ReadSource& source, RunKind kind, const OffsetOptions& options)
{
    TrafficCurve curve;
    std::vector<ForeignCounter> names;
    std::vector<std::uint32_t> ids;
    for (const CounterInfo& info : source.info.counters)
        if (info.key.foreign) {
            names.push_back(*info.key.foreign);
            ids.push_back(info.id);
        }
    const auto columns = columnsOf(names, kind, options, curve);
    if (columns.empty())
        return noneFits(source.info.origin, options, names.size());
    curve.name = sumName(pathOf(SeriesKey(names[columns.front()])), columns.size());
    for (const history::TickTime& tick : source.ticks.times())
        curve.at.push_back(tick.end);
    if (curve.at.empty() || curve.at.size() > kMostSamples)
        return fail(fmt::format("{}: has {} samples", source.info.origin, curve.at.size()));
    curve.values.assign(curve.at.size(), kMissing);
    for (const std::size_t column : columns) {
        const auto samples = source.ticks.samples(ids[column], { 0, curve.at.size() });
        if (!samples)
            return samples.error();
        const CounterKind counts = source.info.counters[ids[column]].kind;
        for (std::size_t i = 0; i < std::min(curve.at.size(), samples->size()); ++i) {
            const history::TickTime& tick = source.ticks.times()[i];
            curve.values[i] = sumOfKnown(
                curve.values[i], history::shown(counts, (*samples)[i], seconds(tick.end - tick.begin)));
        }
    }
    curve.interval = usualInterval(curve.at);
    return curve;
}

} // namespace loadstone::session
