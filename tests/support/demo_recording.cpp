// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/demo_recording.h"

#include "support/named_series.h"

#include <loadstone/histogram.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace loadstone::test {

using std::chrono::seconds;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Names {
    std::vector<CounterInfo> counters;
    std::vector<HistogramInfo> histograms;

    void add(const char* object, const char* instance, const char* counter)
    {
        counters.push_back(
            test::counterNamed(static_cast<std::uint32_t>(counters.size()), object, instance, counter));
    }
    void add(LatencyScope scope, LatencyClock clock, const char* name)
    {
        histograms.push_back(
            test::latencyNamed(static_cast<std::uint32_t>(histograms.size()), scope, clock, name));
    }
};

Names names()
{
    Names n;
    n.add("Loadstone Mail", "_Total", "Messages Sent/sec");
    n.add("Loadstone Mail", "_Total", "Messages Received/sec");
    n.add("Loadstone Mail", "_Total", "Actions/sec");
    n.add("Loadstone Mail", "_Total", "Failed Actions/sec");
    n.add("Loadstone Mail", "_Total", "Bytes Sent/sec");
    n.add("Loadstone Mail", "_Total", "Sessions");
    n.add("Loadstone Mail", "_Total", "Users");
    n.add("Loadstone Audit", "", "Outstanding");
    n.add("Loadstone Audit", "", "Late");
    n.add("Loadstone Audit", "", "Twice");
    n.add("Loadstone Audit", "", "Damaged");
    n.add("Loadstone Audit", "", "Lost");
    n.add("Loadstone Generator", "_Busiest", "% Processor Time");
    n.add("Loadstone Generator", "_Total", "Event Loop Lag");
    for (const char* counter : { "% Processor Time", "% User Time", "% Privileged Time" })
        n.add("Processor", "_Total", counter);
    for (const char* cpu : { "0", "1", "2", "3" })
        n.add("Processor", cpu, "% Processor Time");
    n.add("System", "", "Context Switches/sec");
    n.add("System", "", "Processor Queue Length");
    n.add("Memory", "", "Available MBytes");
    n.add("Memory", "", "Pages/sec");
    for (const char* disk : { "sda", "sdb" }) {
        n.add("LogicalDisk", disk, "Avg. Disk sec/Read");
        n.add("LogicalDisk", disk, "Avg. Disk sec/Write");
        n.add("LogicalDisk", disk, "Disk Transfers/sec");
    }
    n.add("Network Interface", "lo", "Bytes Total/sec");
    n.add("Network Interface", "lo", "Packets/sec");
    using enum LatencyScope;
    n.add(action, LatencyClock::response, "Empty mailbox");
    n.add(action, LatencyClock::service, "Empty mailbox");
    n.add(action, LatencyClock::response, "Send message");
    n.add(action, LatencyClock::service, "Send message");
    for (const char* command :
        { "SMTP MAIL", "SMTP RCPT", "SMTP DATA", "POP3 PASS", "POP3 UIDL", "POP3 RETR" })
        n.add(LatencyScope::command, LatencyClock::service, command);
    n.add(delivery, LatencyClock::delivery, "Delivery");
    n.add(generator, LatencyClock::slip, "Timer slip");
    return n;
}

std::vector<Phase> phasesOf(const DemoRecording& demo)
{
    std::vector<Phase> phases;
    Nanoseconds at {};
    const auto add = [&](std::int32_t mix, const std::string& name, PhaseKind kind, int length) {
        phases.push_back(
            { static_cast<std::uint32_t>(phases.size()), mix, name, kind, at, at + seconds(length), false });
        at += seconds(length);
    };
    for (unsigned m = 0; m < demo.mixes; ++m) {
        const std::string name = std::to_string(10 * (m + 1)) + " clients";
        add(static_cast<int>(m), name, PhaseKind::rampUp, demo.measurementSeconds / 4);
        add(static_cast<int>(m), name, PhaseKind::measurement, demo.measurementSeconds);
        add(static_cast<int>(m), name, PhaseKind::rampDown, demo.measurementSeconds / 8);
        add(static_cast<int>(m), name, PhaseKind::quiet, demo.measurementSeconds / 8);
    }
    add(-1, "", PhaseKind::drain, 15);
    return phases;
}

} // namespace

class DemoWriter::Impl {
public:
    Impl(const DemoRecording& demo, RunHeader header, history::RecordingWriter writer,
        std::filesystem::path file)
        : m_demo(demo)
        , m_header(std::move(header))
        , m_phases(phasesOf(demo))
        , m_writer(std::move(writer))
        , m_file(std::move(file))
        , m_random(demo.seed)
    {
    }

    Result<bool> tick()
    {
        const Nanoseconds begin = seconds(m_tick), end = begin + seconds(1);
        const auto it = std::find_if(m_phases.begin(), m_phases.end(),
            [&](const Phase& p) { return p.begin <= begin && begin < p.end; });
        if (it == m_phases.end())
            return false;
        if (auto done = beginPhase(*it); !done)
            return done.error();
        metrics::Tick tick { m_tick, begin, end, it->index, {}, {}, {} };
        fill(tick, *it);
        if (auto done = m_writer.append(tick); !done)
            return done.error();
        ++m_tick;
        return true;
    }

