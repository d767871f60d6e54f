// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/derived_program.h"
#include "base/joined.h"
#include "history/recording_reader.h"
#include "lab/host_facts.h"
#include "plan/model/plan.h"
#include "series/path_pattern.h"

#include <loadstone/derived.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace loadstone {

namespace {

using series::DerivedStep;
using StepKind = DerivedStep::Kind;

constexpr std::size_t kMostParts = 10'000;

/// Of a value on the stack: what one of it is, and whether it is a plain number, which can make another unit of it.
struct Measure {
    std::string unit;
    bool isNumber = false, scaled = false;
    bool isHead = false; ///< users or processors
    std::string ofAll {}; ///< a unit that may be stated, too: "%" of what is "% per user"
};

std::string shownUnit(const CounterInfo& info)
{
    return info.kind == CounterKind::count ? info.unit + "/s" : info.unit;
}

std::string named(const std::string& unit)
{
    return unit.empty() ? "a bare number" : "\"" + unit + "\"";
}

Measure multiplied(const Measure& a, const Measure& b)
{
    if (b.isNumber || a.isNumber)
        return { a.isNumber ? b.unit : a.unit, a.isNumber && b.isNumber, true };
    const bool both = !a.unit.empty() && !b.unit.empty();
    return { a.unit + (both ? " x " : "") + b.unit, false, a.scaled || b.scaled };
}

Measure divided(const Measure& a, const Measure& b)
{
    if (b.isNumber)
        return { a.unit, a.isNumber, true };
    const bool scaled = a.scaled || b.scaled || a.isNumber;
    if (b.isHead)
        return { (a.unit.empty() ? "1" : a.unit) + " per " + b.unit, false, scaled, false, a.unit };
    if (b.unit.empty())
        return { a.unit, false, scaled };
    return { a.unit == b.unit ? std::string() : (a.unit.empty() ? "1" : a.unit) + " per " + b.unit, false,
        scaled };
}

/// Finds the counters of a definition, and what the result is measured in.
class Resolver {
public:
    Resolver(const Recording& recording, const std::vector<ChosenCounter>& all)
        : m_recording(recording)
        , m_all(all)
    {
    }
    Result<DerivedCounter> resolve(const series::DerivedText& text);

private:
    Result<std::vector<ChosenCounter>> partsOf(const DerivedStep& step) const;
    Result<void> take(const DerivedStep& step, DerivedProgram& program, std::vector<ChosenCounter>& parts);
    [[nodiscard]] Result<double> processorsOf(const std::vector<ChosenCounter>& parts) const;

