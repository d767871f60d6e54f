// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress.h"

#include "commands.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace loadstone::cli {

namespace {

constexpr Nanoseconds kPlainInterval = std::chrono::seconds(10);

std::string describeAudit(const AuditTotals& audit)
{
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(audit.lost, "lost");
    add(audit.twice, "twice");
    add(audit.damaged, "damaged");
    add(audit.late, "late");
    if (text.empty() && audit.accepted == 0)
        return "audit: no message accepted";
    return text.empty() ? "audit ok" : "audit: " + text;
}

/// How far the mailboxes are.
std::string preparationLine(const RunStatus& status)
{
    const PreparationTotals& totals = *status.preparation;
    std::string text = fmt::format(
        "{} {} of {} mailboxes", describePhase(status), totals.done + totals.failed, totals.mailboxes);
    text += status.phaseLeft > Nanoseconds(0) ? fmt::format(", {} left", formatClock(status.phaseLeft)) : "";
    if (status.phase->kind == PhaseKind::initialisation)
        text += fmt::format(" | {} folders made, {} messages appended, {} there already", totals.foldersMade,
            totals.appended, totals.found);
    else
        text += fmt::format(" | {} messages and {} folders removed, {} messages left alone", totals.removed,
            totals.foldersRemoved, totals.foreign);
    if (totals.hasEntries() && status.phase->kind == PhaseKind::initialisation)
        text += fmt::format(" | {} appointments and contacts made, {} there already", totals.entriesMade,
            totals.entriesFound);
    else if (totals.hasEntries())
        text += fmt::format(
            " | {} events and contacts removed, {} left alone", totals.entriesRemoved, totals.entriesForeign);
    if (totals.failed > 0)
        text += fmt::format(" | {} given up", totals.failed);
    return text + fmt::format(" | {} error{}", status.errors, status.errors == 1 ? "" : "s");
}

std::string ioLine(const IoRates& io)
{
    return fmt::format(" | {} reads/s {} writes/s {}/s", formatNumber(io.readsPerSecond),
        formatNumber(io.writesPerSecond), formatBytes(static_cast<std::uint64_t>(io.bytesPerSecond)));
}

/// Of the run: "10:00", or "≥ 10:00" where a later phase ends when its work is done.
std::string allLeft(const RunStatus& status)
{
    return (status.leftAtLeast ? "≥ " : "") + formatClock(status.totalLeft);
}

/// How far a storage test's phase is, and what is left of it and of all: " 43 %, 5:12 left, all 10:00". Nothing while
/// nothing is known of its end.
std::string howFar(const RunStatus& status)
{
    const Phase& phase = *status.phase;
    if (phase.end == phase.begin && status.phaseLeft == Nanoseconds(0))
        return {};
    const double done = seconds(status.elapsed - phase.begin), left = seconds(status.phaseLeft);
    const double share = done > 0 ? done / (done + left) : 0;
    return fmt::format(" {} %, {} left, all {}", static_cast<int>(100 * share), formatClock(status.phaseLeft),
        allLeft(status));
}

} // namespace

std::string describePhase(const RunStatus& status)
{
    if (!status.phase)
        return status.state == RunState::running ? "running" : toString(status.state);
    std::string text = toString(status.phase->kind);
    if (!status.phase->mixName.empty())
        text += fmt::format(" \"{}\"", status.phase->mixName);
    return text;
}

std::string progressLine(const RunStatus& status)
{
    if (status.phase && isPreparation(status.phase->kind) && !status.io)
        return status.preparation ? preparationLine(status) : describePhase(status);
    std::string text = describePhase(status);
    if (status.phase && status.io)
        text += howFar(status);
    else if (status.phase)
        text += fmt::format(" {}, all {}", formatClock(status.phaseLeft), allLeft(status));
    const bool isOfMail = status.kind == RunKind::mail;
    if (status.io)
        text += ioLine(*status.io);
    else if (isOfMail)
        text += fmt::format(" | {} sent/s {} recv/s", formatNumber(status.sentPerSecond),
            formatNumber(status.receivedPerSecond));
    text += fmt::format(" | p95 {}{} | {} error{}", status.p95AtLeast ? "≥ " : "",
        status.p95.count() > 0 ? formatLatency(status.p95) : "-", status.errors,
        status.errors == 1 ? "" : "s");
    if (isOfMail)
        text += " | " + describeAudit(status.audit);
    if (!status.historyTrouble.empty()) // nothing that is not kept says that the generator is well
        return text + " | the history cannot be written: " + status.historyTrouble;
    return text + (status.generatorHealthy ? " | generator ok" : " | generator: " + status.generatorReason);
}

ProgressPrinter::ProgressPrinter()
    : m_terminal(::isatty(STDOUT_FILENO) == 1)
    , m_lastPlain(-kPlainInterval)
{
}

void ProgressPrinter::line(const std::string& text)
{
    clear();
    say(text + "\n");
}

void ProgressPrinter::clear()
{
    if (!m_shown)
        return;
    showProgress({});
    m_shown = false;
}

void ProgressPrinter::update(const RunStatus& status)
{
    if (status.phase && status.phase->index != m_phase) {
        m_phase = status.phase->index;
        const std::string length = status.phase->end == status.phase->begin // it ends when it is done
            ? std::string()
            : fmt::format(" ({})", formatClock(status.phase->end - status.phase->begin));
        line(fmt::format("{}  {} begins{}", formatClock(status.phase->begin), describePhase(status), length));
    }
    if (m_healthy && !status.generatorHealthy)
        line(fmt::format(
            "{}  the generator is not healthy: {}", formatClock(status.elapsed), status.generatorReason));
    m_healthy = status.generatorHealthy;
    if (const bool written = status.historyTrouble.empty(); written != std::exchange(m_written, written))
        line(formatClock(status.elapsed)
            + (written ? "  the history can be written again"
                       : "  the history cannot be written: " + status.historyTrouble));
    if (!m_terminal) {
        if (status.elapsed - m_lastPlain >= kPlainInterval) {
            m_lastPlain = status.elapsed;
            line(formatClock(status.elapsed) + "  " + progressLine(status));
        }
        return;
    }
    winsize size {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        m_width = size.ws_col - 1U;
    showProgress(progressLine(status), m_width);
    m_shown = true;
}

} // namespace loadstone::cli