    Result<void> finish()
    {
        if (m_open)
            if (auto done = endPhase(); !done)
                return done;
        history::RunEnd end;
        end.audited = true;
        end.audit = { m_sent, m_sent * 3, m_sent * 3 - 3, 2, 1, 0, 0, 0, 0 };
        end.exceptions = { { AuditFinding::twice, "ld-0001-000af3", "u00017", seconds(61),
                               "retrieved again 4.2 s later" },
            { AuditFinding::late, "ld-0001-000b12", "u00040", seconds(64),
                "delivered after 71 s, limit 60 s" },
            { AuditFinding::late, "ld-0001-000b15", "u00008", seconds(64),
                "delivered after 66 s, limit 60 s" } };
        return m_writer.finish(end);
    }

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    [[nodiscard]] const RunId& id() const { return m_header.id; }

private:
    Result<void> beginPhase(const Phase& phase)
    {
        if (m_open && m_open->index == phase.index)
            return {};
        if (m_open)
            if (auto done = endPhase(); !done)
                return done;
        m_open = phase;
        m_open->open = true;
        const std::string mix = phase.mixName.empty() ? "" : "mix \"" + phase.mixName + "\", ";
        if (auto done =
                m_writer.addEvent({ phase.begin, Severity::info, mix + toString(phase.kind) + " begins" });
            !done)
            return done;
        return m_writer.putPhase(*m_open);
    }
    Result<void> endPhase()
    {
        m_open->open = false;
        return m_writer.putPhase(*m_open);
    }

    double noise(double mean, double share) { return mean * (1 + share * m_normal(m_random)); }

    void fill(metrics::Tick& tick, const Phase& phase)
    {
        double load = 0; // threads at work
        const double into = static_cast<double>((tick.begin - phase.begin).count())
            / static_cast<double>((phase.end - phase.begin).count());
        const double full = 8.0 * (phase.mix + 1);
        if (phase.kind == PhaseKind::rampUp)
            load = full * into;
        else if (phase.kind == PhaseKind::measurement)
            load = full;
        else if (phase.kind == PhaseKind::rampDown)
            load = full * (1 - into);
        const double slow = (1 + load / 12) * m_demo.slower; // the server gets slower under load
        auto& v = tick.values;
        const auto sent = static_cast<std::uint64_t>(std::max(0.0, std::round(noise(load * 2.2, 0.12))));
        const bool drain = phase.kind == PhaseKind::drain;
        const double received = drain ? 4 : std::round(std::max(0.0, noise(load * 6.6, 0.15)));
        m_sent += sent;
        const bool failing = phase.kind == PhaseKind::measurement && m_tick % 37 == 5;
        v = { static_cast<double>(sent), received, static_cast<double>(sent) * 2, failing ? 2.0 : 0.0,
            static_cast<double>(sent) * 10240, std::round(load * 1.5),
            phase.mix < 0 ? 0 : 280.0 * (phase.mix + 1), std::round(load * 4), m_tick > 70 ? 2.0 : 0.0,
            m_tick > 66 ? 1.0 : 0.0, 0, 0, std::clamp(noise(load * 0.8, 0.1), 0.0, 100.0),
            std::abs(noise(0.0004, 0.3)) };
        const double cpu = (4 + load * 2.6) * m_demo.slower;
        for (int core = 0; core < 5; ++core) {
            const double use = std::clamp(noise(cpu, 0.09), 0.0, 100.0);
            v.push_back(use);
            if (core == 0) // of all together
                v.insert(v.end(), { use * 0.62, use * 0.38 });
        }
        v.insert(v.end(),
            { noise(900 + load * 640, 0.08), std::round(std::abs(noise(load / 9, 0.5))),
                noise(5200 - load * 20, 0.004), std::abs(noise(3, 0.8)) });
        for (int disk = 0; disk < 2; ++disk) {
            const bool missing = m_demo.gaps && disk == 1 && m_tick % 90 > 60 && m_tick % 90 < 75;
            v.insert(v.end(),
                { missing ? kNaN : std::abs(noise(0.004 * slow, 0.3)),
                    missing ? kNaN : std::abs(noise(0.007 * slow, 0.3)),
                    missing ? kNaN : noise(20 + load * 9, 0.2) });
        }
        v.insert(v.end(), { noise(40000 + load * 180000, 0.1), noise(60 + load * 240, 0.1) });

        const double meansMs[] = { 42, 40, 28, 27, 2.1, 3.4, 14, 9, 2.2, 4.1, 850, 0.15 };
        for (std::size_t h = 0; h < m_header.histograms.size(); ++h) {
            Histogram histogram;
            const bool own = h >= 11; // the generator's
            const std::uint64_t times = own ? 20 : drain ? (h == 0 || h == 1 || h == 10 ? 2 : 0) : sent;
            std::lognormal_distribution<double> latency(std::log(meansMs[h] * (own ? 1 : slow)) - 0.18, 0.6);
            for (std::uint64_t i = 0; i < times; ++i)
                histogram.record(Nanoseconds(static_cast<std::int64_t>(latency(m_random) * 1e6)));
            if (!histogram.empty())
                tick.histograms.emplace_back(static_cast<std::uint32_t>(h), histogram.encode());
        }
        if (failing) {
            tick.errors = { { "Send message", FailureKind::transientReply, 451, 1, "4.3.0 Try again" },
                { "POP3 PASS", FailureKind::timeout, 0, 1, "" } };
            (void)m_writer.addTranscript({ tick.begin, phase.index, "Send message",
                FailureKind::transientReply,
                "S: 220 mail.load.test ESMTP\r\nC: EHLO loadstone.invalid\r\nS: 250-mail.load.test\r\nS: 250 "
                "PIPELINING\r\n"
                "C: MAIL FROM:<u00017@load.test>\r\nS: 451 4.3.0 Temporary lookup failure\r\n" });
            (void)m_writer.addTranscript({ tick.begin, phase.index, "POP3 PASS", FailureKind::timeout,
                "S: +OK ready\r\nC: USER u00040\r\nS: +OK\r\nC: PASS ***\r\n(no reply within 60 s)\r\n" });
            if (m_tick % 2 == 0)
                (void)m_writer.addEvent({ tick.begin, Severity::warning, "POP3 PASS: no reply within 60 s" });
        }
    }

