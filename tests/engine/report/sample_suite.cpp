// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_suite.h"

#include "history/recording_writer.h"
#include "lab/host_facts.h"
#include "support/named_series.h"

#include <loadstone/histogram.h>
#include <loadstone/program.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace loadstone::test {

namespace {

using std::chrono::seconds;

void require(const Result<void>& done)
{
    if (!done)
        throw std::runtime_error(done.error().message);
}

enum Counters {
    sent,
    received,
    attempts,
    failures,
    cpu,
    user,
    privileged,
    ioWait,
    switches,
    disk,
    loopback,
    network,
    count
};
enum Series {
    sendResponse,
    sendService,
    emptyResponse,
    emptyService,
    rcpt,
    retr,
    delivery,
    slip,
    seriesCount
};

std::vector<CounterInfo> counters()
{
    return { counterNamed(0, "Loadstone Mail", "_Total", "Messages Sent/sec"),
        counterNamed(1, "Loadstone Mail", "_Total", "Messages Received/sec"),
        counterNamed(2, "Loadstone Mail", "_Total", "Actions/sec"),
        counterNamed(3, "Loadstone Mail", "_Total", "Failed Actions/sec"),
        counterNamed(4, "Processor", "_Total", "% Processor Time"),
        counterNamed(5, "Processor", "_Total", "% User Time"),
        counterNamed(6, "Processor", "_Total", "% Privileged Time"),
        counterNamed(7, "Processor", "_Total", "% I/O Wait Time"),
        counterNamed(8, "System", "", "Context Switches/sec"),
        counterNamed(9, "LogicalDisk", "vda", "Disk Transfers/sec"),
        counterNamed(10, "Network Interface", "lo", "Bytes Total/sec"),
        counterNamed(11, "Network Interface", "eth0", "Bytes Total/sec") };
}

std::vector<HistogramInfo> histograms()
{
    return { latencyNamed(sendResponse, LatencyScope::action, LatencyClock::response, "Send message"),
        latencyNamed(sendService, LatencyScope::action, LatencyClock::service, "Send message"),
        latencyNamed(emptyResponse, LatencyScope::action, LatencyClock::response, "Empty mailbox"),
        latencyNamed(emptyService, LatencyScope::action, LatencyClock::service, "Empty mailbox"),
        latencyNamed(rcpt, LatencyScope::command, LatencyClock::service, "SMTP RCPT"),
        latencyNamed(retr, LatencyScope::command, LatencyClock::service, "POP3 RETR"),
        latencyNamed(delivery, LatencyScope::delivery, LatencyClock::delivery, "Delivery"),
        latencyNamed(slip, LatencyScope::generator, LatencyClock::slip, "Timer slip") };
}

constexpr unsigned clientsOf(std::size_t mix)
{
    return 20 + 10 * static_cast<unsigned>(mix);
}

/// The plan that such a run would have had.
std::string planText(const SampleSuite& suite)
{
    std::string text = fmt::format(
        "format = 1\nkind = \"mail\"\ntitle = \"{}\"\nseed = 7\nfinal_window = \"10 s\"\n\n"
        "[target]\ndomain = \"load.test\"\nuser = \"u{{n}}\"\npassword = \"***\"\n\n"
        "[target.smtp]\nhost = \"127.0.0.1\"\nport = 2525\nauth = \"none\"\n\n"
        "[target.pop3]\nhost = \"127.0.0.1\"\nport = 2110\nauth = \"user/pass\"\n\n"
        "[workload]\npacing = \"closed\"\n\n[[workload.steps]]\naction = \"empty mailbox\"\n\n"
        "[[workload.steps]]\naction = \"send message\"\nsize = \"10 KB\"\nrecipients = 3\n\n"
        "[mix]\nthreads_per_client = 10\nmailboxes_per_client = 28\nthink_time = \"22 s\"\n"
        "ramp_up = \"{} s\"\nmeasurement = \"{} s\"\nramp_down = \"{} s\"\nquiet_time = \"{} s\"\n",
        "sample", suite.rampUp, suite.measurement, suite.rampDown, suite.quiet);
    for (std::size_t i = 0; i < suite.mixes; ++i)
        text += fmt::format("\n[[mixes]]\nname = \"mix {}\"\nclients = {}\n", i + 1, clientsOf(i));
    return text;
}

class Writer {
public:
    Writer(const std::filesystem::path& file, const SampleSuite& suite)
        : m_suite(suite)
        , m_writer(open(file, suite))
    {
    }

