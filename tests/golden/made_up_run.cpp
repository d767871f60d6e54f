// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden/made_up_run.h"

#include "golden/samples.h"
#include "lab/host_facts.h"

#include <fmt/format.h>

#include <stdexcept>

namespace loadstone::test {

namespace {

void require(const Result<void>& done)
{
    if (!done)
        throw std::runtime_error(done.error().message);
}

std::string hostJson()
{
    lab::HostFacts host;
    host.hostName = "generator1";
    host.cpuModel = "Made-up Processor 3000";
    host.logicalCpus = 8;
    host.cores = 4;
    host.sockets = 1;
    host.memoryBytes = 16ULL << 30U;
    host.kernel = "6.1.0-18-amd64";
    host.architecture = "x86_64";
    host.operatingSystem = "Debian GNU/Linux 12 (bookworm)";
    host.clockSource = "tsc";
    host.disks = { { "vda", "", 64ULL << 30U, false, "none" } };
    host.interfaces = { { "eth0", 10000, 1500, "up" }, { "lo", std::nullopt, 65536, "unknown" } };
    host.openFilesLimit = 65536;
    return lab::toJson(host);
}

RunHeader headerOf(const MadeUpRun& run)
{
    RunHeader header;
    header.id = run.id;
    header.kind = run.kind;
    header.title = "Made up: " + run.name;
    header.started = WallTime(std::chrono::seconds(1795269785));
    header.planName = run.name + ".toml";
    header.planText = run.plan;
    header.seed = 7;
    header.versionsJson = R"({"loadstone": "0.1.0"})";
    header.hostJson = hostJson();
    header.computer = "generator1";
    for (const Stage& stage : run.stages)
        header.plannedLength += std::chrono::seconds(stage.length);
    header.counters = run.counters;
    for (std::size_t i = 0; i < header.counters.size(); ++i)
        header.counters[i].id = static_cast<std::uint32_t>(i);
    header.histograms = run.histograms;
    for (std::size_t i = 0; i < header.histograms.size(); ++i)
        header.histograms[i].id = static_cast<std::uint32_t>(i);
    return header;
}

class Writer {
public:
    Writer(const MadeUpRun& run, const std::filesystem::path& file)
        : m_run(run)
        , m_header(headerOf(run))
        , m_writer(open(file))
    {
    }

    void writeAll()
    {
        for (const Stage& stage : m_run.stages)
            writeStage(stage);
        for (const RunEvent& event : m_run.events)
            require(m_writer.addEvent(event));
        for (const Transcript& transcript : m_run.transcripts)
            require(m_writer.addTranscript(transcript));
        require(m_writer.finish(m_run.end));
    }

private:
    history::RecordingWriter open(const std::filesystem::path& file) const
    {
        auto writer = history::RecordingWriter::create(file, m_header, m_run.facts);
        if (!writer)
            throw std::runtime_error(writer.error().message);
        return *std::move(writer);
    }

    void writeStage(const Stage& stage)
    {
        Phase phase;
        phase.index = m_phase;
        phase.mix = stage.mix;
        phase.mixName = stage.mix < 0 ? "" : m_run.facts.mixes.at(static_cast<std::size_t>(stage.mix)).name;
        phase.kind = stage.kind;
        phase.begin = m_now;
        phase.end = m_now + std::chrono::seconds(stage.length);
        phase.open = true;
        require(m_writer.putPhase(phase));
        require(m_writer.addEvent({ m_now, Severity::info, fmt::format("{} begins", toString(stage.kind)) }));
        for (unsigned i = 0; i < stage.length; ++i) {
            auto length = std::chrono::milliseconds(1000);
            if (stage.kind == PhaseKind::measurement && i == 0)
                length /= 2;
            else if (stage.kind == PhaseKind::measurement && i == stage.length - 1)
                length += length / 2;
            require(m_writer.append(tick(stage, length)));
        }
        phase.open = false;
        require(m_writer.putPhase(phase));
        ++m_phase;
    }

    metrics::Tick tick(const Stage& stage, Nanoseconds length)
    {
        const Moment moment { m_tick, stage.load, stage.checks };
        metrics::Tick tick;
        tick.number = m_tick++;
        tick.begin = m_now;
        tick.end = m_now += length;
        tick.phase = m_phase;
        for (std::size_t i = 0; i < m_header.counters.size(); ++i) {
            const auto parts = m_run.counterParts.find(i);
            if (parts == m_run.counterParts.end()) {
                tick.values.push_back(sampleOf(m_header.counters[i], moment));
                continue;
            }
            double sum = 0;
            for (const std::size_t part : parts->second)
                sum += sampleOf(m_header.counters[part], moment);
            tick.values.push_back(sum);
        }
        for (std::size_t i = 0; i < m_header.histograms.size(); ++i) {
            Histogram histogram;
            if (const auto parts = m_run.histogramParts.find(i); parts != m_run.histogramParts.end())
                for (const std::size_t part : parts->second)
                    histogram.merge(latenciesOf(m_header.histograms[part], moment));
            else
                histogram = latenciesOf(m_header.histograms[i], moment);
            if (!histogram.empty())
                tick.histograms.emplace_back(static_cast<std::uint32_t>(i), histogram.encode());
        }
        if (stage.load > 0 && moment.tick % 5 == 0 && !m_run.errors.empty())
            tick.errors.push_back(m_run.errors[moment.tick / 5 % m_run.errors.size()]);
        return tick;
    }

    const MadeUpRun& m_run;
    RunHeader m_header;
    history::RecordingWriter m_writer;
    Nanoseconds m_now {};
    std::uint64_t m_tick = 0;
    std::uint32_t m_phase = 0;
};

} // namespace

void MadeUpRun::write(const std::filesystem::path& file) const
{
    Writer(*this, file).writeAll();
}

std::vector<MadeUpRun> madeUpRuns()
{
    return { mailRun(), severalTargetsRun(), rawRun(), storageRun() };
}

} // namespace loadstone::test
