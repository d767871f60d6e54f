// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What it costs to read an exporter.
//
//   openmetrics_bench [ANSWERS]     200
//
// An exporter on loopback answers with 2,000 series that are all wanted: those of node_exporter on a machine with 16 processors and 20
// disks, and 1,616 of a mail server that the plan names. Counted is the processor time of the thread that asks, transfer included;
// the last line is the share of a core when it asks once a second. Exit status 1 where that is 2 % or more.
#include "counters/live/make_source.h"
#include "support/metrics_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>

namespace loadstone {

namespace {

constexpr int kProcessors = 16, kDisks = 20, kMailSeries = 1616;

double threadSeconds()
{
    timespec now {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string answerOf(double n, std::size_t& series)
{
    std::string text;
    series = 0;
    const auto begin = [&](const std::string& metric) {
        text +=
            fmt::format("# HELP {0} What this metric of the exporter counts.\n# TYPE {0} counter\n", metric);
    };
    const auto add = [&](const std::string& line, double value) {
        text += fmt::format("{} {}\n", line, value);
        ++series;
    };
    begin("node_cpu_seconds_total");
    for (int cpu = 0; cpu < kProcessors; ++cpu)
        for (const char* mode : { "idle", "iowait", "irq", "nice", "softirq", "steal", "system", "user" })
            add(fmt::format("node_cpu_seconds_total{{cpu=\"{}\",mode=\"{}\"}}", cpu, mode),
                1000.25 + n * 0.125);
    for (const char* metric : { "reads_completed_total", "writes_completed_total", "read_bytes_total",
             "written_bytes_total", "read_time_seconds_total", "write_time_seconds_total", "io_now",
             "io_time_seconds_total", "io_time_weighted_seconds_total", "reads_merged_total",
             "writes_merged_total", "discards_completed_total", "flush_requests_total" }) {
        begin(std::string("node_disk_") + metric);
        for (int disk = 0; disk < kDisks; ++disk)
            add(fmt::format("node_disk_{}{{device=\"sd{}\"}}", metric, static_cast<char>('a' + disk)),
                123456 + n * 17);
    }
    for (int part = 0; part < 16; ++part) {
        const std::string metric = fmt::format("dovecot_event_{}_total", part);
        begin(metric);
        for (int label = 0; label < kMailSeries / 16; ++label)
            add(fmt::format("{}{{cmd_name=\"COMMAND{}\",tagged_reply_state=\"OK\"}}", metric, label),
                1e6 + n * 5);
    }
    return text;
}

int bench(int answers)
{
    std::size_t series = 0, bytes = 0;
    std::atomic<int> asked = 0;
    test::MetricsServer server([&](const std::string&) {
        const std::string text = answerOf(asked++, series);
        bytes = text.size();
        return test::MetricsServer::Answer { test::MetricsServer::page(text) };
    });
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    plan::OpenMetricsSource from;
    from.url = server.url();
    from.metrics = { "dovecot_*", "node_disk_*" };
    spec.from = from;
    auto source = counters::makeOpenMetricsSource(spec, {});
    if (!source) {
        fmt::print("{}\n", source.error().message);
        return 1;
    }
    double first = 0;
    const double begin = threadSeconds();
    double counted = begin;
    std::size_t missing = 0;
    for (int i = 0; i <= answers; ++i) {
        const auto reading = (*source)->read({});
        if (!reading) {
            fmt::print("{}\n", reading.error().message);
            return 1;
        }
        if (i == 0) { // finds the series, and opens the connection
            counted = threadSeconds();
            first = counted - begin;
        } else {
            missing += static_cast<std::size_t>(
                std::ranges::count_if(reading->values, [](double value) { return std::isnan(value); }));
        }
    }
    const double each = (threadSeconds() - counted) / answers;
    fmt::print("series in an answer            {}\n", series);
    fmt::print("bytes of an answer             {}\n", bytes);
    fmt::print("counters made of it            {}\n", (*source)->counters().size());
    fmt::print("missing values                 {}\n", missing);
    fmt::print("first answer                   {:.2f} ms\n", first * 1e3);
    fmt::print("each further answer            {:.3f} ms\n", each * 1e3);
    fmt::print("of a core, once a second       {:.3f} %\n", each * 100);
    return each * 100 < 2 && missing == 0 ? 0 : 1;
}

} // namespace

} // namespace loadstone

int main(int argc, char** argv)
{
    return loadstone::bench(argc > 1 ? std::max(1, std::atoi(argv[1])) : 200);
}