    DemoRecording m_demo;
    RunHeader m_header;
    std::vector<Phase> m_phases;
    history::RecordingWriter m_writer;
    std::filesystem::path m_file;
    std::uint64_t m_tick = 0, m_sent = 0;
    std::optional<Phase> m_open;
    std::mt19937_64 m_random;
    std::normal_distribution<double> m_normal;
};

DemoWriter::DemoWriter(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}
DemoWriter::DemoWriter(DemoWriter&&) noexcept = default;
DemoWriter& DemoWriter::operator=(DemoWriter&&) noexcept = default;
DemoWriter::~DemoWriter() = default;

Result<DemoWriter> DemoWriter::create(const std::filesystem::path& folder, const DemoRecording& demo)
{
    const Names n = names();
    RunHeader header;
    header.id = RunId::make();
    header.title = demo.title;
    header.started = demo.started.value_or(wallNow());
    header.planName = "pop-smtp-suite-small.toml";
    header.planText =
        "# A small suite\ntitle = \"POP and SMTP suite, small\"\nkind = \"mail\"\nseed = 1\n\n[target.smtp]\n"
        "host = \"10.0.0.5\"\nport = 25\n\n[[mixes]]\nname = \"10 clients\"\nclients = 10\nthink_time = \"22 "
        "s\"\n";
    header.seed = demo.seed;
    header.versionsJson = R"({"loadstone": "0.1.0", "boost": "1.81", "sqlite": "3.40.1"})";
    header.hostJson =
        R"({"cpuModel": ")" + demo.processor + R"(", "cpu": "Made-up CPU", "cores": 4, "memory": "8 GB"})";
    header.computer = demo.computer;
    header.plannedLength = phasesOf(demo).back().end;
    header.counters = n.counters;
    header.histograms = n.histograms;
    if (!demo.plan.empty()) {
        header.planText = demo.plan;
        for (HistogramInfo& info : header.histograms)
            if (info.key.subject.action == ActionKind::emptyMailbox)
                info = test::latencyNamed(info.id, info.scope, info.clock, "Read message");
    }
    history::ResultSeries series { seconds(demo.measurementSeconds / 3), {} };
    for (unsigned m = 0; m < demo.mixes; ++m)
        series.mixes.push_back({ std::to_string(10 * (m + 1)) + " clients", 280ULL * (m + 1), 8ULL * (m + 1),
            3.0, seconds(demo.measurementSeconds) });
    const auto file = folder / (header.id.text() + ".loadstone");
    auto writer = history::RecordingWriter::create(file, header, series);
    if (!writer)
        return writer.error();
    return DemoWriter(std::make_unique<Impl>(demo, std::move(header), std::move(*writer), file));
}

Result<bool> DemoWriter::tick()
{
    return m_impl->tick();
}
Result<void> DemoWriter::finish()
{
    return m_impl->finish();
}
const std::filesystem::path& DemoWriter::file() const
{
    return m_impl->file();
}
const RunId& DemoWriter::id() const
{
    return m_impl->id();
}

Result<RunId> DemoRecording::write(const std::filesystem::path& folder) const
{
    std::filesystem::create_directories(folder);
    auto writer = DemoWriter::create(folder, *this);
    if (!writer)
        return writer.error();
    for (;;) {
        const auto more = writer->tick();
        if (!more)
            return more.error();
        if (!*more)
            break;
    }
    if (finish)
        if (const auto done = writer->finish(); !done)
            return done.error();
    return writer->id();
}

} // namespace loadstone::test
