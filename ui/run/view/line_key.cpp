// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/line_key.h"

#include "format.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr double kPercentiles[] = { 50, 95, 99 };
constexpr std::size_t kMostLines = 8; // response times included

QString translated(const char* source)
{
    return QCoreApplication::translate("lines", source);
}

QString percentileName(double percentile)
{
    if (percentile == 50)
        return translated("Median");
    return translated("%1th percentile").arg(percentile);
}

QString clockName(LatencyClock clock)
{
    switch (clock) {
    case LatencyClock::response:
        return translated("Response time");
    case LatencyClock::service:
        return translated("Service time");
    case LatencyClock::delivery:
        return translated("Delivery time");
    case LatencyClock::slip:
        return translated("Generator slip");
    case LatencyClock::age:
        return translated("Age of unfinished work");
    case LatencyClock::serviceAge:
        return translated("Age of work at the server or device");
    }
    return {};
}

} // namespace

LineKey LineKey::ofCounter(const CounterInfo& info)
{
    return { info.key, 0 };
}

LineKey LineKey::ofSource(const std::string& source, const CounterInfo& info)
{
    return { info.key, 0, source };
}

LineKey LineKey::ofLatency(const HistogramInfo& info, double percentile)
{
    return { info.key, percentile };
}

std::string LineKey::name() const
{
    return isLatency() ? latencyNameOf(series) : pathOf(series);
}

QString LineKey::text() const
{
    const QString kept = ui::text(keptText(series));
    if (!source.empty())
        return QStringLiteral("source:%1:%2")
            .arg(QString::fromLatin1(QUrl::toPercentEncoding(ui::text(source))), kept);
    if (isLatency())
        return QStringLiteral("latency:%1:%2").arg(QString::number(percentile), kept);
    return QStringLiteral("counter:%1").arg(kept);
}

std::optional<LineKey> LineKey::parse(const QString& text)
{
    const QString kind = text.section(QLatin1Char(':'), 0, 0);
    const bool isCounter = kind == QLatin1String("counter");
    const QString detail = isCounter ? QString() : text.section(QLatin1Char(':'), 1, 1);
    const auto kept = seriesKeyOf(bytes(text.section(QLatin1Char(':'), isCounter ? 1 : 2)));
    if (!kept)
        return std::nullopt;
    LineKey key { *kept, 0 };
    if (kind == QLatin1String("latency")) {
        bool ok = false;
        key.percentile = detail.toDouble(&ok);
        return ok && key.percentile >= 0 && key.percentile <= 100 && key.isLatency() ? std::optional(key)
                                                                                     : std::nullopt;
    }
    if (kind == QLatin1String("source"))
        key.source = bytes(QUrl::fromPercentEncoding(detail.toLatin1()));
    const bool named = isCounter || !key.source.empty();
    return named && !key.isLatency() ? std::optional(key) : std::nullopt;
}

QString LineInfo::shortName() const
{
    if (key.isLatency())
        return QStringLiteral("%1: %2, p%3").arg(instance, object.toLower(), QString::number(key.percentile));
    const QString own = instance.isEmpty() ? counter : QStringLiteral("%1 (%2)").arg(counter, instance);
    return source.isEmpty() ? own : QStringLiteral("%1, %2").arg(own, source);
}

std::vector<std::string> sourceNames(const std::vector<SourceInfo>& sources)
{
    std::vector<std::string> names;
    for (const SourceInfo& source : sources) {
        std::string name = source.origin.empty() ? bytes(translated("source")) : source.origin;
        if (std::ranges::find(names, name) != names.end())
            name += " (" + std::to_string(source.id) + ")";
        names.push_back(std::move(name));
    }
    return names;
}

