// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/judge/judged_counter.h"

#include "history/recording_reader.h"
#include "plan/model/plan.h"

#include <loadstone/computer.h>
#include <loadstone/curve.h>
#include <loadstone/source.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::analysis {

namespace {

std::string wantedPath(const WantedCounter& wanted)
{
    return wanted.quantity ? loadstone::pathOf(*wanted.quantity) : wanted.path;
}

/// Of our own counters by the key, of a log's by the path.
std::optional<std::uint32_t> findIn(const std::vector<CounterInfo>& counters, const WantedCounter& wanted)
{
    if (wanted.quantity)
        for (const CounterInfo& info : counters) {
            Subject whole;
            whole.host = info.key.subject.host;
            whole.generator = info.key.subject.generator; // of a merged run
            if (info.key.quantity == wanted.quantity && info.key.subject == whole)
                return info.id;
        }
    return findTypedOnAny(counters, wantedPath(wanted));
}

Unit unitOfSeries(const CounterInfo& info)
{
    return info.key.quantity ? loadstone::unitOf(*info.key.quantity) : Unit {};
}

/// All ticks up to those that overlap the window's end: the ticks before show since when none come.
history::TickRange ticksUntil(const history::TickReader& ticks, Nanoseconds offset, const TimeWindow& window)
{
    const std::vector<history::TickTime>& times = ticks.times();
    const auto beyond = std::ranges::find_if(
        times, [&](const history::TickTime& tick) { return tick.begin + offset >= window.end; });
    return { 0, static_cast<std::uint64_t>(beyond - times.begin()) };
}

/// The count by which a mean is weighted: where it is 0 there is no mean, and nothing is missing.
std::optional<std::uint32_t> weightOf(const std::vector<CounterInfo>& counters, const CounterInfo& info)
{
    const auto weight = info.key.quantity ? infoOf(*info.key.quantity).weight : std::nullopt;
    return weight ? findSeries(counters, SeriesKey(*weight, info.key.subject)) : std::nullopt;
}

/// What is known of one series: the samples that there are, and those without a value where nothing was to be averaged.
Result<std::vector<TimedSample>> timedSamples(const history::TickReader& ticks,
    const std::vector<CounterInfo>& counters, const CounterInfo& info, Nanoseconds offset,
    history::TickRange range)
{
    const auto values = ticks.samples(info.id, range);
    if (!values)
        return values.error();
    const auto weight = weightOf(counters, info);
    const auto weights =
        weight ? ticks.samples(*weight, range) : Result<std::vector<double>>(std::vector<double>());
    if (!weights)
        return weights.error();
    std::vector<TimedSample> samples;
    for (std::size_t i = 0; i < values->size(); ++i) {
        const history::TickTime& tick = ticks.times()[range.first + i];
        const double value = history::shown(info.kind, (*values)[i], seconds(tick.end - tick.begin));
        if (!std::isnan(value) || (weight && (*weights)[i] == 0))
            samples.push_back({ tick.begin + offset, tick.end + offset, value });
    }
    return samples;
}

double secondsWithin(const TimedSample& sample, const TimeWindow& window)
{
    return std::max(0.0, seconds(std::min(sample.end, window.end) - std::max(sample.begin, window.begin)));
}

/// "samples of this counter", of the machine that ran Loadstone: its other counters may well have some.
std::string whatOf(const JudgedCounter& counter)
{
    return counter.computer.empty() ? "samples of this counter" : "counters of " + counter.computer;
}

/// Why the samples, which cover too little of the window, do.
std::string gapOf(const std::vector<TimedSample>& samples, double covered, const TimeWindow& window,
    const std::string& what)
{
    if (samples.empty())
        return fmt::format("no {} by then", what);
    const double length = seconds(window.end - window.begin);
    const double missing = length - covered;
    const double before = seconds(std::clamp(samples.front().begin, window.begin, window.end) - window.begin);
    const double after = seconds(window.end - std::clamp(samples.back().end, window.begin, window.end));
    // As the tables have it; what is not enough does not read as if it were.
    const double percent = std::min(std::round(1000 * covered / length) / 10, 100 * kEnoughCovered - 0.1);
    const std::string share = fmt::format("{:g} % of the time", percent);
    if (after >= missing / 2)
        return fmt::format("no {} since {} ({} covered)", what, formatClock(samples.back().end), share);
    if (before >= missing / 2)
        return fmt::format("no {} before {} ({} covered)", what, formatClock(samples.front().begin), share);
    return fmt::format("{} for {} only", what, share);
}

/// Takes what lies in the window from all that there is, and says whether it is enough. The same rule for every counter.
void takeWithin(JudgedCounter& counter, std::vector<TimedSample> samples, const TimeWindow& window)
{
    double covered = 0;
    for (const TimedSample& sample : samples)
        covered += secondsWithin(sample, window);
    if (covered < kEnoughCovered * seconds(window.end - window.begin))
        counter.cannotTell = gapOf(samples, covered, window, whatOf(counter));
    std::erase_if(samples, [&](const TimedSample& one) {
        return std::isnan(one.value) || one.end <= window.begin || one.begin >= window.end;
    });
    if (samples.empty() && counter.cannotTell.empty())
        counter.cannotTell = fmt::format("no {} are of this time", whatOf(counter));
    counter.samples = std::move(samples);
}

void addRemark(JudgedCounter& counter, const std::string& words)
{
    counter.remark += (counter.remark.empty() ? "" : "; ") + words;
}

/// Of several sources of a computer the one that has most of it.
Result<JudgedCounter> ofComputer(const Recording& recording, const ComputerFacts& computer,
    const WantedCounter& wanted, const TimeWindow& window)
{
    JudgedCounter best { wantedPath(wanted), computer.name, false, {}, {},
        computer.sources.empty() ? fmt::format("no counters of {} in this run", computer.name)
                                 : fmt::format("{} has no such counter", computer.name) };
    const auto sources = history::readerOf(recording).sources();
    if (!sources)
        return sources.error();
    int having = 0; // sources with samples in the window
    std::string judged; // where the best one's are from
    for (const std::uint32_t id : computer.sources) {
        const history::ReadSource* source = id == 0 ? nullptr : (**sources)[id - 1].get();
        const history::TickReader& ticks =
            source != nullptr ? source->ticks : history::readerOf(recording).ticks();
        const std::vector<CounterInfo>& counters =
            source != nullptr ? source->info.counters : recording.header().counters;
        const auto found = findIn(counters, wanted);
        if (!found)
            continue;
        const Nanoseconds offset = source != nullptr ? source->info.offset : Nanoseconds(0);
        auto samples =
            timedSamples(ticks, counters, counters[*found], offset, ticksUntil(ticks, offset, window));
        if (!samples)
            return samples.error();
        JudgedCounter one { best.path, computer.name, true, unitOfSeries(counters[*found]), {}, {} };
        takeWithin(one, *std::move(samples), window);
        having += one.samples.empty() ? 0 : 1;
        if (!best.found || (best.cannotTell.empty() ? 1 : 0) < (one.cannotTell.empty() ? 1 : 0)) {
            best = std::move(one);
            judged = source != nullptr ? source->info.origin : "the run's own";
        }
    }
    if (having > 1)
        addRemark(best, fmt::format("{} sources of {} have it; judged: {}", having, computer.name, judged));
    return best;
}

/// The computers of the recording, and those of its plan that never answered.
Result<std::vector<ComputerFacts>> allComputers(const Recording& recording)
{
    auto computers = computersOf(recording);
    if (!computers)
        return computers;
    for (const plan::CounterSourceSpec& spec : history::readerOf(recording).keptPlan().plan.head().counters)
        if (std::ranges::find(*computers, spec.name, &ComputerFacts::name) == computers->end())
            computers->push_back({ spec.name, toString(spec.role), {} });
    return computers;
}

} // namespace

