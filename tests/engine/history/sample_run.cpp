// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_run.h"

#include "support/named_series.h"

#include <loadstone/histogram.h>

#include <cstdlib>

namespace loadstone::test {

using namespace std::chrono_literals;

TemporaryFolder::TemporaryFolder()
    : ScratchFolder(std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path())
{
}

RunHeader sampleHeader(const RunId& id)
{
    RunHeader header;
    header.id = id.empty() ? RunId::parse("20261121-140305-7f3a").value() : id;
    header.title = "A sample";
    header.started = WallTime(1'795'269'785s);
    header.planName = "sample.toml";
    header.planText = "title = \"A sample\"\n";
    header.seed = 0xfedcba9876543210ULL;
    header.versionsJson = "{}";
    header.hostJson = "{}";
    header.computer = "bench1";
    header.plannedLength = 2h;
    for (const Quantity quantity : { Quantity::messagesSent, Quantity::messagesReceived,
             Quantity::actionsEnded, Quantity::actionsFailed, Quantity::sessions }) {
        header.counters.push_back(counterOf(quantity));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
    }
    header.histograms = { latencyNamed(0, LatencyScope::action, LatencyClock::response, "Send message"),
        latencyNamed(1, LatencyScope::action, LatencyClock::service, "Send message"),
        latencyNamed(2, LatencyScope::command, LatencyClock::service, "SMTP RCPT"),
        latencyNamed(3, LatencyScope::delivery, LatencyClock::delivery, "Delivery") };
    return header;
}

history::ResultSeries sampleSeries()
{
    history::ResultSeries series;
    series.finalWindow = 10s;
    series.mixes = { { "500 users", 500, 50, 3.0, 20s }, { "1000 users", 1000, 100, 3.0, 20s } };
    return series;
}

metrics::Tick sampleTick(std::uint64_t number, std::uint32_t phase)
{
    metrics::Tick tick;
    tick.number = number;
    tick.begin = number * 1'000'000'000ns;
    tick.end = tick.begin + 1s;
    tick.phase = phase;
    const double sent = 10.0 + static_cast<double>(number % 3);
    tick.values = { sent, 3 * sent, sent + 1, 1, static_cast<double>(number) / 4 };
    for (std::uint32_t id = 0; id < 4; ++id) {
        Histogram histogram;
        for (int i = 0; i < static_cast<int>(sent); ++i)
            histogram.record(1ms * (id + 1) + 10us * i);
        if (id != 2 || number % 2 == 0) // the command is not seen in every tick
            tick.histograms.emplace_back(id, histogram.encode());
    }
    if (number % 10 == 5)
        tick.errors = { { "Send message", FailureKind::permanentReply, 550, 1, "try later" },
            { "Send message", FailureKind::permanentReply, 550, 2, "no such mailbox" },
            { "POP3 PASS", FailureKind::timeout, 0, 2, "" } };
    return tick;
}

void writeSample(const std::filesystem::path& file, std::uint64_t ticks, const RunId& id)
{
    auto writer = history::RecordingWriter::create(file, sampleHeader(id), sampleSeries()).value();
    Phase phase { 0, 0, "500 users", PhaseKind::measurement, 0s, 2h, true };
    writer.putPhase(phase).value();
    writer.addEvent({ 1s, Severity::warning, "something happened" }).value();
    for (std::uint64_t number = 0; number < ticks; ++number)
        writer.append(sampleTick(number)).value();
    phase.end = ticks * 1'000'000'000ns;
    phase.open = false;
    writer.putPhase(phase).value();
    writer.finish({}).value();
}

} // namespace loadstone::test