namespace {

QString unitOf(const CounterInfo& info)
{
    // Counts are shown per second.
    return text(info.unit) + (info.kind == CounterKind::count ? QStringLiteral("/s") : QString());
}

/// Each under its own object's name with the origin behind it: nobody takes one for a counter of the run.
void addSources(const std::vector<SourceInfo>& sources, std::vector<LineInfo>& lines)
{
    const std::vector<std::string> names = sourceNames(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const QString name = text(names[i]);
        QString help = translated("From %1, outside the run: no part of its results and verdict.").arg(name);
        if (!sources[i].complete)
            help +=
                QLatin1Char('\n') + translated("It is still being written, or its writing was interrupted.");
        for (const CounterInfo& c : sources[i].counters) {
            const QString own = text(c.help);
            lines.push_back({ LineKey::ofSource(names[i], c), text(c.counter), text(c.instance),
                QStringLiteral("%1 (%2)").arg(text(c.object), name),
                text(c.computer.empty() ? sources[i].computer : c.computer), unitOf(c),
                own.isEmpty() ? help : own + QLatin1Char('\n') + help, name });
        }
    }
}

} // namespace

std::vector<LineInfo> linesOf(const RunHeader& header, const std::vector<SourceInfo>& sources)
{
    std::vector<LineInfo> lines;
    lines.reserve(header.counters.size() + 3 * header.histograms.size());
    for (const CounterInfo& c : header.counters) {
        QString help = text(c.help);
        if (!c.counts.empty())
            help += (help.isEmpty() ? QString() : QStringLiteral("\n"))
                + translated("Counts: %1").arg(text(c.counts));
        lines.push_back({ LineKey::ofCounter(c), text(c.counter), text(c.instance), text(c.object),
            text(c.computer.empty() ? header.computer : c.computer), unitOf(c), help });
    }
    for (const HistogramInfo& h : header.histograms)
        for (const double p : kPercentiles)
            lines.push_back({ LineKey::ofLatency(h, p), percentileName(p), text(h.name), clockName(h.clock),
                text(header.computer), QStringLiteral("ms"),
                translated("From the latencies of each stretch of time that the chart shows.") });
    addSources(sources, lines);
    return lines;
}

namespace {

/// Of the first storage group what it reads and writes, and how long that takes. The others do much the same: their lines would hide
/// these.
void addGroup(const RunHeader& header, std::vector<LineKey>& chosen)
{
    using enum Quantity;
    for (const Quantity quantity :
        { databaseReads, databaseWrites, logWrites, databaseReadLatency, logWriteLatency }) {
        const auto found = std::ranges::find_if(header.counters,
            [&](const CounterInfo& c) { return c.key.quantity == quantity && !c.key.subject.group.empty(); });
        if (found != header.counters.end())
            chosen.push_back(LineKey::ofCounter(*found));
    }
}

bool isMainTransfer(const SeriesKey& key)
{
    using enum IoClass;
    const auto& ioClass = key.subject.ioClass;
    return key.quantity == Quantity::transfers
        && (ioClass == databaseRead || ioClass == databaseWrite || ioClass == logWrite);
}

} // namespace

bool hasMail(const RunHeader& header)
{
    return header.kind == RunKind::mail;
}

bool hasDatabases(const RunHeader& header)
{
    return header.kind == RunKind::storage;
}

std::vector<LineKey> defaultLines(const RunHeader& header, const std::vector<LatencyRow>& latencies)
{
    std::vector<LineKey> chosen;
    const auto add = [&](Quantity quantity) {
        if (const auto id = findSeries(header.counters, quantity))
            chosen.push_back(LineKey::ofCounter(header.counters[*id]));
    };
    add(Quantity::messagesSent);
    add(Quantity::messagesReceived);
    add(Quantity::sessions);
    addGroup(header, chosen);
    if (chosen.empty()) // of a raw device test: what goes to each volume
        for (const CounterInfo& c : header.counters)
            if (isMainTransfer(c.key) && chosen.size() < kMostLines - 2)
                chosen.push_back(LineKey::ofCounter(c));
    add(Quantity::processorTime);
    for (const HistogramInfo& h : header.histograms)
        if (h.clock == LatencyClock::response && chosen.size() < kMostLines
            && std::ranges::any_of(latencies, [&](const LatencyRow& r) {
                   return r.key.quantity == h.key.quantity && r.key.subject == h.key.subject && r.response
                       && r.response->count != 0;
               }))
            chosen.push_back(LineKey::ofLatency(h, 95));
    if (chosen.empty()) // a recording of another kind: its first counters
        for (std::size_t i = 0; i < std::min<std::size_t>(4, header.counters.size()); ++i)
            chosen.push_back(LineKey::ofCounter(header.counters[i]));
    return chosen;
}

} // namespace loadstone::ui