Result<std::vector<JudgedCounter>> judgedCounters(
    const Recording& recording, const WantedCounter& wanted, const TimeWindow& window)
{
    std::vector<JudgedCounter> judged;
    if (wanted.of.empty()) {
        const std::vector<CounterInfo>& counters = recording.header().counters;
        const auto id =
            wanted.quantity ? findSeries(counters, *wanted.quantity) : findTyped(counters, wanted.path);
        JudgedCounter own { wantedPath(wanted), {}, id.has_value(), {}, {}, {} };
        if (id) {
            own.unit = unitOfSeries(counters[*id]);
            const history::TickReader& ticks = history::readerOf(recording).ticks();
            auto samples = timedSamples(
                ticks, counters, counters[*id], Nanoseconds(0), ticksUntil(ticks, Nanoseconds(0), window));
            if (!samples)
                return samples.error();
            takeWithin(own, *std::move(samples), window);
        }
        judged.push_back(std::move(own));
        return judged;
    }
    const auto computers = allComputers(recording);
    if (!computers)
        return computers.error();
    for (const ComputerFacts& computer : *computers) {
        if (computer.name != wanted.of && computer.role != wanted.of)
            continue;
        auto one = ofComputer(recording, computer, wanted, window);
        if (!one)
            return one.error();
        judged.push_back(*std::move(one));
    }
    const auto gaveOthers = [&](const JudgedCounter& one) {
        const auto computer = std::ranges::find(*computers, one.computer, &ComputerFacts::name);
        return !one.found && !computer->sources.empty();
    };
    if (std::ranges::any_of(judged, &JudgedCounter::found)) {
        std::string without;
        for (const JudgedCounter& one : judged)
            if (gaveOthers(one))
                without += (without.empty() ? "" : ", ") + one.computer;
        std::erase_if(judged, gaveOthers);
        if (!without.empty())
            addRemark(judged.front(), fmt::format("without {}: no such counter there", without));
    }
    if (judged.empty())
        judged.push_back({ wantedPath(wanted), wanted.of, false, {}, {},
            fmt::format("no counters of {} in this run", wanted.of) });
    return judged;
}

} // namespace loadstone::analysis