    void writeMix(std::size_t mix)
    {
        const std::string name = nameOf(mix);
        const auto index = static_cast<std::int32_t>(mix);
        const double users = clientsOf(mix) * 28.0;
        writePhase(PhaseKind::rampUp, index, name, m_suite.rampUp, users * 0.5);
        writePhase(PhaseKind::measurement, index, name, m_suite.measurement, users);
        writePhase(PhaseKind::rampDown, index, name, m_suite.rampDown, users * 0.4);
        writePhase(PhaseKind::quiet, index, name, m_suite.quiet, 0);
    }

    void finish()
    {
        writePhase(PhaseKind::drain, -1, "", m_suite.drain, 0);
        require(m_writer.addEvent({ m_now, Severity::info, "all mailboxes were read to the end" }));
        require(m_writer.addTranscript({ seconds(3), 0, "SMTP RCPT", FailureKind::transientReply,
            "S: 450 4.2.0 <u1@load.test> try \xff later\r\n" }));
        history::RunEnd end;
        end.audited = true;
        end.audit = m_suite.audit;
        if (end.audit == AuditTotals {}) {
            end.audit.accepted = m_sent;
            end.audit.expected = end.audit.deliveredOnce = 3 * m_sent;
        }
        if (end.audit.lost > 0)
            end.exceptions.push_back(
                { AuditFinding::lost, "a1b2c3", "u00017", seconds(5), "accepted with \"250 2.0.0 <ok>\"" });
        if (m_suite.invalid)
            end.invalidReasons.push_back(
                { "Worker threads used 97 % of their processors in \"560 users\": the limit is 90 %." });
        require(m_writer.finish(end));
    }

private:
    std::string nameOf(std::size_t mix) const
    {
        return fmt::format("{}{}", clientsOf(mix) * 28, m_suite.mixSuffix);
    }

    static history::RecordingWriter open(const std::filesystem::path& file, const SampleSuite& suite)
    {
        RunHeader header;
        header.id = *RunId::parse("20261121-140305-7f3a");
        header.title = suite.title;
        header.started = WallTime(seconds(1795269785));
        header.planName = "pop-smtp-suite-small.toml";
        header.planText = planText(suite);
        header.seed = 7;
        header.versionsJson = versionsJson();
        lab::HostFacts host;
        host.hostName = header.computer = "generator1";
        host.cpuModel = "Made-up Processor 3000";
        host.logicalCpus = 8;
        host.cores = 4;
        host.sockets = 1;
        host.memoryBytes = 16ULL << 30;
        host.kernel = "6.1.0-18-amd64";
        host.architecture = "x86_64";
        host.operatingSystem = "Debian GNU/Linux 12 (bookworm)";
        host.clockSource = "tsc";
        host.disks = { { "vda", "", 64ULL << 30, false, "none" } };
        host.interfaces = { { "eth0", 10000, 1500, "up" }, { "lo", std::nullopt, 65536, "unknown" } };
        host.openFilesLimit = 65536;
        header.hostJson = lab::toJson(host);
        const int mix = suite.rampUp + suite.measurement + suite.rampDown + suite.quiet;
        header.plannedLength = seconds(mix * static_cast<int>(suite.mixes) + suite.drain);
        header.counters = counters();
        header.histograms = histograms();
        history::ResultSeries series;
        series.finalWindow = seconds(10);
        for (std::size_t i = 0; i < suite.mixes; ++i)
            series.mixes.push_back({ fmt::format("{}{}", clientsOf(i) * 28, suite.mixSuffix),
                clientsOf(i) * 28ULL, clientsOf(i) * 10ULL, 3, seconds(suite.measurement) });
        auto writer = history::RecordingWriter::create(file, header, series);
        if (!writer)
            throw std::runtime_error(writer.error().message);
        return *std::move(writer);
    }

