// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that were measured at once, as one.
#include "compare/study/host_set.h"

#include "compare/configuration.h"
#include "compare/external/names.h"
#include "compare/study/figure_names.h"

#include <loadstone/external_result.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace loadstone {

namespace {

/// A value that goes into an aggregate.
struct Part {
    double value = 0, slack = 0;
    std::optional<double> weight;
};

struct Whole {
    double value = 0, slack = 0;
};

double sumOf(const std::vector<Part>& parts, double Part::*what)
{
    double sum = 0;
    for (const Part& part : parts)
        sum += part.*what;
    return sum;
}

/// Nothing for a weighted mean without weights, or whose weights are 0 in total.
std::optional<Whole> aggregate(Aggregation rule, const std::vector<Part>& parts)
{
    if (parts.empty())
        return std::nullopt;
    const auto count = static_cast<double>(parts.size());
    switch (rule) {
    case Aggregation::sum:
        return Whole { sumOf(parts, &Part::value), sumOf(parts, &Part::slack) };
    case Aggregation::mean:
        return Whole { sumOf(parts, &Part::value) / count, sumOf(parts, &Part::slack) / count };
    case Aggregation::weightedMean: {
        Whole whole;
        double weights = 0;
        for (const Part& part : parts) {
            if (!part.weight || *part.weight < 0)
                return std::nullopt;
            weights += *part.weight;
            whole.value += part.value * *part.weight;
            whole.slack += part.slack * *part.weight;
        }
        return weights > 0 ? std::optional(Whole { whole.value / weights, whole.slack / weights })
                           : std::nullopt;
    }
    case Aggregation::largest:
    case Aggregation::smallest: {
        const auto [least, most] = std::ranges::minmax_element(parts, {}, &Part::value);
        const Part& chosen = rule == Aggregation::largest ? *most : *least;
        return Whole { chosen.value, chosen.slack };
    }
    case Aggregation::none:
        break;
    }
    return std::nullopt;
}

/// What a row says of a figure; null: nothing.
const AggregationRow* rowFor(const HostSet& set, const ComparedValue& value)
{
    const auto found = std::ranges::find_if(set.rows,
        [&](const AggregationRow& row) { return row.of.empty() && compare::isNamed(value, row.figure); });
    return found == set.rows.end() ? nullptr : &*found;
}

Aggregation ruleFor(const AggregationRow* row, const ComparedValue& value)
{
    if (row != nullptr)
        return row->rule;
    const bool addsUp = value.statistic == Statistic::total || value.statistic == Statistic::rate;
    return addsUp ? Aggregation::sum : Aggregation::none;
}

/// Half of the last digit goes up, as people round; "12.5" is 13, whatever it is in binary.
double roundedHalfUp(double value, int decimals)
{
    const double scale = std::pow(10.0, decimals);
    constexpr double kBinary = 1e-9; // what a decimal fraction may be off
    return std::floor(value * scale + 0.5 + kBinary) / scale;
}

using Values = std::vector<ComparedValue>;

/// The figures of `row.of` as one, in the row's unit; nothing where one is missing.
std::optional<ComparedValue> combined(const AggregationRow& row, const Values& values)
{
    std::vector<Part> parts;
    ComparedValue made;
    bool atLeast = false, external = false;
    double weights = 0;
    for (std::size_t i = 0; i < row.of.size(); ++i) {
        const ComparedValue* one = compare::findNamed(values, row.of[i]);
        if (one == nullptr || !one->value)
            return std::nullopt;
        if (i == 0) {
            made = *one;
            made.unit = row.unit.empty() ? one->unit : row.unit;
        }
        const auto factor = inUnit(1, one->unit, made.unit);
        if (!factor)
            return std::nullopt;
        Part part { *one->value * *factor, one->slack * *factor, {} };
        if (i < row.weights.size())
            if (const ComparedValue* weight = compare::findNamed(values, row.weights[i]); weight != nullptr)
                part.weight = weight->value;
        weights += part.weight.value_or(0);
        atLeast = atLeast || one->flags.lowerBound;
        external = external || one->flags.external;
        parts.push_back(part);
    }
    const auto whole = aggregate(row.rule, parts);
    if (!whole)
        return std::nullopt;
    made.key = compare::keyNamed(row.figure);
    made.label = row.figure;
    made.value = whole->value;
    made.slack = whole->slack;
    made.printed.clear();
    made.withinError.reset();
    made.samples = 0;
    made.flags.lowerBound = atLeast;
    made.flags.external = external;
    if (const auto id = findFigure(made.key.figure)) {
        made.label = std::string(infoOf(*id).name);
        made.rounding = infoOf(*id).rounding;
    } else if (!row.unit.empty()) {
        made.rounding = { Notation::decimals, 2 };
    }
    return made;
}

/// Adds what the rows put together of several figures.
void addCombined(const HostSet& set, Values& values, bool rounded)
{
    Values added;
    for (const AggregationRow& row : set.rows)
        if (auto made = row.of.empty() ? std::optional<ComparedValue>() : combined(row, values)) {
            if (rounded && row.decimals) {
                made->value = roundedHalfUp(*made->value, *row.decimals);
                made->rounding = { Notation::decimals, *row.decimals };
            }
            added.push_back(*std::move(made));
        }
    values.insert(values.end(), added.begin(), added.end());
}

std::string durationText(Nanoseconds t)
{
    return formatClock(t);
}

std::string instantText(WallTime t)
{
    std::string text = formatIso8601(t).substr(0, 19);
    text[10] = ' ';
    return text;
}

/// One repeat of all hosts.
class SetRun {
public:
    SetRun(const HostSet& set, std::vector<const ComparedRun*> hosts, std::vector<std::string> names)
        : m_set(set)
        , m_hosts(std::move(hosts))
        , m_names(std::move(names))
    {
    }

