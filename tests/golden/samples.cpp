// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace loadstone::test {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A number that looks drawn (FNV-1a, then the finaliser of SplitMix64).
std::uint64_t draw(std::string_view what, std::uint64_t number)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : what)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    hash += number * 0x9E3779B97F4A7C15ULL;
    hash = (hash ^ (hash >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBULL;
    return hash ^ (hash >> 31U);
}

/// Data are on vda and logs on vdb: whether this class of transfers has none there.
bool isElsewhere(const std::string& subject)
{
    const bool ofLog = subject.find(": Log ") != std::string::npos;
    return subject.find(ofLog ? "vda: " : "vdb: ") != std::string::npos;
}

/// How many of a kind of action, command or transfer end in the tick; its counters and latencies agree on it.
std::uint64_t endedOf(const std::string& subject, const Moment& moment)
{
    return isElsewhere(subject) ? 0 : moment.load * (8 + draw(subject, moment.tick) % 8) / 4;
}

std::uint64_t failedOf(const std::string& subject, const Moment& moment)
{
    const bool some = moment.load > 0 && !isElsewhere(subject);
    return some && draw(subject + " fails", moment.tick) % 13 == 0 ? 1 : 0;
}

/// least, least + step, ...: `values` of them.
struct Range {
    std::string_view counter;
    double least, step;
    std::uint64_t values;
};
constexpr std::array<Range, 24> kRanges { {
    { "Messages Sent/sec", 12, 1, 8 },
    { "Messages Received/sec", 36, 1, 12 },
    { "Messages Retrieved/sec", 40, 1, 16 },
    { "Recipients Accepted/sec", 36, 1, 12 },
    { "Actions/sec", 24, 1, 8 },
    { "Failed Actions/sec", 0, 1, 2 },
    { "Event Loop Lag", 0, 1.0 / 4096, 8 },
    { "Control Lag", 0, 1.0 / 4096, 8 },
    { "Store Overruns", 0, 0, 1 },
    { "Store Lag", 0, 1, 3 },
    { "% Run Queue Wait", 0, 0.125, 4 },
    { "% Throttled Time", 0, 0.125, 4 },
    { "% Steal Time", 0, 0.125, 24 },
    { "Transfers/sec", 20, 1, 8 }, // of all classes together
    { "Available MBytes", 2048, 1, 64 },
    { "I/O Database Reads/sec", 80, 1, 32 },
    { "I/O Database Writes/sec", 64, 1, 32 },
    { "Log Writes/sec", 16, 1, 16 },
    { "Transactions/sec", 16, 1, 16 },
    { "Records Inserted/sec", 32, 1, 16 },
    { "Pages Seen/sec", 512, 1, 64 },
    { "Busy Time/sec", 256, 1, 512 },
    { "Logs Replayed/sec", 8, 1, 8 },
    { "Database Page Fault Stalls/sec", 0, 1, 2 },
} };

/// Counts of damage, which none of the tests has but those that look for it.
bool isDamage(std::string_view counter)
{
    return counter.starts_with("Bad ") || counter.starts_with("Wrong ")
        || counter.starts_with("Correctable ");
}

/// Counters of one kind of action, or of one class of transfer: what endedOf() and failedOf() say. Missing: it is none.
double countOfSubject(const CounterInfo& info, const Moment& moment)
{
    const std::uint64_t ended = endedOf(info.instance, moment), failed = failedOf(info.instance, moment);
    if (info.object == "Loadstone Actions") {
        if (info.counter == "Failed/sec")
            return static_cast<double>(failed);
        return static_cast<double>(ended + (info.counter == "Due/sec" && moment.load == 4 && ended % 8 == 0));
    }
    if (info.object != "Loadstone Storage" || info.instance.find(": ") == std::string::npos)
        return kMissing;
    if (info.counter == "Failed Transfers/sec")
        return static_cast<double>(failed);
    if (info.counter == "Bytes/sec")
        return info.instance.ends_with("Flush") ? 0 : static_cast<double>((ended - failed) * 8192);
    return static_cast<double>(ended);
}

double byUnit(const CounterInfo& info, std::uint64_t drawn)
{
    if (info.kind == CounterKind::count)
        return static_cast<double>(info.unit == "bytes" ? drawn % 16 * 65536 : drawn % 3);
    if (info.unit == "bytes")
        return static_cast<double>((16 + drawn % 64) << 20U);
    if (info.unit == "s")
        return static_cast<double>(4 + drawn % 64) / 4096;
    if (info.unit == "%")
        return 12 + static_cast<double>(drawn % 64) / 2;
    return static_cast<double>(drawn % 32);
}

bool isOfHost(const CounterInfo& info)
{
    constexpr std::array<std::string_view, 6> kObjects { "Processor", "System", "Memory", "LogicalDisk",
        "Network Interface", "Process" };
    return std::ranges::find(kObjects, info.object) != kObjects.end();
}

/// ms of half of the durations, or less.
double medianOf(const HistogramInfo& info)
{
    const std::string_view name = info.name;
    if (info.scope == LatencyScope::generator)
        return 0.125;
    if (info.scope == LatencyScope::delivery)
        return 2000;
    if (name.ends_with(": Log write"))
        return 1.5;
    if (name.starts_with("vd"))
        return 7;
    return info.scope == LatencyScope::command ? 3 : 40;
}

} // namespace

double sampleOf(const CounterInfo& info, const Moment& moment)
{
    const std::uint64_t drawn = draw(info.path(), moment.tick);
    if (isOfHost(info) && moment.tick == 0) // rates have no first sample
        return kMissing;
    if (info.object == "LogicalDisk" && drawn % 16 == 0) // a time of none
        return kMissing;
    if (const double value = countOfSubject(info, moment); !std::isnan(value))
        return value;
    const bool idle = info.kind == CounterKind::count && moment.load == 0;
    if (idle || (isDamage(info.counter) && !moment.checks))
        return 0;
    const auto range = std::ranges::find(kRanges, info.counter, &Range::counter);
    return range == kRanges.end() ? byUnit(info, drawn)
                                  : range->least + range->step * static_cast<double>(drawn % range->values);
}

Histogram latenciesOf(const HistogramInfo& info, const Moment& moment)
{
    Histogram histogram;
    const std::string what =
        info.name + ", " + toString(info.scope) + ", " + (isAge(info.clock) ? "age" : toString(info.clock));
    if (isAge(info.clock)) {
        if (moment.load > 0 && !isElsewhere(info.name) && draw(what, moment.tick) % 8 == 0)
            histogram.record(std::chrono::milliseconds(30 + draw(what + " ms", moment.tick) % 400), 2);
        return histogram;
    }
    const std::uint64_t ended = endedOf(info.name, moment) - failedOf(info.name, moment);
    const double unit = medianOf(info) * (info.clock == LatencyClock::response ? 1.25 : 1) * 1e6 / 512;
    for (std::uint64_t i = 0; i < ended; ++i) {
        const std::uint64_t drawn = draw(what, moment.tick * 64 + i);
        const auto slow = static_cast<double>(drawn % 97 == 0 ? 16 : 1);
        histogram.record(
            Nanoseconds(static_cast<std::int64_t>(unit * slow * static_cast<double>(128 + drawn % 1024))));
    }
    return histogram;
}

} // namespace loadstone::test