    void writePhase(PhaseKind kind, std::int32_t mix, const std::string& name, int length, double users)
    {
        Phase phase;
        phase.index = m_phase;
        phase.mix = mix;
        phase.mixName = name;
        phase.kind = kind;
        phase.begin = m_now;
        phase.end = m_now + seconds(length);
        phase.open = true;
        require(m_writer.putPhase(phase));
        require(m_writer.addEvent({ m_now, Severity::info, fmt::format("{} begins", toString(kind)) }));
        for (int i = 0; i < length; ++i)
            require(m_writer.append(tick(users)));
        phase.open = false;
        require(m_writer.putPhase(phase));
        ++m_phase;
    }

    double draw(double mean, double spread) { return mean * std::exp(spread * m_normal(m_random)); }
    std::string latencies(double times, double meanMs, double spread)
    {
        Histogram histogram;
        for (int i = 0; i < static_cast<int>(times); ++i)
            histogram.record(Nanoseconds(static_cast<std::int64_t>(draw(meanMs, spread) * 1e6)));
        return histogram.encode();
    }

    metrics::Tick tick(double users)
    {
        metrics::Tick tick;
        tick.number = m_tick++;
        tick.begin = m_now;
        tick.end = m_now += seconds(1);
        tick.phase = m_phase;
        // Rates follow the users until the server's 27 messages a second; queueing grows towards that.
        const double load = std::min(users / 60, 22 + users / 400), busy = std::min(load / 27, 0.97);
        const double sends = std::round(draw(load, 0.15)), deletes = std::round(sends * 3 * draw(1, 0.03));
        m_sent += static_cast<std::uint64_t>(sends);
        const double wait = 12 / (1 - busy);
        const double fails = busy > 0.9 && m_tick % 7 == 0 ? 1 : 0;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        tick.values.assign(count, nan);
        const double processor = std::min(99.0, draw(6 + 70 * busy, 0.06));
        const double values[] = { sends, deletes, 2 * sends, fails, processor, processor * 0.6,
            processor * 0.4, draw(2, 0.4), draw(800 + 300 * load, 0.1), draw(5 + 4 * load, 0.3),
            draw(load * 45e3, 0.1), draw(900, 0.5) };
        const bool first = tick.number == 0;
        for (std::size_t i = 0; i < count; ++i)
            tick.values[i] = first && i >= cpu ? nan : values[i]; // rates have no first sample
        const struct {
            Series id;
            double times, ms, spread;
        } series[] = { { sendResponse, sends, wait * 1.1, 0.5 }, { sendService, sends, wait, 0.5 },
            { emptyResponse, sends, wait * 2, 0.6 }, { emptyService, sends, wait * 1.9, 0.6 },
            { rcpt, 3 * sends, wait / 6, 0.5 }, { retr, deletes, wait / 8, 0.5 },
            { delivery, deletes, 20e3, 0.6 }, { slip, 2 * sends, 0.15, 0.7 } };
        for (const auto& one : series)
            if (one.times >= 1)
                tick.histograms.emplace_back(one.id, latencies(one.times, one.ms, one.spread));
        if (fails > 0)
            tick.errors = { { "SMTP RCPT", FailureKind::transientReply, 450, 1, "4.3.2 try again" } };
        return tick;
    }

    SampleSuite m_suite;
    history::RecordingWriter m_writer;
    std::mt19937_64 m_random { 7 };
    std::normal_distribution<double> m_normal;
    Nanoseconds m_now {};
    std::uint64_t m_tick = 0, m_sent = 0;
    std::uint32_t m_phase = 0;
};

} // namespace

void writeSampleSuite(const std::filesystem::path& file, const SampleSuite& suite)
{
    Writer writer(file, suite);
    for (std::size_t mix = 0; mix < suite.mixes; ++mix)
        writer.writeMix(mix);
    writer.finish();
}

} // namespace loadstone::test
