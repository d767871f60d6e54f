// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/line_key.h"

#include "format.h"

#include <QCoreApplication>
#include <QStringList>

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
        return translated("Age of what is unfinished");
    }
    return {};
}

} // namespace

LineKey LineKey::ofCounter(const CounterInfo& info)
{
    return { Kind::counter, info.path(), {}, 0 };
}

LineKey LineKey::ofLatency(const HistogramInfo& info, double percentile)
{
    return { Kind::latency, info.name, info.clock, percentile };
}

QString LineKey::text() const
{
    if (kind == Kind::counter)
        return QStringLiteral("counter:") + ui::text(name);
    return QStringLiteral("latency:%1:%2:%3")
        .arg(QLatin1String(toString(clock)), QString::number(percentile), ui::text(name));
}

std::optional<LineKey> LineKey::parse(const QString& text)
{
    if (text.startsWith(QLatin1String("counter:")))
        return LineKey { Kind::counter, bytes(text.mid(8)), {}, 0 };
    if (!text.startsWith(QLatin1String("latency:")))
        return std::nullopt;
    const QString clockText = text.section(QLatin1Char(':'), 1, 1);
    bool ok = false;
    const double percentile = text.section(QLatin1Char(':'), 2, 2).toDouble(&ok);
    if (!ok || percentile < 0 || percentile > 100)
        return std::nullopt;
    for (const LatencyClock clock :
        { LatencyClock::response, LatencyClock::service, LatencyClock::delivery, LatencyClock::slip,
            LatencyClock::age })
        if (clockText == QLatin1String(toString(clock)))
            return LineKey { Kind::latency, bytes(text.section(QLatin1Char(':'), 3)), clock, percentile };
    return std::nullopt;
}

QString LineInfo::shortName() const
{
    if (key.kind == LineKey::Kind::latency)
        return QStringLiteral("%1: %2, p%3").arg(instance, object.toLower(), QString::number(key.percentile));
    return instance.isEmpty() ? counter : QStringLiteral("%1 (%2)").arg(counter, instance);
}

std::vector<LineInfo> linesOf(const RunHeader& header)
{
    std::vector<LineInfo> lines;
    lines.reserve(header.counters.size() + 3 * header.histograms.size());
    for (const CounterInfo& c : header.counters) {
        QString help = text(c.help);
        if (!c.counts.empty())
            help += (help.isEmpty() ? QString() : QStringLiteral("\n"))
                + translated("Counts: %1").arg(text(c.counts));
        QString unit = text(c.unit);
        if (c.kind == CounterKind::count) // shown per second
            unit += QStringLiteral("/s");
        lines.push_back({ LineKey::ofCounter(c), text(c.counter), text(c.instance), text(c.object),
            text(c.computer.empty() ? header.computer : c.computer), unit, help });
    }
    for (const HistogramInfo& h : header.histograms)
        for (const double p : kPercentiles)
            lines.push_back({ LineKey::ofLatency(h, p), percentileName(p), text(h.name), clockName(h.clock),
                text(header.computer), QStringLiteral("ms"),
                translated("From the latencies of each stretch of time that the chart shows.") });
    return lines;
}

namespace {

bool hasObject(const RunHeader& header, const char* object)
{
    return std::any_of(header.counters.begin(), header.counters.end(),
        [&](const CounterInfo& c) { return c.object == object; });
}

/// Of the first storage group what it reads and writes, and how long that takes. The others do much the same: their lines would hide
/// these.
void addGroup(const RunHeader& header, std::vector<LineKey>& chosen)
{
    for (const char* counter : { "I/O Database Reads/sec", "I/O Database Writes/sec", "Log Writes/sec",
             "I/O Database Reads Average Latency", "I/O Log Writes Average Latency" })
        for (const CounterInfo& c : header.counters)
            if (c.object == "Database" && c.instance != "_Total" && c.counter == counter) {
                chosen.push_back(LineKey::ofCounter(c));
                break;
            }
}

} // namespace

bool hasMail(const RunHeader& header)
{
    return hasObject(header, "Loadstone Mail");
}

bool hasDatabases(const RunHeader& header)
{
    return hasObject(header, "Database");
}

std::vector<LineKey> defaultLines(const RunHeader& header, const std::vector<LatencyRow>& latencies)
{
    std::vector<LineKey> chosen;
    const auto add = [&](const char* object, const char* instance, const char* counter) {
        for (const CounterInfo& c : header.counters)
            if (c.object == object && c.instance == instance && c.counter == counter)
                chosen.push_back(LineKey::ofCounter(c));
    };
    add("Loadstone Mail", "_Total", "Messages Sent/sec");
    add("Loadstone Mail", "_Total", "Messages Received/sec");
    add("Loadstone Mail", "_Total", "Sessions");
    addGroup(header, chosen);
    if (chosen.empty()) // of a raw device test: what goes to each volume
        for (const CounterInfo& c : header.counters)
            if (c.object == "Loadstone Storage" && c.counter == "Transfers/sec"
                && chosen.size() < kMostLines - 2
                && (c.instance.ends_with(": Database read") || c.instance.ends_with(": Database write")
                    || c.instance.ends_with(": Log write")))
                chosen.push_back(LineKey::ofCounter(c));
    add("Processor", "_Total", "% Processor Time");
    for (const HistogramInfo& h : header.histograms)
        if (h.scope == LatencyScope::action && h.clock == LatencyClock::response && chosen.size() < kMostLines
            && std::any_of(latencies.begin(), latencies.end(), [&](const LatencyRow& r) {
                   return r.scope == h.scope && r.name == h.name && r.response && r.response->count != 0;
               }))
            chosen.push_back(LineKey::ofLatency(h, 95));
    if (chosen.empty()) // a recording of another kind: its first counters
        for (std::size_t i = 0; i < std::min<std::size_t>(4, header.counters.size()); ++i)
            chosen.push_back(LineKey::ofCounter(header.counters[i]));
    return chosen;
}

} // namespace loadstone::ui