    ComparedRun make()
    {
        ComparedRun run;
        const ComparedRun& first = *m_hosts.front();
        run.title = m_set.label();
        run.kind = first.kind;
        run.external = std::ranges::all_of(m_hosts, &ComparedRun::external);
        run.live = std::ranges::any_of(m_hosts, &ComparedRun::live);
        run.file = first.file;
        run.described = first.described;
        run.started = first.started;
        std::string configuration;
        for (std::size_t i = 0; i < m_hosts.size(); ++i) {
            const ComparedRun& host = *m_hosts[i];
            run.started = std::min(run.started, host.started);
            run.verdict = std::max(run.verdict, host.verdict);
            for (const std::string& reason : host.invalidReasons)
                run.invalidReasons.push_back(m_names[i] + ": " + reason);
            configuration += host.configuration + "\n";
        }
        run.configuration = compare::digestOf(configuration);
        run.facts = commonFacts();
        std::vector<const Values*> whole;
        for (const ComparedRun* host : m_hosts)
            whole.push_back(&host->wholeRun);
        run.wholeRun = aggregated(whole);
        for (std::size_t i = 0; i < first.mixes.size(); ++i)
            addMix(run, i);
        noteWindows();
        return run;
    }
    [[nodiscard]] const std::vector<std::string>& notes() const { return m_notes; }

private:
    /// Those that all hosts state alike.
    ComparableFacts commonFacts()
    {
        ComparableFacts common;
        for (const ComparableFact& one : m_hosts.front()->facts.facts) {
            const bool isCommon = std::ranges::all_of(m_hosts, [&](const ComparedRun* host) {
                const ComparableFact* same = host->facts.find(one.key);
                return same != nullptr && same->value == one.value;
            });
            if (isCommon)
                common.set(one);
            else
                note(fmt::format("the hosts differ in {}", one.label));
        }
        return common;
    }

    void addMix(ComparedRun& run, std::size_t index)
    {
        const ComparedMix& first = m_hosts.front()->mixes[index];
        std::vector<const Values*> values;
        ComparedMix mix = first;
        mix.values.clear();
        mix.index = static_cast<std::int32_t>(run.mixes.size());
        double load = 0;
        for (std::size_t i = 0; i < m_hosts.size(); ++i) {
            const auto& mixes = m_hosts[i]->mixes;
            const auto same = std::ranges::find_if(mixes, [&](const ComparedMix& one) {
                const bool isNamed = !first.name.empty();
                return one.name == first.name && (isNamed || one.load == first.load);
            });
            if (same == mixes.end()) {
                note(fmt::format("{} has no {}", m_names[i], first.name.empty() ? "such load" : first.name));
                return;
            }
            values.push_back(&same->values);
            load += same->load.value_or(0);
            mix.complete = mix.complete && same->complete;
            mix.measured = std::min(mix.measured, same->measured);
            mix.warmUp = std::min(mix.warmUp, same->warmUp);
            if (same->passed != mix.passed)
                mix.passed = mix.passed && same->passed ? std::optional(false) : std::nullopt;
        }
        if (mix.load)
            mix.load = load;
        mix.clients.reset();
        mix.values = aggregated(values);
        run.mixes.push_back(std::move(mix));
    }

