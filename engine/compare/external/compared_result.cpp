// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Results from elsewhere in the form in which runs are compared.
#include "compare/configuration.h"
#include "compare/external/names.h"
#include "plan/read/lab_reference.h"
#include "series/typed_key.h"

#include <loadstone/compared.h>
#include <loadstone/external_result.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone {

namespace {

/// All values of a figure have them in common.
ComparedValue frameOf(const ResultFigure& figure)
{
    ComparedValue value;
    value.label = figure.name;
    value.group = figure.group.empty() ? "Published" : figure.group;
    value.unit = figure.unit;
    value.counts = figure.counts;
    value.statistic = figure.statistic.value_or(Statistic::mean);
    value.flags.external = true;
    if (const auto id = findFigure(figure.key)) {
        const FigureInfo& info = infoOf(*id);
        value.key.figure = figure.key;
        value.key.subject = compare::subjectNamed(figure.key, figure.of).value_or(Subject());
        value.unit = std::string(info.unit.name);
        value.rounding = info.rounding;
        value.better = info.better;
        value.version = info.version;
        value.statistic = figure.statistic.value_or(info.statistic);
    } else if (!figure.counter.empty()) {
        value.key.counter = series::typedKey(figure.counter);
        value.key.computer = figure.computer;
        if (const auto quantity = value.key.counter->quantity)
            value.better = infoOf(*quantity).better;
    } else {
        value.key.name = figure.name;
    }
    value.better = figure.better.value_or(value.better);
    return value;
}

/// Readings of counters are figures of their statistic.
std::string readingOf(Statistic statistic)
{
    return statistic == Statistic::maximum ? "counter.maximum"
        : statistic == Statistic::minimum  ? "counter.minimum"
                                           : "counter.average";
}

ComparedValue valueOf(const ResultFigure& figure, ComparedValue value, const ResultValue& from)
{
    value.statistic = from.statistic.value_or(value.statistic);
    if (value.key.counter)
        value.key.figure = readingOf(value.statistic);
    if (!from.printed || from.printed->how == PrintedAs::atMost) {
        value.flags.missing = true;
        value.printed = from.printed ? from.printed->text : std::string();
        return value;
    }
    const PrintedNumber& number = *from.printed;
    const double factor = inUnit(1, figure.unit, value.unit).value_or(1);
    value.value = number.value * factor;
    value.slack = number.slack * factor;
    value.printed = number.text;
    value.flags.lowerBound = number.how == PrintedAs::atLeast;
    const bool ownRounding = value.key.figure.empty() || value.key.counter;
    const double tenth = std::log10(factor); // 1 ms is 0.001 s: three more decimals
    const bool shows =
        value.rounding.notation == Notation::latency || value.rounding.notation == Notation::rate;
    if (ownRounding)
        value.rounding = { Notation::decimals, number.decimals };
    else if (shows && tenth <= 0 && tenth == std::round(tenth))
        value.rounding = { Notation::decimals, number.decimals - static_cast<int>(tenth) };
    return value;
}

void set(ComparableFacts& facts, std::string_view key, const std::string& label, const std::string& value)
{
    const bool isOfPassing = key == fact::limit || key == fact::percentile;
    facts.set({ std::string(key), label, value, isOfPassing ? FactScope::passing : FactScope::all, true });
}

void setAction(ComparableFacts& facts, const std::string& name, const std::string& often)
{
    const auto number = parsePrinted(often, "");
    if (number && number->value == 0)
        return; // users of a run that do not do it have no such fact
    set(facts, std::string(fact::action) + name, name + " a user-day",
        number ? fmt::format("{:.6g}", number->value) : often);
}

void setFacts(const ExternalResult& result, const ResultSystem& system, ComparableFacts& facts)
{
    if (result.kind)
        set(facts, fact::kind, "Kind of test", toString(*result.kind));
    set(facts, fact::client, "Client", system.client.empty() ? result.client : system.client);
    set(facts, fact::profile, "Profile", system.profile.empty() ? result.profile : system.profile);
    // What a system states stands over what the file states of all.
    for (const auto* actions : { &result.actions, &system.actions })
        for (const auto& [name, often] : *actions)
            setAction(facts, name, often);
    for (const auto* conditions : { &result.conditions, &system.conditions })
        for (const auto& [name, value] : *conditions)
            set(facts, name, name, value);
}

std::vector<ConfigurationValue> describe(const ExternalResult& result, const ResultSystem& system)
{
    using enum RunDifference::Group;
    std::vector<ConfigurationValue> rows;
    const auto add = [&](RunDifference::Group group, const char* label, const std::string& value) {
        if (!value.empty())
            rows.push_back({ group, label, value });
    };
    add(plan, "Client", system.client.empty() ? result.client : system.client);
    add(plan, "Profile", system.profile.empty() ? result.profile : system.profile);
    add(software, "Measured with", result.tool);
    add(software, "Report", result.report);
    add(software, "Publisher", result.publisher);
    add(software, "Date of the report", result.date);
    add(software, "Source", result.source);
    return rows;
}

/// The one of this load and name, which is made where there is none.
ComparedMix& mixOf(
    ComparedRun& run, const ExternalResult& result, std::optional<double> load, const std::string& name)
{
    const auto same = std::ranges::find(run.mixes, std::pair(load, name),
        [](const ComparedMix& mix) { return std::pair(mix.load, mix.name); });
    if (same != run.mixes.end())
        return *same;
    ComparedMix& mix = run.mixes.emplace_back();
    mix.name = name;
    mix.load = load;
    mix.loadUnit = result.loadUnit;
    mix.measured = result.window.value_or(Nanoseconds(0));
    mix.warmUp = result.warmUp.value_or(Nanoseconds(0));
    return mix;
}

ComparedRun runOf(const ExternalResult& result, std::size_t index, const std::vector<ComparedValue>& frames)
{
    const ResultSystem& system = result.systems[index];
    ComparedRun run;
    run.title = system.name;
    run.external = true;
    run.kind = result.kind.value_or(RunKind::mail);
    run.verdict = system.invalid.empty() ? Verdict::measured : Verdict::invalid;
    run.invalidReasons = system.invalid;
    run.file = result.file;
    run.configuration = compare::digestOf(result.revision + "\n" + system.id);
    if (system.from && system.to) {
        run.started = *system.from;
        run.length = *system.to - *system.from;
    }
    setFacts(result, system, run.facts);
    run.described = describe(result, system);
    if (auto lab =
            system.lab.empty() ? Result<RunLab>(RunLab {}) : plan::readLabBeside(result.file, system.lab)) {
        run.lab = *std::move(lab);
        run.lab.variant = system.variant;
    }
    for (const ResultValue& from : result.values) {
        if (from.system != index)
            continue;
        ComparedValue value = valueOf(result.figures[from.figure], frames[from.figure], from);
        if (!from.load && from.mix.empty()) {
            run.wholeRun.push_back(std::move(value));
            continue;
        }
        ComparedMix& mix = mixOf(run, result, from.load, from.mix);
        mix.measured = from.window.value_or(mix.measured);
        mix.warmUp = from.warmUp.value_or(mix.warmUp);
        mix.values.push_back(std::move(value));
    }
    for (const ResultPoint& point : result.points)
        if (point.system == index)
            mixOf(run, result, point.load, point.mix).passed = point.passed;
    // By load, as runs have them; those of one load in the order of the file.
    std::ranges::stable_sort(run.mixes, {}, &ComparedMix::load);
    for (std::size_t i = 0; i < run.mixes.size(); ++i)
        run.mixes[i].index = static_cast<std::int32_t>(i);
    return run;
}

} // namespace

std::vector<ComparedRun> comparedRuns(const ExternalResult& result)
{
    std::vector<ComparedValue> frames;
    for (const ResultFigure& figure : result.figures)
        frames.push_back(frameOf(figure));
    std::vector<ComparedRun> runs;
    for (std::size_t i = 0; i < result.systems.size(); ++i)
        runs.push_back(runOf(result, i, frames));
    return runs;
}

} // namespace loadstone
