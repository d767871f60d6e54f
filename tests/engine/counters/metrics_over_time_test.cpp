// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metrics_reader.h"
#include "support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

plan::CounterSourceSpec exporterOf(plan::OpenMetricsSource from)
{
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    spec.from = std::move(from);
    return spec;
}

/// The place of a counter of ex1 among the reader's.
std::size_t placeOf(const MetricsReader& reader, Quantity quantity, Subject subject)
{
    subject.host = "ex1";
    const auto found =
        std::ranges::find(reader.counters(), SeriesKey(quantity, std::move(subject)), &CounterInfo::key);
    REQUIRE(found != reader.counters().end());
    return static_cast<std::size_t>(found - reader.counters().begin());
}

} // namespace

TEST_CASE("the time that a volume of the plan is busy is the mean over its disks")
{
    plan::OpenMetricsSource from;
    from.volumes = { { "two", { "sda", "sdb" } }, { "four", { "sda", "sdb", "sdc", "sdd" } },
        { "windows", { "D:", "E:" } } };
    MetricsReader reader(exporterOf(std::move(from)));
    const auto text = [](double passed) {
        std::string lines;
        const auto add = [&](const char* metric, const char* label, const char* name, double share) {
            lines += fmt::format("{}{{{}=\"{}\"}} {}\n", metric, label, name, share * passed);
        };
        add("node_disk_io_time_seconds_total", "device", "sda", 0.8);
        add("node_disk_io_time_seconds_total", "device", "sdb", 0.7);
        add("node_disk_io_time_seconds_total", "device", "sdc", 0.5);
        add("node_disk_io_time_seconds_total", "device", "sdd", 0);
        add("windows_logical_disk_idle_seconds_total", "volume", "D:", 0.9);
        add("windows_logical_disk_idle_seconds_total", "volume", "E:", 0.3);
        return lines;
    };
    REQUIRE(reader.read(text(0), MonoTime(10s)));
    const auto reading = reader.read(text(2), MonoTime(12s));
    REQUIRE(reading);
    const auto busy = [&](const char* device) {
        return reading->values.at(placeOf(reader, Quantity::diskTime, Subject::ofDevice(device)));
    };
    CHECK(busy("sda") == Approx(80));
    CHECK(busy("two") == Approx(75));
    CHECK(busy("four") == Approx(50));
    CHECK(busy("windows") == Approx(40));
    const std::size_t two = placeOf(reader, Quantity::diskTime, Subject::ofDevice("two"));
    CHECK(reader.counters()[two].help.find("; the mean of sda, sdb") != std::string::npos);
}

TEST_CASE("series that are forgotten over refused answers come back with the next good ones")
{
    plan::OpenMetricsSource from;
    from.metrics = { "windows_process_*" };
    MetricsReader reader(exporterOf(std::move(from)));
    const auto text = [](int i) {
        std::string lines = fmt::format("node_context_switches_total {}\n", 20 * i);
        for (int k = 0; k < 2000; ++k)
            lines +=
                fmt::format("windows_process_working_set_bytes{{process=\"p\",process_id=\"{}\"}} 1\n", k);
        return lines;
    };
    MonoTime now(10s);
    const auto valueOf = [&](const LiveReading& reading, Quantity quantity, Subject subject) {
        return reading.values.at(placeOf(reader, quantity, std::move(subject)));
    };
    REQUIRE(reader.read(text(0), now));
    for (int i = 0; i < 20; ++i)
        REQUIRE_FALSE(reader.read(fmt::format("noise{{n=\"{}\"}} 1\n<html>\n", i), now += 2s));
    const auto first = reader.read(text(1), now += 2s);
    REQUIRE(first);
    CHECK(valueOf(*first, Quantity::processWorkingSet, Subject::ofProcess("p")) == 2000);
    CHECK(std::isnan(valueOf(*first, Quantity::contextSwitches, {})));
    const auto second = reader.read(text(2), now += 2s);
    REQUIRE(second);
    CHECK(valueOf(*second, Quantity::processWorkingSet, Subject::ofProcess("p")) == 2000);
    CHECK(valueOf(*second, Quantity::contextSwitches, {}) == Approx(10));
    CHECK(reader.counters().size() == 2);
}
