// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_figures.h"

#include "format.h"

#include <algorithm>
#include <limits>

namespace loadstone::ui {

namespace {

constexpr Nanoseconds kLately = std::chrono::seconds(10);
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

TimeWindow before(Nanoseconds at)
{
    return { std::max(Nanoseconds(0), at - kLately), at };
}

/// Of a counter, within the last seconds before `at`; NaN without a sample.
double lastValue(const Recording& recording, Quantity quantity, Nanoseconds at)
{
    const auto id = findSeries(recording.header().counters, quantity);
    if (!id)
        return kUnknown;
    const auto statistics = recording.counterStatistics(*id, before(at));
    return statistics && statistics->samples != 0 ? statistics->last : kUnknown;
}

std::uint64_t lastCount(const Recording& recording, Quantity quantity, Nanoseconds at)
{
    const double value = lastValue(recording, quantity, at);
    return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

Result<void> addMoment(const Recording& recording, Nanoseconds at, RunFigures& figures)
{
    figures.sentPerSecond = lastValue(recording, Quantity::messagesSent, at);
    figures.receivedPerSecond = lastValue(recording, Quantity::messagesReceived, at);
    figures.users = lastCount(recording, Quantity::users, at);
    const auto io = ioRatesAt(recording, at);
    if (!io)
        return io.error();
    figures.io = *io;
    const auto response = responseWithin(recording, before(at));
    if (!response)
        return response.error();
    if (!response->empty()
        && response->p95 > Nanoseconds(0)) { // of a server that is silent: the ages of what waits
        figures.p95 = response->p95;
        figures.p95AtLeast = response->atLeast.p95;
    }
    return {};
}

/// Mean over the last seconds of the first system under test that has the counter, %.
std::optional<double> testedProcessor(const Recording& recording, const RunView& view)
{
    if (!view.sources
        || view.sources->empty()) // the run's own counters are those of the machine that makes the load
        return std::nullopt;
    const auto readings = readingsWithin(recording, before(view.shown));
    if (!readings)
        return std::nullopt;
    for (const ComputerReadings& computer : *readings)
        if (computer.role == "sut")
            for (const CounterReading& one : computer.counters)
                if (one.counter.key == SeriesKey(Quantity::processorTime) && one.samples > 0)
                    return one.average;
    return std::nullopt;
}

void addTimeLeft(const RunView& view, RunFigures& figures)
{
    if (figures.phase && figures.phase->open && figures.phase->end > view.shown)
        figures.phaseLeft = figures.phase->end - view.shown;
    // Phases that end when they are done took time that was not planned: the present one at least goes on.
    const Nanoseconds planned = view.header->plannedLength;
    if (planned > Nanoseconds(0))
        figures.totalLeft = std::max(figures.phaseLeft.value_or(Nanoseconds(0)), planned - view.shown);
}

void addHealth(const RunResults& results, RunFigures& figures)
{
    // Of a run that died only an earlier state of the audit is kept.
    if (results.kind == RunKind::mail && results.state != RunState::interrupted)
        figures.audit = results.audit;
    figures.healthy = results.invalidReasons.empty();
    if (!figures.healthy)
        figures.healthReason = text(results.invalidReasons.front());
}

void addVerdict(const RunVerdict& verdict, RunFigures& figures)
{
    figures.verdict = verdict.verdict;
    figures.healthy = verdict.good();
    figures.healthReason = text(verdict.headline);
    for (const std::string& reason : verdict.reasons)
        figures.healthReason += QLatin1Char('\n') + text(reason);
}

/// As the audit's counters say that it stood.
AuditTotals auditAt(const Recording& recording, std::uint64_t expected, Nanoseconds at)
{
    AuditTotals audit;
    audit.expected = expected;
    audit.outstanding = lastCount(recording, Quantity::copiesOutstanding, at);
    audit.late = lastCount(recording, Quantity::copiesLate, at);
    audit.twice = lastCount(recording, Quantity::copiesTwice, at);
    audit.damaged = lastCount(recording, Quantity::copiesDamaged, at);
    audit.lost = lastCount(recording, Quantity::copiesLost, at);
    return audit;
}

} // namespace

Result<RunFigures> figuresOf(const Recording& recording, const RunResults* results, const RunView& view)
{
    RunFigures figures;
    figures.elapsed = view.shown;
    const bool past = view.shown < view.length;
    const bool whole = !past && !view.growing();
    if (!view.phases.empty() && !whole)
        figures.phase = view.phases.back();
    if (view.growing() && !past)
        addTimeLeft(view, figures);
    if (whole) { // what its last second was says nothing of a run
        figures.sentPerSecond = figures.receivedPerSecond = kUnknown;
        if (results != nullptr)
            for (const MixResult& mix : results->mixes)
                figures.users = std::max(figures.users, mix.mailboxes);
    } else if (const auto done = addMoment(recording, view.shown, figures); !done) {
        return done.error();
    }
    const auto errors = recording.errors({ Nanoseconds(0), view.shown });
    if (!errors)
        return errors.error();
    for (const ErrorRow& row : *errors)
        figures.errors += row.count;
    if (results != nullptr && !past)
        addHealth(*results, figures);
    if (view.verdict)
        addVerdict(*view.verdict, figures);
    if (view.query.headline && view.growing() && !past)
        figures.testedProcessor = testedProcessor(recording, view);
    // In a replay the audit's counters say how it stood; they are there, and 0, without an audit too.
    if (!whole && results != nullptr && results->audit && !figures.audit
        && findSeries(recording.header().counters, Quantity::copiesLost))
        figures.audit = auditAt(recording, results->audit->expected, view.shown);
    return figures;
}

QString noErrorWords(const RunFigures& figures)
{
    if (figures.verdict == Verdict::failed)
        return {};
    return figures.io ? translated("no failed transfers") : translated("no errors");
}

QString leftText(const RunFigures& figures)
{
    const Nanoseconds left = figures.totalLeft.value_or(Nanoseconds(0));
    if (figures.leftAtLeast)
        return left > Nanoseconds(0) ? QStringLiteral("≥ ") + formatElapsed(left) : QStringLiteral("–");
    return formatElapsed(left);
}

QString responseText(const RunFigures& figures)
{
    if (!figures.p95)
        return {};
    return (figures.p95AtLeast ? QStringLiteral("≥ ") : QString()) + formatTime(*figures.p95);
}

} // namespace loadstone::ui
