// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/line_key.h"

#include "format.h"

#include <loadstone/event_rates.h>

#include <QStringList>
#include <QUrl>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr double kPercentiles[] = { 50, 95, 99 };

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

/// "log ex.csv" of "log /home/lab/ex.csv"; addresses stay as they are.
QString withoutFolders(const QString& source)
{
    const auto path = source.startsWith(QLatin1Char('/')) ? 0 : source.indexOf(QLatin1String(" /")) + 1;
    const bool isPath = path > 0 || source.startsWith(QLatin1Char('/'));
    if (!isPath || source.contains(QLatin1String("://")))
        return source;
    return source.left(path) + source.mid(source.lastIndexOf(QLatin1Char('/')) + 1);
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

bool differByObject(const LineInfo& one, const LineInfo& other)
{
    return QString::compare(one.counter, other.counter) == 0 && one.family != other.family
        && !one.key.isLatency() && !other.key.isLatency();
}

QString LineInfo::shortName(bool withObject) const
{
    if (key.isLatency())
        return QStringLiteral("%1: %2, p%3").arg(instance, object.toLower(), QString::number(key.percentile));
    QString own = instance.isEmpty() ? counter : QStringLiteral("%1 (%2)").arg(counter, instance);
    if (withObject && !family.isEmpty())
        own.prepend(family + QStringLiteral(": "));
    return source.isEmpty() ? own : QStringLiteral("%1, %2").arg(own, withoutFolders(source));
}

bool isProcessorTime(const SeriesKey& key)
{
    if (!key.foreign)
        return key.quantity == Quantity::processorTime && key.subject.device.empty();
    const CounterInfo ours = counterOf(SeriesKey(Quantity::processorTime));
    return *key.foreign == ForeignCounter { key.foreign->computer, ours.object, ours.instance, ours.counter };
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

QString roleName(const std::string& role)
{
    return role == "sut" ? translated("system under test") : text(role);
}

double shownFactor(const CounterInfo& info)
{
    return info.key.quantity && info.kind == CounterKind::level && info.unit == "s" ? 1e3 : 1;
}

namespace {

/// The computer that a source's counters are of; null: none is known.
const ComputerFacts* computerOf(std::uint32_t source, const std::vector<ComputerFacts>& computers)
{
    const auto found = std::ranges::find_if(computers,
        [&](const ComputerFacts& c) { return std::ranges::find(c.sources, source) != c.sources.end(); });
    return found == computers.end() ? nullptr : &*found;
}

QString unitOf(const CounterInfo& info)
{
    if (shownFactor(info) != 1)
        return QStringLiteral("ms");
    // Counts are shown per second.
    return text(info.unit) + (info.kind == CounterKind::count ? QStringLiteral("/s") : QString());
}

/// Each under its own object's name with the origin behind it, so that none looks like a counter of the run.
void addSources(const std::vector<SourceInfo>& sources, const std::vector<ComputerFacts>& computers,
    std::vector<LineInfo>& lines)
{
    const std::vector<std::string> names = sourceNames(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const QString name = text(names[i]);
        const ComputerFacts* const facts = computerOf(sources[i].id, computers);
        QString help = facts == nullptr || facts->role.empty()
            ? translated("From %1, outside the run: no part of its results and verdict.").arg(name)
            : translated("From %1, %2. Only criteria that name it or its role use it.")
                  .arg(name, roleName(facts->role));
        if (!sources[i].complete)
            help +=
                QLatin1Char('\n') + translated("It is still being written, or its writing was interrupted.");
        for (const CounterInfo& c : sources[i].counters) {
            const QString own = text(c.help);
            const std::string& computer = facts != nullptr && !facts->name.empty() ? facts->name
                : c.computer.empty()                                               ? sources[i].computer
                                                                                   : c.computer;
            lines.push_back({ LineKey::ofSource(names[i], c), text(c.counter), text(c.instance),
                QStringLiteral("%1 (%2)").arg(text(c.object), name), text(computer), unitOf(c),
                own.isEmpty() ? help : own + QLatin1Char('\n') + help, name, text(c.object),
                facts != nullptr ? facts->role : std::string(),
                facts != nullptr ? facts->name : std::string() });
        }
    }
}

} // namespace

bool isOfMachine(const CounterInfo& info)
{
    return info.key.quantity && infoOf(*info.key.quantity).key.starts_with("host.");
}

std::vector<LineInfo> linesOf(const RunHeader& header, const std::vector<SourceInfo>& sources,
    const std::vector<ComputerFacts>& computers, const std::vector<CounterInfo>& derived)
{
    // The run's own ticks are those of the first computer. Where that is the system under test, too (a source with host = true), only the
    // machine's counters are the system's: what the load measures stays the generator's.
    const std::string machine = computers.empty() ? "generator" : computers.front().role;
    const std::string load = machine.empty() ? machine : "generator";
    const std::string name =
        computers.empty() || computers.front().name.empty() ? header.computer : computers.front().name;
    std::vector<LineInfo> lines;
    lines.reserve(header.counters.size() + 4 * header.histograms.size());
    const auto add = [&](const CounterInfo& c) {
        QString help = text(c.help);
        if (!c.counts.empty())
            help += (help.isEmpty() ? QString() : QStringLiteral("\n"))
                + translated("Counts: %1").arg(text(c.counts));
        lines.push_back({ LineKey::ofCounter(c), text(c.counter), text(c.instance), text(c.object),
            text(!c.computer.empty() ? c.computer
                    : isOfMachine(c) ? name
                                     : header.computer),
            unitOf(c), help, {}, text(c.object), isOfMachine(c) ? machine : load,
            isOfMachine(c) ? name : std::string() });
    };
    for (const CounterInfo& c : header.counters)
        add(c);
    for (const CounterInfo& c : eventRatesOf(header))
        add(c);
    for (const HistogramInfo& h : header.histograms)
        for (const double p : kPercentiles)
            lines.push_back({ LineKey::ofLatency(h, p), percentileName(p), text(h.name), clockName(h.clock),
                text(header.computer), QStringLiteral("ms"), translated("Computed over each chart interval."),
                {}, clockName(h.clock), load });
    addSources(sources, computers, lines);
    for (const CounterInfo& c : derived)
        add(c);
    return lines;
}

bool haveSameLines(const std::vector<SourceInfo>& a, const std::vector<SourceInfo>& b)
{
    return std::ranges::equal(a, b, [](const SourceInfo& x, const SourceInfo& y) {
        return x.id == y.id && x.origin == y.origin && x.complete == y.complete && x.counters == y.counters;
    });
}

LineInfo lineWithout(const LineKey& key)
{
    LineInfo info { key, {}, {}, {}, {}, {}, translated("This recording has no such counter.") };
    info.source = text(key.source);
    if (key.isLatency()) {
        info.counter = percentileName(key.percentile);
        info.instance = text(histogramOf(key.series, LatencyScope::action).name);
        info.object = info.family = clockName(*key.series.clock);
        info.unit = QStringLiteral("ms");
        return info;
    }
    const CounterInfo counter = key.series.foreign ? counterOf(*key.series.foreign) : counterOf(key.series);
    info.counter = text(counter.counter);
    info.instance = text(counter.instance);
    info.object = info.family = text(counter.object);
    info.computer = text(counter.computer);
    info.unit = unitOf(counter);
    return info;
}

bool hasMail(const RunHeader& header)
{
    return header.kind == RunKind::mail;
}

bool hasDatabases(const RunHeader& header)
{
    return header.kind == RunKind::storage;
}

} // namespace loadstone::ui
