// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a key reads to people. Nothing takes these texts apart again.
#include <loadstone/key.h>
#include <loadstone/series.h>

#include <algorithm>
#include <array>

namespace loadstone {

namespace {

constexpr std::array<const char*, 6> kClockNames { "response", "service", "delivery", "slip", "age",
    "service age" };
static_assert(kClockNames.size() == static_cast<std::size_t>(LatencyClock::serviceAge) + 1);

void append(std::string& text, std::string_view part)
{
    if (part.empty())
        return;
    if (!text.empty())
        text += ": ";
    text += part;
}

/// Without the target.
std::string partOf(const Subject& subject, const QuantityInfo& info)
{
    std::string text;
    append(text, subject.volume);
    if (subject.ioClass)
        append(text, toString(*subject.ioClass));
    if (!subject.group.empty()) {
        std::string group = subject.group;
        if (subject.database)
            group += "-" + std::to_string(*subject.database + 1);
        else if (info.total == "log")
            group += " log";
        append(text, group);
    }
    if (subject.worker)
        append(text, "worker " + std::to_string(*subject.worker));
    append(text, subject.process);
    append(text, subject.device);
    append(text, subject.script);
    append(text, subject.test);
    if (subject.action)
        append(text, toString(*subject.action));
    append(text, subject.command);
    return text;
}

} // namespace

const char* toString(LatencyClock clock)
{
    return kClockNames[static_cast<std::size_t>(clock)];
}

std::optional<LatencyClock> latencyClockOf(std::string_view name)
{
    const auto found =
        std::ranges::find(kClockNames, name, [](const char* known) { return std::string_view(known); });
    return found == kClockNames.end() ? std::nullopt
                                      : std::optional(static_cast<LatencyClock>(found - kClockNames.begin()));
}

std::string instanceOf(const SeriesKey& key)
{
    if (key.foreign)
        return key.foreign->instance;
    const QuantityInfo& info = infoOf(key.quantity.value());
    std::string text = key.subject.target;
    append(text, partOf(key.subject, info));
    // A name such as "Transaction" stands for what the subject cannot say; "_Total" for its saying nothing.
    if (text.empty() || info.kind == SeriesKind::latency)
        append(text, info.total);
    return text;
}

std::string withTarget(const std::string& target, std::string_view text)
{
    return (target.empty() ? "" : target + ": ").append(text);
}

std::string latencyNameOf(const SeriesKey& key)
{
    const bool queued = key.quantity == Quantity::transferTime && key.clock == LatencyClock::slip;
    return (queued ? "Queued: " : "") + instanceOf(key);
}

std::string pathOf(const SeriesKey& key)
{
    const std::string computer = key.foreign ? key.foreign->computer : key.subject.host;
    const std::string instance = instanceOf(key);
    std::string path = computer.empty() ? "" : "\\\\" + computer;
    path += '\\';
    path += key.foreign ? std::string_view(key.foreign->object) : infoOf(*key.quantity).object;
    if (!instance.empty())
        path += "(" + instance + ")";
    path += '\\';
    path += key.foreign ? std::string_view(key.foreign->counter) : infoOf(*key.quantity).counter;
    return path;
}

std::string CounterInfo::path() const
{
    std::string text = computer.empty() ? std::string() : "\\\\" + computer;
    text += "\\" + object;
    if (!instance.empty())
        text += "(" + instance + ")";
    return text + "\\" + counter;
}

CounterInfo counterOf(SeriesKey key)
{
    const QuantityInfo& quantity = infoOf(key.quantity.value());
    CounterInfo info;
    info.computer = key.subject.host;
    info.object = quantity.object;
    info.instance = instanceOf(key);
    info.counter = quantity.counter;
    info.unit = quantity.unit;
    info.counts = quantity.counts;
    info.help = quantity.help;
    info.kind = quantity.kind;
    info.key = std::move(key);
    return info;
}

CounterInfo counterOf(ForeignCounter foreign)
{
    CounterInfo info;
    info.computer = foreign.computer;
    info.object = foreign.object;
    info.instance = foreign.instance;
    info.counter = foreign.counter;
    info.key = SeriesKey(std::move(foreign));
    return info;
}

HistogramInfo histogramOf(SeriesKey key, LatencyScope scope)
{
    HistogramInfo info;
    info.scope = scope;
    info.clock = key.clock.value();
    info.name = latencyNameOf(key);
    info.key = std::move(key);
    return info;
}

std::optional<std::uint32_t> findSeries(const std::vector<CounterInfo>& counters, const SeriesKey& key)
{
    const auto found = std::ranges::find(counters, key, &CounterInfo::key);
    return found == counters.end() ? std::nullopt : std::optional(found->id);
}

std::optional<std::uint32_t> findSeries(const std::vector<HistogramInfo>& histograms, const SeriesKey& key)
{
    const auto found = std::ranges::find(histograms, key, &HistogramInfo::key);
    return found == histograms.end() ? std::nullopt : std::optional(found->id);
}

} // namespace loadstone
