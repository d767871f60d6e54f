// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/criterion_limits.h"

#include "format.h"

#include <QCoreApplication>

#include <algorithm>
#include <tuple>

namespace loadstone::ui {

namespace {

QString spokenLimit(const char* source)
{
    return QCoreApplication::translate("criteria", source);
}

/// The counter of a source's computer that a criterion is about: a quantity of the whole machine, or a path as the plan's author typed it.
std::optional<LineKey> lineOfComputer(const Criterion& criterion, const std::vector<LineInfo>& lines)
{
    const std::string& host = criterion.computer;
    std::vector<LineKey> keys;
    std::vector<CounterInfo> counters; // in the order of the keys
    for (const LineInfo& line : lines) {
        if (line.host != host || line.key.isLatency())
            continue;
        const SeriesKey& series = line.key.series;
        if (criterion.kind == Criterion::Kind::processor && isProcessorTime(series))
            return line.key;
        counters.push_back(series.foreign ? counterOf(*series.foreign) : counterOf(series));
        counters.back().id = static_cast<std::uint32_t>(keys.size());
        keys.push_back(line.key);
    }
    if (criterion.kind != Criterion::Kind::counter && criterion.kind != Criterion::Kind::counterGrowth)
        return std::nullopt;
    const auto id = findTypedOnAny(counters, criterion.subject);
    return id ? std::optional(keys[*id]) : std::nullopt;
}

/// The line that a criterion is about; none: it is about no line of the run.
std::optional<LineKey> lineOf(
    const Criterion& criterion, const RunHeader& header, const std::vector<LineInfo>& lines)
{
    if (!criterion.computer.empty())
        if (const auto key = lineOfComputer(criterion, lines)) // its counters are of a source
            return key;
    const auto ownLine = [&](std::optional<std::uint32_t> id) {
        const std::string &host = criterion.computer, &own = header.computer;
        const bool here = host.empty() || host == own;
        return id && here ? std::optional(LineKey::ofCounter(header.counters[*id])) : std::nullopt;
    };
    switch (criterion.kind) {
    case Criterion::Kind::processor:
        return ownLine(findSeries(header.counters, Quantity::processorTime));
    case Criterion::Kind::queueGrowth:
        return ownLine(findSeries(header.counters, Quantity::copiesOutstanding));
    case Criterion::Kind::counter:
    case Criterion::Kind::counterGrowth:
        return ownLine(findTyped(header.counters, criterion.subject));
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

/// Of a line, from the recording's unit.
double factorOf(const LineKey& key)
{
    if (key.isLatency())
        return 1e3; // lines of latencies are in milliseconds
    return key.series.foreign ? 1 : shownFactor(counterOf(key.series));
}

} // namespace

namespace {

/// The plan's criteria, each as the last mix has it that was judged by it: one that has just begun has none yet.
std::vector<Criterion> criteriaOf(const Judgement& judgement)
{
    std::vector<Criterion> all;
    for (auto mix = judgement.mixes.rbegin(); mix != judgement.mixes.rend(); ++mix)
        for (const Criterion& criterion : mix->criteria)
            if (std::ranges::none_of(all, [&](const Criterion& one) {
                    return std::tie(one.kind, one.subject, one.computer, one.percentile)
                        == std::tie(
                            criterion.kind, criterion.subject, criterion.computer, criterion.percentile);
                }))
                all.push_back(criterion);
    return all;
}

} // namespace

std::vector<LineLimit> limitsOf(
    const Judgement& judgement, const RunHeader& header, const std::vector<LineInfo>& lines)
{
    std::vector<LineLimit> limits;
    for (const Criterion& criterion : criteriaOf(judgement)) {
        const auto key = lineOf(criterion, header, lines);
        if (!key)
            continue;
        const double factor = factorOf(*key);
        const auto info = std::ranges::find(lines, *key, &LineInfo::key);
        const QString unit = key->isLatency()              ? QStringLiteral("ms")
            : criterion.kind == Criterion::Kind::processor ? QStringLiteral("%")
            : info != lines.end()                          ? info->unit
                                                           : QString();
        const auto add = [&](double at, double value, const QString& words) {
            limits.push_back(
                { *key, { at * factor, words.arg(formatValue(value * factor), unit).trimmed() } });
        };
        const bool grows = criterion.kind == Criterion::Kind::queueGrowth
            || criterion.kind == Criterion::Kind::counterGrowth;
        if (grows && criterion.growsFrom && criterion.most) // where it may stand at the measurement's end
            add(*criterion.growsFrom + *criterion.most, *criterion.most,
                spokenLimit("growth of at most %1 %2"));
        if (criterion.least && !grows)
            add(*criterion.least, *criterion.least, spokenLimit("at least %1 %2"));
        if (criterion.most && !grows)
            add(*criterion.most, *criterion.most, spokenLimit("at most %1 %2"));
    }
    return limits;
}

} // namespace loadstone::ui
