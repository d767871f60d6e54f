// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/event_counts.h"
#include "analysis/results/measured_parts.h"
#include "history/recording_reader.h"

#include <loadstone/computer.h>
#include <loadstone/event_rates.h>
#include <loadstone/readings.h>
#include <loadstone/source.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone {

namespace {

constexpr double kNoReading = std::numeric_limits<double>::quiet_NaN();

/// The ticks of a source, or of the run itself, that are read for a window.
struct WindowTicks {
    const history::TickReader& ticks;
    Nanoseconds offset {}; ///< of their axis
    TimeWindow window; ///< on their axis
    history::TickRange range; ///< that end in the window, and one more if it overlaps the window's end
};

WindowTicks ticksFor(const history::TickReader& ticks, Nanoseconds offset, const TimeWindow& window)
{
    WindowTicks of { ticks, offset, { window.begin - offset, window.end - offset }, {} };
    of.range = ticks.overlapping(of.window);
    return of;
}

/// Adds up the samples of one series, as they are stored.
CounterReading readingOf(const WindowTicks& of, CounterInfo counter, const std::vector<double>& samples)
{
    CounterReading reading;
    reading.average = reading.minimum = reading.maximum = kNoReading;
    double sum = 0, covered = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const history::TickTime& tick = of.ticks.times()[of.range.first + i];
        const double length = seconds(tick.end - tick.begin);
        const double value = history::shown(counter.kind, samples[i], length);
        if (!std::isfinite(value))
            continue;
        const double within =
            seconds(std::min(tick.end, of.window.end) - std::max(tick.begin, of.window.begin));
        if (within <= 0)
            continue;
        reading.minimum = reading.samples == 0 ? value : std::min(reading.minimum, value);
        reading.maximum = reading.samples == 0 ? value : std::max(reading.maximum, value);
        sum += within * value;
        covered += within;
        ++reading.samples;
    }
    if (covered > 0)
        // Of equal samples it is their value, however the quotient rounds.
        reading.average = std::clamp(sum / covered, reading.minimum, reading.maximum);
    if (const double length = seconds(of.window.end - of.window.begin); length > 0)
        reading.coverage = std::min(1.0, covered / length);
    reading.counter = std::move(counter);
    return reading;
}

Result<void> addReadings(const WindowTicks& of, std::uint32_t source,
    const std::vector<CounterInfo>& counters, ComputerReadings& to)
{
    for (const CounterInfo& info : counters) {
        const auto samples = of.ticks.samples(info.id, of.range);
        if (!samples)
            return samples.error();
        to.counters.push_back(readingOf(of, info, *samples));
        to.counters.back().source = source;
    }
    return {};
}

Result<void> addEventRates(const Recording& recording, const WindowTicks& of, ComputerReadings& to)
{
    for (const CounterInfo& info : eventRatesOf(recording.header())) {
        const auto counts = analysis::eventCounts(recording, info.id, of.range);
        if (!counts)
            return counts.error();
        to.counters.push_back(readingOf(of, info, *counts));
        to.counters.back().eventRate = true;
    }
    return {};
}

int placeOf(const ComputerReadings& one)
{
    return one.role == "sut" ? 0 : one.role == "directory" ? 1 : one.own ? 4 : one.role.empty() ? 2 : 3;
}

} // namespace

std::string CounterReading::unit() const
{
    return counter.kind == CounterKind::count ? counter.unit + "/s" : counter.unit;
}

bool restsWhileIdle(const CounterInfo& counter)
{
    const auto& quantity = counter.key.quantity;
    return quantity == Quantity::diskSecondsPerRead || quantity == Quantity::diskSecondsPerWrite;
}

Result<std::vector<ComputerReadings>> readingsWithin(const Recording& recording, const TimeWindow& chosen)
{
    const TimeWindow window = analysis::tickWindow(recording, chosen);
    const history::RecordingReader& reader = history::readerOf(recording);
    const auto computers = computersOf(recording);
    if (!computers)
        return computers.error();
    const auto sources = reader.sources();
    if (!sources)
        return sources.error();
    std::vector<ComputerReadings> all;
    for (const ComputerFacts& computer : *computers) {
        ComputerReadings& one = all.emplace_back();
        one.computer = computer.name;
        one.role = computer.role;
        for (const std::uint32_t id : computer.sources) {
            Result<void> added;
            if (id == 0) {
                one.own = true;
                const WindowTicks own = ticksFor(reader.ticks(), Nanoseconds(0), window);
                added = addReadings(own, id, recording.header().counters, one);
                if (added)
                    added = addEventRates(recording, own, one);
            } else {
                const history::ReadSource& source = *(**sources)[id - 1];
                added = addReadings(
                    ticksFor(source.ticks, source.info.offset, window), id, source.info.counters, one);
            }
            if (!added)
                return added.error();
        }
    }
    std::stable_sort(all.begin(), all.end(),
        [](const ComputerReadings& a, const ComputerReadings& b) { return placeOf(a) < placeOf(b); });
    return all;
}

Result<std::vector<MeasuredReadings>> readingsOf(
    const Recording& recording, const std::optional<TimeWindow>& window)
{
    std::vector<MeasuredReadings> all;
    for (const analysis::MeasuredPart& part : analysis::measuredParts(recording, window))
        if (!part.ticks.empty())
            all.push_back({ part.phase.mix, part.phase.mixName, part.window, {} });
    if (window && all.empty()) {
        if (const auto good = analysis::checkWindow(recording, *window); !good)
            return good.error();
        all.push_back({ -1, {}, *window, {} });
    }
    for (MeasuredReadings& one : all) {
        auto computers = readingsWithin(recording, one.window);
        if (!computers)
            return computers.error();
        one.computers = *std::move(computers);
    }
    return all;
}

} // namespace loadstone
