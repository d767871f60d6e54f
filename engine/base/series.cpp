// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/recording.h>
#include <loadstone/results.h>
#include <loadstone/series.h>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace loadstone {

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

const char* toString(RunKind kind)
{
    switch (kind) {
    case RunKind::mail:
        return "mail";
    case RunKind::raw:
        return "raw";
    case RunKind::storage:
        return "storage";
    }
    return "?";
}

const char* toString(CommandMoment moment)
{
    constexpr std::array kNames { "before run", "after run", "before mix", "after mix" };
    return kNames.at(static_cast<std::size_t>(moment));
}

const char* toString(RunOrigin origin)
{
    switch (origin) {
    case RunOrigin::measured:
        return "measured";
    case RunOrigin::merged:
        return "merged";
    }
    return "?";
}

namespace {

/// The place of a text in a list of names; an error that says what the text is not.
template <class Kind, std::size_t N>
Result<Kind> parseName(const std::array<const char*, N>& names, std::string_view text, const char* what)
{
    for (std::size_t i = 0; i < N; ++i)
        if (text == names[i])
            return static_cast<Kind>(i);
    constexpr std::size_t kShown = 40;
    return fail(fmt::format("\"{}\" is not {}", text.substr(0, kShown), what));
}

constexpr std::array kFindings { "late", "twice", "damaged", "lost", "unknown", "wrong" };
constexpr std::array kAnnotations { "note", "mark", "window", "tag", "title" };

} // namespace

const char* toString(AuditFinding finding)
{
    return kFindings.at(static_cast<std::size_t>(finding));
}
Result<AuditFinding> parseAuditFinding(std::string_view text)
{
    return parseName<AuditFinding>(kFindings, text, "a finding of the delivery audit");
}

const char* toString(AnnotationKind kind)
{
    return kAnnotations.at(static_cast<std::size_t>(kind));
}
Result<AnnotationKind> parseAnnotationKind(std::string_view text)
{
    return parseName<AnnotationKind>(kAnnotations, text, "a kind of annotation");
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