    const Recording& m_recording;
    const std::vector<ChosenCounter>& m_all;
    std::vector<Measure> m_stack;
    std::set<CounterPlace> m_places; // of the parts
};

Result<std::vector<ChosenCounter>> Resolver::partsOf(const DerivedStep& step) const
{
    std::vector<ChosenCounter> found;
    const bool isMerged = m_recording.header().origin == RunOrigin::merged;
    const auto search = [&](const char* before) {
        found.clear();
        std::set<SeriesKey> combined; // of a merged run; each generator has a copy, which would count twice
        for (const ChosenCounter& one : m_all) {
            if (!std::ranges::any_of(step.patterns, [&](const std::string& pattern) {
                    return series::fitsPattern(before + pattern, one.path);
                }))
                continue;
            if (one.place.source == 0 && isMerged)
                combined.insert(one.info.key);
            SeriesKey whole = one.info.key;
            whole.subject.generator.clear();
            if (!one.info.key.subject.generator.empty() && combined.contains(whole))
                continue;
            found.push_back(one);
            if (found.size() > kMostParts)
                break;
        }
    };
    search("");
    if (step.kind == StepKind::counter && found.size() > 1) // a path may be the beginning of another
        if (const std::size_t some = found.size(); search("*"), found.empty())
            return fail(
                fmt::format("\"{}\" fits {} counters; write more of its path, or sum(...) or mean(...)",
                    step.patterns.front(), some));
    if (found.empty())
        return fail(fmt::format("\"{}\" fits no counter of this recording", joined(step.patterns, "\", \"")));
    if (step.kind == StepKind::counter && found.size() > 1)
        return fail(fmt::format(
            "\"{}\" fits {} counters, such as {} and {}; write more of its path, or sum(...) or mean(...)",
            step.patterns.front(), found.size(), found[0].path, found[1].path));
    if (found.size() > kMostParts)
        return fail(fmt::format("is made of more than {} counters", kMostParts));
    for (const ChosenCounter& one : found)
        if (const std::string unit = shownUnit(one.info); unit != shownUnit(found.front().info))
            return fail(fmt::format("{} is in {} and {} in {}; counters of a sum or a mean have one unit",
                found.front().path, named(shownUnit(found.front().info)), one.path, named(unit)));
    return found;
}

/// As many as it has counters of single processors; of the machine that ran Loadstone as its facts say.
Result<double> Resolver::processorsOf(const std::vector<ChosenCounter>& parts) const
{
    const ChosenCounter& first = parts.front();
    const std::string& host = first.info.key.subject.host;
    const auto count = std::ranges::count_if(m_all, [&](const ChosenCounter& one) {
        return one.place.source == first.place.source && one.info.key.quantity == Quantity::oneProcessorTime
            && one.info.key.subject.host == host;
    });
    if (count > 0)
        return static_cast<double>(count);
    if (const auto facts = lab::hostFactsFromJson(m_recording.header().hostJson);
        first.place.source == 0 && host.empty() && facts && facts->logicalCpus > 0)
        return static_cast<double>(facts->logicalCpus);
    return fail("the recording does not say how many processors the computer of " + first.path
        + " has; divide by their number");
}

Result<void> Resolver::take(
    const DerivedStep& step, DerivedProgram& program, std::vector<ChosenCounter>& parts)
{
    DerivedProgram::Step made { step.kind, step.number, {} };
    switch (step.kind) {
    case StepKind::counter:
    case StepKind::sum:
    case StepKind::mean: {
        const auto found = partsOf(step);
        if (!found)
            return found.error();
        for (const ChosenCounter& one : *found) {
            made.parts.push_back(one.place);
            if (!m_places.insert(one.place).second)
                continue;
            if (parts.size() == kMostParts)
                return fail(fmt::format("is made of more than {} counters", kMostParts));
            parts.push_back(one);
        }
        m_stack.push_back({ shownUnit(found->front().info) });
        break;
    }
    case StepKind::number:
        m_stack.push_back({ "", true });
        break;
    case StepKind::users:
        m_stack.push_back({ "user", false, false, true });
        break;
    case StepKind::processors:
        m_stack.push_back({ "processor", false, false, true });
        break;
    case StepKind::times:
    case StepKind::over: {
        const Measure right = m_stack.back();
        m_stack.pop_back();
        m_stack.back() =
            step.kind == StepKind::times ? multiplied(m_stack.back(), right) : divided(m_stack.back(), right);
        break;
    }
    }
    program.steps.push_back(std::move(made));
    return {};
}

Result<DerivedCounter> Resolver::resolve(const series::DerivedText& text)
{
    DerivedCounter derived;
    derived.name = text.name;
    auto program = std::make_shared<DerivedProgram>();
    for (const DerivedStep& step : text.steps)
        if (auto done = take(step, *program, derived.parts); !done)
            return done.error();
    for (DerivedProgram::Step& step : program->steps)
        if (step.kind == StepKind::processors) {
            const auto count = processorsOf(derived.parts);
            if (!count)
                return count.error();
            step.kind = StepKind::number;
            step.number = *count;
        }
    const Measure& measure = m_stack.front();
    if (!text.unit.empty() && text.unit != measure.unit && text.unit != measure.ofAll && !measure.scaled)
        return fail(fmt::format("is in {}, not in \"{}\"; multiply it by the number that makes one of the "
                                "other, or leave the unit out",
            named(measure.unit), text.unit));
    derived.unit = text.unit.empty() ? measure.unit : text.unit;
    derived.program = std::move(program);
    return derived;
}

Result<DerivedCounter> resolved(
    const Recording& recording, const std::vector<ChosenCounter>& all, std::string_view definition)
{
    const auto text = series::parseDerived(definition);
    if (!text)
        return text.error();
    auto derived = Resolver(recording, all).resolve(*text);
    if (!derived)
        return derived.error().within(text->name);
    derived->definition = definition;
    return derived;
}

} // namespace

Result<DerivedCounter> derive(const Recording& recording, std::string_view definition)
{
    const auto all = countersOf(recording);
    if (!all)
        return all.error();
    return resolved(recording, *all, definition);
}

PlanDerived derivedOf(const Recording& recording)
{
    PlanDerived derived;
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    if (!loaded.ok() || loaded.plan.head().derived.empty())
        return derived;
    const auto all = countersOf(recording);
    if (!all) {
        derived.problems.push_back(all.error().message);
        return derived;
    }
    for (const std::string& definition : loaded.plan.head().derived) {
        auto one = resolved(recording, *all, definition);
        if (one)
            derived.counters.push_back(*std::move(one));
        else
            derived.problems.push_back(one.error().message);
    }
    return derived;
}

} // namespace loadstone
