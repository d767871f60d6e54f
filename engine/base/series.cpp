// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/recording.h>
#include <loadstone/results.h>
#include <loadstone/series.h>

namespace loadstone {

std::string CounterInfo::path() const
{
    std::string text = computer.empty() ? std::string() : "\\\\" + computer;
    text += "\\" + object;
    if (!instance.empty())
        text += "(" + instance + ")";
    return text + "\\" + counter;
}

const char* toString(PhaseKind kind)
{
    switch (kind) {
    case PhaseKind::rampUp:
        return "ramp-up";
    case PhaseKind::measurement:
        return "measurement";
    case PhaseKind::rampDown:
        return "ramp-down";
    case PhaseKind::quiet:
        return "quiet";
    case PhaseKind::drain:
        return "drain";
    case PhaseKind::initialisation:
        return "initialisation";
    case PhaseKind::cleanUp:
        return "clean-up";
    }
    return "?";
}

const char* toString(LatencyClock clock)
{
    switch (clock) {
    case LatencyClock::response:
        return "response";
    case LatencyClock::service:
        return "service";
    case LatencyClock::delivery:
        return "delivery";
    case LatencyClock::slip:
        return "slip";
    case LatencyClock::age:
        return "age";
    }
    return "?";
}

const char* toString(LatencyScope scope)
{
    switch (scope) {
    case LatencyScope::action:
        return "action";
    case LatencyScope::command:
        return "command";
    case LatencyScope::delivery:
        return "delivery";
    case LatencyScope::generator:
        return "generator";
    }
    return "?";
}

const char* toString(Severity severity)
{
    switch (severity) {
    case Severity::info:
        return "info";
    case Severity::warning:
        return "warning";
    case Severity::error:
        return "error";
    }
    return "?";
}

const char* toString(RunState state)
{
    switch (state) {
    case RunState::preparing:
        return "preparing";
    case RunState::running:
        return "running";
    case RunState::finished:
        return "finished";
    case RunState::stopped:
        return "stopped";
    case RunState::failed:
        return "failed";
    case RunState::interrupted:
        return "interrupted";
    }
    return "?";
}

const char* toString(StorageResult::Kind kind)
{
    switch (kind) {
    case StorageResult::Kind::performance:
        return "performance";
    case StorageResult::Kind::stress:
        return "stress";
    case StorageResult::Kind::backup:
        return "backup";
    case StorageResult::Kind::recovery:
        return "recovery";
    case StorageResult::Kind::checksum:
        return "checksum";
    }
    return "?";
}

} // namespace loadstone
