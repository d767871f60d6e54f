// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/criterion_limits.h"

#include "format.h"

#include <QCoreApplication>

#include <algorithm>

namespace loadstone::ui {

namespace {

QString spokenLimit(const char* source)
{
    return QCoreApplication::translate("criteria", source);
}

/// The line that a criterion is about; none: it is about no line of the run.
std::optional<LineKey> lineOf(
    const Criterion& criterion, const RunHeader& header, const std::vector<LineInfo>& lines)
{
    if (const std::string& host = criterion.computer; !host.empty()) { // its counters are of a source
        const auto found = std::ranges::find_if(lines, [&](const LineInfo& line) {
            return criterion.kind == Criterion::Kind::processor && line.host == host
                && line.key.series.quantity == Quantity::processorTime
                && line.key.series.subject.device.empty();
        });
        return found == lines.end() ? std::nullopt : std::optional(found->key);
    }
    switch (criterion.kind) {
    case Criterion::Kind::processor:
        if (const auto id = findSeries(header.counters, Quantity::processorTime))
            return LineKey::ofCounter(header.counters[*id]);
        return std::nullopt;
    case Criterion::Kind::counter:
        if (const auto id = findTyped(header.counters, criterion.subject)) // as the plan's author typed it
            return LineKey::ofCounter(header.counters[*id]);
        return std::nullopt;
    case Criterion::Kind::responseTime: {
        const auto action = actionKindOf(criterion.subject);
        if (!action)
            return std::nullopt;
        const SeriesKey key(Quantity::actionTime, Subject::ofAction(*action), LatencyClock::response);
        return findSeries(header.histograms, key) ? std::optional(LineKey { key, criterion.percentile })
                                                  : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

} // namespace

std::vector<LineLimit> limitsOf(
    const Judgement& judgement, const RunHeader& header, const std::vector<LineInfo>& lines)
{
    std::vector<LineLimit> limits;
    if (judgement.mixes.empty())
        return limits;
    for (const Criterion& criterion : judgement.mixes.back().criteria) {
        const auto key = lineOf(criterion, header, lines);
        if (!key)
            continue;
        const bool time = criterion.kind == Criterion::Kind::responseTime;
        const auto counter = findSeries(header.counters, key->series);
        const double factor = time ? 1e3 // lines of latencies are in milliseconds
            : counter              ? shownFactor(header.counters[*counter])
                                   : 1;
        const QString unit = time                          ? QStringLiteral("ms")
            : criterion.kind == Criterion::Kind::processor ? QStringLiteral("%")
                                                           : QString();
        const auto add = [&](std::optional<double> value, const QString& words) {
            if (value)
                limits.push_back(
                    { *key, { *value * factor, words.arg(formatValue(*value * factor), unit).trimmed() } });
        };
        add(criterion.least, spokenLimit("at least %1 %2"));
        add(criterion.most, spokenLimit("at most %1 %2"));
    }
    return limits;
}

} // namespace loadstone::ui
