// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/mix_commands.h"

#include "counters/live/shell_command.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadstone::run {

namespace {

constexpr std::size_t kKeptOutput = 16U << 10U;
constexpr auto kSlack = std::chrono::seconds(30); // to start a shell and to end it

} // namespace

std::string outputForLog(const std::string& text)
{
    std::string kept;
    for (const char c : text.substr(0, kKeptOutput))
        kept += c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= ' ' ? c : '?';
    while (kept.ends_with('\n'))
        kept.pop_back();
    return text.size() > kKeptOutput
        ? kept + fmt::format("\n... ({} more)", formatBytes(text.size() - kKeptOutput))
        : kept;
}

WithMixCommands::WithMixCommands(
    std::unique_ptr<Workload> workload, std::vector<MixCommand> commands, bool storage)
    : m_workload(std::move(workload))
    , m_commands(std::move(commands))
    , m_storage(storage)
    , m_stages(stages())
{
}

WithMixCommands::~WithMixCommands() = default;

Nanoseconds WithMixCommands::lengthOf(CommandMoment moment) const
{
    Nanoseconds length {};
    for (const MixCommand& command : m_commands)
        if (command.moment == moment)
            length += command.timeLimit + kSlack;
    return length;
}

std::vector<WithMixCommands::Stage> WithMixCommands::stages() const
{
    std::vector<Stage> all;
    std::int32_t mix = -1; // whose phases we are in
    std::string name;
    const auto rest = [&](CommandMoment moment) {
        const Nanoseconds length = lengthOf(moment);
        if (mix >= 0 && length > Nanoseconds(0))
            all.push_back({ { mix, name, PhaseKind::quiet, length, true }, true, moment });
    };
    for (PlannedPhase& phase : m_workload->phases()) {
        const bool isLoad = phase.kind == PhaseKind::rampUp || phase.kind == PhaseKind::measurement
            || phase.kind == PhaseKind::rampDown;
        const std::int32_t present = isLoad ? phase.mix : -1;
        if (present != mix) {
            rest(CommandMoment::afterMix);
            mix = present;
            name = phase.mixName;
            rest(CommandMoment::beforeMix);
        }
        all.push_back({ std::move(phase), false, {} });
    }
    rest(CommandMoment::afterMix);
    return all;
}

std::vector<PlannedPhase> WithMixCommands::phases() const
{
    std::vector<PlannedPhase> phases;
    for (const Stage& stage : m_stages)
        phases.push_back(stage.phase);
    return phases;
}

Result<void> WithMixCommands::start(MonoTime origin)
{
    m_origin = origin;
    return m_workload->start(origin);
}

void WithMixCommands::enter(const PlannedPhase& phase, MonoTime begin, MonoTime end)
{
    // Phases without length are left out by the clock.
    while (m_next < m_stages.size() && m_stages[m_next].phase.length <= Nanoseconds(0))
        ++m_next;
    if (m_next >= m_stages.size())
        return m_workload->enter(phase, begin, end);
    const Stage& stage = m_stages[m_next++];
    m_rests = stage.rests;
    m_done = false;
    PlannedPhase inner = phase;
    if (stage.rests && m_storage)
        inner.kind = PhaseKind::rampDown;
    m_workload->enter(inner, begin, end);
    if (stage.rests)
        m_thread = std::jthread([this, &stage](const std::stop_token& stop) { work(stop, stage); });
}

void WithMixCommands::work(const std::stop_token& stop, const Stage& stage)
{
    for (const MixCommand& command : m_commands) {
        if (command.moment != stage.moment || stop.stop_requested())
            continue;
        const std::string what =
            fmt::format("command {} \"{}\"", toString(stage.moment), stage.phase.mixName);
        event(Severity::info, fmt::format("{}: {}", what, outputForLog(command.command)));
        const MonoTime begun = monoNow();
        const auto ended = counters::runShellCommand(command.command, { command.timeLimit }, stop);
        if (stop.stop_requested())
            break;
        const std::string after = formatLatency(monoNow() - begun);
        if (ended) {
            const std::string output = outputForLog(ended->text);
            event(Severity::info,
                fmt::format("{} ended well after {}{}", what, after, output.empty() ? "" : ":\n" + output));
            continue;
        }
        std::string fault =
            fmt::format("{} failed after {}: {}", what, after, outputForLog(ended.error().message));
        event(command.goOn ? Severity::warning : Severity::error, fault);
        if (command.goOn)
            continue;
        const std::lock_guard lock(m_mutex);
        m_failure = std::move(fault);
        break;
    }
    m_done = true;
}

void WithMixCommands::event(Severity severity, std::string text)
{
    const std::lock_guard lock(m_mutex);
    m_events.push_back({ monoNow() - m_origin, severity, std::move(text) });
}

bool WithMixCommands::phaseComplete() const
{
    if (!m_rests)
        return m_workload->phaseComplete();
    const std::lock_guard lock(m_mutex);
    return m_done && m_events.empty(); // all is in the log
}

bool WithMixCommands::over() const
{
    const std::lock_guard lock(m_mutex);
    return (!m_failure.empty() && m_events.empty()) || m_workload->over();
}

void WithMixCommands::collect(WorkloadTick& tick, std::uint32_t phase, Nanoseconds length)
{
    m_workload->collect(tick, phase, length);
    const std::lock_guard lock(m_mutex);
    std::ranges::move(std::exchange(m_events, {}), std::back_inserter(tick.events));
}

void WithMixCommands::stop()
{
    m_thread.request_stop();
    m_workload->stop();
    if (m_thread.joinable())
        m_thread.join();
}

void WithMixCommands::conclude(history::RunEnd& end)
{
    m_workload->conclude(end);
    const std::lock_guard lock(m_mutex);
    if (m_failure.empty())
        return;
    end.state = RunState::failed;
    end.reason = m_failure;
}

} // namespace loadstone::run