    Values aggregated(const std::vector<const Values*>& hosts)
    {
        Values whole;
        std::set<RowKey> known;
        for (const Values* host : hosts)
            for (const ComparedValue& value : *host)
                if (known.insert(value.key).second)
                    if (auto made = aggregatedRow(value, hosts))
                        whole.push_back(*std::move(made));
        // Of figures that are put together the values of each host are known by now.
        return whole;
    }

    std::optional<ComparedValue> aggregatedRow(
        const ComparedValue& frame, const std::vector<const Values*>& hosts)
    {
        const AggregationRow* row = rowFor(m_set, frame);
        const AggregationRow* made = combinedRow(frame);
        const Aggregation rule = made != nullptr ? made->rule : ruleFor(row, frame);
        if (rule == Aggregation::none)
            return std::nullopt;
        ComparedValue value = frame;
        value.value.reset();
        value.printed.clear();
        value.slack = 0;
        value.samples = 0;
        value.withinError.reset();
        value.flags.missing = true;
        if (value.rounding.notation == Notation::decimals && rule != Aggregation::sum
            && rule != Aggregation::largest && rule != Aggregation::smallest)
            value.rounding.digits = std::max(value.rounding.digits, 2);
        std::vector<Part> parts;
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            const ComparedValue* one = findValue(*hosts[i], frame.key);
            if (one == nullptr || !one->value) {
                note(fmt::format("{} has no {}", m_names[i], frame.label));
                return value;
            }
            const auto factor = inUnit(1, one->unit, value.unit);
            if (!factor)
                return value;
            Part part { *one->value * *factor, one->slack * *factor, {} };
            if (rule == Aggregation::weightedMean)
                part.weight = weightOf(made != nullptr ? *made : *row, *hosts[i]);
            value.flags.lowerBound = value.flags.lowerBound || one->flags.lowerBound;
            value.flags.invalid = value.flags.invalid || one->flags.invalid;
            parts.push_back(part);
        }
        if (const auto all = aggregate(rule, parts)) {
            value.value = all->value;
            value.slack = all->slack;
            value.flags.missing = false;
        } else if (rule == Aggregation::weightedMean) {
            note(fmt::format("{}: a host has no weight", frame.label));
        }
        return value;
    }

    /// The row that put this value together; null: none did.
    [[nodiscard]] const AggregationRow* combinedRow(const ComparedValue& value) const
    {
        const auto found = std::ranges::find_if(m_set.rows, [&](const AggregationRow& row) {
            return !row.of.empty() && compare::keyNamed(row.figure) == value.key;
        });
        return found == m_set.rows.end() ? nullptr : &*found;
    }

    static std::optional<double> weightOf(const AggregationRow& row, const Values& host)
    {
        double sum = 0;
        for (const std::string& name : row.weights) {
            const ComparedValue* weight = compare::findNamed(host, name);
            if (weight == nullptr || !weight->value)
                return std::nullopt;
            sum += *weight->value;
        }
        return sum;
    }

    /// What of their windows the hosts have in common.
    void noteWindows()
    {
        WallTime begin = WallTime::min(), end = WallTime::max();
        for (const ComparedRun* host : m_hosts) {
            // Results from elsewhere state their window as the whole run; of runs it is that of their only measurement.
            Nanoseconds from {}, to = host->length;
            if (!host->external) {
                if (host->mixes.size() != 1)
                    return;
                from = host->mixes.front().window.begin;
                to = host->mixes.front().window.end;
            }
            if (host->started == WallTime {} || to <= from)
                return;
            begin = std::max(begin, host->started + from);
            end = std::min(end, host->started + to);
        }
        if (end <= begin) {
            note("the windows of the hosts do not overlap: they were not measured at once");
            return;
        }
        const bool isCut = m_set.commonWindow && std::ranges::none_of(m_hosts, &ComparedRun::external);
        note(fmt::format("the windows of the hosts overlap for {}, from {} to {}{}",
            durationText(end - begin), instantText(begin), instantText(end),
            isCut ? std::string() : std::string("; each host's figures are over its own window")));
    }

