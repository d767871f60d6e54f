// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "server_run.h"

#include "engine/history/sample_run.h"

#include <loadstone/histogram.h>

namespace loadstone::test {

using namespace std::chrono_literals;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
title = "Servers"
[target]
password = "secret"
[target.smtp]
port = 2525
[target.pop3]
port = 2110
[workload]
steps = [ { action = "send message", size = "10 KB" }, { action = "empty mailbox" } ]
[[mixes]]
name = "200 users"
clients = 20
mailboxes_per_client = 10
threads_per_client = 2
ramp_up = "1 min"
measurement = "10 min"
[[mixes]]
name = "400 users"
clients = 40
mailboxes_per_client = 10
threads_per_client = 2
ramp_up = "1 min"
measurement = "10 min"
[[counters]]
name = "ex1"
role = "sut"
openmetrics = "http://10.0.0.5:9100/metrics"
[[counters]]
name = "dc1"
role = "directory"
ssh = "dc1"
)";

} // namespace

void writeServerRun(const std::filesystem::path& file, const std::string& criteria,
    const std::function<double(std::uint64_t second)>& own)
{
    RunHeader header = sampleHeader();
    header.planText = kPlan + criteria;
    header.counters[4] = counterOf(Quantity::processorTime);
    header.counters[4].id = 4;
    history::ResultSeries series;
    series.mixes = { { "200 users", 200, 40, 3.0, 10min }, { "400 users", 400, 80, 3.0, 10min } };
    auto writer = history::RecordingWriter::create(file, header, series).value();
    for (std::uint64_t number = 0; number < 1320; ++number) {
        const std::uint64_t mix = number / 660, second = number % 660;
        const bool measuring = second >= 60;
        const auto phase = static_cast<std::uint32_t>(mix * 2 + (measuring ? 1 : 0));
        if (second == 0 || second == 60) {
            const Nanoseconds begin = std::chrono::seconds(number);
            writer
                .putPhase({ phase, static_cast<std::int32_t>(mix), mix == 0 ? "200 users" : "400 users",
                    measuring ? PhaseKind::measurement : PhaseKind::rampUp, begin,
                    begin + (measuring ? 600s : 60s), false })
                .value();
        }
        const double sent = mix == 0 ? 10 : 20;
        metrics::Tick tick = sampleTick(number, phase);
        tick.errors.clear();
        if (number % 100 == 50)
            tick.errors = { { "Send message", FailureKind::timeout, 0, 1, "" } };
        tick.values = { sent, 3 * sent, sent + 1, number % 100 == 50 ? 1.0 : 0.0,
            own(number) };
        Histogram actions, commands;
        actions.record(10ms * (static_cast<int>(mix) + 1), static_cast<std::uint64_t>(sent));
        commands.record(1ms, 2 + number % 2);
        tick.histograms = { { 0, actions.encode() }, { 2, commands.encode() } };
        writer.append(tick).value();
    }
    writer.finish({}).value();
}

std::vector<SourceTick> samplesEvery(
    Nanoseconds every, Nanoseconds begin, Nanoseconds end, const std::function<double(double at)>& value)
{
    std::vector<SourceTick> ticks;
    for (Nanoseconds at = begin; at + every <= end; at += every)
        ticks.push_back({ at, at + every, { value(seconds(at + every)) } });
    return ticks;
}

SourceFacts processorOf(const std::string& computer, const std::string& role, Nanoseconds offset)
{
    SourceFacts facts;
    facts.origin = "host " + computer;
    facts.computer = computer;
    facts.role = role;
    facts.offset = offset;
    Subject whose;
    whose.host = computer;
    facts.counters = { counterOf(SeriesKey(Quantity::processorTime, whose)) };
    return facts;
}

} // namespace loadstone::test