    void note(std::string text)
    {
        if (std::ranges::find(m_notes, text) == m_notes.end())
            m_notes.push_back(std::move(text));
    }

    const HostSet& m_set;
    std::vector<const ComparedRun*> m_hosts;
    std::vector<std::string> m_names;
    std::vector<std::string> m_notes;
};

std::string firstOf(const std::vector<std::string>& notes)
{
    constexpr std::size_t kMost = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(notes.size(), kMost); ++i)
        text += (text.empty() ? "" : "; ") + notes[i];
    if (notes.size() > kMost)
        text += fmt::format("; and {} more", notes.size() - kMost);
    return text;
}

void addRatio(const StudyRatio& ratio, Values& values)
{
    const ComparedValue* of = compare::findNamed(values, ratio.of);
    const ComparedValue* per = compare::findNamed(values, ratio.per);
    if (of == nullptr || per == nullptr || !of->value || !per->value || *per->value == 0)
        return;
    ComparedValue made;
    made.key.name = ratio.name;
    made.group = of->group;
    made.label = ratio.name;
    made.value = *of->value / *per->value;
    made.slack = (of->slack + std::abs(*made.value) * per->slack) / std::abs(*per->value);
    made.unit = ratio.unit.empty() ? of->unit : ratio.unit;
    made.rounding = { Notation::decimals, 2 };
    made.better = of->better;
    made.statistic = Statistic::ratio;
    made.flags.external = of->flags.external && per->flags.external;
    made.flags.lowerBound = of->flags.lowerBound;
    values.push_back(std::move(made));
}

} // namespace

namespace compare {

ComparedColumn withRowsOf(const HostSet& set, ComparedColumn host)
{
    for (ComparedRun& run : host.runs) {
        addCombined(set, run.wholeRun, true);
        for (ComparedMix& mix : run.mixes)
            addCombined(set, mix.values, true);
    }
    return host;
}

void addRatios(const std::vector<StudyRatio>& ratios, ComparedColumn& column)
{
    for (ComparedRun& run : column.runs)
        for (const StudyRatio& ratio : ratios) {
            addRatio(ratio, run.wholeRun);
            for (ComparedMix& mix : run.mixes)
                addRatio(ratio, mix.values);
        }
}

} // namespace compare

ComparedColumn columnOfHosts(const HostSet& set, const std::vector<ComparedColumn>& hosts)
{
    ComparedColumn column;
    column.name = set.label();
    column.id = set.id;
    std::vector<std::string> notes;
    std::size_t repeats = hosts.empty() ? 0 : hosts.front().runs.size(), most = repeats;
    for (const ComparedColumn& host : hosts) {
        repeats = std::min(repeats, host.runs.size());
        most = std::max(most, host.runs.size());
    }
    if (most > repeats)
        notes.push_back(
            fmt::format("not all hosts have {} runs: the first {} of each are taken", most, repeats));
    std::vector<ComparedColumn> complete = hosts;
    for (ComparedColumn& host : complete)
        for (ComparedRun& run : host.runs) {
            addCombined(set, run.wholeRun, false);
            for (ComparedMix& mix : run.mixes)
                addCombined(set, mix.values, false);
        }
    for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
        std::vector<const ComparedRun*> runs;
        std::vector<std::string> names;
        for (const ComparedColumn& host : complete) {
            runs.push_back(&host.runs[repeat]);
            names.push_back(host.name);
        }
        SetRun one(set, std::move(runs), std::move(names));
        column.runs.push_back(one.make());
        for (const std::string& note : one.notes())
            if (std::ranges::find(notes, note) == notes.end())
                notes.push_back(note);
    }
    column.note = firstOf(notes);
    return column;
}

} // namespace loadstone
